from __future__ import annotations

import pytest

from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.changes import PutEdge, PutNode
from memory_lib.domain.node import Archived, NodeState
from tests.contracts.graph.samples import NOW, change_set, edge, lines, node, node_id, person

ANNA = person()
NAMES = {node_id(name): name for name in "abcdefgh"}


def build(store, *changes):
    store.apply(ANNA, [change_set(ANNA, "1", *changes)], token=1, now=NOW)


def chains(store, *, type_=EdgeType.CAUSED_BY, min_length=1, limit=10):
    return [
        " ".join(NAMES[n] for n in chain) for chain in store.chains(ANNA, edge_type=type_, min_length=min_length, limit=limit)
    ]


def test_a_line_is_one_chain(store):
    build(store, *lines("a b c d"))
    assert chains(store) == ["a b c d"]
    assert chains(store, min_length=3) == ["a b c d"]
    assert chains(store, min_length=4) == []
    assert chains(store, limit=0) == []


def test_a_branch_is_a_chain_for_each_way_longest_first(store):
    build(store, *lines("a b c d", "b e", "f c"))
    assert chains(store)[0] == "a b c d"
    assert sorted(chains(store)[1:]) == ["a b e", "f c d"]
    assert chains(store, limit=1) == ["a b c d"]
    assert chains(store, min_length=3) == ["a b c d"]


def test_equally_long_chains_come_in_id_order(store):
    build(store, *lines("a b", "c d", "e f"))
    expected = sorted((node_id(x), node_id(y)) for x, y in ("ab", "cd", "ef"))
    assert list(store.chains(ANNA, edge_type=EdgeType.CAUSED_BY, min_length=1, limit=10)) == expected


@pytest.mark.parametrize("ring", ["a b a", "a b c a", "a b c d e a"])
def test_a_cycle_is_walked_once(store, ring):
    build(store, *lines(ring))
    (chain,) = chains(store)
    names = chain.split()
    assert len(names) == len(set(names)) == len(ring.split()) - 1


def test_a_chain_into_a_cycle_goes_round_it_once(store):
    build(store, *lines("h a b c a"))
    assert chains(store) == ["h a b c"]


def test_only_edges_of_the_asked_type_count(store):
    build(store, *lines("a b c"), *lines("c d", type_=EdgeType.FOLLOWED_BY))
    assert chains(store) == ["a b c"]
    assert chains(store, type_=EdgeType.FOLLOWED_BY) == ["c d"]
    assert chains(store, type_=EdgeType.REINFORCES) == []


def test_nodes_that_are_not_visible_and_retracted_edges_cut_a_chain(store):
    build(
        store,
        *lines("a b c d e f g h"),
        PutNode(node("c", retracted_at=NOW)),
        PutNode(node("f", state=NodeState.ARCHIVED, archived=Archived(NOW, "faded", "batch"))),
        PutEdge(edge("g", "h", retracted_at=NOW)),
    )
    assert sorted(chains(store)) == ["a b", "d e"]
