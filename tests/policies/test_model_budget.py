from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory_lib.policies.model_budget import ModelBudgetParams, Spent, may_ask, night_began

PARAMS = ModelBudgetParams(person=3, night=10)


@pytest.mark.parametrize(
    ("now", "noon"),
    [
        ("2026-05-20T11:59:59+00:00", "2026-05-19T12:00:00+00:00"),
        ("2026-05-20T12:00:00+00:00", "2026-05-20T12:00:00+00:00"),
        ("2026-05-20T03:00:00+03:00", "2026-05-19T12:00:00+00:00"),
        ("2026-05-20T23:30:00-11:00", "2026-05-20T12:00:00+00:00"),
    ],
)
def test_a_night_begins_at_noon_in_utc_wherever_one_looks_from(now, noon):
    assert night_began(datetime.fromisoformat(now)) == datetime.fromisoformat(noon)


def test_the_whole_night_of_any_zone_is_mostly_one_count():
    for hours in (-5, 0, 3, 7):
        zone = timezone(timedelta(hours=hours))
        evening, morning = (datetime(2026, 5, day, hour, tzinfo=zone) for day, hour in ((20, 23), (21, 5)))
        assert night_began(evening) == night_began(morning)
    assert night_began(datetime(2026, 5, 20, 12, tzinfo=UTC)) - night_began(datetime(2026, 5, 20, 11, tzinfo=UTC)) == timedelta(
        days=1
    )


@pytest.mark.parametrize(
    ("person", "everyone", "because"),
    [
        (0, 0, "within_budget"),
        (2, 9, "within_budget"),
        (3, 3, "person_budget_spent"),
        (2, 10, "night_budget_spent"),
        (3, 10, "person_budget_spent"),
    ],
)
def test_both_budgets_hold(person, everyone, because):
    verdict = may_ask(person=Spent(person, 0), everyone=Spent(everyone, 0), params=PARAMS)
    assert (verdict.allowed, verdict.because) == (because == "within_budget", because)


def test_a_budget_of_nothing_asks_nothing():
    nothing = ModelBudgetParams(person=0, night=0)
    assert not may_ask(person=Spent(0, 0), everyone=Spent(0, 0), params=nothing).allowed
