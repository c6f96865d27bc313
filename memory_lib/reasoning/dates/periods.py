"""How matched words become dates, for both languages: each function reads the named groups of a rule's match."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from memory_lib.domain.candidates import Precision
from memory_lib.reasoning.dates.mention import Direction, Role
from memory_lib.reasoning.dates.pieces import Kind, Piece, Resolver, Scene
from memory_lib.reasoning.dates.reckoning import (
    after_unit,
    counted,
    day_alone,
    day_from,
    day_of_month,
    day_on_weekday,
    month_from,
    month_near,
    season_near,
    step_of,
    unit_start,
    weekday_counted,
    weekday_near,
)
from memory_lib.reasoning.dates.words import PARTS


def piece(
    match: re.Match[str], begin: datetime, precision: Precision = Precision.DAY, *, ends: datetime | None = None
) -> Piece:
    """The match as a date."""
    return Piece(start=match.start(), end=match.end(), begin=begin, precision=precision, ends=ends)


def group(match: re.Match[str], name: str) -> str | None:
    """A group that the pattern may lack."""
    return match[name] if name in match.re.groupindex else None


def shifted(days: int, part: tuple[int, int] | None = None) -> Resolver:
    """A day counted from today: "yesterday". ``part``: hours of the day that the word holds too ("tonight")."""

    def resolve(match: re.Match[str], scene: Scene) -> Piece | None:
        return with_hours(piece(match, day_from(scene.anchor, days)), part)

    return resolve


def with_hours(found: Piece, hours: tuple[int, int] | None) -> Piece:
    """The day with a part of it as its stretch."""
    if hours is None:
        return found
    stretch = (found.begin + timedelta(hours=hours[0]), found.begin + timedelta(hours=hours[1]))
    return replace(found, hours=hours, stretch=stretch)


def hours_of(word: str, scene: Scene) -> tuple[int, int] | None:
    """The hours of a part of the day."""
    for pattern, first, last in PARTS[scene.words.language]:
        if re.fullmatch(pattern, word):
            return first, last
    return None


def part_alone(match: re.Match[str], scene: Scene) -> Piece | None:
    """A part of the day that waits for its day."""
    hours = hours_of(match["part"], scene)
    if hours is None:
        return None
    return replace(with_hours(piece(match, day_from(scene.anchor)), hours), kind=Kind.PART)


def ago_or_in(sign: int) -> Resolver:
    """A count from now."""

    def resolve(match: re.Match[str], scene: Scene) -> Piece | None:
        if sign > 0 and scene.direction is Direction.PAST and scene.words.language == "en":
            return None  # "we did it in two days"
        number = scene.words.number_of(match["n"]) if group(match, "n") else 1
        unit = scene.words.unit_of(match["u"])
        if unit == "fortnight":
            unit, number = "week", number * 2
        half = group(match, "half")
        if half and unit in {"hour", "year"}:
            unit, number = ("minute", number * 60 + 30) if unit == "hour" else ("month", number * 12 + 6)
        begin, precision = counted(unit, number, sign, scene.anchor)
        return piece(match, begin, precision)

    return resolve


def part_of_unit(sign: int) -> Resolver:
    """Halves and quarters: "полгода назад", "in half an hour", "in 3/4 hour"."""

    def resolve(match: re.Match[str], scene: Scene) -> Piece | None:
        word = match["u"]
        minutes = next(
            (
                n
                for stem, n in (
                    ("1/4", 15),
                    ("three", 45),
                    ("quarter", 15),
                    ("3/4", 45),
                    ("1/2", 30),
                    ("полчас", 30),
                    ("half", 30),
                )
                if stem in word
            ),
            0,
        )
        if "полтор" in word or "and a half" in word:
            for stem, unit, number in (
                ("час", "minute", 90), ("hour", "minute", 90), ("год", "month", 18), ("year", "month", 18),
                ("недел", "day", 10), ("week", "day", 10), ("месяц", "day", 45), ("month", "day", 45),
            ):  # fmt: skip
                if stem in word:
                    begin, precision = counted(unit, number, sign, scene.anchor)
                    return piece(match, begin, precision)
        if "год" in word or "year" in word:
            begin, precision = counted("month", 6, sign, scene.anchor)
        elif "месяц" in word or "month" in word:
            begin, precision = counted("day", 15, sign, scene.anchor)
        else:
            begin, precision = counted("minute", minutes, sign, scene.anchor)
        return piece(match, begin, precision)

    return resolve


def lasting(match: re.Match[str], scene: Scene) -> Piece | None:
    """A length of time up to now."""
    word = match["u"]
    number = scene.words.number_of(match["n"]) if group(match, "n") else 1
    if word in {"полгода", "half a year", "six months"}:
        begin, precision = counted("month", 6, -1, scene.anchor)
    elif word.startswith("полтора") or word == "a year and a half":
        begin, precision = counted("month", 18, -1, scene.anchor)
    else:
        unit = scene.words.unit_of(word)
        if unit == "fortnight":
            unit, number = "week", number * 2
        begin, precision = counted(unit, number, -1, scene.anchor)
    return replace(piece(match, begin, precision), role=Role.LASTING)


def within(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "Within two weeks": by then; told of the past it is a length without a place in time."""
    if scene.direction is Direction.PAST:
        return None
    number = scene.words.number_of(match["n"]) if match["n"] else 1
    begin, precision = counted(scene.words.unit_of(match["u"]), number, 1, scene.anchor)
    return replace(piece(match, begin, precision), role=Role.UNTIL)


