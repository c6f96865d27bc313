"""Everything believed rests on something said, or is named."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.lineage import FaultKind, lineage_faults
from memory_lib.domain.node import Edge, Node
from tests.policies.formed import NOW, formed, said, unit


@pytest.fixture
def observed() -> list[Node]:
    state, _ = formed(*(unit(number, said(f"statement {number}")) for number in (1, 2, 3)))
    return [state.base(node) for node in state.node_ids]


def derived(node: Node, ident: str) -> Node:
    return replace(node, id=ident, is_inference=True, proofs=(), origin="sleep")


def edge(source: Node, target: Node, kind: EdgeType = EdgeType.ASSOCIATED_WITH, *, inferred: bool = True) -> Edge:
    return Edge(
        source=source.id, target=target.id, type=kind, confidence=0.5, is_inferred=inferred, created_at=NOW, recorded_at=NOW,
        rule="r", reasoner="r", version="1", proofs=() if inferred else source.proofs,
    )  # fmt: skip


def kinds(nodes: list[Node], edges: list[Edge]) -> list[FaultKind]:
    return [fault.kind for fault in lineage_faults(nodes, edges)]


def test_what_rests_on_something_said_has_no_fault(observed: list[Node]) -> None:
    first, second = derived(observed[0], "d1"), derived(observed[0], "d2")
    chain = [edge(a, b, EdgeType.CAUSED_BY, inferred=False) for a, b in pairwise(observed)]
    assert kinds([*observed, first, second], [edge(first, observed[0]), edge(second, first), *chain]) == []


def test_a_guess_that_reaches_nothing_said_is_named(observed: list[Node]) -> None:
    alone, other = derived(observed[0], "d1"), derived(observed[0], "d2")
    assert kinds([*observed, alone, other], [edge(alone, other)]) == [FaultKind.NO_OBSERVED_ANCESTOR] * 2
    # being pointed at is no ground to stand on
    assert kinds([*observed, alone], [edge(observed[0], alone)]) == [FaultKind.NO_OBSERVED_ANCESTOR]


def test_circles_are_named(observed: list[Node]) -> None:
    first, second = derived(observed[0], "d1"), derived(observed[0], "d2")
    grounded = [edge(first, observed[0]), edge(first, second), edge(second, first)]
    assert kinds([*observed, first, second], grounded) == [FaultKind.DERIVATION_GOES_ROUND]
    a, b, c = observed
    round_about = [edge(*ends, EdgeType.CAUSED_BY, inferred=False) for ends in ((a, b), (b, c), (c, a))]
    (fault,) = lineage_faults(observed, round_about)
    assert (fault.kind, set(fault.ids)) == (FaultKind.CAUSES_GO_ROUND, {a.id, b.id, c.id})
    assert kinds(observed, [edge(*ends, EdgeType.FOLLOWED_BY, inferred=False) for ends in ((a, b), (b, a))]) == []


def test_an_edge_into_nowhere_is_named(observed: list[Node]) -> None:
    assert kinds(observed[:1], [edge(observed[0], observed[1])]) == [FaultKind.MISSING_END]
