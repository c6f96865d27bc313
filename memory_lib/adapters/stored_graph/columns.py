"""A person's stored columns as the arrays that ranking works on, sealed vectors as one matrix, for every store of graphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from memory_lib.adapters.stored_graph.rows import VECTOR_KIND, Opener, edge_types, node_types
from memory_lib.errors import FingerprintMismatch
from memory_lib.policies.graph_index import GraphIndex
from memory_lib.ports.graph import GraphHead

FLOAT32_BYTES: Final = 4
Column = Sequence[Any]


@dataclass(frozen=True, slots=True)
class NodeColumns:
    """Columns in clear of all of a person's nodes, in id order."""

    ids: Column
    types: Column
    weight: Column
    weight_at_us: Column
    decay: Column
    created_us: Column
    last_us: Column
    visible: Column
    closed: Column
    pinned: Column
    private: Column


@dataclass(frozen=True, slots=True)
class EdgeColumns:
    """The same of edges in force, in id order."""

    source: Column = ()
    target: Column = ()
    types: Column = ()
    confidence: Column = ()


def no_opener(kind: str, record: str, envelope: bytes) -> bytes:  # noqa: ARG001 - the shape of an opener
    """Stands where nothing is to be opened, so that an erased person's missing key is not looked up."""
    return b""


def matrix(rows: Sequence[tuple[Any, ...]], dimension: int, open_: Opener) -> NDArray[np.float32]:
    """(node, sealed vector) as a read-only float32 matrix in their order.

    Raises:
        FingerprintMismatch: one is of another dimension than the person's head says.
    """
    opened = [open_(VECTOR_KIND, node, sealed) for node, sealed in rows]
    if set(map(len, opened)) - {FLOAT32_BYTES * dimension}:
        raise FingerprintMismatch(f"a stored vector is not of the recorded dimension {dimension}; run reembed")
    return np.frombuffer(b"".join(opened), dtype=np.float32).reshape(len(rows), dimension)


def index_of_columns(
    head: GraphHead,
    nodes: NodeColumns,
    edges: EdgeColumns,
    vectors: Sequence[tuple[Any, ...]],
    opener: Callable[[], Opener],
) -> GraphIndex:
    """``vectors``: (node, sealed) of those nodes that have one, in id order. Raises FingerprintMismatch, SealBroken."""
    ids = tuple(nodes.ids)
    place = dict(zip(ids, range(len(ids)), strict=True))
    values = matrix(vectors, head.dimension or 0, opener() if vectors else no_opener)
    has_vector = np.ones(len(ids), dtype=np.bool_)
    if len(vectors) < len(ids):
        rows = np.array([place[row[0]] for row in vectors], dtype=np.intp)
        has_vector[:] = False
        has_vector[rows] = True
        known, values = values, np.zeros((len(ids), values.shape[1]), dtype=np.float32)
        values[rows] = known
    return GraphIndex(
        revision=head.revision,
        fingerprint=head.fingerprint,
        ids=ids,
        types=node_types(nodes.types),
        weight=np.array(nodes.weight, dtype=np.float64),
        weight_at_us=np.array(nodes.weight_at_us, dtype=np.int64),
        decay=np.array(nodes.decay, dtype=np.float64),
        created_us=np.array(nodes.created_us, dtype=np.int64),
        last_us=np.array(nodes.last_us, dtype=np.int64),
        visible=np.array(nodes.visible, dtype=np.bool_),
        closed=np.array(nodes.closed, dtype=np.bool_),
        pinned=np.array(nodes.pinned, dtype=np.bool_),
        private=np.array(nodes.private, dtype=np.bool_),
        has_vector=has_vector,
        vectors=values,
        edge_source=np.array([place[node] for node in edges.source], dtype=np.int32),
        edge_target=np.array([place[node] for node in edges.target], dtype=np.int32),
        edge_type=edge_types(edges.types),
        edge_confidence=np.array(edges.confidence, dtype=np.float64),
    )
