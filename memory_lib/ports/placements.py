"""Where each person's graph lives, kept in the ledger (DESIGN §3, Isolation and Tiers).

The move of a person is: copy, compare, ``flip``, then take the source away. ``flip`` is the one instant at which the living
copy changes, in the ledger's own transaction.
"""

from __future__ import annotations

from datetime import datetime
from typing import Protocol

from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Placement, Tier


class Placements(Protocol):
    """The map from people to graph stores and sets of sealed files."""

    def of(self, user: UserId) -> Placement | None:
        """One indexed read; None where the person has no place yet."""
        ...

    def assign(self, user: UserId, shard: str) -> Placement:
        """Hot on this shard, unless there is a place already; the place that counts. Raises UnknownUser."""
        ...

    def flip(self, user: UserId, to: Placement, *, was: Placement, token: int, now: datetime) -> None:
        """The living copy is at ``to`` from now on, in one transaction.

        Raises:
            LeaseLost: ``token`` is not that of the person's newest write lease: somebody else may have written meanwhile.
            StaleRead: the person is not at ``was``.
        """
        ...

    def next_generation(self, user: UserId) -> int:
        """A number above all given before, for a new set of files; kept whatever becomes of the set. Raises UnknownUser."""
        ...

    def silent(
        self, *, tier: Tier, before_us: int, after: UserId | None = None, limit: int = 1000
    ) -> tuple[tuple[UserId, int], ...]:
        """(person, event time of their last own message) of this tier whose last message is earlier than ``before_us``, in id
        order, a page at a time. People who never said anything count by when they became known.
        """
        ...

    def returned(self, *, since_us: int, after: UserId | None = None, limit: int = 1000) -> tuple[UserId, ...]:
        """Who is not hot and has a message at or after ``since_us``, in order, a page at a time."""
        ...

    def on(self, shard: str, *, after: UserId | None = None, limit: int = 1000) -> tuple[UserId, ...]:
        """Who belongs to this shard, in order, a page at a time."""
        ...
