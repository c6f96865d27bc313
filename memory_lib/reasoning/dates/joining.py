"""How pieces beside each other make one date: a weekday and its day, a day and a time of it, and ranges."""

# ruff: noqa: ARG001 - one signature for all joins
# ruff: noqa: PLR0911 - rules of language are lists of cases
from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta, timezone

from memory_lib.domain.candidates import Precision
from memory_lib.domain.syntax import Language
from memory_lib.reasoning.dates.mention import Direction, Role
from memory_lib.reasoning.dates.pieces import Clock, Kind, Piece, Scene
from memory_lib.reasoning.dates.reckoning import month_from

_BESIDE = re.compile(r",? ?(?:the )?")
_TO_CLOCK = re.compile(
    r"[\s,.]*(?:(?:at|on|around|about|by|from|between|this|for|in the|@|в|во|на|к|около|где-то|примерно|ровно|часов|с)[\s,]*)*"
)
_TO_PART = re.compile(r",? ?(?:in the |at |during the |early |late |on |в |во |на )?")
_RANGE: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r" ?(?:-|–|—|/) ?(?:on )?(?:the )?| (?P<word>to|until|untill|till|thru|through|and|but before)(?: on)? (?:the )?"
    ),
    "ru": re.compile(r"\.? ?(?:-|–|—) ?(?:на |в )?| (?P<word>по|до|и|на) (?:в )?"),
}
_BETWEEN = re.compile(r"(?:between|later than|между)(?: the)? $")
_FROM: Mapping[Language, re.Pattern[str]] = {"en": re.compile(r"(?:from|since)(?: the)? $"), "ru": re.compile(r"(?:с|со|от) $")}
_COUNTED = ("ru.in/", "en.in/", "en.ago/", "ru.ago/")
_EVENING_FROM = 18
_MOVED = re.compile(r"\b(?:moved?|reschedul\w+|postpon\w+|shifted|changed|pushed|перен[еио]с\w+|перевел\w*|сдвинул\w*)\b")
_NOON = 12


def joined(pieces: Sequence[Piece], scene: Scene) -> list[Piece]:
    """The pieces in order, those that belong together made one."""
    found = sorted(pieces, key=lambda each: each.start)
    for join in (_clock_and_part, _weekday_and_date, _day_and_part, _range, _day_and_clock, _day_range, _date_and_length):
        found = _each_pair(found, scene, join)
    return found


def _each_pair(pieces: list[Piece], scene: Scene, join: Callable[[Piece, Piece, str, Scene], Piece | None]) -> list[Piece]:
    done: list[Piece] = []
    for each in pieces:
        if done:
            gap = scene.text[done[-1].end : each.start]
            one = join(done[-1], each, gap, scene)
            if one is not None:
                done[-1] = one
                continue
        done.append(each)
    return done


def _span(one: Piece, other: Piece, kept: Piece) -> Piece:
    return replace(kept, start=one.start, end=other.end)


def _clock_and_part(one: Piece, other: Piece, gap: str, scene: Scene) -> Piece | None:
    """As in "3 in the morning", "in the evening at eight"."""
    if not _TO_PART.fullmatch(gap) and not _TO_CLOCK.fullmatch(gap):
        return None
    clock, part = (one, other) if one.kind is Kind.CLOCK else (other, one)
    if clock.kind is not Kind.CLOCK or part.kind is not Kind.PART or clock.clock is None or part.hours is None:
        return None
    return _span(one, other, replace(clock, clock=_in_hours(clock.clock, part.hours), alone=True, leads=None))


def _in_hours(clock: Clock, hours: tuple[int, int]) -> Clock:
    """The time in that part of the day: "7 in the evening" is 19:00, "12 at night" is midnight."""
    hour = clock.at.hour
    if clock.sure and hour < _NOON:
        return clock
    late = hours[0] >= _NOON
    if late and hour == _NOON and hours[0] >= _EVENING_FROM:
        return replace(clock, at=clock.at.replace(hour=0), sure=True, next_day=True)
    if late and hour < _NOON:
        return replace(clock, at=clock.at.replace(hour=hour + _NOON), sure=True)
    if not late and hour > _NOON and not clock.sure:
        return replace(clock, at=clock.at.replace(hour=hour - _NOON), sure=True)
    return replace(clock, sure=True)


def _weekday_and_date(one: Piece, other: Piece, gap: str, scene: Scene) -> Piece | None:
    """As in "Friday, July 18": the date is the day; "in two weeks on Friday" is that week's Friday."""
    day, date = (one, other) if one.kind is Kind.WEEKDAY else (other, one)
    counted = date.rule.startswith(_COUNTED) and re.search(r"week|недел", scene.text[date.start : date.end])
    if day.kind is Kind.WEEKDAY and date.kind is Kind.DATE and counted and re.fullmatch(r",? (?:on |в |во )?", gap):
        begin = date.begin + timedelta(days=day.begin.weekday() - date.begin.weekday())
        return _span(one, other, replace(date, begin=begin, alone=True, leads=None))
    if one.kind is Kind.WEEKDAY and other.kind is Kind.DATE and other.precision is Precision.DAY and _BESIDE.fullmatch(gap):
        return _span(one, other, replace(_on_weekday(other, one.begin.weekday(), scene), alone=True, leads=None))
    if (
        one.kind is Kind.DATE
        and other.kind is Kind.WEEKDAY
        and one.precision is Precision.DAY
        and re.fullmatch(r",? ?\(?(?:в |во |on )?", gap)
    ):
        return _span(one, other, replace(_on_weekday(one, other.begin.weekday(), scene), alone=True, leads=None))
    return None


