"""Silent people rest in files, answer from there, and come back; nothing is lost on the way (DESIGN §4, Tiers)."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory_lib import plans
from memory_lib.bootstrap import Memory
from memory_lib.domain.acts import ActKind
from memory_lib.domain.changes import ChangeSet, WriteKey
from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Placement, Tier
from memory_lib.domain.recall import Context, Degraded
from memory_lib.errors import Permanent, PersonAway, StoreBusy, UnknownSetting
from memory_lib.operations.bench import Asked
from memory_lib.operations.move import move
from memory_lib.ports.person_mover import Destination
from memory_lib.ports.requests import RequestState
from memory_lib.usecases.migrate_tier import YIELDED, due, migrate_tier
from memory_lib.usecases.rehydrate import KIND, ask_back, claimed
from tests.usecases.conftest import OpenHome
from tests.usecases.dialogues import ENGLISH, RUSSIAN, message
from tests.usecases.ops_bench import opened_ops
from tests.usecases.test_recall import WordVectors

LAST = datetime(2026, 5, 20, 10, tzinfo=UTC)
DIALOGUES = [
    pytest.param(RUSSIAN, "Как дела с Олегом?", "Олег", id="ru"),
    pytest.param(ENGLISH, "How are things with Bob?", "Bob", id="en"),
]
FROM_FILES = Degraded("graph", "served_from_files")
ASLEEP = Degraded("graph", "asleep")


def after_days(open_home: OpenHome, days: float, **overrides: Any) -> Memory:
    """The home as it is opened this many days after the last message."""
    return open_home(now=LAST + timedelta(days=days), embedder=WordVectors(), **overrides)


def tiers(memory: Memory) -> plans.Tiers:
    assert memory.bench.tiers is not None
    return memory.bench.tiers


def placement(memory: Memory, user: str = "p") -> Placement:
    return tiers(memory).mover.where(memory.user_id(user))


def night(memory: Memory) -> plans.PlanRun | None:
    """A night of migration, as a flow walks it; the last page's run."""
    run = None
    for page in due(tiers(memory).placements, clock=memory.bench.clock, params=tiers(memory).silence, page=2):
        run = memory.run("tier_migration", page)
    return run


def said(context: Context) -> tuple[str, str]:
    return context.context, context.rounds_text


@pytest.mark.parametrize(("dialogue", "question", "name"), DIALOGUES)
def test_who_is_silent_cools_down_and_answers_the_same_from_files(
    open_home: OpenHome, dialogue: list[dict[str, Any]], question: str, name: str
):
    memory = after_days(open_home, 1)
    memory.add("p", dialogue)
    hash_, before = memory.graph_hash("p"), memory.ask("p", question, now="last")
    assert name in before.context
    assert night(memory) is None, "who wrote yesterday is not looked at"
    for days, tier in ((9, Tier.WARM), (20, Tier.WARM), (40, Tier.COLD), (300, Tier.COLD)):
        later = after_days(open_home, days)
        night(later)
        assert placement(later).tier is tier
        answer = later.ask("p", question, now="last")
        assert said(answer) == said(before)
        assert answer.degraded == (FROM_FILES,)
        assert later.graph_hash("p") == hash_
        assert later.show("p", now="last") == memory.show("p", now="last")


def test_a_new_message_brings_the_person_back_before_it_is_formed(open_home: OpenHome):
    memory = after_days(open_home, 1)
    memory.add("p", RUSSIAN)
    memory.add("stayed", RUSSIAN)
    late = after_days(open_home, 40)
    user = late.user_id("p")
    tiers(late).mover.move(user, Destination(Tier.COLD))
    news = message(13, 28, "Я теперь работаю в Касперском!", hour=12)
    imported = late.take_in([late_record(late, "p", news), late_record(late, "stayed", news)], source="test")
    run = late.run("ingest", imported.people)
    assert [done.step for done in run.done if done.user == user] == ["extract", "rehydrate", "form", "log"]
    assert [done.step for done in run.done if done.user != user] == ["extract", "form", "log"]
    assert placement(late).tier is Tier.HOT
    assert late.graph_hash("p") == late.graph_hash("stayed")
    assert late.ask("p", "Где я работаю?", now="last").degraded == ()
    assert tiers(late).requests.open(kind=KIND) == ()


def late_record(memory: Memory, user: str, record: dict[str, Any]) -> Any:
    from memory_lib.adapters.importers.jsonl import record_from

    return record_from(record, user=user)


def test_an_ingest_without_news_brings_nobody_back(open_home: OpenHome):
    memory = after_days(open_home, 9)
    memory.add("p", ENGLISH)
    night(memory)
    run = memory.run("ingest", memory.user_ids())
    assert "rehydrate" not in {done.step for done in run.done}
    assert placement(memory).tier is Tier.WARM
    memory.run("fade", memory.user_ids())
    assert placement(memory).tier is Tier.WARM


