"""The flows against the real temporary server."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest

from flows.local import LocalPrefect, run_plan_with_prefect
from flows.prefect_environment import prefect_home
from memory_lib import plans
from memory_lib.bootstrap import Memory
from memory_lib.domain.ids import ConversationId, UserId
from memory_lib.errors import IllegalValue, SealBroken, StoreBusy
from memory_lib.plans import Counts, Step, Workbench
from tests.e2e.readable_bytes import Search
from tests.flows.conftest import SAID, OpenHome, take_in

pytestmark = pytest.mark.flows

SECRET = "Кошелёк Вавиловой"
Work = Callable[[UserId], Counts]


@pytest.fixture
def sabotage(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, Work], None]:
    """Puts other work into a step, for the flow and for ``plans.run`` alike; retries wait no time."""
    from flows import walk
    from tasks import runtime

    def put(name: str, work: Work) -> None:
        def instead(_bench: Workbench, user: UserId, _conversation: ConversationId | None, _progress: object) -> Counts:
            return work(user)

        step = runtime.STEPS[name]
        other = Step(name=name, unit=step.unit, work=instead)
        plan = tuple(other if each.name == name else each for each in plans.INGEST)
        monkeypatch.setitem(runtime.STEPS, name, other)  # type: ignore[arg-type]
        monkeypatch.setitem(plans.PLANS, "ingest", plan)  # type: ignore[arg-type]
        at_once = walk.TASKS[name].with_options(retry_delay_seconds=0, retry_jitter_factor=0)
        monkeypatch.setitem(walk.TASKS, name, at_once)  # type: ignore[arg-type]

    return put


@pytest.fixture
def last_run(server: LocalPrefect) -> Callable[[], dict[str, Any]]:
    """What the server's database says of the newest flow run: state, message, artifacts, and its task runs once recorded."""

    def look() -> dict[str, Any]:
        with closing(sqlite3.connect(prefect_home(server.home) / "prefect.db")) as database:
            run, state = database.execute("SELECT id, state_id FROM flow_run ORDER BY created DESC LIMIT 1").fetchone()
            kind, message = database.execute("SELECT type, message FROM flow_run_state WHERE id = ?", [state]).fetchone()
            artifacts = dict(database.execute("SELECT key, data FROM artifact WHERE flow_run_id = ?", [run]).fetchall())
        return {"id": run, "state": kind, "message": message, "artifacts": artifacts}

    return look


def test_the_flow_leaves_the_trace_and_the_graphs_of_the_plan(
    server: LocalPrefect, open_home: OpenHome, last_run: Callable[[], dict[str, Any]]
) -> None:
    through, beside = open_home("through"), open_home("beside")
    people, others = take_in(through), take_in(beside)
    heard: Counter[str] = Counter()

    def progress(step: str, count: int) -> None:
        heard[step] += count

    done = run_plan_with_prefect(through, "ingest", people, progress=progress, server=server)
    walked = plans.run(plans.INGEST, beside.bench, others, workers=2)

    assert plans.run(plans.INGEST, through.bench, people, workers=2).trace == done.trace
    assert [piece.step for piece in done.done] == [piece.step for piece in walked.done]
    assert {user: through.graph_hash(user) for user in SAID} == {user: beside.graph_hash(user) for user in SAID}
    assert done.total("nodes") == walked.total("nodes") > 0
    assert heard["extract"] == sum(map(len, SAID.values()))
    assert not done.failures
    told = last_run()
    assert told["state"] == "COMPLETED"
    assert list(told["artifacts"]) == ["ingest-steps"]


