"""Relations between what was placed, and to what an earlier message said."""

from __future__ import annotations

from collections.abc import Mapping

from memory_lib.domain.candidates import EdgeType, NodeType, Relation
from memory_lib.domain.ids import MessageId, NodeId
from memory_lib.policies.formation.draft import Draft

_TARGET_ORDER: Mapping[EdgeType, tuple[NodeType, ...]] = {
    EdgeType.CAUSED_BY: (NodeType.EVENT, NodeType.FACT, NodeType.OPEN_LOOP, NodeType.EMOTIONAL_NOTE, NodeType.PERSON),
}
_ANY_ORDER = (NodeType.FACT, NodeType.EVENT, NodeType.EMOTIONAL_NOTE, NodeType.OPEN_LOOP, NodeType.PERSON)
"""Which node of an earlier message a relation means, by kind: a cause is rather something that happened than a person."""
_SOURCE_ORDER: Mapping[EdgeType, tuple[NodeType, ...]] = {
    EdgeType.CAUSED_BY: (NodeType.EMOTIONAL_NOTE, NodeType.EVENT, NodeType.FACT, NodeType.OPEN_LOOP, NodeType.PERSON),
}
"""The same for where it starts: what is asked about is rather a feeling than anything else."""


def relate(draft: Draft, relation: Relation, placed: Mapping[int, NodeId]) -> None:
    """``placed``: candidate index → node. A relation without two different ends is skipped and said so."""
    source = (
        placed.get(relation.source)
        if isinstance(relation.source, int)
        else _node_of(draft, relation.source, _SOURCE_ORDER.get(relation.type, _ANY_ORDER))
    )
    target = (
        placed.get(relation.target)
        if isinstance(relation.target, int)
        else _node_of(draft, relation.target, _TARGET_ORDER.get(relation.type, _ANY_ORDER))
    )
    if source is None or target is None or source == target:
        draft.note("skip", "relation_without_two_ends", *(n for n in (source, target) if n))
        return
    if relation.type is EdgeType.CAUSED_BY and draft.graph.leads_to(target, source):
        draft.note("skip", "cause_of_its_own_cause", source, target)
        return
    draft.link(source, target, relation.type, relation.confidence, relation.start, relation.end, relation.rule)


def _node_of(draft: Draft, message: MessageId, order: tuple[NodeType, ...]) -> NodeId | None:
    graph = draft.graph

    def rank(node: NodeId) -> tuple[int, int, NodeId]:
        known = graph.known[node]
        start = min(proof.span.start for proof in known.proofs if proof.span.message == message)
        return (order.index(known.base.type), start, node)

    ids = [n for n in graph.by_message.get(message, ()) if draft.base(n).audience == draft.unit.audience]
    return min(ids, key=rank, default=None)
