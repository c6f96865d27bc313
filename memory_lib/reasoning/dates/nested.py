"""Periods that hold another one: "the first Monday of March", "the end of the year", "three days after Easter"."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import datetime, timedelta

from memory_lib.domain.candidates import Precision
from memory_lib.reasoning.dates.periods import group, hours_of, piece, weekend_of, with_hours
from memory_lib.reasoning.dates.pieces import Piece, Resolver, Scene
from memory_lib.reasoning.dates.reckoning import (
    after_unit,
    day_from,
    midnight_of,
    month_from,
    months_from,
    unit_start,
    weekday_counted,
)

_MONTH_PARTS = {"early": (0, 10), "mid": (10, 20), "late": (20, 31)}
_WEEK_PARTS = {"early": (0, 3), "mid": (2, 5), "late": (4, 7)}
_YEAR_PARTS = {"early": (0, 3), "mid": (4, 8), "late": (8, 12)}
_YEAR_CORES = {"early": 0, "mid": 5, "late": 11}


def nth_of(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "The first Monday of March", "the last week of 2018", "the third Tuesday after Christmas"."""
    inner = scene.inner(match.end(), scene)
    if inner is None:
        return None
    number = scene.words.ordinal_of(match["n"]) if match["n"] else 1
    last = group(match, "last") is not None
    what = match["what"]
    found: datetime | None
    if group(match, "after"):
        day = scene.words.weekday_of(what)
        found = weekday_counted(inner.begin, day, number) if inner.precision is Precision.DAY else None
    else:
        if inner.precision not in {Precision.MONTH, Precision.YEAR, Precision.SEASON}:
            return None
        found = _nth_in(inner.begin, after_unit(inner.begin, inner.precision), what, -number if last else number, scene)
    if found is None:
        return None
    whole = replace(piece(match, found), end=inner.end)
    if _is_weekend(what):
        return replace(weekend_of(match, found), end=inner.end)
    return replace(whole, precision=Precision.WEEK) if _is_week(what) else whole


def _is_week(what: str) -> bool:
    return what.startswith(("week", "wk", "недел")) and not _is_weekend(what)


def _is_weekend(what: str) -> bool:
    return what.endswith(("end", "wknd")) or what.startswith("выходн")


def _nth_in(begin: datetime, end: datetime, what: str, number: int, scene: Scene) -> datetime | None:
    """The ``number``-th day, weekday, week or weekend of a period, from its end where negative; a last week is whole."""
    if re.fullmatch(scene.words.units["day"], what):
        step, first, last = 1, begin, end - timedelta(days=1)
    else:
        wanted = 0 if _is_week(what) else 5 if _is_weekend(what) else scene.words.weekday_of(what)
        step, first = 7, begin + timedelta(days=(wanted - begin.weekday()) % 7)
        whole = end - timedelta(days=7 if _is_week(what) else 1)
        last = whole - timedelta(days=(whole.weekday() - wanted) % 7)
    found = first + timedelta(days=step * (number - 1)) if number > 0 else last + timedelta(days=step * (number + 1))
    return found if begin <= found < end else None


def some_of(names: dict[str, str]) -> Resolver:
    """As in "Early March", "the end of the year". ``names``: the language's words for early, mid and late."""

    def resolve(match: re.Match[str], scene: Scene) -> Piece | None:
        name = next(name for name, pattern in names.items() if re.fullmatch(pattern, match["p"]))
        unit = group(match, "u")
        if unit:
            return some_of_unit(match, scene, scene.words.unit_of(unit), name)
        inner = scene.inner(match.end(), scene)
        if inner is None or inner.precision is Precision.DAY or inner.ends is not None:
            return None
        found = _some_of(match, inner.begin, inner.precision, name)
        return None if found is None else replace(found, end=inner.end)

    return resolve


def some_of_unit(match: re.Match[str], scene: Scene, unit: str, name: str) -> Piece | None:
    """Part of the calendar unit that holds now."""
    begin, precision = unit_start(unit, 0, scene.anchor)
    return _some_of(match, begin, precision, name)


def _some_of(match: re.Match[str], begin: datetime, precision: Precision, name: str) -> Piece | None:
    over = after_unit(begin, precision)
    if precision is Precision.DAY:
        stretch = (begin, over)
        found = piece(match, begin)
    elif precision is Precision.WEEK:
        first, last = _WEEK_PARTS[name]
        stretch = (begin + timedelta(days=first), begin + timedelta(days=last))
        found = piece(match, stretch[0], ends=stretch[1] - timedelta(days=1))
    elif precision is Precision.MONTH:
        first, last = _MONTH_PARTS[name]
        stretch = (begin + timedelta(days=first), min(begin + timedelta(days=last), over))
        found = piece(match, begin, Precision.MONTH)
    elif precision is Precision.SEASON:
        months = {"early": 0, "mid": 1, "late": 2}[name]
        stretch = (month_from(begin, months), month_from(begin, months + 1))
        found = piece(match, stretch[0], Precision.MONTH)
    elif precision is Precision.YEAR:
        first, last = _YEAR_PARTS[name]
        stretch = (month_from(begin, first), month_from(begin, last))
        found = piece(match, month_from(begin, _YEAR_CORES[name]), Precision.MONTH)
    else:
        return None
    core = stretch[0] if name == "early" else stretch[1] - timedelta(days=1)
    return replace(found, stretch=stretch, core=core)


def rest_of(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "The rest of the week": from today to its last day."""
    begin, precision = unit_start(scene.words.unit_of(match["u"]), 0, scene.anchor)
    if precision in {Precision.DAY, Precision.MINUTE}:
        return None
    return piece(match, day_from(scene.anchor), ends=after_unit(begin, precision) - timedelta(days=1))


def week_of(match: re.Match[str], scene: Scene) -> Piece | None:
    """The week that holds a day."""
    inner = scene.inner(match.end(), scene)
    if inner is None or inner.precision is not Precision.DAY:
        return None
    shift = inner.begin.weekday()
    if shift == 6 and scene.words.language == "en":
        shift = -1  # where that is said, a week begins with its Sunday
    begin = inner.begin - timedelta(days=shift)
    return replace(piece(match, begin, Precision.WEEK), end=inner.end)


def away_from(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "Three days after Easter", "the day before Christmas"."""
    inner = scene.inner(match.end(), scene)
    if inner is None or inner.precision is not Precision.DAY or inner.ends is not None:
        return None
    sign = -1 if match["side"] in {"before", "до", "перед"} else 1
    number = scene.words.number_of(match["n"]) if match["n"] else 1
    unit = scene.words.unit_of(match["u"])
    if unit in {"day", "week"}:
        begin = inner.begin + timedelta(days=sign * number * (7 if unit == "week" else 1))
    elif unit in {"month", "year"}:
        begin = midnight_of(months_from(inner.begin.date(), sign * number * (12 if unit == "year" else 1)), scene.anchor)
    else:
        return None
    return replace(piece(match, begin), end=inner.end)


def part_of(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "The morning of the 15th"."""
    inner = scene.inner(match.end(), scene)
    if inner is None or inner.precision is not Precision.DAY:
        return None
    return with_hours(replace(piece(match, inner.begin), end=inner.end), hours_of(match["part"], scene))