def test_pieces_start_in_the_order_of_the_plan(
    server: LocalPrefect, open_home: OpenHome, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tasks import runtime

    memory = open_home(workers="1")
    people = take_in(memory)
    started: list[tuple[str, str, str | None]] = []
    whole = runtime.piece

    async def piece(step: str, user: str, conversation: str | None = None) -> dict[str, int]:
        started.append((step, user, conversation))
        return await whole(step, user, conversation)

    monkeypatch.setattr(runtime, "piece", piece)
    for plan in ("ingest", "fade"):
        started.clear()
        done = run_plan_with_prefect(memory, plan, people, server=server)
        assert tuple(started) == done.trace == plans.run(plans.PLANS[plan], memory.bench, people, workers=1).trace


def test_reembed_is_walked_like_its_plan(server: LocalPrefect, open_home: OpenHome) -> None:
    from dataclasses import replace

    from memory_lib.adapters.embeddings.known import KnownEmbedders
    from tests.e2e.word_vectors import OtherWordVectors, WordVectors

    def served(name: str, *embedders: WordVectors) -> Memory:
        memory = open_home(name)
        known = KnownEmbedders(embedders[0], embedders[1:])
        return replace(memory, bench=replace(memory.bench, embedder=known.current, embedders=known))

    before = served("through", WordVectors())
    people = take_in(before)
    plans.run(plans.INGEST, before.bench, people, workers=2)
    after = served("through", OtherWordVectors(), WordVectors())
    hashes = {user: after.graph_hash(user) for user in SAID}
    done = run_plan_with_prefect(after, "reembed", people, server=server)
    assert not done.failures
    assert done.total("switched") == len(people)
    assert {after.bench.people.person(user).fingerprint for user in people} == {OtherWordVectors.fingerprint}
    assert {user: after.graph_hash(user) for user in SAID} == hashes
    assert done.trace == plans.run(plans.REEMBED, after.bench, people, workers=2).trace


def test_no_more_pieces_at_once_than_the_setting_allows(
    server: LocalPrefect, open_home: OpenHome, sabotage: Callable[[str, Work], None]
) -> None:
    import threading
    import time

    memory = open_home(workers="2")
    people = take_in(memory)
    at_work: list[int] = []
    most = []
    lock = threading.Lock()

    def slow(_user: UserId) -> Counts:
        with lock:
            at_work.append(1)
            most.append(len(at_work))
        time.sleep(0.05)
        with lock:
            at_work.pop()
        return {}

    sabotage("extract", slow)
    run_plan_with_prefect(memory, "ingest", people, server=server)
    assert max(most) == 2


def test_a_bad_person_fails_the_run_and_nobody_else(
    server: LocalPrefect,
    open_home: OpenHome,
    sabotage: Callable[[str, Work], None],
    last_run: Callable[[], dict[str, Any]],
) -> None:
    memory = open_home()
    people = take_in(memory)
    bad = people[1]
    calls: Counter[UserId] = Counter()

    def work(user: UserId) -> Counts:
        calls[user] += 1
        if user == bad:
            raise SealBroken("a record of this person does not open; restore the key")
        return {"messages": 1}

    sabotage("extract", work)
    done = run_plan_with_prefect(memory, "ingest", people, server=server)
    assert done.trace == plans.run(plans.PLANS["ingest"], memory.bench, people, workers=2).trace
    assert {piece.user for piece in done.failures} == {bad}
    assert {piece.user for piece in done.done if piece.step == "form"} == set(people) - {bad}
    assert calls[bad] == 4  # two conversations, once each, by the flow and by the plan: permanent errors are not tried again
    told = last_run()
    assert told["state"] == "FAILED"
    assert "2 of 10 pieces of work failed (SealBroken 2)" in told["message"]
    assert bad in told["artifacts"]["ingest-failures"]
    assert "restore the key" in told["artifacts"]["ingest-failures"]


def test_what_may_pass_is_tried_again(
    server: LocalPrefect, open_home: OpenHome, sabotage: Callable[[str, Work], None], last_run: Callable[[], dict[str, Any]]
) -> None:
    memory = open_home()
    people = take_in(memory)
    calls: Counter[UserId] = Counter()

    def work(user: UserId) -> Counts:
        calls[user] += 1
        if calls[user] < 3:
            raise StoreBusy("somebody else is writing; try again")
        return {"units": 1}

    sabotage("form", work)
    done = run_plan_with_prefect(memory, "ingest", people, server=server)
    assert not done.failures
    assert done.total("units") >= len(people)
    assert set(calls.values()) == {3}
    assert last_run()["state"] == "COMPLETED"


def test_what_does_not_pass_is_given_up(
    server: LocalPrefect, open_home: OpenHome, sabotage: Callable[[str, Work], None]
) -> None:
    memory = open_home()
    people = take_in(memory)[:1]
    calls: list[UserId] = []

    def work(user: UserId) -> Counts:
        calls.append(user)
        raise StoreBusy("somebody else is writing; try again")

    sabotage("form", work)
    done = run_plan_with_prefect(memory, "ingest", people, server=server)
    assert [type(piece.error) for piece in done.failures] == [StoreBusy]
    assert len(calls) == 4


def run_like_a_worker(server: LocalPrefect, memory: Memory) -> Any:
    """The flow for everybody, its logs sent to the server, as a worker's process runs it; the state it ends in."""
    from prefect.events.worker import EventsWorker
    from prefect.logging.handlers import APILogHandler
    from prefect.settings import temporary_settings

    from flows.ingest import ingest
    from tasks.runtime import Handle, use

    async def run() -> Any:
        state = await ingest(return_state=True)
        await APILogHandler.aflush()
        return state

    talkative = {"api.url": server.api_url, "logging.to_api.enabled": True, "logging.level": "DEBUG"}
    with temporary_settings(updates=talkative), use(Handle(memory=memory)):
        state = asyncio.run(run())
        EventsWorker.drain_all()
    return state


def test_an_unplanned_error_tells_the_server_its_class_and_no_word(
    server: LocalPrefect,
    open_home: OpenHome,
    sabotage: Callable[[str, Work], None],
    capfd: pytest.CaptureFixture[str],
) -> None:
    memory = open_home()
    take_in(memory)

    def work(user: UserId) -> Counts:
        said_by_a_person = SECRET  # a local, which some tracebacks show
        try:
            {}[said_by_a_person]
        except KeyError as error:
            error.add_note(said_by_a_person)
            raise ZeroDivisionError(f"{said_by_a_person} of {user}") from error
        return {}

    sabotage("form", work)
    state = run_like_a_worker(server, memory)
    assert state.is_failed()
    assert "Unexpected 3" in state.message
    found = Search({"secret": SECRET}).found_under(server.home)
    assert not found
    written = b"".join(path.read_bytes() for path in server.home.rglob("*") if path.is_file())
    assert b"ZeroDivisionError at tests/flows/test_walk.py:" in written
    with closing(sqlite3.connect(prefect_home(server.home) / "prefect.db")) as database:
        logged = "".join(message for (message,) in database.execute("SELECT message FROM log"))
    assert "ZeroDivisionError" in logged
    assert SECRET not in "".join(capfd.readouterr())


def test_a_name_as_parameter_is_refused_without_repeating_it(open_home: OpenHome, server: LocalPrefect) -> None:
    from flows.ingest import ingest
    from tasks.runtime import Handle, use

    memory = open_home()
    with use(Handle(memory=memory)), pytest.raises(IllegalValue) as told:
        asyncio.run(ingest.fn(["Вавилова"]))
    assert "Вавилова" not in str(told.value)


def test_nothing_that_a_person_said_is_in_any_file_of_a_home_with_prefect(server: LocalPrefect, open_home: OpenHome) -> None:
    memory = open_home(place=server.home)
    people = take_in(memory)
    run_plan_with_prefect(memory, "ingest", people, server=server)
    run_plan_with_prefect(memory, "fade", people, server=server)
    texts = [text for said in SAID.values() for text in said]
    words = [word for text in texts for word in text.strip(".").split() if len(word.encode()) >= 12]
    search = Search({word: word for word in texts + words})
    assert not search.found_under(server.home)
    assert (prefect_home(server.home) / "prefect.db").stat().st_size > 100_000
    planted = prefect_home(server.home) / "planted.log"
    planted.write_text("Записалась", encoding="utf-16")
    assert search.found_under(server.home)
    planted.unlink()


def test_every_step_has_a_task_and_no_task_keeps_results() -> None:
    from flows.walk import TASKS
    from tasks import runtime

    assert set(TASKS) == set(runtime.STEPS)
    for name, task in TASKS.items():
        assert task.persist_result is False, name
        assert not task.tags, name
        assert task.retries == 3, name
        assert task.retry_condition_fn is not None, name
