"""Operations as flow runs against the real temporary server: dry runs, receipts, the pause before an erasure."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from typing import Any

import pytest

from flows.local import LocalPrefect
from flows.prefect_environment import prefect_home
from memory_lib import plans
from memory_lib.bootstrap import Memory
from memory_lib.errors import UnknownUser
from tests.e2e.readable_bytes import Search
from tests.flows.conftest import SAID, OpenHome, take_in

pytestmark = [pytest.mark.flows, pytest.mark.slow]

ANYA = "аня"


@pytest.fixture
def memory(open_home: OpenHome) -> Memory:
    opened = open_home()
    people = take_in(opened)
    plans.run(plans.INGEST, opened.bench, people, workers=2)
    return opened


def flow_run(
    server: LocalPrefect,
    memory: Memory,
    flow: Callable[..., Awaitable[Any]],
    answer: Mapping[str, str] | None = None,
    **parameters: Any,
) -> tuple[Any, dict[str, list[dict[str, Any]]]]:
    """The state that the run ended in and its artifacts' rows by key; ``answer``: what is typed where it pauses."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.filters import FlowRunFilter
    from prefect.flow_runs import aresume_flow_run
    from prefect.settings import temporary_settings

    from tasks.runtime import Handle, use

    async def type_when_paused() -> None:
        async with get_client() as client:
            while True:
                for run in await client.read_flow_runs(flow_run_filter=FlowRunFilter(state={"type": {"any_": ["PAUSED"]}})):
                    await aresume_flow_run(run.id, run_input=dict(answer or {}))
                    return
                await asyncio.sleep(0.2)

    async def both() -> Any:
        typing = asyncio.create_task(type_when_paused()) if answer is not None else None
        state = await flow(**parameters, return_state=True)
        if typing is not None:
            await typing
        return state

    with (
        temporary_settings(updates={"api.url": server.api_url, "logging.to_api.enabled": False}),
        use(Handle(memory=memory)),
    ):
        state = asyncio.run(both())
    with closing(sqlite3.connect(prefect_home(server.home) / "prefect.db")) as database:
        run = database.execute("SELECT id FROM flow_run ORDER BY created DESC LIMIT 1").fetchone()[0]
        rows = database.execute("SELECT key, data FROM artifact WHERE flow_run_id = ?", [run]).fetchall()
    return state, {key: _table(data) for key, data in rows}


def _table(data: str) -> list[dict[str, Any]]:
    once = json.loads(data)
    return json.loads(once) if isinstance(once, str) else once  # type: ignore[no-any-return]


def value(rows: list[dict[str, Any]], part: str, what: str) -> Any:
    (found,) = [row["value"] for row in rows if (row["part"], row["what"]) == (part, what)]
    return found


def test_a_dry_erasure_counts_and_changes_nothing(server: LocalPrefect, memory: Memory) -> None:
    from flows.erase_user import erase_user

    user = memory.user_id(ANYA)
    before = memory.graph_hash(ANYA)
    state, artifacts = flow_run(server, memory, erase_user, user=user)
    assert state.is_completed(), state.message
    receipt = artifacts["erase-receipt"]
    assert value(receipt, "receipt", "applied") == "False"
    assert value(receipt, "ledger", "messages") == len(SAID[ANYA])
    assert memory.graph_hash(ANYA) == before


def test_an_erasure_waits_for_the_right_digits_and_leaves_a_signed_receipt(server: LocalPrefect, memory: Memory) -> None:
    from flows.erase_user import erase_user

    user = memory.user_id(ANYA)
    wrong = "".join("0" if digit != "0" else "1" for digit in user[:8])
    state, artifacts = flow_run(server, memory, erase_user, {"first_digits": wrong}, user=user, dry_run=False)
    assert state.is_failed()
    assert "not confirmed" in state.message
    assert not artifacts
    assert memory.user_id(ANYA) == user

    state, artifacts = flow_run(server, memory, erase_user, {"first_digits": user[:8]}, user=user, dry_run=False)
    assert state.is_completed(), state.message
    receipt = artifacts["erase-receipt"]
    assert value(receipt, "receipt", "applied") == "True"
    assert len(value(receipt, "receipt", "signature")) == 128
    assert not [row for row in receipt if row["value"] == user]
    with pytest.raises(UnknownUser):
        memory.user_id(ANYA)
    assert set(memory.users()) == set(SAID) - {ANYA}


