"""A real model that writes nonsense: the wire, schemas, retries and the fallback are what is tested, never its sense."""

from __future__ import annotations

import pytest

from tests.live.calls import WRITING, ask, in_schema, is_handled, mixed, table
from tests.reasoning.jobs.asked import JOBS

CALLS = 500
ENOUGH = 0.99


@pytest.mark.slow
@pytest.mark.small_model
@pytest.mark.timeout(600)
def test_twenty_calls_fit_their_schemas(address):
    done = ask(address, [question for question in mixed(22) if question.job.name not in WRITING])
    calls = [call for call, _ in done]
    assert len(calls) == 20
    assert all(map(in_schema, calls)), table(calls)
    assert all(is_handled(call, thought) for call, thought in done)


@pytest.mark.live
@pytest.mark.small_model
@pytest.mark.timeout(3600)
def test_five_hundred_calls_fit_their_schemas_and_what_does_not_is_handled(address):
    done = ask(address, mixed(CALLS))
    calls = [call for call, _ in done]
    print(f"\n{table(calls)}")  # noqa: T201 - whoever runs it wants the figures
    assert {call.job for call in calls} == {job.name for job in JOBS}
    assert sum(map(in_schema, calls)) >= ENOUGH * CALLS, table(calls)
    assert all(is_handled(call, thought) for call, thought in done)
