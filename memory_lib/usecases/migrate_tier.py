"""One person's graph to the tier that their silence asks for (DESIGN §4, Tiers; §5, tier_migration)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Placement, Tier
from memory_lib.domain.time import to_us
from memory_lib.errors import Cancelled
from memory_lib.policies.tiering import TieringParams, TierReason, back_since_us, silent_before_us, tier_for
from memory_lib.ports.clock import Clock
from memory_lib.ports.graph import GraphReader
from memory_lib.ports.ledger import MessageLog, People
from memory_lib.ports.person_mover import Destination, PersonMover
from memory_lib.ports.placements import Placements

NOTHING_KEPT = "nothing_kept"
YIELDED = "yielded"


@dataclass(frozen=True, slots=True)
class Migrated:
    """``reason``: a ``TierReason``, ``nothing_kept`` (no graph yet) or ``yielded`` (the person wrote, or we were asked to
    stop). ``counts``: what was carried; empty where nothing moved.
    """

    was: Placement
    now: Placement
    reason: str
    counts: Mapping[str, int] = field(default_factory=dict)

    @property
    def moved(self) -> bool:
        return self.was.tier is not self.now.tier


def migrate_tier(
    user: UserId,
    *,
    people: People,
    log: MessageLog,
    reader: GraphReader,
    mover: PersonMover,
    clock: Clock,
    params: TieringParams,
    interrupted: Callable[[], bool] = lambda: False,
) -> Migrated:
    """Moves the person if they are due. A message of theirs that arrives meanwhile, or ``interrupted``, stops it before
    anything has changed.

    Raises:
        StoreBusy: somebody else moves or writes this person.
        Transient, Permanent: a store does not answer or refuses; the person is where they were.
    """
    person = people.person(user)
    was = mover.where(user)
    own = log.user_times(user)
    last = int(own[-1]) if len(own) else to_us(person.created_at)
    decision = tier_for(last, tier=was.tier, now_us=to_us(clock.now()), params=params)
    if decision.target is was.tier:
        return Migrated(was, was, decision.reason)
    if was.tier is Tier.HOT and not reader.head(user).revision.n:
        return Migrated(was, was, NOTHING_KEPT)

    def wrote() -> bool:
        return interrupted() or people.person(user).messages != person.messages

    try:
        moved = mover.move(user, Destination(decision.target), unless=wrote)
    except Cancelled:
        return Migrated(was, was, YIELDED)
    return Migrated(moved.was, moved.now, decision.reason, moved.counts)


def due(placements: Placements, *, clock: Clock, params: TieringParams, page: int) -> Iterator[tuple[UserId, ...]]:
    """Whom a night of migration looks at, a page at a time: silent people of the warmer tiers, and people who are back."""
    now_us = to_us(clock.now())
    for tier in (Tier.WARM, Tier.HOT):
        # warm ones first: who becomes warm tonight is not looked at again
        before = silent_before_us(tier, now_us=now_us, params=params)
        after: UserId | None = None
        while found := placements.silent(tier=tier, before_us=before, after=after, limit=page):
            yield tuple(user for user, _ in found)
            after = found[-1][0]
    since = back_since_us(now_us=now_us, params=params)
    after = None
    while back := placements.returned(since_us=since, after=after, limit=page):
        yield back
        after = back[-1]


__all__ = ["NOTHING_KEPT", "YIELDED", "Migrated", "TierReason", "due", "migrate_tier"]
