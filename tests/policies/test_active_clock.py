from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_lib.domain.time import DAY_US, to_us
from memory_lib.errors import IllegalValue
from memory_lib.policies.active_clock import ActiveClock, ClockParams
from memory_lib.settings import Settings

PAUSE = Settings.model_fields["clock"].default.pause_us
START = 1_700_000_000_000_000

instants = st.integers(min_value=-60 * 10**15, max_value=250 * 10**15)
times = st.lists(instants, max_size=12)


def days(*numbers: float) -> tuple[int, ...]:
    return tuple(START + round(number * DAY_US) for number in numbers)


def test_the_pause_is_a_week():
    assert PAUSE == 7 * DAY_US


def test_time_runs_with_the_wall_while_the_person_writes():
    clock = ActiveClock(days(0, 3, 5), PAUSE)
    assert clock.elapsed_days(days(0)[0], days(5)[0]) == 5.0
    assert clock.elapsed_days(days(0.5)[0], days(4.5)[0]) == 4.0


def test_a_longer_silence_counts_as_a_week_and_the_next_message_starts_the_clock_again():
    clock = ActiveClock(days(0, 60, 61), PAUSE)
    assert clock.elapsed_days(days(0)[0], days(60)[0]) == 7.0
    assert clock.elapsed_days(days(8)[0], days(59)[0]) == 0.0
    assert clock.elapsed_days(days(0)[0], days(61)[0]) == 8.0


def test_before_the_first_message_there_is_no_time_and_after_the_last_one_a_week():
    clock = ActiveClock(days(10), PAUSE)
    assert clock.active_us(days(9.9)[0]) == 0
    assert clock.active_us(days(10)[0]) == 0
    assert clock.active_us(days(16)[0]) == 6 * DAY_US
    assert clock.active_us(to_us(datetime.fromisoformat("2100-01-01T00:00:00+00:00"))) == 7 * DAY_US


def test_a_person_who_never_wrote_does_not_age():
    clock = ActiveClock((), PAUSE)
    assert clock.active_us(START) == 0
    assert clock.active_us_many(np.array([START, START + DAY_US])).tolist() == [0, 0]
    assert clock.instant_of(0) is None


def test_a_clock_set_back_gives_no_negative_days():
    clock = ActiveClock(days(0, 1, 2), PAUSE)
    assert clock.elapsed_days(days(2)[0], days(1)[0]) == 0.0


@pytest.mark.parametrize(("before", "after"), [("2026-03-28", "2026-03-30"), ("2026-10-24", "2026-10-26")])
def test_days_have_24_hours_across_summer_time_changes(before, after):
    zone = ZoneInfo("Europe/Berlin")
    first = datetime.fromisoformat(f"{before}T12:00:00").replace(tzinfo=zone)
    last = datetime.fromisoformat(f"{after}T12:00:00").replace(tzinfo=zone)
    clock = ActiveClock((to_us(first), to_us(last)), PAUSE)
    hours = (last.astimezone(ZoneInfo("UTC")) - first.astimezone(ZoneInfo("UTC"))) / timedelta(hours=1)
    assert hours in (47, 49)
    assert clock.elapsed_days(to_us(first), to_us(last)) == hours / 24


def test_a_negative_pause_cannot_be_built():
    with pytest.raises(IllegalValue):
        ActiveClock((), -1)


@pytest.mark.parametrize("days_of_silence", [-1.0, float("nan"), 40_000.0])
def test_a_pause_that_makes_no_sense_is_a_wrong_setting(days_of_silence):
    with pytest.raises(IllegalValue):
        ClockParams(pause_after_days=days_of_silence)


@given(times, st.randoms(use_true_random=False), st.lists(instants, min_size=1, max_size=5))
def test_order_and_doubles_of_messages_do_not_matter(messages, chance, asked):
    shuffled = messages + messages[:3]
    chance.shuffle(shuffled)
    one, other = ActiveClock(sorted(messages), PAUSE), ActiveClock(shuffled, PAUSE)
    assert [one.active_us(t) for t in asked] == [other.active_us(t) for t in asked]


@given(times, instants, instants)
def test_the_clock_never_falls_and_never_outruns_the_wall(messages, one, other):
    clock = ActiveClock(messages, PAUSE)
    earlier, later = sorted((one, other))
    assert 0 <= clock.active_us(later) - clock.active_us(earlier) <= later - earlier


@given(times, instants, instants, instants)
def test_a_message_more_never_takes_time_away(messages, late, one, other):
    earlier, later = sorted((one, other))
    known, grown = ActiveClock(messages, PAUSE), ActiveClock([*messages, late], PAUSE)
    assert grown.elapsed_days(earlier, later) >= known.elapsed_days(earlier, later)


@given(times, st.lists(instants, max_size=6))
def test_many_instants_at_once_equal_one_at_a_time(messages, asked):
    clock = ActiveClock(messages, PAUSE)
    assert clock.active_us_many(np.array(asked, dtype=np.int64)).tolist() == [clock.active_us(t) for t in asked]


def test_an_active_time_is_reached_when_the_clock_stops_and_not_when_it_starts_again():
    clock = ActiveClock(days(0, 60), PAUSE)
    assert clock.instant_of(7 * DAY_US) == days(7)[0]
    assert clock.instant_of(14 * DAY_US) == days(67)[0]
    assert clock.instant_of(14 * DAY_US + 1) is None


@given(times, st.integers(min_value=0, max_value=40 * DAY_US))
def test_the_instant_of_an_active_time_is_the_first_that_reaches_it(messages, active):
    clock = ActiveClock(messages, PAUSE)
    instant = clock.instant_of(active)
    if instant is None:
        assert all(clock.active_us(t) < active for t in [*messages, 300 * 10**15]) or not messages
    else:
        assert clock.active_us(instant) == active
        assert active == 0 or clock.active_us(instant - 1) < active
