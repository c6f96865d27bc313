from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import inspect

from memory_lib.policies.model_budget import Spent
from memory_lib.ports.ledger import JobFigures, ModelCall
from tests.contracts.ledger.said import NOW

CALL = ModelCall(
    job="judge_pair",
    job_version="pair/1",
    model="small-one",
    at=NOW,
    outcome="model",
    requests=2,
    malformed=1,
    rejected=0,
    left_out=0,
    first_try=False,
    prompt_tokens=100,
    answer_tokens=20,
    seconds=1.5,
)


def test_nothing_is_spent_before_the_first_question(ledger, user):
    assert ledger.model_book.spent(since=NOW) == ledger.model_book.spent(since=NOW, user=user) == Spent(0, 0)
    assert ledger.model_book.figures(since=NOW) == {}


def test_what_is_spent_counts_from_an_instant_on_by_person_and_in_all(ledger, user):
    other = ledger.people.ensure("bob", now=NOW)
    ledger.model_book.record(user, CALL)
    ledger.model_book.record(user, CALL)
    ledger.model_book.record(other, replace(CALL, requests=5))
    ledger.model_book.record(user, replace(CALL, at=NOW - timedelta(microseconds=1)))
    assert ledger.model_book.spent(since=NOW, user=user) == Spent(4, 240)
    assert ledger.model_book.spent(since=NOW, user=other) == Spent(5, 120)
    assert ledger.model_book.spent(since=NOW) == Spent(9, 360)
    assert ledger.model_book.spent(since=NOW - timedelta(days=1)) == Spent(11, 480)


def test_figures_tell_validity_retries_and_cost_of_each_job(ledger, user):
    ledger.model_book.record(user, CALL)
    ledger.model_book.record(user, replace(CALL, outcome="not_json", requests=4, malformed=4, first_try=False))
    ledger.model_book.record(user, replace(CALL, job="judge_worth", requests=1, malformed=0, rejected=0, first_try=True))
    figures = ledger.model_book.figures(since=NOW)
    assert figures["judge_pair"] == JobFigures(
        calls=2, by_model=1, first_try=0, requests=6, malformed=5, rejected=0, prompt_tokens=200, answer_tokens=40, seconds=3.0
    )
    assert (figures["judge_worth"].calls, figures["judge_worth"].first_try) == (1, 1)


def test_the_table_has_room_for_ids_names_and_numbers_and_for_no_text(ledger):
    with ledger.model_book._database.read() as connection:
        columns = inspect(connection).get_columns("model_calls")
    kinds = {column["name"]: str(column["type"]) for column in columns}
    texts = {name for name, kind in kinds.items() if "CHAR" in kind}
    assert texts == {"user_id", "call_id", "job", "job_version", "model", "outcome"}
    assert all("INT" in kind for name, kind in kinds.items() if name not in texts)


@pytest.mark.parametrize("seconds", [0.0, 0.000001, 86_400.0])
def test_seconds_come_back(ledger, user, seconds):
    ledger.model_book.record(user, replace(CALL, seconds=seconds))
    assert ledger.model_book.figures(since=NOW)["judge_pair"].seconds == seconds
