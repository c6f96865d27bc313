from __future__ import annotations

import pytest

from memory_lib.domain.placement import Tier
from memory_lib.errors import IllegalValue
from memory_lib.policies.tiering import DAY_US, TieringParams, TierReason, back_since_us, silent_before_us, tier_for

PARAMS = TieringParams(hot_days=7, warm_days=30)
NOW = 1_800_000_000_000_000
HOT, WARM, COLD = Tier.HOT, Tier.WARM, Tier.COLD


@pytest.mark.parametrize(
    ("days", "tier", "target", "reason"),
    [
        (0, HOT, HOT, TierReason.IN_PLACE),
        (7, HOT, HOT, TierReason.IN_PLACE),
        (8, HOT, WARM, TierReason.SILENT),
        (30, HOT, WARM, TierReason.SILENT),
        (31, HOT, COLD, TierReason.SILENT),
        (400, HOT, COLD, TierReason.SILENT),
        (8, WARM, WARM, TierReason.IN_PLACE),
        (30, WARM, WARM, TierReason.IN_PLACE),
        (31, WARM, COLD, TierReason.SILENT),
        (7, WARM, HOT, TierReason.WROTE_LATELY),
        (0, COLD, HOT, TierReason.WROTE_LATELY),
        (20, COLD, COLD, TierReason.AT_REST),
        (31, COLD, COLD, TierReason.IN_PLACE),
    ],
)
def test_each_day_of_silence_has_its_tier(days: int, tier: Tier, target: Tier, reason: TierReason):
    decision = tier_for(NOW - days * DAY_US, tier=tier, now_us=NOW, params=PARAMS)
    assert (decision.target, decision.reason, decision.silent_days) == (target, reason, days)


def test_a_day_counts_when_it_is_over():
    assert tier_for(NOW - 8 * DAY_US + 1, tier=HOT, now_us=NOW, params=PARAMS).target is HOT
    assert tier_for(NOW - 31 * DAY_US + 1, tier=WARM, now_us=NOW, params=PARAMS).target is WARM


def test_a_message_from_the_future_counts_as_one_of_now():
    assert tier_for(NOW + 90 * DAY_US, tier=WARM, now_us=NOW, params=PARAMS).target is HOT


@pytest.mark.parametrize("tier", [HOT, WARM])
def test_whom_the_ledger_lists_as_silent_must_leave(tier: Tier):
    before = silent_before_us(tier, now_us=NOW, params=PARAMS)
    assert tier_for(before - 1, tier=tier, now_us=NOW, params=PARAMS).target is not tier
    assert tier_for(before + 1, tier=tier, now_us=NOW, params=PARAMS).target is tier


@pytest.mark.parametrize("tier", [WARM, COLD])
def test_whom_the_ledger_lists_as_back_comes_back(tier: Tier):
    since = back_since_us(now_us=NOW, params=PARAMS)
    assert tier_for(since, tier=tier, now_us=NOW, params=PARAMS).target is HOT
    assert tier_for(since - 1, tier=tier, now_us=NOW, params=PARAMS).target is not HOT


@pytest.mark.parametrize(("hot", "warm"), [(-1, 5), (8, 7)])
def test_days_out_of_order_are_refused(hot: int, warm: int):
    with pytest.raises(IllegalValue):
        TieringParams(hot_days=hot, warm_days=warm)
