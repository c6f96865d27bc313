"""The graph of one person, hot: reading, writing, and the outbox of decisions (DESIGN §3; CONTRACTS, Writing).

Every method names the person. Text is sealed below this line: what comes out of ``nodes`` and ``load`` has been opened, what is
on disk has not. Vectors are calibrated float32 rows (CONTRACTS, Sealing and keys).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.acts import Act
from memory_lib.domain.candidates import EdgeType, NodeType
from memory_lib.domain.changes import Action, Applied, ChangeSet, Revision
from memory_lib.domain.ids import EdgeId, NodeId, UserId
from memory_lib.domain.node import Edge, Node
from memory_lib.domain.time import to_us


@dataclass(frozen=True, slots=True)
class GraphCapabilities:
    """Declared, never sniffed. ``vector_search``: the store searches vectors itself; ``per_person_file``: a file a person."""

    vector_search: bool
    per_person_file: bool
    fencing: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphFileParams:
    """A store of one file a person. ``max_open_files``: connections kept open, the longest unused closed first.
    ``busy_timeout_s``: how long a lock held by somebody else is waited for before StoreBusy."""

    max_open_files: int
    busy_timeout_s: float


@dataclass(frozen=True, slots=True)
class GraphHead:
    """The person's row in the graph store, read by index before every recall."""

    revision: Revision
    key_generation: int
    fence: int
    fingerprint: str | None
    dimension: int | None


@dataclass(frozen=True, slots=True)
class GraphIndex:
    """A person's graph without words: columns for ranking, all in the order of ``ids`` (by id).

    Shapes: n nodes, d dimensions, m edges. ``vectors`` float32 (n, d), zero rows where a node has no vector (``has_vector``).
    ``visible``: bool (n,) not retracted and not archived. ``closed``: bool (n,) a later statement ended it. Edge arrays hold
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


@dataclass(frozen=True, slots=True)
class StoredGraph:
    """Everything of one person at one revision, opened: what formation, ``show`` and the passes of sleep work on."""

    revision: Revision
    nodes: Mapping[NodeId, Node]
    edges: Mapping[EdgeId, Edge]
    acts: tuple[Act, ...]
    renames: Mapping[NodeId, NodeId]
    vectors: Mapping[NodeId, NDArray[np.float32]]


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
        visible=np.array([node.retracted_at is None and node.archived is None for node in ordered], np.bool_),
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


class DropReason(StrEnum):
    """Why a change was not made: something it had read is different by now; an edge without one of its nodes; a second new name
    for one node in one change set."""

    READ_CHANGED = "read_changed"
    MISSING_END = "missing_end"
    RENAMED_TWICE = "renamed_twice"


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """An action with the write key it belongs to and its place in it; ``seq`` orders a person's entries."""

    seq: int
    write_key: str
    position: int
    recorded_at: datetime
    action: Action


class GraphReader(Protocol):
    """Reading; a person who has no graph yet reads as an empty one at revision (0, 0)."""

    @property
    def capabilities(self) -> GraphCapabilities: ...

    def head(self, user: UserId) -> GraphHead:
        """One indexed read; cheap enough for every recall."""
        ...

    def index(self, user: UserId) -> GraphIndex:
        """All columns at one revision (one snapshot), vectors opened, no words opened."""
        ...

    def nodes(self, user: UserId, ids: Sequence[NodeId]) -> dict[NodeId, Node]:
        """These nodes, opened, with their proofs; unknown ids are left out. Raises SealBroken."""
        ...

    def edges_among(self, user: UserId, ids: Sequence[NodeId]) -> tuple[Edge, ...]:
        """Edges with both ends in ``ids``, with their proofs, in id order."""
        ...

    def load(self, user: UserId) -> StoredGraph:
        """Everything of the person at one revision (one snapshot)."""
        ...

    def chains(self, user: UserId, *, edge_type: EdgeType, min_length: int, limit: int) -> tuple[tuple[NodeId, ...], ...]:
        """Maximal acyclic chains of visible nodes along ``edge_type`` with at least ``min_length`` edges, longest first,
        then by ids; at most ``limit``. A cycle is walked once and cut."""
        ...


class GraphWriter(Protocol):
    def applied_keys(self, user: UserId, keys: Sequence[str]) -> frozenset[str]:
        """Which of these write keys (as text) have been applied."""
        ...

    def apply(self, user: UserId, change_sets: Sequence[ChangeSet], *, token: int, now: datetime) -> tuple[Applied, ...]:
        """All of them in one transaction, each under its own key, or none. An empty sequence does nothing.

        What a change set means, beyond its own words:

        - *Reads.* A read holds where the field has the stated value before this change set (after those before it in the same
          call), or as the change set's own earlier changes left it. What somebody else changed since agrees with neither: the
          change is dropped, the rest applies.
        - *Order.* Renames first and all at once (one mapping of old names), then nodes and acts in their order, then edges in
          theirs: an edge may stand before its ends, and one whose end is missing when all is done is dropped.
        - *Names.* A name that is put, or renamed to, is live and followed nowhere; an act on any other renamed name follows it.
          ``load().renames`` leads straight to the last name.
        - *Seen before.* ``fresh=False``, nothing dropped, the revision as it is at that place of the call.

        Raises:
            LeaseLost: the store has seen a higher fencing token than ``token``.
            WriteKeyConflict: a key came back with other content.
            StoreBusy: the file stayed locked longer than the store waits.
            FingerprintMismatch: a vector without ``set_fingerprint`` before it, or of another dimension.
            IllegalValue: a change set of another person, a read of a field that does not exist, or an action that holds
                anything but codes, ids and finite numbers (the action log is kept in clear).
        """
        ...

    def set_fingerprint(self, user: UserId, *, fingerprint: str, dimension: int, token: int) -> None:
        """Whose vectors these are. Raises FingerprintMismatch where vectors of another embedder are stored."""
        ...

    def close(self) -> None: ...


class Outbox(Protocol):
    """Actions written in the graph's own transaction, waiting to be taken to the ledger's action log."""

    def pending(self, user: UserId, *, limit: int) -> tuple[OutboxEntry, ...]: ...

    def acknowledge(self, user: UserId, *, up_to: int) -> None:
        """Forget entries with seq ≤ ``up_to``; they are in the ledger now."""
        ...