def _on_weekday(day: Piece, weekday: int, scene: Scene) -> Piece:
    """A day of the year without a year, in a near year in which it is that weekday."""
    if (
        day.ends is not None
        or day.begin.weekday() == weekday
        or re.search(r"\d{4}|\d\W\d+\W\d", scene.text[day.start : day.end])
    ):
        return day
    for step in (-1, -2) if scene.direction is Direction.PAST else (1, -1, 2):
        try:
            begin = day.begin.replace(year=day.begin.year + step)
        except ValueError:
            continue
        if begin.weekday() == weekday:
            return replace(day, begin=begin)
    return day


def _is_day(each: Piece) -> bool:
    return each.kind in {Kind.DATE, Kind.WEEKDAY} and each.precision is Precision.DAY and each.clock is None


def _day_and_part(one: Piece, other: Piece, gap: str, scene: Scene) -> Piece | None:
    """As in "Monday morning", "in the morning on Monday"."""
    if not _TO_PART.fullmatch(gap):
        return None
    day, part = (one, other) if _is_day(one) else (other, one)
    if not _is_day(day) or part.kind is not Kind.PART or part.hours is None or day.ends is not None:
        return None
    stretch = (day.begin + timedelta(hours=part.hours[0]), day.begin + timedelta(hours=part.hours[1]))
    return _span(one, other, replace(day, hours=part.hours, stretch=stretch, alone=True, leads=None))


def _connected(one: Piece, other: Piece, gap: str, scene: Scene) -> bool:
    match = _RANGE[scene.words.language].fullmatch(gap)
    if match is None:
        return False
    before = scene.text[: one.start]
    if match["word"] in {"and", "и", "but before"}:
        return _BETWEEN.search(before) is not None
    if match["word"] == "на":
        return False
    if match["word"] in {"до", "по"}:
        return _FROM["ru"].search(before) is not None or one.kind is not Kind.CLOCK
    return True


def _range(one: Piece, other: Piece, gap: str, scene: Scene) -> Piece | None:
    """Two times of the day: "9:30 - 11:00", "с 10 до 18", "from 4pm for thirty minutes"."""
    if one.kind is not Kind.CLOCK or other.kind is not Kind.CLOCK or one.clock is None or other.clock is None:
        return None
    if not _connected(one, other, gap, scene):
        return None
    first, last = one.clock, other.clock
    if (
        last.sure
        and not first.sure
        and last.at.hour >= _NOON
        and first.at.hour + _NOON <= last.at.hour
        and first.at.hour < _NOON
    ):
        first = replace(first, at=first.at.replace(hour=first.at.hour + _NOON), sure=True)
    if (
        first.sure
        and last.sure
        and first.at > last.at
        and first.at.hour >= _NOON > last.at.hour
        and first.at.hour - _NOON <= last.at.hour
        and last.zone == first.zone
        and _half_untold(one, scene)
    ):
        first = replace(first, at=first.at.replace(hour=first.at.hour - _NOON))
    if not last.sure and last.at <= first.at and last.at.hour < _NOON:
        last = replace(last, at=last.at.replace(hour=last.at.hour + _NOON), sure=True)
    if first.zone is None and last.zone is not None:
        first = replace(first, zone=last.zone)
    bare = _is_bare(one) and _is_bare(other)
    told = replace(
        one, clock=first, clock_end=last, alone=not bare and (one.alone or other.alone or one.leads is not None), leads=None
    )
    return _span(one, other, told)


def _is_bare(each: Piece) -> bool:
    """Two plain numbers ("from 1 to 10", "9 to 5") are hours only beside a day."""
    return "clock_bare" in each.rule or "clock_word_hour" in each.rule


def _half_untold(each: Piece, scene: Scene) -> bool:
    return re.search(r"m|утра|дня|вечера|ночи", scene.text[each.start : each.end]) is None


def _day_and_clock(one: Piece, other: Piece, gap: str, scene: Scene) -> Piece | None:
    """As in "Tomorrow at 5", "в 18.30 завтра"."""
    day, clock = (one, other) if other.kind is Kind.CLOCK else (other, one)
    if (
        not _is_day(day)
        or clock.kind is not Kind.CLOCK
        or clock.clock is None
        or day.ends is not None
        or not _TO_CLOCK.fullmatch(gap)
    ):
        return None
    told, told_end = clock.clock, clock.clock_end
    if day.hours is not None:
        told = _in_hours(told, day.hours)
        told_end = None if told_end is None else _in_hours(told_end, day.hours)
    return _span(one, other, at_clock(day, told, told_end, scene))


