"""A person's whole graph as ``show`` gives it, now or as it was (CONTRACTS, Shapes)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np

from memory_lib.domain.ids import EdgeId, MessageId, NodeId, UserId
from memory_lib.domain.message import Message
from memory_lib.domain.node import Edge, Node, NodeState, Proof
from memory_lib.domain.recall import Source
from memory_lib.domain.shapes import graph_shape
from memory_lib.domain.time import from_us, to_us
from memory_lib.policies.active_clock import ActiveClock, ClockParams
from memory_lib.policies.as_of import edges_as_of, edges_known_at, nodes_as_of, nodes_known_at
from memory_lib.policies.overlay import WeightParams
from memory_lib.policies.weight_fold import weight_at
from memory_lib.ports.graph import GraphReader
from memory_lib.ports.ledger import MessageLog, People


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowParams:
    """The numbers weights are read with."""

    clock: ClockParams
    weight: WeightParams


def show(
    user: UserId,
    *,
    people: People,
    log: MessageLog,
    graph: GraphReader,
    params: ShowParams,
    now: datetime,
    as_of: datetime | None = None,
    known_at: datetime | None = None,
    live: bool = False,
) -> dict[str, Any]:
    """``{user, nodes, edges}``; closed and archived nodes too, unless ``live``. Weights are read at ``as_of``, else at ``now``.

    Raises:
        UnknownUser: no such person.
    """
    person = people.person(user)
    stored = graph.load(user)
    nodes: list[Node] = list(stored.nodes.values())
    edges: list[Edge] = list(stored.edges.values())
    times = log.user_times(user)
    if as_of is not None:
        times = times[times <= np.int64(to_us(as_of))]
    clock = ActiveClock(times, pause_us=params.clock.pause_us)
    if known_at is not None:
        nodes = nodes_known_at(nodes, stored.acts, instant=known_at, clock=clock, params=params.weight)
        edges = edges_known_at(edges, instant=known_at)
    if as_of is not None:
        nodes = nodes_as_of(nodes, stored.acts, instant=as_of, clock=clock, params=params.weight)
        edges = edges_as_of(edges, instant=as_of)
    if live:
        nodes = [node for node in nodes if node.live]
        edges = [edge for edge in edges if edge.closure is None and edge.retracted_at is None]
    kept = {node.id for node in nodes}
    edges = [edge for edge in edges if edge.source in kept and edge.target in kept]
    nodes.sort(key=lambda node: (to_us(node.created_at), node.id))
    edges.sort(key=lambda edge: edge.id)
    at_us = to_us(as_of or now)
    weights = {node.id: weight_at(node.weight, decay=node.decay, clock=clock, now_us=at_us) for node in nodes}
    proofs = [p for node in nodes for p in node.proofs] + [p for edge in edges for p in edge.proofs]
    wanted: set[MessageId] = {p.span.message for p in proofs}
    messages = log.messages(user, sorted(wanted))
    sources: dict[NodeId | EdgeId, list[Source]] = {}
    for node in nodes:
        sources[node.id] = _sources(node.proofs, messages, stale=node.state is NodeState.STALE)
    for edge in edges:
        sources[edge.id] = _sources(edge.proofs, messages, stale=edge.state is NodeState.STALE)
    return graph_shape(people.external(person.user), nodes, edges, weights=weights, sources=sources)


def _sources(proofs: tuple[Proof, ...], messages: Mapping[MessageId, Message], *, stale: bool) -> list[Source]:
    """Dated quotes. Of a stale proof only what still stands in the message."""
    return [
        Source(
            message=proof.span.message,
            start=proof.span.start,
            end=proof.span.end,
            quote=messages[proof.span.message].text[proof.span.start : proof.span.end],
            time=from_us(proof.at_us, proof.offset),
        )
        for proof in proofs
        if proof.span.message in messages and (not stale or proof.span.end <= len(messages[proof.span.message].text))
    ]
