"""Reads the values of facebook/duckling's time corpora, written as Haskell expressions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from enum import StrEnum

REFERENCE = datetime(2013, 2, 12, 4, 30, tzinfo=timezone(timedelta(hours=-2)))
"""The moment at which every expression of the corpora is said (a Tuesday)."""


class Grain(StrEnum):
    """How exact a value is."""

    SECOND = "Second"
    MINUTE = "Minute"
    HOUR = "Hour"
    DAY = "Day"
    WEEK = "Week"
    MONTH = "Month"
    QUARTER = "Quarter"
    YEAR = "Year"


class Form(StrEnum):
    """A point with a grain, a span, or a half-open side of a point."""

    POINT = "datetime"
    SPAN = "datetimeInterval"
    AFTER = "After"
    BEFORE = "Before"


@dataclass(frozen=True, slots=True)
class TimeValue:
    """``ends``: exclusive, of a span only. ``holiday``: its name, or empty."""

    form: Form
    begin: datetime
    grain: Grain
    ends: datetime | None = None
    holiday: str = ""


_POINT = r"\(\s*(\d+),\s*(\d+),\s*(\d+),\s*(\d+),\s*(\d+),\s*(\d+)\s*\)"
_VALUE = re.compile(
    rf"""(?P<head>datetime(?:Interval|OpenInterval)?)(?P<holiday>Holiday)?\s+(?:(?P<side>After|Before)\s+)?"""
    rf"""(?:\({_POINT},\s*{_POINT}\)|{_POINT})\s+(?P<grain>\w+)(?:\s+"(?P<name>[^"]*)")?\s*"""
)


def read_time_value(expression: str) -> TimeValue | None:
    """The value of one corpus row; None for a form that is not a point, a span or a side, or no real day."""
    match = _VALUE.fullmatch(expression.strip())
    if match is None or match["grain"] not in list(Grain):
        return None
    numbers = [int(number) for number in match.groups()[3:21] if number is not None]
    try:
        points = [_moment(numbers[place : place + 6]) for place in range(0, len(numbers), 6)]
    except ValueError:  # the corpus has a 31st of a month of 30 days
        return None
    holiday = match["name"] or ""
    grain = Grain(match["grain"])
    if match["side"]:
        return TimeValue(Form(match["side"]), points[0], grain, None, holiday)
    if len(points) == 2:
        return TimeValue(Form.SPAN, points[0], grain, points[1], holiday)
    return TimeValue(Form.POINT, points[0], grain, None, holiday)


def _moment(parts: list[int]) -> datetime:
    year, month, day, hour, minute, second = parts
    return datetime(year, month, day, hour, minute, second, tzinfo=REFERENCE.tzinfo)
