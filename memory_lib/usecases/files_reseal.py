"""A person's sealed files are made anew under the present key: a new set beside the living one, the flip of the placement, and
the old set goes (CONTRACTS, Sealing and keys; ``ports.placements``).

The write lease is held and renewed meanwhile, so nobody moves the person. Killed anywhere, the living set is the one that the
ledger names; sets that are not are leftovers, and go when they are of an older key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Placement, Tier
from memory_lib.ports.clock import Clock
from memory_lib.ports.placements import Placements
from memory_lib.ports.sealed_graphs import SealedGraphs
from memory_lib.ports.write_turn import WriteTurn


class FilesReseal:
    """Implements ``ports.person_store.Resealable`` for the sealed files of every tier."""

    def __init__(
        self, files: Mapping[Tier, SealedGraphs], *, placements: Placements, write_turn: WriteTurn, clock: Clock
    ) -> None:
        self._files = files
        self._placements = placements
        self._write_turn = write_turn
        self._clock = clock

    def outdated(self, user: UserId) -> int:
        """Files of any set. Raises KeyMissing."""
        return sum(self._old(user).values())

    def reseal(self, user: UserId, *, limit: int) -> int:  # noqa: ARG002 - a set is written whole
        """Raises StoreBusy, LeaseLost, StaleRead, SealBroken; the living set is as it was then."""
        if not self._old(user):
            return 0
        with self._write_turn.hold(user, renewing=True) as turn:
            number = self._placements.next_generation(user)
            living = self._placements.of(user) or Placement()
            # nothing changes by it; it fails where somebody else has the lease by now, and then no set may be touched
            self._placements.flip(user, living, was=living, token=turn.token, now=self._clock.now())
            old = self._old(user)
            if (living.tier, living.generation) in old:
                files = self._files[living.tier]
                whole = files.read(user, generation=living.generation)
                files.write(user, whole, files.sessions(user, generation=living.generation), generation=number)
                self._placements.flip(
                    user, replace(living, generation=number), was=living, token=turn.token, now=self._clock.now()
                )
            for tier, generation in old:
                # a number above ours is of somebody who had the lease after us
                if generation <= number:
                    self._files[tier].delete(user, generation=generation)
        return sum(old.values())

    def _old(self, user: UserId) -> dict[tuple[Tier, int], int]:
        """Sets with files of an older key, and how many."""
        found = {
            (tier, generation): files.outdated(user, generation=generation)
            for tier, files in self._files.items()
            for generation in files.generations(user)
        }
        return {place: count for place, count in found.items() if count}
