"""A graph store that does not answer: asked once a message, recall goes on without it, and nobody else's work suffers."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest

from memory_lib import plans
from memory_lib.bootstrap import Memory
from memory_lib.domain.recall import Context, Degraded
from memory_lib.errors import DependencyDown, KeyMissing, SealBroken
from tests.usecases.conftest import OpenHome
from tests.usecases.dialogues import ENGLISH, RUSSIAN
from tests.usecases.test_recall import WordVectors

REASON = "its server does not answer"


class Going:
    """A port that can be away; counts what it is asked meanwhile."""

    def __init__(self, port: Any) -> None:
        self._port = port
        self.away: frozenset[str] = frozenset()
        self.error: Exception = DependencyDown("graph", REASON)
        self.asked: Counter[str] = Counter()
        self.within: dict[str, float | None] = {}

    def __getattr__(self, name: str) -> Any:
        work = getattr(self._port, name)

        def called(*arguments: Any, **options: Any) -> Any:
            self.asked[name] += 1
            self.within[name] = options.get("answer_s", options.get("within_s"))
            if name in self.away:
                raise self.error
            return work(*arguments, **options)

        return called


EVERYTHING = frozenset({"look", "head", "index", "nodes", "load"})


@pytest.fixture(params=[RUSSIAN, ENGLISH], ids=["ru", "en"])
def remembered(open_home: OpenHome, request: pytest.FixtureRequest) -> tuple[Memory, Going]:
    memory = open_home(embedder=WordVectors())
    memory.add("p", request.param)
    views: Any = memory.views
    graph = Going(views._graph)
    views._graph = graph
    views._away = replace(views._away, whereabouts=graph)
    return memory, graph


def ask(memory: Memory, **options: Any) -> Context:
    return memory.ask("p", "Как дела с Олегом? How are things with Bob?", now="last", **options)


@pytest.mark.parametrize("opened", [True, False])
def test_who_is_away_is_asked_once_a_message_and_the_reason_is_told(remembered: tuple[Memory, Going], *, opened: bool) -> None:
    memory, graph = remembered
    if opened:
        assert ask(memory).degraded == ()
    graph.away = EVERYTHING
    for _ in range(3):
        graph.asked.clear()
        answer = ask(memory)
        assert answer.degraded == (Degraded("graph", REASON),)
        assert answer.rounds_text
        assert not answer.items
        assert sum(graph.asked.values()) == 1
    graph.away = frozenset()
    graph.asked.clear()
    again = ask(memory)
    assert again.degraded == ()
    assert again.items
    assert again.context
    assert graph.asked["index"] == (0 if opened else 1), "what was read before and has not changed is not read again"


def test_what_was_written_while_the_store_was_out_of_sight_is_read(remembered: tuple[Memory, Going]) -> None:
    memory, graph = remembered
    before = ask(memory)
    graph.away = EVERYTHING
    assert ask(memory).degraded
    memory.add("p", [{"role": "user", "text": "Я теперь работаю в Озоне!", "time": "2026-05-31T10:00:00+03:00"}])
    assert ask(memory).degraded
    graph.away = frozenset()
    again = ask(memory)
    assert again.revision != before.revision
    assert again.revision == memory.bench.reader.head(memory.user_id("p")).revision
    assert again.degraded == ()


def test_who_can_do_without_says_how_long_to_wait(remembered: tuple[Memory, Going]) -> None:
    memory, graph = remembered
    assert ask(memory).items
    views = memory.settings.views
    assert graph.within == {"look": views.answer_s, "index": views.open_s, "nodes": views.answer_s}


def test_a_graph_that_goes_away_while_it_is_read_is_done_without(remembered: tuple[Memory, Going]) -> None:
    memory, graph = remembered
    graph.away = frozenset({"nodes"})
    answer = ask(memory)
    assert answer.degraded == (Degraded("graph", REASON),)
    assert answer.rounds_text
    assert not answer.items
    graph.away = frozenset({"index"})
    memory.views.forget(memory.user_id("p"))
    assert ask(memory).degraded == (Degraded("graph", REASON),)
    graph.away = frozenset()
    assert ask(memory).degraded == ()


def test_a_seal_that_does_not_open_is_no_reason_to_go_on(remembered: tuple[Memory, Going]) -> None:
    memory, graph = remembered
    graph.away, graph.error = frozenset({"nodes"}), SealBroken("a record does not open")
    with pytest.raises(SealBroken):
        ask(memory)


def test_the_key_service_is_named_where_it_is_what_is_missing(remembered: tuple[Memory, Going]) -> None:
    memory, graph = remembered
    graph.away, graph.error = frozenset({"index"}), DependencyDown("kms", "it does not answer")
    assert ask(memory).degraded == (Degraded("graph", "kms: it does not answer"),)
    graph.error = KeyMissing("gone")
    assert ask(memory).degraded == (Degraded("graph", "KeyMissing"),)


def test_an_earlier_instant_is_told_from_the_rounds(remembered: tuple[Memory, Going]) -> None:
    memory, graph = remembered
    then = datetime.fromisoformat("2026-05-20T00:00:00+00:00")
    whole = ask(memory, as_of=then)
    assert whole.degraded == ()
    for away in (EVERYTHING, frozenset({"load"})):
        graph.away = away
        answer = ask(memory, as_of=then)
        assert answer.degraded == (Degraded("graph", REASON),)
        assert answer.rounds_text
        assert not answer.items


def test_a_gate_that_cannot_tell_is_one_persons_trouble(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("a", RUSSIAN)
    memory.add("b", ENGLISH)
    a, b = memory.user_id("a"), memory.user_id("b")

    def gate(_bench: plans.Workbench, user: str) -> bool:
        if user == a:
            raise DependencyDown("files", "the object store does not answer")
        return True

    def work(_bench: plans.Workbench, user: str, *_rest: object) -> dict[str, int]:
        if user == a:
            raise DependencyDown("files", "the object store does not answer")
        return {"done": 1}

    step = plans.Step(name="step", unit=plans.UnitOfWork.PERSON, work=work, gate=gate)
    run = plans.run((step,), memory.bench, [a, b], workers=1)
    assert [(done.user, type(done.error)) for done in run.done] == [(a, DependencyDown), (b, type(None))]
    assert run.total("done") == 1
