"""The graph as it was true at an instant, and as it was known at one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.node import Closure, Edge
from memory_lib.domain.time import to_us
from memory_lib.policies.active_clock import ActiveClock
from memory_lib.policies.as_of import edges_as_of, edges_known_at, nodes_as_of, nodes_known_at
from memory_lib.policies.overlay import finished
from memory_lib.settings import Settings
from tests.policies.formed import NOW, START, formed, said, slot, unit

SETTINGS = Settings()
CLOCK = ActiveClock([to_us(START + timedelta(days=d)) for d in range(1, 12)], pause_us=SETTINGS.clock.pause_us)


def graph() -> tuple[list, list]:  # type: ignore[type-arg]
    state, _ = formed(
        unit(1, said("I work at A", slot=slot("employer", "A"))),
        unit(3, said("I work at A", slot=slot("employer", "A"))),
        unit(5, said("I work at B", slot=slot("employer", "B"))),
    )
    nodes = [finished(state.base(n), (), clock=CLOCK, params=SETTINGS.weight_params()) for n in state.node_ids]
    return nodes, [state.edge(e) for e in state.edge_ids]


def as_of(day: float, acts: tuple[Act, ...] = ()) -> list:  # type: ignore[type-arg]
    nodes, _ = graph()
    instant = START + timedelta(days=day)
    return nodes_as_of(nodes, acts, instant=instant, clock=CLOCK, params=SETTINGS.weight_params())


def test_what_a_later_message_closed_is_open_before_it() -> None:
    (before,) = as_of(4)
    assert before.closure is None
    old, new = as_of(6)
    assert old.closure is not None
    assert new.closure is None


def test_later_mentions_are_gone_and_the_weight_with_them() -> None:
    (early,) = as_of(2)
    (later,) = as_of(4)
    assert (len(early.proofs), len(later.proofs)) == (1, 2)
    assert later.last_reinforced_at == START + timedelta(days=3)
    assert early.last_reinforced_at == START + timedelta(days=1)


def test_nothing_is_known_before_the_first_message() -> None:
    assert as_of(0.5) == []


def test_acts_count_from_their_own_instant() -> None:
    nodes, _ = graph()
    pin = Act(id="p", node=nodes[0].id, kind=ActKind.PIN, at=START + timedelta(days=4), recorded_at=NOW)
    assert not as_of(3.5, (pin,))[0].is_pinned
    assert as_of(4.5, (pin,))[0].is_pinned


def test_known_at_hides_what_was_recorded_later() -> None:
    nodes, edges = graph()
    learnt = datetime(2026, 6, 2, tzinfo=UTC)
    late = [replace(n, recorded_at=learnt) for n in nodes]
    assert nodes_known_at(late, instant=learnt - timedelta(seconds=1)) == []
    assert len(nodes_known_at(late, instant=learnt)) == 2
    closed = replace(nodes[0], closure=Closure("2026-05-06", nodes[0].proofs[0].span.message, 0, learnt))
    assert nodes_known_at([closed], instant=NOW)[0].closure is None
    retracted = replace(nodes[0], retracted_at=learnt)
    assert nodes_known_at([retracted], instant=NOW)[0].retracted_at is None
    assert edges_known_at(edges, instant=NOW - timedelta(days=1)) == []
    assert edges_known_at([replace(edges[0], retracted_at=learnt)], instant=NOW)[0].retracted_at is None


def test_edges_come_with_the_message_that_said_them() -> None:
    _, edges = graph()
    (edge,) = edges
    assert isinstance(edge, Edge)
    assert edge.type is EdgeType.CONTRADICTS
    assert edges_as_of(edges, instant=START + timedelta(days=4)) == []
    assert edges_as_of(edges, instant=START + timedelta(days=5)) == edges
