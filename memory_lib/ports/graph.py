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
from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.changes import Action, Applied, ChangeSet, Revision, WriteKey
from memory_lib.domain.ids import EdgeId, NodeId, UserId
from memory_lib.domain.node import Edge, Node
from memory_lib.policies.graph_index import GraphIndex


@dataclass(frozen=True, slots=True)
class GraphCapabilities:
    """Declared, never sniffed. ``vector_search``: the store searches vectors itself; ``per_person_file``: a file a person."""

    vector_search: bool
    per_person_file: bool
    fencing: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphFileParams:
    """A store of one file a person. ``max_open_files``: connections kept open, the longest unused closed first.
    ``busy_timeout_s``: how long a lock held by somebody else is waited for before StoreBusy.
    """

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
class StoredGraph:
    """Everything of one person at one revision, opened: what formation, ``show`` and the passes of sleep work on."""

    revision: Revision
    nodes: Mapping[NodeId, Node]
    edges: Mapping[EdgeId, Edge]
    acts: tuple[Act, ...]
    renames: Mapping[NodeId, NodeId]
    vectors: Mapping[NodeId, NDArray[np.float32]]


class DropReason(StrEnum):
    """Why a change was not made: something it had read is different by now; an edge without one of its nodes; a second new name
    for one node in one change set.
    """

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


@dataclass(frozen=True, slots=True)
class AppliedKey:
    """A write key (as text), the hash of the content it came with, and the n it was applied at."""

    key: str
    content: str
    n: int


@dataclass(frozen=True, slots=True, eq=False)
class WholeGraph:
    """All that a store keeps of one person, opened, at one revision: what moves between stores and rests in sealed files.

    Nothing is left out but the fence and vectors made ahead for another embedder: archived and retracted things, write keys
    and waiting outbox entries travel too. ``vectors`` are calibrated float32 rows of ``dimension``.
    """

    revision: Revision
    fingerprint: str | None
    dimension: int | None
    nodes: Mapping[NodeId, Node]
    edges: Mapping[EdgeId, Edge]
    acts: tuple[Act, ...]
    renames: Mapping[NodeId, NodeId]
    vectors: Mapping[NodeId, NDArray[np.float32]]
    write_keys: tuple[AppliedKey, ...]
    outbox: tuple[OutboxEntry, ...]

    @property
    def stored(self) -> StoredGraph:
        """The same as readers hand it out."""
        return StoredGraph(self.revision, self.nodes, self.edges, self.acts, self.renames, self.vectors)


class GraphReader(Protocol):
    """Reading; a person who has no graph yet reads as an empty one at revision (0, 0).

    ``within_s``: for whoever can do without: a store on a server that says nothing for so long counts as down (DependencyDown),
    and so it does at once while somebody else is trying it already. None: the store's own patience.
    """

    @property
    def capabilities(self) -> GraphCapabilities: ...

    def head(self, user: UserId, *, within_s: float | None = None) -> GraphHead:
        """One indexed read; cheap enough for every recall."""
        ...

    def index(self, user: UserId, *, within_s: float | None = None) -> GraphIndex:
        """All columns at one revision (one snapshot), vectors opened, no words opened."""
        ...

    def nodes(self, user: UserId, ids: Sequence[NodeId], *, within_s: float | None = None) -> dict[NodeId, Node]:
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
        then by ids; at most ``limit``. A cycle is walked once and cut.
        """
        ...


class GraphWriter(Protocol):
    """Writing, a change set at a time."""

    def applied_keys(self, user: UserId, keys: Sequence[str]) -> frozenset[str]:
        """Which of these write keys (as text) have been applied."""
        ...

    def apply(
        self,
        user: UserId,
        change_sets: Sequence[ChangeSet],
        *,
        token: int,
        now: datetime,
        based_on: Revision | None = None,
    ) -> tuple[Applied, ...]:
        """All of them in one transaction, each under its own key, or none. An empty sequence does nothing.

        ``based_on``: the revision that everything in the change sets rests on, where they name no reads. A lease keeps writers
        apart only while it lasts, and fencing stops the older of two; this stops the newer one, which read too early.

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
            StaleRead: the person is at another revision than ``based_on``.
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


