"""The graph as it was true at an instant, and as it was known at one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.candidates import EdgeType, Modality
from memory_lib.domain.ids import NodeId
from memory_lib.domain.node import Closure, Edge, Node
from memory_lib.domain.time import to_us
from memory_lib.policies.active_clock import ActiveClock
from memory_lib.policies.as_of import edges_as_of, edges_known_at, nodes_as_of, nodes_known_at
from memory_lib.policies.overlay import finished, stripped
from memory_lib.settings import Settings
from tests.policies.formed import NOW, START, formed, said, slot, unit

SETTINGS = Settings()
WEIGHT = SETTINGS.weight_params()
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
    assert nodes_known_at(late, (), clock=CLOCK, params=WEIGHT, instant=learnt - timedelta(seconds=1)) == []
    assert len(nodes_known_at(late, (), clock=CLOCK, params=WEIGHT, instant=learnt)) == 2
    closed = replace(nodes[0], closure=Closure("2026-05-06", nodes[0].proofs[0].span.message, 0, learnt))
    assert nodes_known_at([closed], (), clock=CLOCK, params=WEIGHT, instant=NOW)[0].closure is None
    retracted = replace(nodes[0], retracted_at=learnt)
    assert nodes_known_at([retracted], (), clock=CLOCK, params=WEIGHT, instant=NOW)[0].retracted_at is None
    assert edges_known_at(edges, instant=NOW - timedelta(days=1)) == []
    assert edges_known_at([replace(edges[0], retracted_at=learnt)], instant=NOW)[0].retracted_at is None


def test_edges_come_with_the_message_that_said_them() -> None:
    _, edges = graph()
    (edge,) = edges
    assert isinstance(edge, Edge)
    assert edge.type is EdgeType.CONTRADICTS
    assert edges_as_of(edges, instant=START + timedelta(days=4)) == []
    assert edges_as_of(edges, instant=START + timedelta(days=5)) == edges


def test_detail_and_doubt_that_came_later_are_taken_back() -> None:
    more = {"ends": "2027-01-01T00:00:00+00:00", "attributes": {"floor": "3"}}
    state, _ = formed(
        unit(1, said("I live in Riga", slot=slot("home", "Riga"))),
        unit(3, said("I live in Riga by the sea", slot=slot("home", "Riga"), **more)),
        unit(5, said("maybe I live in Oslo", slot=slot("home", "Oslo"), modality=(Modality.HEDGED,))),
        unit(7, said("I live in Riga", slot=slot("home", "Riga"))),
    )
    base = state.base(state.node_ids[0])
    params = SETTINGS.weight_params()
    stored = finished(base, (), clock=CLOCK, params=params)

    def then(day: float) -> Node:
        return nodes_as_of([stored], (), instant=START + timedelta(days=day), clock=CLOCK, params=params)[0]

    first, fuller, doubted, settled = (then(day) for day in (2, 4, 6, 8))
    assert (first.content, first.ends, dict(first.attributes), first.refined) == ("I live in Riga", None, {}, ())
    assert (fuller.content, fuller.ends, dict(fuller.attributes)) == ("I live in Riga by the sea", *more.values())
    assert [n.state.value for n in (first, fuller, doubted, settled)] == ["stable", "stable", "disputed", "stable"]
    assert settled == stored


def test_a_correction_lies_over_whatever_was_said_meanwhile() -> None:
    acts = [
        Act(
            id="a", node=NodeId("n"), kind=ActKind.SET, at=START + timedelta(days=2), recorded_at=NOW,
            detail={"field": "content", "value": "I live in Jurmala", "was": "I live in Riga"},
        )
    ]  # fmt: skip
    state, _ = formed(
        unit(1, said("I live in Riga", slot=slot("home", "Riga"))),
        unit(3, said("I live in Riga by the sea", slot=slot("home", "Riga"))),
    )
    base = state.base(state.node_ids[0])
    stored = finished(base, acts, clock=CLOCK, params=SETTINGS.weight_params())
    assert stored.content == "I live in Jurmala"
    bare = stripped(stored, acts)
    assert (bare.content, bare.refined) == (base.content, base.refined)
    assert finished(bare, acts, clock=CLOCK, params=SETTINGS.weight_params()) == stored