@pytest.mark.parametrize("plan", ["reembed", "rebuild"])
def test_what_writes_everybody_brings_them_back_first(open_home: OpenHome, plan: str):
    memory = after_days(open_home, 9)
    memory.add("p", ENGLISH)
    hash_ = memory.graph_hash("p")
    night(memory)
    memory.run(plan, memory.user_ids())
    assert placement(memory).tier is Tier.HOT
    assert memory.graph_hash("p") == hash_


def test_a_correction_brings_the_person_back_first(open_home: OpenHome):
    memory = after_days(open_home, 9)
    memory.add("p", ENGLISH)
    night(memory)
    node = memory.show("p")["nodes"][0]["id"]
    with pytest.raises(PersonAway), memory.bench.write_turn.hold(memory.user_id("p")) as turn:
        memory.bench.writer.apply(
            memory.user_id("p"), [ChangeSet(WriteKey(memory.user_id("p"), "k", "u", "o", "1"), ())], token=turn.token, now=LAST
        )
    assert placement(memory).tier is Tier.WARM
    memory.correct("p", node, ActKind.PIN)
    assert placement(memory).tier is Tier.HOT
    assert node in {each["id"] for each in memory.show("p")["nodes"] if each["is_pinned"]}


# -- coming back by being asked --


@pytest.fixture
def slow(open_home: OpenHome) -> Iterator[tuple[Memory, threading.Event]]:
    """Somebody warm whose files open only when the event is set; recall does not wait."""
    memory = after_days(open_home, 9, **{"tiers.unseal_wait_s": "0.01"})
    memory.add("p", RUSSIAN)
    night(memory)
    go_on = threading.Event()
    files = memory.bench.reader._files._files  # type: ignore[attr-defined]
    files[Tier.WARM] = Slow(files[Tier.WARM], go_on)
    yield memory, go_on
    go_on.set()


class Slow:
    """Files that are read when an event says so."""

    def __init__(self, files: Any, go_on: threading.Event) -> None:
        self._files, self._go_on = files, go_on

    def read(self, user: UserId, *, generation: int) -> Any:
        assert self._go_on.wait(30.0)
        return self._files.read(user, generation=generation)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)


def test_recall_answers_from_the_rounds_until_the_files_are_open(slow: tuple[Memory, threading.Event]):
    memory, go_on = slow
    asleep = memory.ask("p", "Как дела с Олегом?", now="last")
    assert asleep.degraded == (ASLEEP,)
    assert "Олег" in asleep.rounds_text
    assert asleep.items == ()
    (request,) = tiers(memory).requests.open(kind=KIND)
    assert (request.user, request.state) == (memory.user_id("p"), RequestState.WAITING)
    go_on.set()
    user = memory.user_id("p")
    assert memory.bench.reader.look(user, within_s=10.0).head is not None  # type: ignore[attr-defined]
    awake = memory.ask("p", "Как дела с Олегом?", now="last")
    assert awake.degraded == (FROM_FILES,)
    assert awake.items
    assert len(tiers(memory).requests.open(kind=KIND)) == 1, "asked for once"


def test_who_was_asked_for_comes_back_by_the_request(open_home: OpenHome):
    memory = after_days(open_home, 9)
    memory.add("p", RUSSIAN)
    night(memory)
    before = memory.ask("p", "Как дела с Олегом?", now="last")
    users = claimed(tiers(memory).requests, holder="me", limit=10, ttl_s=60.0, clock=memory.bench.clock)
    assert users == memory.user_ids()
    assert claimed(tiers(memory).requests, holder="other", limit=10, ttl_s=60.0, clock=memory.bench.clock) == ()
    run = memory.run("rehydrate", users)
    assert run.total("moved") == 1
    assert tiers(memory).requests.open(kind=KIND) == ()
    after = memory.ask("p", "Как дела с Олегом?", now="last")
    assert (said(after), after.degraded) == (said(before), ())
    assert memory.run("rehydrate", users).total("moved") == 0


def test_a_return_that_fails_is_tried_again_and_given_up_in_the_end(open_home: OpenHome, monkeypatch: pytest.MonkeyPatch):
    memory = after_days(open_home, 9, **{"tiers.attempts": "2"})
    memory.add("p", RUSSIAN)
    night(memory)
    user, requests, clock = memory.user_id("p"), tiers(memory).requests, memory.bench.clock
    ask_back(user, requests=requests, clock=clock)
    monkeypatch.setattr(tiers(memory).mover, "_copied", lambda *_: (_ for _ in ()).throw(Permanent("the disk is full")))
    for number, state in enumerate((RequestState.RUNNING, RequestState.FAILED)):
        now = clock.now() + timedelta(seconds=61 * number)
        (request,) = requests.claim(KIND, holder="me", limit=1, ttl_s=60.0, now=now)
        with pytest.raises(Permanent):
            memory.run("rehydrate", [user])
        assert requests.one(user, request.id).state is state
    assert placement(memory).tier is Tier.WARM


