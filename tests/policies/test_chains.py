from __future__ import annotations

import time
from itertools import pairwise

import hypothesis.strategies as st
import pytest
from hypothesis import given

from memory_lib.domain.ids import NodeId
from memory_lib.errors import IllegalValue
from memory_lib.policies.chains import chains


def edges_of(*lines):
    return [pair for line in lines for pair in pairwise(line)]


def found(edges, *, min_length=1, limit=100):
    return ["".join(chain) for chain in chains(edges, min_length=min_length, limit=limit)]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ((), []),
        (("ab",), ["ab"]),
        (("abcd",), ["abcd"]),
        (("abcd", "be"), ["abcd", "abe"]),
        (("abd", "acd"), ["abd", "acd"]),
        (("cz", "ab", "bz"), ["abz", "cz"]),
        (("aa",), []),
        (("aba",), ["ab"]),
        (("abca",), ["abc"]),
        (("xbcab",), ["xbca"]),
        (("abcb", "cd"), ["abcd"]),
        (("abcdbe",), ["abcd", "abe"]),
    ],
)
def test_chains_of_small_graphs(lines, expected):
    assert found(edges_of(*lines)) == expected


def test_longest_first_then_by_ids():
    edges = edges_of("mnopq", "xyz", "abc", "ijk")
    assert found(edges) == ["mnopq", "abc", "ijk", "xyz"]
    assert found(edges, limit=2) == ["mnopq", "abc"]
    assert found(edges, min_length=3) == ["mnopq"]
    assert found(edges, limit=0) == []


@pytest.mark.parametrize(("min_length", "limit"), [(0, 5), (-1, 5), (1, -1)])
def test_senseless_bounds_are_refused(min_length, limit):
    with pytest.raises(IllegalValue):
        chains([], min_length=min_length, limit=limit)


graphs = st.lists(st.tuples(st.sampled_from("abcdefg"), st.sampled_from("abcdefg")), max_size=18)


def every_maximal_path(edges):
    after = {}
    for source, target in edges:
        after.setdefault(source, set()).add(target)
    targets = {target for _, target in edges}
    paths, open_paths = [], [(n,) for n in {s for s, _ in edges} - targets]
    while open_paths:
        path = open_paths.pop()
        following = after.get(path[-1], set())
        if following:
            open_paths += [(*path, n) for n in following]
        else:
            paths.append(path)
    return sorted(paths, key=lambda p: (-len(p), p))


@given(graphs)
def test_without_cycles_exactly_the_maximal_paths_are_found(pairs):
    edges = [(a, b) for a, b in pairs if a < b]
    assert list(chains(edges, min_length=1, limit=10**6)) == every_maximal_path(edges)
    assert list(chains(edges, min_length=2, limit=3)) == [p for p in every_maximal_path(edges) if len(p) > 2][:3]


@given(graphs, st.randoms(use_true_random=False))
def test_chains_are_simple_paths_of_the_graph_whatever_the_order_of_edges(pairs, random):
    result = chains(pairs, min_length=1, limit=1000)
    shuffled = [*pairs, *pairs[:3]]
    random.shuffle(shuffled)
    assert chains(shuffled, min_length=1, limit=1000) == result
    assert len(set(result)) == len(result)
    for chain in result:
        assert len(set(chain)) == len(chain)
        assert set(pairwise(chain)) <= set(pairs)


@given(graphs)
def test_every_edge_of_a_cycle_but_the_cut_ones_lies_on_a_chain(pairs):
    result = chains(pairs, min_length=1, limit=10**6)
    covered = {node for chain in result for node in chain}
    assert covered == {node for source, target in pairs if source != target for node in (source, target)}


@pytest.mark.parametrize("shape", ["dense without cycles", "dense with cycles", "a very long line", "many diamonds"])
def test_large_and_dense_graphs_are_searched_within_bounds(shape):
    names = [NodeId(f"{i:05d}") for i in range(200)]
    edges = {
        "dense without cycles": [(a, b) for a in names for b in names if a < b],
        "dense with cycles": [(a, b) for a in names for b in names if a != b],
        "a very long line": [(NodeId(f"{i:05d}"), NodeId(f"{i + 1:05d}")) for i in range(10_000)],
        # 2^66 chains of the same length
        "many diamonds": edges_of(*((names[i], names[i + way], names[i + 3]) for i in range(0, 197, 3) for way in (1, 2))),
    }[shape]
    begun = time.process_time()
    result = chains(edges, min_length=3, limit=20)
    assert time.process_time() - begun < 3
    assert 1 <= len(result) <= 20
    assert len(result[0]) == {"a very long line": 10_001, "many diamonds": 133}.get(shape, 200)
