"""Who lives where: the ledger's map from people to stores, and what goes for people who are not on it yet."""

from __future__ import annotations

from collections.abc import Mapping

from memory_lib.adapters.stored_graph.heads import NOBODY
from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import MAIN, Placement, Tier
from memory_lib.errors import UnknownSetting
from memory_lib.policies.sharding import ShardingParams, shard_for
from memory_lib.ports.graph import GraphStore
from memory_lib.ports.placements import Placements


class Places:
    """The stores by name, and the placement of each person.

    A person's row is made with their first write. People of a time before there were rows live in the store called ``main``
    (or the first by name): who has none is looked for there, and only who is not there is given a place by share.
    """

    def __init__(self, shards: Mapping[str, GraphStore], placements: Placements, *, params: ShardingParams) -> None:
        if not shards:
            raise UnknownSetting("no graph store is configured; name at least one")
        self._shards = dict(shards)
        self._placements = placements
        self._params = params
        self._first = MAIN if MAIN in self._shards else min(self._shards)

    @property
    def stores(self) -> Mapping[str, GraphStore]:
        return self._shards

    def store(self, shard: str) -> GraphStore:
        """Raises UnknownSetting where no store by that name is configured."""
        try:
            return self._shards[shard]
        except KeyError:
            named = ", ".join(sorted(self._shards))
            raise UnknownSetting(
                f"no graph store by the name {shard!r} is configured, there are: {named}; name it in the settings"
            ) from None

    def of(self, user: UserId) -> Placement:
        """One indexed read; writes nothing."""
        return self._placements.of(user) or Placement(Tier.HOT, self._unplaced(user))

    def settled(self, user: UserId) -> Placement:
        """As ``of``; a person without a row is given one, for good. Raises UnknownUser."""
        return self._placements.of(user) or self._placements.assign(user, self._unplaced(user))

    def for_new(self, user: UserId) -> str:
        """The store that a person without one goes to."""
        return shard_for(user, sorted(self._shards), params=self._params)

    def _unplaced(self, user: UserId) -> str:
        if len(self._shards) == 1:
            return self._first
        if self._shards[self._first].head(user).revision != NOBODY.revision:
            return self._first
        return self.for_new(user)
