"""Where a person's graph should rest, by how long they have been silent (DESIGN §4, Tiers)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memory_lib.domain.placement import Tier
from memory_lib.errors import IllegalValue

DAY_US = 86_400_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class TieringParams:
    """``hot_days``, ``warm_days``: whole days of silence up to which a person is hot, up to which warm."""

    hot_days: int
    warm_days: int

    def __post_init__(self) -> None:
        if not 0 <= self.hot_days <= self.warm_days:
            raise IllegalValue("tiers: hot_days must be 0 or more and warm_days no less; correct the setting")


class TierReason(StrEnum):
    """``WROTE_LATELY``: belongs in a store. ``SILENT``: long enough for a colder tier. ``IN_PLACE``: where they belong.
    ``AT_REST``: silent for less than their tier asks, and not back: they stay.
    """

    WROTE_LATELY = "wrote_lately"
    SILENT = "silent"
    IN_PLACE = "in_place"
    AT_REST = "at_rest"


@dataclass(frozen=True, slots=True)
class TierDecision:
    """``silent_days``: whole days since the person's last own message."""

    target: Tier
    reason: TierReason
    silent_days: int


_COLDNESS = {Tier.HOT: 0, Tier.WARM: 1, Tier.COLD: 2}


def tier_for(last_us: int, *, tier: Tier, now_us: int, params: TieringParams) -> TierDecision:
    """The tier of a person who is in ``tier`` and last said something (or became known) at ``last_us``.

    Silence only ever makes colder; back into a store brings a person only their own new message (or being asked for:
    ``rehydrate``). A message from the future counts as one of now.
    """
    days = max(0, now_us - last_us) // DAY_US
    if days <= params.hot_days:
        due = Tier.HOT
    elif days <= params.warm_days:
        due = Tier.WARM
    else:
        due = Tier.COLD
    if due is tier:
        return TierDecision(tier, TierReason.IN_PLACE, days)
    if due is Tier.HOT:
        return TierDecision(due, TierReason.WROTE_LATELY, days)
    if _COLDNESS[due] < _COLDNESS[tier]:
        return TierDecision(tier, TierReason.AT_REST, days)
    return TierDecision(due, TierReason.SILENT, days)


def silent_before_us(tier: Tier, *, now_us: int, params: TieringParams) -> int:
    """Whose last message is earlier than this must leave ``tier`` (hot or warm) for a colder one."""
    days = params.hot_days if tier is Tier.HOT else params.warm_days
    return now_us - (days + 1) * DAY_US


def back_since_us(*, now_us: int, params: TieringParams) -> int:
    """Who wrote at this instant or later belongs in a graph store."""
    return now_us - (params.hot_days + 1) * DAY_US + 1