def test_recall_goes_on_when_the_return_cannot_be_asked_for(open_home: OpenHome, monkeypatch: pytest.MonkeyPatch):
    memory = after_days(open_home, 9)
    memory.add("p", RUSSIAN)
    night(memory)

    def busy(*_: Any, **__: Any) -> None:
        raise StoreBusy("the ledger is locked")

    monkeypatch.setattr(tiers(memory).requests, "ask", busy)
    assert memory.ask("p", "Как дела с Олегом?", now="last").degraded == (FROM_FILES,)


# -- yielding --


def test_a_message_that_comes_while_the_copy_is_made_stops_the_migration(open_home: OpenHome, monkeypatch: pytest.MonkeyPatch):
    memory = after_days(open_home, 9)
    memory.add("p", RUSSIAN)
    user, bench = memory.user_id("p"), memory.bench
    revision = bench.reader.head(user).revision
    mover = tiers(memory).mover
    copy = mover._copy  # type: ignore[attr-defined]

    def copy_while_they_write(*arguments: Any) -> None:
        memory.take_in([late_record(memory, "p", message(13, 29, "Я снова тут."))], source="test")
        copy(*arguments)

    monkeypatch.setattr(mover, "_copy", copy_while_they_write)
    done = migrate_tier(
        user,
        people=bench.people,
        log=bench.log,
        reader=bench.reader,
        mover=mover,
        clock=bench.clock,
        params=tiers(memory).silence,
    )
    assert (done.reason, done.moved) == (YIELDED, False)
    assert bench.reader.head(user).revision == revision
    assert placement(memory) == Placement(Tier.HOT, "main")


def test_a_run_that_is_asked_to_end_moves_nobody_half_way(open_home: OpenHome):
    memory = after_days(open_home, 9)
    memory.add("p", RUSSIAN)

    class Stopped(StoreBusy):
        """What a flow raises when it was asked to end."""

    def stop(_step: str, _count: int) -> None:
        raise Stopped("the run was asked to end")

    with pytest.raises(Stopped):
        memory.run("tier_migration", memory.user_ids(), progress=stop)
    assert placement(memory) == Placement(Tier.HOT, "main")


def test_a_night_looks_at_pages_and_at_who_is_due(open_home: OpenHome):
    memory = after_days(open_home, 9)
    for name in ("p1", "p2", "p3", "p4", "p5"):
        memory.add(name, ENGLISH[:4])
    memory.add("now", [{**ENGLISH[0], "time": (LAST + timedelta(days=8)).isoformat()}])
    pages = list(due(tiers(memory).placements, clock=memory.bench.clock, params=tiers(memory).silence, page=2))
    assert [len(page) for page in pages] == [2, 2, 1]
    assert memory.user_id("now") not in {user for page in pages for user in page}
    night(memory)
    assert [placement(memory, name).tier for name in ("p1", "p5", "now")] == [Tier.WARM, Tier.WARM, Tier.HOT]


# -- an operator says so --


def test_an_operator_moves_a_person_and_is_told_what_went(open_home: OpenHome):
    memory = after_days(open_home, 1)
    memory.add("p", ENGLISH)
    hash_, nodes = memory.graph_hash("p"), len(memory.show("p")["nodes"])
    user = memory.user_id("p")
    with opened_ops(memory) as ops:
        dry = move(ops.bench, user, Asked(options={"to": "cold"}), lambda _: None)
        assert (dry.applied, dry.counts["graph"]["nodes"]) == (False, nodes)
        assert dry.notes == ("from:hot/main", "to:cold/for:main")
        assert placement(memory).tier is Tier.HOT
        done = move(ops.bench, user, Asked(apply=True, options={"to": "cold"}), lambda _: None)
        assert done.applied
        assert done.counts["graph"]["nodes"] == nodes
        assert done.counts["removed"] == {"stores": 1}
        assert placement(memory).tier is Tier.COLD
        again = move(ops.bench, user, Asked(apply=True, options={"to": "cold"}), lambda _: None)
        assert "already_there" in again.notes
        for wrong in ({}, {"to": "anywhere"}, {"to": "shard:nowhere"}, {"to": "shard:"}):
            with pytest.raises(UnknownSetting):
                move(ops.bench, user, Asked(apply=True, options=wrong), lambda _: None)
    assert memory.graph_hash("p") == hash_


def test_without_tiers_nobody_is_moved(open_home: OpenHome):
    memory = after_days(open_home, 1)
    memory.add("p", ENGLISH[:2])
    with opened_ops(memory) as ops:
        bench = replace(ops.bench, work=replace(ops.bench.work, tiers=None))
        with pytest.raises(UnknownSetting, match="one store"):
            move(bench, memory.user_id("p"), Asked(options={"to": "warm"}), lambda _: None)
