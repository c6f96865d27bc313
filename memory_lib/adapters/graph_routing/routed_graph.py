"""The graph of everybody, wherever they live: the store of their shard, or opened files (DESIGN §3; §4, Tiers).

The placement is looked up on every call, so a move counts at once and in every process. A reader that looked up just before a
flip finds nobody in the old place and looks up again; a writer in the old place is refused by its fence.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from memory_lib.adapters.graph_routing.opened_files import OpenedFiles
from memory_lib.adapters.graph_routing.places import Places
from memory_lib.adapters.graph_routing.resting_graph import RestingGraph
from memory_lib.adapters.stored_graph.heads import NOBODY
from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.changes import Action, Applied, ChangeSet, Revision, WriteKey
from memory_lib.domain.ids import NodeId, UserId
from memory_lib.domain.node import Edge, Node
from memory_lib.domain.placement import Placement, Tier
from memory_lib.errors import PersonAway, SelfImprintError
from memory_lib.policies.graph_index import GraphIndex
from memory_lib.ports.graph import GraphCapabilities, GraphHead, GraphStore, OutboxEntry, StoredGraph, WholeGraph
from memory_lib.ports.whereabouts import Found, ReadFrom

_T = TypeVar("_T")
_LOOKUPS = 4
"""Moves that a reader follows before it takes what it found: two in a row within one read is already absurd."""


class RoutedGraph:
    """Implements ``ports.graph.GraphStore`` and ``ports.whereabouts.Whereabouts`` over the stores and the opened files.

    People who rest in files are read from them; what would write them raises PersonAway. Their outbox reads as empty: its
    entries wait in the files and are logged when the person is back.
    """

    def __init__(self, places: Places, files: OpenedFiles) -> None:
        self._places = places
        self._files = files
        self._last = threading.local()

    @property
    def capabilities(self) -> GraphCapabilities:
        """What every store can do."""
        each = [store.capabilities for store in self._places.stores.values()]
        return GraphCapabilities(
            vector_search=all(one.vector_search for one in each),
            per_person_file=all(one.per_person_file for one in each),
            fencing=all(one.fencing for one in each),
        )

    # -- Whereabouts --

    def look(self, user: UserId, *, within_s: float, answer_s: float | None = None) -> Found:
        def at_rest(placement: Placement) -> Found:
            opened = self._files.begin(user, placement, within_s=within_s)
            return Found(ReadFrom.OPENING, None) if opened is None else Found(ReadFrom.FILES, opened.head)

        def is_nobody(found: Found) -> bool:
            return found.head is not None and found.head.revision == NOBODY.revision

        found = self._followed(
            user,
            lambda store: Found(ReadFrom.STORE, store.head(user, within_s=answer_s)),
            at_rest,
            nobody=is_nobody,
        )
        if found.where is ReadFrom.STORE and not is_nobody(found):
            self._files.forget(user)
        return found

    # -- GraphReader --

    def head(self, user: UserId, *, within_s: float | None = None) -> GraphHead:
        return self._read(
            user,
            lambda store: store.head(user, within_s=within_s),
            lambda graph: graph.head,
            nobody=lambda head: head.revision == NOBODY.revision,
        )

    def index(self, user: UserId, *, within_s: float | None = None) -> GraphIndex:
        return self._read(
            user,
            lambda store: store.index(user, within_s=within_s),
            lambda graph: graph.index,
            nobody=lambda index: not index.ids,
        )

    def nodes(self, user: UserId, ids: Sequence[NodeId], *, within_s: float | None = None) -> dict[NodeId, Node]:
        if not ids:
            return {}
        return self._read(
            user,
            lambda store: store.nodes(user, ids, within_s=within_s),
            lambda graph: graph.nodes(ids),
            nobody=lambda nodes: not nodes,
        )

    def edges_among(self, user: UserId, ids: Sequence[NodeId]) -> tuple[Edge, ...]:
        if not ids:
            return ()
        return self._read(
            user,
            lambda store: store.edges_among(user, ids),
            lambda graph: graph.edges_among(ids),
            nobody=lambda edges: not edges,
        )

    def load(self, user: UserId) -> StoredGraph:
        return self._read(
            user,
            lambda store: store.load(user),
            lambda graph: graph.stored,
            nobody=lambda stored: stored.revision == NOBODY.revision,
        )

    def chains(self, user: UserId, *, edge_type: EdgeType, min_length: int, limit: int) -> tuple[tuple[NodeId, ...], ...]:
        return self._read(
            user,
            lambda store: store.chains(user, edge_type=edge_type, min_length=min_length, limit=limit),
            lambda graph: graph.chains(edge_type=edge_type, min_length=min_length, limit=limit),
            nobody=lambda found: not found,
        )

    # -- GraphWriter --

    def applied_keys(self, user: UserId, keys: Sequence[str]) -> frozenset[str]:
        if not keys:
            return frozenset()
        return self._read(
            user,
            lambda store: store.applied_keys(user, keys),
            lambda graph: graph.applied_keys(keys),
            nobody=lambda found: not found,
        )

    def apply(
        self,
        user: UserId,
        change_sets: Sequence[ChangeSet],
        *,
        token: int,
        now: datetime,
        based_on: Revision | None = None,
    ) -> tuple[Applied, ...]:
        return self._written(user).apply(user, change_sets, token=token, now=now, based_on=based_on)

    def set_fingerprint(self, user: UserId, *, fingerprint: str, dimension: int, token: int) -> None:
        self._written(user).set_fingerprint(user, fingerprint=fingerprint, dimension=dimension, token=token)

    def close(self) -> None:
        for store in self._places.stores.values():
            store.close()

    # -- GraphRebuilder --

    def rebuild(self, user: UserId, change_set: ChangeSet, *, token: int, now: datetime, based_on: Revision) -> Revision:
        return self._written(user).rebuild(user, change_set, token=token, now=now, based_on=based_on)

    # -- NextNodeVectors --

    def wanting(self, user: UserId, *, fingerprint: str) -> tuple[NodeId, ...]:
        return self._read(
            user,
            lambda store: store.wanting(user, fingerprint=fingerprint),
            lambda graph: graph.wanting(fingerprint=fingerprint),
            nobody=lambda found: not found,
        )

    def ahead(self, user: UserId) -> int:
        return self._read(user, lambda store: store.ahead(user), lambda _: 0, nobody=lambda count: not count)

    def put_ahead(
        self,
        user: UserId,
        vectors: Mapping[NodeId, tuple[str, NDArray[np.float32]]],
        *,
        fingerprint: str,
        dimension: int,
        token: int,
    ) -> None:
        self._written(user).put_ahead(user, vectors, fingerprint=fingerprint, dimension=dimension, token=token)

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
        return self._written(user).switch(
            user,
            fingerprint=fingerprint,
            dimension=dimension,
            token=token,
            key=key,
            action=action,
            now=now,
            without=without,
        )

    # -- Outbox --

    def pending(self, user: UserId, *, limit: int) -> tuple[OutboxEntry, ...]:
        placement = self._places.of(user)
        if placement.tier is not Tier.HOT:
            return ()
        entries = self._places.store(placement.shard).pending(user, limit=limit)
        if entries:
            self._last.pending = (user, placement)
        return entries

    def acknowledge(self, user: UserId, *, up_to: int) -> None:
        placement = self._places.of(user)
        seen_user, seen_at = getattr(self._last, "pending", (user, placement))
        if placement.tier is Tier.HOT and (seen_user != user or seen_at == placement):
            self._places.store(placement.shard).acknowledge(user, up_to=up_to)
        # else the entries were read in another store, which numbered them its own way: they are read, and known, once more

    # -- GraphCarrier --

    def take(self, user: UserId) -> WholeGraph:
        return self._read(
            user,
            lambda store: store.take(user),
            lambda graph: graph.whole,
            nobody=lambda whole: whole.revision == NOBODY.revision,
        )

    def fence(self, user: UserId, *, token: int) -> None:
        self._written(user).fence(user, token=token)

    def place(self, user: UserId, whole: WholeGraph, *, token: int, key_generation: int) -> Revision:
        return self._written(user).place(user, whole, token=token, key_generation=key_generation)

    def vacate(self, user: UserId, *, token: int) -> None:
        self._written(user).vacate(user, token=token)

    def erase(self, user: UserId) -> Mapping[str, int]:
        """From every store, and from memory; sealed files are emptied where they lie."""
        self._files.forget(user)
        gone: Counter[str] = Counter()
        for store in self._places.stores.values():
            gone.update(store.erase(user))
        return dict(gone)

    def residue(self, user: UserId) -> Mapping[str, int]:
        left: Counter[str] = Counter()
        for store in self._places.stores.values():
            left.update(store.residue(user))
        return dict(left)

    def people(self, *, after: UserId | None = None, limit: int = 1000) -> tuple[UserId, ...]:
        found = {user for store in self._places.stores.values() for user in store.people(after=after, limit=limit)}
        return tuple(sorted(found)[:limit])

    # -- finding the place --

    def _read(
        self,
        user: UserId,
        in_store: Callable[[GraphStore], _T],
        in_files: Callable[[RestingGraph], _T],
        *,
        nobody: Callable[[_T], bool],
    ) -> _T:
        return self._followed(user, in_store, lambda placement: in_files(self._files.get(user, placement)), nobody=nobody)

    def _followed(
        self,
        user: UserId,
        in_store: Callable[[GraphStore], _T],
        at_rest: Callable[[Placement], _T],
        *,
        nobody: Callable[[_T], bool],
    ) -> _T:
        """Where the person is now; looked up again where a move took them from under the look."""
        placement = self._places.of(user)
        for _ in range(_LOOKUPS):
            try:
                if placement.tier is Tier.HOT:
                    found = in_store(self._places.store(placement.shard))
                    if not nobody(found):
                        return found
                else:
                    return at_rest(placement)
            except SelfImprintError:
                again = self._places.of(user)
                if again == placement:
                    raise
            else:
                again = self._places.of(user)
                if again == placement:
                    return found
            placement = again
        raise _never_still(user)

    def _written(self, user: UserId) -> GraphStore:
        placement = self._places.settled(user)
        if placement.tier is not Tier.HOT:
            raise PersonAway(
                f"the graph of person {user} rests in {placement.tier} files and cannot be written there; "
                "rehydrate brings it back into a store"
            )
        return self._places.store(placement.shard)


def _never_still(user: UserId) -> PersonAway:
    return PersonAway(f"person {user} is being moved again and again; try again later")