def test_where_operators_are_named_another_one_confirms(
    server: LocalPrefect, open_home: OpenHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    from flows.erase_user import erase_user

    monkeypatch.setenv("SELFIMPRINT_OPERATORS", '["ann", "bob"]')
    memory = open_home("operated")
    user = take_in(memory)[0]
    digits = {"first_digits": user[:8]}

    def asked(by: str, confirmed: str | None) -> Any:
        answer = None if confirmed is None else {**digits, "operator": confirmed}
        return flow_run(server, memory, erase_user, answer, user=user, dry_run=False, operator=by)[0]

    assert asked("eve", None).is_failed()
    assert asked("ann", "ann").is_failed()
    assert asked("ann", "eve").is_failed()
    assert user in memory.user_ids()
    assert asked("ann", "bob").is_completed()
    assert user not in memory.user_ids()


def test_a_reset_through_its_form_is_undone_through_its_form(server: LocalPrefect, memory: Memory) -> None:
    from flows.soft_reset import soft_reset
    from flows.undo import undo

    user, before = memory.user_id(ANYA), memory.graph_hash(ANYA)
    state, artifacts = flow_run(server, memory, soft_reset, user=user, dry_run=False)
    assert state.is_completed(), state.message
    batch = value(artifacts["reset-receipt"], "receipt", "batch")
    state, _ = flow_run(server, memory, undo, user=user, batch=batch, dry_run=False)
    assert state.is_completed(), state.message
    assert memory.graph_hash(ANYA) == before


def test_a_word_in_a_form_is_refused_and_not_repeated(server: LocalPrefect, memory: Memory) -> None:
    from flows.move_shard import move_shard

    state, _ = flow_run(server, memory, move_shard, user=memory.user_id(ANYA), to="к Илье")
    assert state.is_failed()
    assert "Илье" not in str(state.message)


def test_nothing_that_was_said_reaches_the_server(server: LocalPrefect, memory: Memory) -> None:
    from flows.export_user import export_user
    from flows.move_shard import move_shard

    user = memory.user_id(ANYA)
    for flow, options in ((export_user, {"dry_run": False}), (move_shard, {"to": "warm", "dry_run": False})):
        state, _ = flow_run(server, memory, flow, user=user, **options)
        assert state.is_completed(), state.message
    assert memory.ops.placements.of(user).tier == "warm"  # type: ignore[union-attr]
    assert not Search({text: text for texts in SAID.values() for text in texts}).found_under(server.home)


@pytest.mark.parametrize(("user", "operator"), [("Anna Petrova", "ann"), ("a" * 32, "eve")])
def test_nothing_is_started_for_what_is_no_internal_id_or_by_nobody_known(
    open_home: OpenHome, monkeypatch: pytest.MonkeyPatch, user: str, operator: str
) -> None:
    from flows import operate
    from tasks.runtime import Handle, use

    async def started(*_arguments: Any, **_options: Any) -> Any:
        raise AssertionError("the task began, and Prefect keeps its name")

    monkeypatch.setattr(operate, "perform", started)
    monkeypatch.setenv("SELFIMPRINT_OPERATORS", '["ann", "bob"]')
    with use(Handle(memory=open_home("guarded"))):
        state = asyncio.run(operate.operate("reset", user, dry_run=False, operator=operator))
    assert state.is_failed()
    assert user not in str(state.message)
