"""Moving a person's graph between graph stores and sealed files, so that there is exactly one living copy at any instant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Placement, Tier


@dataclass(frozen=True, slots=True)
class Destination:
    """``shard``: which graph store; None: the one the person belongs to already."""

    tier: Tier
    shard: str | None = None


@dataclass(frozen=True, slots=True)
class Moved:
    """``counts``: what was carried, by kind; empty where the person was there already. ``removed``: leftovers and the source,
    taken away, by kind (``sets`` of files, ``stores``).
    """

    was: Placement
    now: Placement
    counts: Mapping[str, int] = field(default_factory=dict)
    removed: Mapping[str, int] = field(default_factory=dict)

    @property
    def changed(self) -> bool:
        return self.was != self.now


class PersonMover(Protocol):
    """Copy, compare, flip the placement under the write lease, take the source away (``ports.placements``).

    Killed at any moment, the living copy is the one that the ledger names: the source before the flip, the target after it.
    Whatever else lies somewhere is a leftover; the next move of the person removes it, also one to where they are.
    """

    def where(self, user: UserId) -> Placement:
        """Where the living copy is, or would be made; writes nothing."""
        ...

    def planned(self, user: UserId, to: Destination) -> Placement:
        """Where ``move`` would bring the person, as things are; the number of a set of files is only given when it is made, so
        it stands as 1 above the present one. Raises UnknownSetting.
        """
        ...

    def move(self, user: UserId, to: Destination, *, unless: Callable[[], bool] = lambda: False) -> Moved:
        """The person's graph is at ``to`` from now on, in a new epoch where a store loads it.

        ``unless``: asked before copying, after it and just before the flip; True stops there.

        Raises:
            Cancelled: ``unless`` said so; nothing has changed.
            StoreBusy: somebody else moves this person, or writes them for longer than we wait.
            LeaseLost, StaleRead: somebody else wrote or moved the person meanwhile; nothing has changed.
            UnknownSetting: no graph store by that name is configured.
            Transient, Permanent: as the stores raise them; the source is intact.
        """
        ...
