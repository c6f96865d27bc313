"""What rests on what: derived nodes and inferred edges over those that they were made of (seed §3.2, provenance)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.ids import NodeId
from memory_lib.domain.node import Edge, Node
from memory_lib.policies.weight_fold import standing_acts

UNTOUCHED = frozenset({"topic", "importance", "intensity"})
"""Fields that say nothing of what is so: correcting them puts nothing in doubt."""


def resting_on(
    founding: Iterable[NodeId], nodes: Mapping[NodeId, Node], edges: Sequence[Edge]
) -> tuple[tuple[NodeId, ...], tuple[Edge, ...]]:
    """Derived nodes that lead to one of ``founding`` (a derived node points to what it rests on), in id order, and the inferred
    edges that touch one of either.
    """
    reached = set(founding)
    derived: set[NodeId] = set()
    supports: dict[NodeId, list[NodeId]] = {}
    for edge in edges:
        if edge.source in nodes and nodes[edge.source].is_inference:
            supports.setdefault(edge.target, []).append(edge.source)
    waiting = list(reached)
    while waiting:
        for node in supports.get(waiting.pop(), ()):
            if node not in reached:
                reached.add(node)
                derived.add(node)
                waiting.append(node)
    touching = (edge for edge in edges if edge.is_inferred and (edge.source in reached or edge.target in reached))
    return tuple(sorted(derived)), tuple(sorted(touching, key=lambda edge: edge.id))


def puts_in_doubt(act: Act) -> bool:
    """Whether what rests on the act's node no longer rests well."""
    return act.kind in (ActKind.WRONG, ActKind.DOUBT) or (act.kind is ActKind.SET and act.detail.get("field") not in UNTOUCHED)


def stands_well(edge: Edge, acts: Mapping[NodeId, Sequence[Act]]) -> bool:
    """Whether no standing act on either end puts the edge in doubt."""
    ends: AbstractSet[NodeId] = {edge.source, edge.target}
    return not any(puts_in_doubt(act) for end in ends for act in standing_acts(acts.get(end, ())))
