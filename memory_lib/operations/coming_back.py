"""Who rests in sealed files is brought back before an operation writes to their graph."""

from __future__ import annotations

from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Tier
from memory_lib.errors import PersonAway
from memory_lib.operations.bench import OpsBench
from memory_lib.usecases.rehydrate import rehydrate


def brought_back(bench: OpsBench, user: UserId) -> None:
    """The person's graph is in a store when this returns. Raises PersonAway where nothing here can bring them back."""
    place = bench.placements.of(user)
    if place is None or place.tier is Tier.HOT:
        return
    tiers = bench.work.tiers
    if tiers is None:
        raise PersonAway(
            f"the graph of person {user} rests in sealed files and this installation moves nobody; rehydrate first"
        )
    rehydrate(user, mover=tiers.mover, requests=tiers.requests, clock=bench.work.clock, attempts=tiers.attempts)
