"""The graph as it was: true at an instant, or known at one (DESIGN §3, Two times; CONTRACTS, Time and weight).

``as_of``: only messages up to T count; what a later message closed is open again, later mentions are gone, weights are folded
anew from what is left. ``known_at``: only what had been recorded by T.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from memory_lib.domain.acts import Act
from memory_lib.domain.candidates import Precision
from memory_lib.domain.ids import NodeId
from memory_lib.domain.node import Edge, Flag, Node
from memory_lib.domain.time import to_us
from memory_lib.policies.active_clock import ActiveClock
from memory_lib.policies.overlay import WeightParams, finished, stripped


def acts_by_node(acts: Iterable[Act]) -> dict[NodeId, list[Act]]:
    """The acts of each node, in the order given."""
    by_node: dict[NodeId, list[Act]] = {}
    for act in acts:
        by_node.setdefault(act.node, []).append(act)
    return by_node


def nodes_as_of(
    nodes: Iterable[Node], acts: Sequence[Act], *, instant: datetime, clock: ActiveClock, params: WeightParams
) -> list[Node]:
    """Nodes made by ``instant``, with the proofs, closings and acts they had by then. ``clock``: of the messages by then."""
    limit = to_us(instant)
    by_node = acts_by_node(acts)
    known: list[Node] = []
    for node in nodes:
        if to_us(node.created_at) > limit:
            continue
        theirs = by_node.get(node.id, [])
        base = stripped(node, theirs)
        base = _unrefined(base, limit)
        proofs = tuple(p for p in base.proofs if p.at_us <= limit)
        closure = base.closure if base.closure is not None and base.closure.at_us <= limit else None
        if base.is_inference or not base.proofs:
            known.append(replace(node, closure=closure))
            continue
        then = [act for act in theirs if to_us(act.at) <= limit]
        known.append(finished(replace(base, proofs=proofs, closure=closure), then, clock=clock, params=params))
    return known


def _unrefined(base: Node, limit: int) -> Node:
    """The node without the detail that mentions after ``limit`` added, the latest taken back first."""
    node = base
    for refinement in reversed(base.refined):
        if refinement.at_us <= limit:
            break
        before = refinement.before
        fields: dict[str, Any] = {name: before[name] for name in ("content", "valid_from") if name in before}
        fields |= {name: before[name] or None for name in ("ends", "due") if name in before}
        if "precision" in before:
            fields["precision"] = Precision(before["precision"])
        were = {name.removeprefix("attributes."): text for name, text in before.items() if name.startswith("attributes.")}
        fields["attributes"] = {name: text for name, text in {**node.attributes, **were}.items() if text}
        if "disputed" in before:
            others = tuple(flag for flag in node.flags if flag is not Flag.DISPUTED)
            fields["flags"] = (*others, Flag.DISPUTED) if before["disputed"] else others
        node = replace(node, **fields, refined=node.refined[:-1])
    return node


def edges_as_of(edges: Iterable[Edge], *, instant: datetime) -> list[Edge]:
    """Edges said by ``instant``, with the proofs and closings they had by then."""
    limit = to_us(instant)
    return [
        replace(
            edge,
            proofs=tuple(p for p in edge.proofs if p.at_us <= limit),
            closure=edge.closure if edge.closure is not None and edge.closure.at_us <= limit else None,
        )
        for edge in edges
        if to_us(edge.created_at) <= limit
    ]


def nodes_known_at(
    nodes: Iterable[Node], acts: Sequence[Act], *, instant: datetime, clock: ActiveClock, params: WeightParams
) -> list[Node]:
    """Nodes recorded by ``instant``; a retraction, closing, correction or other act recorded later has not happened yet."""
    by_node = acts_by_node(acts)
    known: list[Node] = []
    for node in nodes:
        if node.recorded_at > instant:
            continue
        theirs = by_node.get(node.id, [])
        then = [act for act in theirs if act.recorded_at <= instant]
        if len(then) < len(theirs):
            node = finished(stripped(node, theirs), then, clock=clock, params=params)  # noqa: PLW2901 - the node as it was
        known.append(
            replace(
                node,
                retracted_at=None if node.retracted_at is not None and node.retracted_at > instant else node.retracted_at,
                closure=None if node.closure is not None and node.closure.recorded_at > instant else node.closure,
            )
        )
    return known


def edges_known_at(edges: Iterable[Edge], *, instant: datetime) -> list[Edge]:
    """Edges recorded by ``instant``; a retraction recorded later has not happened yet."""
    return [
        replace(edge, retracted_at=None if edge.retracted_at is not None and edge.retracted_at > instant else edge.retracted_at)
        for edge in edges
        if edge.recorded_at <= instant
    ]
