"""Calendar arithmetic: weekdays, days of a year, seasons, counts of units, and moveable feasts (pure)."""

from __future__ import annotations

from calendar import monthrange
from datetime import date, datetime, time, timedelta

from memory_lib.domain.candidates import Precision
from memory_lib.reasoning.dates.mention import Direction

_CLOSE = 45
_FAR = 150
"""Days: a date without a year is the close one, whatever the tense, when the other one lies far off."""
_CENTURY_AHEAD = 20
_SEASON_START = {"winter": 12, "spring": 3, "summer": 6, "autumn": 9}
_STEPS = {"before_last": -2, "last": -1, "this": 0, "": 0, "next": 1, "coming": 1, "after_next": 2}


def step_of(which: str) -> int:
    """How many units away "last", "this", "next" and their kin are."""
    return _STEPS[which]


def day_from(anchor: datetime, shift: int = 0) -> datetime:
    """Midnight of the anchor's day, ``shift`` days on."""
    return midnight_of(anchor.date() + timedelta(days=shift), anchor)


def midnight_of(day: date, anchor: datetime) -> datetime:
    """That day's start in the anchor's offset."""
    return datetime.combine(day, time(0), anchor.tzinfo)


def months_from(day: date, months: int) -> date:
    """The same day so many months on, or the last one of a shorter month."""
    number = day.year * 12 + day.month - 1 + months
    year, month = divmod(number, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def month_from(begin: datetime, months: int) -> datetime:
    """The start of the month so many months on."""
    return midnight_of(months_from(begin.date().replace(day=1), months), begin)


def weekday_near(anchor: datetime, weekday: int, which: str, direction: Direction) -> datetime:
    """The weekday meant (Monday is 0): "next" is the next calendar week's, none lies on the tense's side."""
    ahead = (weekday - anchor.weekday()) % 7
    if which in {"next", "after_next", "before_last"}:
        weeks = {"next": 1, "after_next": 2, "before_last": -2}[which]
        return day_from(anchor, 7 * weeks - anchor.weekday() + weekday)
    if which == "last" or (which == "" and direction is Direction.PAST):
        return day_from(anchor, (ahead or 7) - 7 if ahead else -7)
    if which == "this" and direction is Direction.PAST:
        return day_from(anchor, ahead - 7 if ahead else 0)
    if which == "this":
        return day_from(anchor, ahead)
    return day_from(anchor, ahead or 7)


def weekday_counted(anchor: datetime, weekday: int, number: int) -> datetime:
    """The ``number``-th such weekday from now, negative backwards."""
    ahead = (weekday - anchor.weekday()) % 7
    return day_from(anchor, (ahead or 7) + 7 * (number - 1) if number > 0 else ahead + 7 * number)


def month_near(anchor: datetime, month: int, which: str, direction: Direction) -> datetime:
    """The start of the month meant."""
    year = anchor.year
    if which in {"after_next", "before_last"}:
        near = month_near(anchor, month, "", Direction.FUTURE if which == "after_next" else Direction.PAST)
        return near.replace(year=near.year + (1 if which == "after_next" else -1))
    if which == "last" or (which == "" and direction is Direction.PAST):
        if month > anchor.month or (which == "last" and month == anchor.month):
            year -= 1
    elif (which in {"next", "coming", ""}) and (month < anchor.month or (which == "next" and month == anchor.month)):
        year += 1
    return datetime(year, month, 1, tzinfo=anchor.tzinfo)


def full_year(year: int, anchor: datetime) -> int:
    """Two digits: the century that keeps it within twenty years ahead."""
    if year >= 100:
        return year
    return year + (2000 if year + 2000 <= anchor.year + _CENTURY_AHEAD else 1900)


def day_of_month(anchor: datetime, day: int, month: int, year: int | None, direction: Direction) -> datetime:
    """That day of that month; without a year the one that tense and nearness mean. Raises ValueError where there is none."""
    if year is not None:
        return datetime(full_year(year, anchor), month, day, tzinfo=anchor.tzinfo)
    past = _nearest_day(anchor, day, month, (0, -1, -2, -3, -4))
    future = _nearest_day(anchor, day, month, (0, 1, 2, 3, 4))
    behind, ahead = anchor.date() - past.date(), future.date() - anchor.date()
    if behind.days == 0:
        return past
    # "They asked me in for 13 May", said on the 8th, means this year whatever the tense of the asking.
    if ahead.days <= _CLOSE and behind.days > _FAR:
        return future
    if behind.days <= _CLOSE and ahead.days > _FAR and direction is not Direction.FUTURE:
        return past
    return past if direction is Direction.PAST else future


def day_alone(anchor: datetime, day: int, direction: Direction) -> datetime:
    """As in "The 15th": this month's or the nearest other one on the tense's side. Raises ValueError where there is none."""
    for step in range(4):
        month = months_from(anchor.date().replace(day=1), -step if direction is Direction.PAST else step)
        if day > monthrange(month.year, month.month)[1]:
            continue
        begin = midnight_of(month.replace(day=day), anchor)
        if begin.date() == anchor.date() or (begin < anchor) == (direction is Direction.PAST):
            return begin
    raise ValueError


def day_on_weekday(anchor: datetime, day: int, weekday: int, direction: Direction) -> datetime:
    """The nearest month whose ``day`` is that weekday. Raises ValueError where none is near."""
    for step in range(24):
        month = months_from(anchor.date().replace(day=1), -step if direction is Direction.PAST else step)
        if day > monthrange(month.year, month.month)[1] or month.replace(day=day).weekday() != weekday:
            continue
        begin = midnight_of(month.replace(day=day), anchor)
        if begin.date() == anchor.date() or (begin < anchor) == (direction is Direction.PAST):
            return begin
    raise ValueError


def _nearest_day(anchor: datetime, day: int, month: int, shifts: tuple[int, ...]) -> datetime:
    """The nearest such day on one side of the anchor, its own day included; four years hold a 29 February."""
    for shift in shifts:
        try:
            candidate = datetime(anchor.year + shift, month, day, tzinfo=anchor.tzinfo)
        except ValueError:
            continue
        if candidate.date() == anchor.date() or (candidate < anchor) == (shifts[-1] < 0):
            return candidate
    raise ValueError


def season_near(anchor: datetime, season: str, which: str, year: int | None, direction: Direction) -> datetime:
    """The first day of the season meant; a winter belongs to the year in which it begins."""
    month = _SEASON_START[season]
    if year is not None:
        return datetime(year, month, 1, tzinfo=anchor.tzinfo)
    starts = [datetime(anchor.year + shift, month, 1, tzinfo=anchor.tzinfo) for shift in (-3, -2, -1, 0, 1, 2)]
    ends = [month_from(begin, 3) for begin in starts]
    over = [begin for begin, end in zip(starts, ends, strict=True) if end <= anchor]
    ahead = [begin for begin in starts if begin > anchor]
    if which == "last":
        return over[-1]
    if which == "before_last":
        return over[-2]
    if which in {"next", "after_next"}:
        return ahead[which == "after_next"]
    if which in {"", "this"} and direction is Direction.PAST:
        return [begin for begin in starts if begin <= anchor][-1]
    return next(begin for begin, end in zip(starts, ends, strict=True) if end > anchor)


def counted(unit: str, number: int, sign: int, anchor: datetime) -> tuple[datetime, Precision]:
    """A count from now: a count of weeks or months is a day, of years a month (duckling's grain)."""
    if unit in {"second", "minute", "hour"}:
        step = timedelta(**{unit + "s": sign * number})
        return (anchor + step).replace(second=0, microsecond=0), Precision.MINUTE
    if unit in {"day", "week"}:
        return day_from(anchor, sign * number * (7 if unit == "week" else 1)), Precision.DAY
    if unit in {"month", "quarter"}:
        months = sign * number * (3 if unit == "quarter" else 1)
        return midnight_of(months_from(anchor.date(), months), anchor), Precision.DAY
    return month_from(anchor, sign * number * 12 * (10 if unit == "decade" else 1)), Precision.MONTH


def unit_start(unit: str, step: int, anchor: datetime) -> tuple[datetime, Precision]:  # noqa: PLR0911 - a return a unit
    """The start of the calendar unit ``step`` units from the one that holds the anchor."""
    if unit == "minute":
        return anchor.replace(second=0, microsecond=0) + timedelta(minutes=step), Precision.MINUTE
    if unit == "hour":
        return anchor.replace(minute=0, second=0, microsecond=0) + timedelta(hours=step), Precision.MINUTE
    if unit == "day":
        return day_from(anchor, step), Precision.DAY
    if unit == "week":
        return day_from(anchor, step * 7 - anchor.weekday()), Precision.WEEK
    if unit == "month":
        return month_from(anchor, step), Precision.MONTH
    if unit == "quarter":
        return month_from(anchor.replace(day=1, month=(anchor.month - 1) // 3 * 3 + 1), step * 3), Precision.SEASON
    return datetime(anchor.year + step, 1, 1, tzinfo=anchor.tzinfo), Precision.YEAR


def after_unit(begin: datetime, precision: Precision) -> datetime:
    """The first moment after the unit of that precision which begins there."""
    if precision is Precision.MINUTE:
        return begin + timedelta(minutes=1)
    if precision in {Precision.DAY, Precision.WEEK}:
        return begin + timedelta(days=7 if precision is Precision.WEEK else 1)
    return month_from(begin, {Precision.MONTH: 1, Precision.SEASON: 3, Precision.YEAR: 12}[precision])


def easter(year: int, *, orthodox: bool) -> date:
    """Easter Sunday in the Gregorian calendar (Meeus's algorithms; the Julian one shifted for 1900-2099)."""
    if orthodox:
        d = (19 * (year % 19) + 15) % 30
        e = (2 * (year % 4) + 4 * (year % 7) - d + 34) % 7
        month, day = divmod(d + e + 114, 31)
        return date(year, month, day + 1) + timedelta(days=13)
    a, b, c = year % 19, year // 100, year % 100
    h = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    k = (32 + 2 * (b % 4) + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * k) // 451
    month, day = divmod(h + k - 7 * m + 114, 31)
    return date(year, month, day + 1)


def nth_weekday(year: int, month: int, weekday: int, number: int) -> date:
    """The ``number``-th such weekday of a month, from its end where negative. Raises ValueError where there is none."""
    if number > 0:
        first = date(year, month, 1)
        found = first + timedelta(days=(weekday - first.weekday()) % 7 + 7 * (number - 1))
    else:
        last = date(year, month, monthrange(year, month)[1])
        found = last - timedelta(days=(last.weekday() - weekday) % 7 + 7 * (-number - 1))
    if found.month != month:
        raise ValueError
    return found