class GraphRebuilder(Protocol):
    """Putting a whole graph in place of another."""

    def rebuild(self, user: UserId, change_set: ChangeSet, *, token: int, now: datetime, based_on: Revision) -> Revision:
        """All nodes and edges go, and those of the change set come, in one transaction and a new epoch; acts, names and write
        keys stay. The new revision.

        Raises:
            LeaseLost, StaleRead, StoreBusy, WriteKeyConflict, FingerprintMismatch: as ``GraphWriter.apply``; nothing has
                changed then.
        """
        ...


class NextNodeVectors(Protocol):
    """Node vectors of the next embedder, made beside those that serve until all are there (``usecases/reembed``)."""

    def wanting(self, user: UserId, *, fingerprint: str) -> tuple[NodeId, ...]:
        """Nodes without a vector of this embedder, in place or made ahead, in id order; opens no seal."""
        ...

    def ahead(self, user: UserId) -> int:
        """How many vectors made ahead wait for the switch."""
        ...

    def put_ahead(
        self,
        user: UserId,
        vectors: Mapping[NodeId, tuple[str, NDArray[np.float32]]],
        *,
        fingerprint: str,
        dimension: int,
        token: int,
    ) -> None:
        """Node id → (the content it was made of, calibrated vector), in one transaction. A node that is gone or says something
        else by now is left out; a later change of a node takes its vector made ahead away again. What was made ahead for yet
        another embedder goes.

        Raises LeaseLost.
        """
        ...

    def switch(
        self,
        user: UserId,
        *,
        fingerprint: str,
        dimension: int,
        token: int,
        key: WriteKey,
        action: Action,
        now: datetime,
        without: frozenset[NodeId],
    ) -> bool:
        """Everything made ahead into its place, in one transaction with a new epoch; vectors of other embedders go. ``action``
        goes to the outbox under ``key``. False, and nothing happened, where a node that is not in ``without`` has no vector.

        Raises LeaseLost.
        """
        ...


class Outbox(Protocol):
    """Actions written in the graph's own transaction, waiting to be taken to the ledger's action log."""

    def pending(self, user: UserId, *, limit: int) -> tuple[OutboxEntry, ...]: ...

    def acknowledge(self, user: UserId, *, up_to: int) -> None:
        """Forget entries with seq ≤ ``up_to``; they are in the ledger now."""
        ...


class GraphCarrier(Protocol):
    """A whole person in and out of a store, and gone from it."""

    def take(self, user: UserId) -> WholeGraph:
        """Everything at one revision (one snapshot); of nobody: an empty graph at revision (0, 0)."""
        ...

    def fence(self, user: UserId, *, token: int) -> None:
        """Raises the fence to ``token`` and changes nothing else: from now on a writer with an older token is refused, so what
        ``take`` reads next is all that such writers were promised. Where nobody is, the fence alone is kept.

        Raises LeaseLost.
        """
        ...

    def place(self, user: UserId, whole: WholeGraph, *, token: int, key_generation: int) -> Revision:
        """``whole`` in place of whatever is kept of the person, sealed under ``key_generation``, in a new epoch with the same
        n. Readers see it whole or not at all; killed half-way, calling again does it. The new revision.

        Outbox entries keep their order and are numbered after any that were given out before.

        Raises:
            LeaseLost: the store has seen a higher fencing token than ``token``.
            StoreBusy, DependencyDown: as ``GraphWriter.apply``.
        """
        ...

    def vacate(self, user: UserId, *, token: int) -> None:
        """Everything goes except the fence, raised to ``token``: the person lives elsewhere now, and a writer who thinks
        otherwise is refused (LeaseLost), or finds nobody (StaleRead). Harmless where nobody is.

        Raises LeaseLost.
        """
        ...

    def erase(self, user: UserId) -> Mapping[str, int]:
        """Everything goes, the fence too; how many rows of each kind (``nodes``, ``edges``, ``proofs``, ``acts``, ``renames``,
        ``vectors``, ``next_vectors``, ``write_keys``, ``outbox``, ``head``) went. Harmless where nobody is.
        """
        ...

    def residue(self, user: UserId) -> Mapping[str, int]:
        """What is kept of the person, counted as by ``erase``, a vacated person's fence as ``fence``; kinds with none are left
        out.
        """
        ...

    def people(self, *, after: UserId | None = None, limit: int = 1000) -> tuple[UserId, ...]:
        """Whom this store keeps something of (a fence alone is nothing), in order, a page at a time."""
        ...


class GraphStore(GraphReader, GraphWriter, GraphRebuilder, NextNodeVectors, Outbox, GraphCarrier, Protocol):
    """All of it in one object, as backends are written and put into place."""
