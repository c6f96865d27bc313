"""A person's graph as columns: what ranking works on, without opening a word (DESIGN §6: recall from the cache)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.candidates import EdgeType, NodeType
from memory_lib.domain.changes import Revision
from memory_lib.domain.ids import NodeId
from memory_lib.domain.node import Edge, Node, NodeState
from memory_lib.domain.time import to_us


@dataclass(frozen=True, slots=True)
class GraphIndex:
    """A person's graph without words: columns for ranking, all in the order of ``ids`` (by id).

    Shapes: n nodes, d dimensions, m edges. ``vectors`` float32 (n, d), zero rows where a node has no vector (``has_vector``).
    ``visible``: bool (n,) not retracted, archived or stale. ``closed``: bool (n,) a later statement ended it. Edge arrays hold
    positions in ``ids``; edges that are retracted or whose ends are missing are left out. ``private``: bool (n,) audience is
    not everybody (open the node to know whose).
    """

    revision: Revision
    fingerprint: str | None
    ids: tuple[NodeId, ...]
    types: tuple[NodeType, ...]
    weight: NDArray[np.float64]
    weight_at_us: NDArray[np.int64]
    decay: NDArray[np.float64]
    created_us: NDArray[np.int64]
    last_us: NDArray[np.int64]
    visible: NDArray[np.bool_]
    closed: NDArray[np.bool_]
    pinned: NDArray[np.bool_]
    private: NDArray[np.bool_]
    has_vector: NDArray[np.bool_]
    vectors: NDArray[np.float32]
    edge_source: NDArray[np.int32]
    edge_target: NDArray[np.int32]
    edge_type: tuple[EdgeType, ...]
    edge_confidence: NDArray[np.float64]


def is_visible(node: Node) -> bool:
    """Whether recall may hand it over: not marked wrong, not archived, and still said somewhere."""
    return node.retracted_at is None and node.archived is None and node.state is not NodeState.STALE


def index_of(
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    vectors: Mapping[NodeId, NDArray[np.float32]],
    *,
    revision: Revision,
    fingerprint: str | None,
) -> GraphIndex:
    """The columns of nodes and edges that are already open (a graph as of an earlier instant)."""
    ordered = sorted(nodes, key=lambda node: node.id)
    place = {node.id: i for i, node in enumerate(ordered)}
    kept = [e for e in edges if e.retracted_at is None and e.source in place and e.target in place]
    count = len(ordered)
    dimension = next((len(v) for v in vectors.values()), 0)
    rows = np.zeros((count, dimension), np.float32)
    has_vector = np.zeros(count, np.bool_)
    for i, node in enumerate(ordered):
        vector = vectors.get(node.id)
        if vector is not None:
            rows[i], has_vector[i] = vector, True
    return GraphIndex(
        revision=revision,
        fingerprint=fingerprint,
        ids=tuple(node.id for node in ordered),
        types=tuple(node.type for node in ordered),
        weight=np.array([node.weight.value for node in ordered], np.float64),
        weight_at_us=np.array([node.weight.at_us for node in ordered], np.int64),
        decay=np.array([node.decay for node in ordered], np.float64),
        created_us=np.array([to_us(node.created_at) for node in ordered], np.int64),
        last_us=np.array([to_us(node.last_reinforced_at) for node in ordered], np.int64),
        visible=np.array([is_visible(node) for node in ordered], np.bool_),
        closed=np.array([node.closure is not None for node in ordered], np.bool_),
        pinned=np.array([node.is_pinned for node in ordered], np.bool_),
        private=np.array(["*" not in node.audience for node in ordered], np.bool_),
        has_vector=has_vector,
        vectors=rows,
        edge_source=np.array([place[e.source] for e in kept], np.int32),
        edge_target=np.array([place[e.target] for e in kept], np.int32),
        edge_type=tuple(e.type for e in kept),
        edge_confidence=np.array([e.confidence for e in kept], np.float64),
    )
