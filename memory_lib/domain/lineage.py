"""Does everything believed rest on something said? A check over a whole graph, for tests and rebuilds.

Observed nodes and edges have a proof each; derived ones reach an observed one along their edges; neither causes nor derivations
go round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.ids import NodeId
from memory_lib.domain.node import Edge, Node


class FaultKind(StrEnum):
    """What can be wrong with what something rests on."""

    NO_PROOF = "no_proof"
    NO_OBSERVED_ANCESTOR = "no_observed_ancestor"
    CAUSES_GO_ROUND = "causes_go_round"
    DERIVATION_GOES_ROUND = "derivation_goes_round"
    MISSING_END = "missing_end"


@dataclass(frozen=True, slots=True)
class Fault:
    """``ids``: the node or edge, or the nodes of a circle in id order."""

    kind: FaultKind
    ids: tuple[str, ...]


def lineage_faults(nodes: Iterable[Node], edges: Iterable[Edge]) -> tuple[Fault, ...]:
    """Everything in the graph that does not rest on something said; empty where all is well."""
    known = {node.id: node for node in nodes}
    linked = sorted(edges, key=lambda edge: edge.id)
    faults = [Fault(FaultKind.NO_PROOF, (node.id,)) for node in known.values() if not node.is_inference and not node.proofs]
    faults += [Fault(FaultKind.NO_PROOF, (edge.id,)) for edge in linked if not edge.is_inferred and not edge.proofs]
    faults += [Fault(FaultKind.MISSING_END, (edge.id,)) for edge in linked if not {edge.source, edge.target} <= known.keys()]
    rests_on: dict[NodeId, list[NodeId]] = {}
    causes: dict[NodeId, list[NodeId]] = {}
    for edge in linked:
        if edge.source in known and known[edge.source].is_inference:
            rests_on.setdefault(edge.source, []).append(edge.target)
        if edge.type is EdgeType.CAUSED_BY:
            causes.setdefault(edge.source, []).append(edge.target)
    derived = sorted(node.id for node in known.values() if node.is_inference)
    grounded = _grounded(known, rests_on)
    faults += [Fault(FaultKind.NO_OBSERVED_ANCESTOR, (node,)) for node in derived if node not in grounded]
    between = {node: [t for t in targets if t in known and known[t].is_inference] for node, targets in rests_on.items()}
    faults += [Fault(FaultKind.DERIVATION_GOES_ROUND, circle) for circle in _circles(between)]
    faults += [Fault(FaultKind.CAUSES_GO_ROUND, circle) for circle in _circles(causes)]
    return tuple(faults)


def _grounded(known: Mapping[NodeId, Node], rests_on: Mapping[NodeId, Sequence[NodeId]]) -> set[NodeId]:
    """Nodes that are observed or reach an observed one."""
    supports: dict[NodeId, list[NodeId]] = {}
    for node, targets in rests_on.items():
        for target in targets:
            supports.setdefault(target, []).append(node)
    grounded = {ident for ident, node in known.items() if not node.is_inference}
    waiting = list(grounded)
    while waiting:
        for node in supports.get(waiting.pop(), ()):
            if node not in grounded:
                grounded.add(node)
                waiting.append(node)
    return grounded


def _circles(leads_to: Mapping[NodeId, Sequence[NodeId]]) -> list[tuple[str, ...]]:
    """What is left when nodes that lead nowhere are taken away again and again, as one group a circle is part of."""
    left = {node: set(targets) for node, targets in leads_to.items() if targets}
    while ends := {target for targets in left.values() for target in targets if target not in left}:
        left = {node: targets - ends for node, targets in left.items()}
        left = {node: targets for node, targets in left.items() if targets}
    return [tuple(sorted(left))] if left else []
