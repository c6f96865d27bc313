"""A person formed anew beside what is stored: who is who, what changed, and what is to be written (CONTRACTS, Ids; ADR 0004).

Derived nodes and edges of sleep are nobody's words: they stay, their ends and acts follow nodes whose id changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from memory_lib.domain.acts import Act
from memory_lib.domain.canonical import edge_record, node_record
from memory_lib.domain.changes import Action, Change, PutEdge, PutNode, RemoveEdge, RemoveNode, RenameNode
from memory_lib.domain.ids import EdgeId, NodeId
from memory_lib.domain.node import Edge, Node

Vectors = Callable[[NodeId], bytes | None]
"""The vector of a node formed anew, as stored; None where it has none."""


@dataclass(frozen=True, slots=True)
class FormedAnew:
    """The nodes and edges that messages and acts make, ready to be stored, and old id → new id of those found again."""

    nodes: Mapping[NodeId, Node]
    edges: Mapping[EdgeId, Edge]
    renames: Mapping[NodeId, NodeId]
    vectors: Vectors


def renamed(stored: Mapping[NodeId, Node], anew: Iterable[Node]) -> dict[NodeId, NodeId]:
    """A node whose first proof changed is found again by the words that made it, also where these words are gone and others say
    the same.
    """
    formed = list(anew)
    ids = {node.id for node in formed}
    gone = [n for n in stored.values() if n.id not in ids and _is_formed(n)]
    if not gone:
        return {}
    owners: dict[tuple[object, ...], list[NodeId]] = {}
    for base in formed:
        for proof in base.proofs:
            owners.setdefault((base.type, proof.span), []).append(base.id)
    renames: dict[NodeId, NodeId] = {}
    for node in sorted(gone, key=lambda n: n.id):
        found = [owner for proof in node.proofs for owner in owners.get((node.type, proof.span), ())]
        if found:
            renames[node.id] = found[0]
    return renames


def acts_following(acts: Iterable[Act], renames: Mapping[NodeId, NodeId]) -> dict[NodeId, list[Act]]:
    """Acts by the node they are of now."""
    by_node: dict[NodeId, list[Act]] = {}
    for act in acts:
        node = renames.get(act.node, act.node)
        by_node.setdefault(node, []).append(replace(act, node=node))
    return by_node


def recorded_before(node: Node, known: Node | None) -> Node:
    """What was believed before keeps the time we learnt it; so does the closing of it, if it closes the same way."""
    if known is None:
        return node
    closure = node.closure
    if closure is not None and known.closure is not None and closure.by_message == known.closure.by_message:
        closure = replace(closure, recorded_at=known.closure.recorded_at)
    return replace(node, recorded_at=known.recorded_at, closure=closure)


def edge_recorded_before(edge: Edge, known: Edge | None) -> Edge:
    """The same for an edge."""
    return edge if known is None else replace(edge, recorded_at=known.recorded_at)


def differences(nodes: Mapping[NodeId, Node], edges: Mapping[EdgeId, Edge], anew: FormedAnew) -> list[Change]:
    """What turns the stored ``nodes`` and ``edges`` into those formed anew: what is new or changed, renames, removals."""
    changes: list[Change] = []
    for ident, node in anew.nodes.items():
        known = nodes.get(ident)
        if known is None or node_record(known) != node_record(node) or known.weight != node.weight:
            changes.append(PutNode(node, anew.vectors(ident)))
    changes += [RenameNode(old, new) for old, new in sorted(anew.renames.items())]
    for edge in anew.edges.values():
        known_edge = edges.get(edge.id)
        if known_edge is None or edge_record(known_edge) != edge_record(edge):
            changes.append(PutEdge(edge))
    for edge in edges.values():
        if edge.is_inferred:
            moved = _following(edge, anew.renames)
            if moved is not edge and moved is not None:
                changes += [PutEdge(moved), RemoveEdge(edge.id)]
        elif edge.id not in anew.edges:
            changes.append(RemoveEdge(edge.id))
    formed = {ident for ident, node in nodes.items() if _is_formed(node)}
    changes += [RemoveNode(ident) for ident in sorted(formed - set(anew.nodes))]
    return changes


def everything(nodes: Mapping[NodeId, Node], edges: Mapping[EdgeId, Edge], vectors: Vectors, anew: FormedAnew) -> list[Change]:
    """The whole graph as it is formed anew, with what sleep derived (out of the stored ``nodes`` and ``edges``)."""
    changes: list[Change] = [PutNode(node, anew.vectors(ident)) for ident, node in anew.nodes.items()]
    changes += [PutNode(node, vectors(ident)) for ident, node in nodes.items() if not _is_formed(node)]
    changes += [RenameNode(old, new) for old, new in sorted(anew.renames.items())]
    changes += [PutEdge(edge) for edge in anew.edges.values()]
    moved = (_following(edge, anew.renames) for edge in edges.values() if edge.is_inferred)
    changes += [PutEdge(edge) for edge in moved if edge is not None]
    return changes


def lost(stored: Mapping[NodeId, Node], anew: FormedAnew, *, version: str) -> list[Action]:
    """For the log: what no message says any more, gone or left without words."""
    actions: list[Action] = []
    for ident, node in stored.items():
        if not _is_formed(node) or ident in anew.renames:
            continue
        after = anew.nodes.get(ident)
        if after is None:
            actions.append(Action("remove", "no_longer_formed", (ident,), before=(ident,), version=version))
        elif node.surviving and not after.surviving:
            actions.append(Action("stale", "words_gone", (ident,), before=(ident,), after=(ident,), version=version))
    return actions


def is_news(action: Action, nodes: Mapping[NodeId, Node], edges: Mapping[EdgeId, Edge], *, new: bool) -> bool:
    """Whether a decision belongs into the log: it made what is not stored, or, for a unit that is ``new``, made nothing."""
    made = set(action.after) - set(action.before)
    return any(ident not in nodes and ident not in edges for ident in made) or (new and not made)


def _is_formed(node: Node) -> bool:
    """Of messages, not of sleep."""
    return bool(node.proofs) and not node.is_inference


def _following(edge: Edge, renames: Mapping[NodeId, NodeId]) -> Edge | None:
    """The edge between its ends' new names; itself where they have none, None where both became one node."""
    source, target = renames.get(edge.source, edge.source), renames.get(edge.target, edge.target)
    if source == target:
        return None
    return edge if (source, target) == (edge.source, edge.target) else replace(edge, source=source, target=target)