def units_near(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "The last two weeks", "the next three days": whole units beside the one that holds now."""
    back = scene.words.which_of(group(match, "which")) in {"last", ""}
    return units_beside(match, scene, scene.words.number_of(match["n"]), back=back)


def units_beside(match: re.Match[str], scene: Scene, number: int, *, back: bool) -> Piece | None:
    """So many whole units before or after the one that holds now."""
    unit = scene.words.unit_of(match["u"])
    if unit in {"second", "fortnight", "decade"}:
        return None
    first, precision = unit_start(unit, -number if back else 1, scene.anchor)
    last, _ = unit_start(unit, -1 if back else number, scene.anchor)
    return piece(match, first, precision, ends=last)


def weekday(match: re.Match[str], scene: Scene) -> Piece | None:
    """A weekday by its tense, or by "last", "this", "next"; a "last week" beside it places it."""
    number = scene.words.weekday_of(match["d"])
    which = scene.words.which_of(group(match, "which"))
    of = group(match, "of")
    if of:
        step = step_of(scene.words.which_of(of))
        return piece(match, day_from(scene.anchor, 7 * step - scene.anchor.weekday() + number))
    if which == "coming":
        return piece(match, weekday_near(scene.anchor, number, "", Direction.FUTURE))
    found = piece(match, weekday_near(scene.anchor, number, which, scene.direction))
    return found if which else replace(found, kind=Kind.WEEKDAY)


def weekdays_away(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "Two Thursdays ago"."""
    sign = -1 if match["side"] in {"ago", "back", "назад"} else 1
    number = sign * scene.words.number_of(match["n"])
    return piece(match, weekday_counted(scene.anchor, scene.words.weekday_of(match["d"].rstrip("s")), number))


def after_next_weekday(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "Через пятницу": the one after the next one."""
    return piece(match, weekday_counted(scene.anchor, scene.words.weekday_of(match["d"]), 2))


def period(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "Last week", "this month", "next year"."""
    return period_of(match, scene, scene.words.unit_of(match["u"]))


def period_of(match: re.Match[str], scene: Scene, unit: str) -> Piece | None:
    """The calendar unit that "last", "this" or "next" points to."""
    if unit not in {"week", "month", "quarter", "year"}:
        return None
    begin, precision = unit_start(unit, step_of(scene.words.which_of(match["which"])), scene.anchor)
    return piece(match, begin, precision)


def weekend(match: re.Match[str], scene: Scene) -> Piece | None:
    """Saturday and Sunday; Friday evening belongs to what the word may cover."""
    which = scene.words.which_of(group(match, "which"))
    if not which and scene.direction is Direction.PAST and scene.anchor.weekday() < 5:
        which = "last"
    saturday = day_from(scene.anchor, 7 * step_of("this" if which == "coming" else which) - scene.anchor.weekday() + 5)
    return weekend_of(match, saturday)


def weekend_of(match: re.Match[str], saturday: datetime) -> Piece:
    """The weekend of that Saturday."""
    stretch = (saturday - timedelta(hours=6), saturday + timedelta(days=2))
    return replace(piece(match, saturday, ends=saturday + timedelta(days=1)), stretch=stretch)


def day_and_month(match: re.Match[str], scene: Scene) -> Piece | None:
    """A day of a named month, and a range of days in it."""
    told = group(match, "y") or group(match, "y2")
    year = int(told) if told else None
    month = scene.words.month_of(match["m"])
    day = _day_number(match["d"], scene)
    begin = day_of_month(scene.anchor, day, month, year, scene.direction)
    until = group(match, "d2")
    if not until:
        return piece(match, begin)
    last = begin.replace(day=_day_number(until, scene))
    return piece(match, begin, ends=last) if last > begin else None


def _day_number(word: str, scene: Scene) -> int:
    return int(word) if word.isdigit() else scene.words.ordinal_of(word)


def numeric(match: re.Match[str], scene: Scene) -> Piece | None:
    """Day and month in figures, the language's order first, the other one where only that is a date."""
    first, second = int(match["a"]), int(match["b"])
    year = int(match["y"]) if group(match, "y") else None
    day_first = scene.day_first or group(match, "dot") == "."
    day, month = (first, second) if (day_first and second <= 12) or first > 12 else (second, first)
    found = piece(match, day_of_month(scene.anchor, day, month, year, scene.direction))
    until = group(match, "a2")
    if until:
        return replace(found, ends=found.begin, begin=found.begin.replace(day=int(until)))
    return found


def numeric_range(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "14. - 15.10.2018", "14.10-16.10"."""
    year = int(match["y"]) if match["y"] else None
    month = int(match["m"])
    last = day_of_month(scene.anchor, int(match["d2"]), month, year, scene.direction)
    first = last.replace(day=int(match["d"]), month=int(match["m1"]) if match["m1"] else month)
    return piece(match, first, ends=last) if first < last else None


def year_first(match: re.Match[str], scene: Scene) -> Piece | None:
    """ISO 8601: year, month, and day if told."""
    year, month = int(match["y"]), int(match["m"])
    if group(match, "d"):
        return piece(match, datetime(year, month, int(match["d"]), tzinfo=scene.anchor.tzinfo))
    return piece(match, datetime(year, month, 1, tzinfo=scene.anchor.tzinfo), Precision.MONTH)


def day_only(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "The 15th", with its weekday or a named month beside it if told."""
    day = _day_number(match["d"], scene)
    if not 1 <= day <= 31:
        return None
    which = group(match, "which")
    if which:
        month = month_from(scene.anchor, step_of(scene.words.which_of(which)))
        return piece(match, month.replace(day=day))
    told = group(match, "w")
    if told:
        number = scene.words.weekday_of(told)
        return piece(match, day_on_weekday(scene.anchor, day, number, scene.direction))
    return piece(match, day_alone(scene.anchor, day, scene.direction))


def day_range(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "From the 20th to the 25th", of this month or the next one on the tense's side."""
    begin = day_alone(scene.anchor, _day_number(match["d"], scene), scene.direction)
    last = begin.replace(day=_day_number(match["d2"], scene))
    return piece(match, begin, ends=last if last > begin else month_from(last, 1).replace(day=last.day))


def month(match: re.Match[str], scene: Scene) -> Piece | None:
    """A named month."""
    number = scene.words.month_of(match["m"])
    year = group(match, "y")
    if year:
        return piece(match, datetime(int(year), number, 1, tzinfo=scene.anchor.tzinfo), Precision.MONTH)
    of = group(match, "of")
    if of:
        told = scene.anchor.year + step_of(scene.words.which_of(of))
        return piece(match, datetime(told, number, 1, tzinfo=scene.anchor.tzinfo), Precision.MONTH)
    which = scene.words.which_of(group(match, "which"))
    return piece(match, month_near(scene.anchor, number, which, scene.direction), Precision.MONTH)


def season(match: re.Match[str], scene: Scene) -> Piece | None:
    """A season: three whole months."""
    name = scene.words.season_of(group(match, "s") or match["s2"])
    year = int(match["y"]) if group(match, "y") else None
    of = group(match, "of")
    if of:
        year = scene.anchor.year + step_of(scene.words.which_of(of))
    which = scene.words.which_of(group(match, "which"))
    if which == "last" and scene.words.language == "ru" and name != "winter":
        year = scene.anchor.year - 1  # in November "прошлым летом" is not the summer just over: that one is "этим"
    begin = season_near(scene.anchor, name, "" if which == "coming" else which, year, _ahead_if(which == "coming", scene))
    return replace(piece(match, begin, Precision.SEASON), stretch=(begin, month_from(begin, 3)))


def _ahead_if(ahead: bool, scene: Scene) -> Direction:  # noqa: FBT001 - one caller, one word
    return Direction.FUTURE if ahead else scene.direction


def quarter(match: re.Match[str], scene: Scene) -> Piece | None:
    """A quarter by its number."""
    number = int(match["q"]) if match["q"].isdigit() else scene.words.ordinal_of(match["q"])
    if not 1 <= number <= 4:
        return None
    told = match["y"] or group(match, "y2")
    year = int(told) if told else scene.anchor.year
    begin = datetime(year, 3 * number - 2, 1, tzinfo=scene.anchor.tzinfo)
    if not told and scene.direction is not Direction.PAST and after_unit(begin, Precision.SEASON) <= scene.anchor:
        begin = begin.replace(year=year + 1)
    if not told and scene.direction is Direction.PAST and begin > scene.anchor:
        begin = begin.replace(year=year - 1)
    return piece(match, begin, Precision.SEASON)


def year(match: re.Match[str], scene: Scene) -> Piece | None:
    """A year in four figures, or two of them as a range."""
    begin = datetime(int(match["y"]), 1, 1, tzinfo=scene.anchor.tzinfo)
    until = group(match, "y2")
    return piece(match, begin, Precision.YEAR, ends=begin.replace(year=int(until)) if until else None)