def at_clock(day: Piece, clock: Clock, clock_end: Clock | None, scene: Scene) -> Piece:
    """That time on that day."""
    begin = _moment(day.begin, clock, scene)
    ends = None if clock_end is None else _moment(day.begin, clock_end, scene)
    if ends is not None and ends <= begin:
        ends += timedelta(days=1)
    return replace(
        day, begin=begin, precision=Precision.MINUTE, ends=ends, clock=clock, clock_end=clock_end, kind=Kind.DATE, stretch=None,
        alone=True, leads=None,
    )  # fmt: skip


def _moment(day: datetime, clock: Clock, scene: Scene) -> datetime:
    shift = timedelta(days=1 if clock.next_day else 0)
    if clock.zone is None:
        return datetime.combine(day.date() + shift, clock.at, scene.anchor.tzinfo)
    zone = timezone(timedelta(minutes=clock.zone))
    return datetime.combine(day.date() + shift, clock.at, zone).astimezone(scene.anchor.tzinfo)


def _day_range(one: Piece, other: Piece, gap: str, scene: Scene) -> Piece | None:
    """As in "July 13 - July 15", "с понедельника по среду", "с мая по август"."""
    dated = {Kind.DATE, Kind.WEEKDAY}
    if one.kind not in dated or other.kind not in dated or one.ends or (other.ends and other.core is None):
        return None
    if one.precision is not other.precision and other.core is None:
        return None
    if one.kind is not other.kind and not _FROM[scene.words.language].search(scene.text[: one.start]):
        return None
    if not _connected(one, other, gap, scene):
        return None
    if _MOVED.search(scene.text, 0, one.start):
        return None  # "moved from Thursday to Friday" is no span
    begin, last = one.begin, other.core or other.begin
    if other.kind is Kind.WEEKDAY:
        last = begin + timedelta(days=(last.weekday() - begin.weekday()) % 7)
        if one.kind is Kind.WEEKDAY and scene.direction is Direction.PAST and last > scene.anchor:
            begin, last = begin - timedelta(days=7), last - timedelta(days=7)
    else:
        begin, last = _in_order(one, other, begin, last, scene)
    if last < begin:
        return None
    told = replace(one, kind=Kind.DATE, begin=begin, ends=last, alone=True, leads=None, stretch=None, core=None)
    return _span(one, other, told)


def _in_order(one: Piece, other: Piece, begin: datetime, last: datetime, scene: Scene) -> tuple[datetime, datetime]:
    """Both ends in the years meant: a year told at one end holds for the other, else the last end follows the first."""
    told, told_last = _tells_year(one, scene), _tells_year(other, scene)
    if told and told_last:
        return begin, last
    if told_last:
        begin = begin.replace(year=last.year)
        return (begin if begin <= last else begin.replace(year=last.year - 1)), last
    if told:
        last = last.replace(year=begin.year)
        return begin, (last if begin <= last else last.replace(year=begin.year + 1))
    if last < begin and scene.direction is Direction.PAST:
        return begin.replace(year=begin.year - 1), last
    if last < begin:
        return begin, last.replace(year=last.year + 1)
    if month_from(begin, 12) <= last:
        return begin.replace(year=last.year if begin.replace(year=last.year) <= last else last.year - 1), last
    return begin, last


def _tells_year(each: Piece, scene: Scene) -> bool:
    said = scene.text[each.start : each.end]
    return each.precision is Precision.YEAR or re.search(r"(?:19|20)\d\d|\d[./]\d+[./]\d|\byear|\bгод", said) is not None


def _date_and_length(one: Piece, other: Piece, gap: str, scene: Scene) -> Piece | None:
    """As in "18 December for ten days", "for two weeks from Friday": a span of that length."""
    if Role.LASTING not in {one.role, other.role}:
        return None
    date, length = (one, other) if other.role is Role.LASTING else (other, one)
    if date.role is Role.LASTING or not re.fullmatch(
        r",? ?" if date is one else r" (?:from|starting|с|со|начиная с) (?:the )?", gap
    ):
        return None
    if date.kind is Kind.CLOCK and date.clock is not None and length.precision is Precision.MINUTE:
        begin = datetime.combine(scene.anchor.date(), date.clock.at, scene.anchor.tzinfo)
        ends = begin + (scene.anchor.replace(second=0, microsecond=0) - length.begin)
        return _span(one, other, replace(date, clock_end=Clock(at=ends.time(), sure=True), alone=True, leads=None))
    if (
        date.kind is Kind.CLOCK
        or date.ends is not None
        or date.precision is not Precision.DAY
        or length.precision is Precision.MINUTE
    ):
        return None
    ends = date.begin + (scene.anchor.replace(hour=0, minute=0, second=0, microsecond=0) - length.begin)
    return _span(one, other, replace(date, kind=Kind.DATE, ends=ends, alone=True, leads=None, stretch=None))
