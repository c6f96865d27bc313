"""What the rules work with: a piece of a date found in the text, and the scene in which it is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, time
from enum import StrEnum

from memory_lib.domain.candidates import Precision
from memory_lib.reasoning.dates.mention import Direction, Role
from memory_lib.reasoning.dates.words import TimeWords


class Kind(StrEnum):
    """What a piece gives: a date, only a weekday, only a time of the day, only a part of the day, or a length of time."""

    DATE = "date"
    WEEKDAY = "weekday"
    CLOCK = "clock"
    PART = "part"


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """A time of the day. ``sure``: the half of the day is told; ``zone``: minutes east of Greenwich, None = one's own."""

    at: time
    sure: bool
    next_day: bool = False
    zone: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """Words that give a date or part of one.

    ``alone``: it stands without a preposition, another piece, or the whole text being it. ``leads``: prepositions that let it
    stand where ``alone`` is False. ``hours``: the part of the day told. ``core``: what it is when it closes a span ("by the end
    of May" = 31 May).
    """

    start: int
    end: int
    kind: Kind = Kind.DATE
    begin: datetime = datetime.min  # noqa: DTZ901 - a piece without a day of its own; it is placed before it is told
    precision: Precision = Precision.DAY
    ends: datetime | None = None
    stretch: tuple[datetime, datetime] | None = None
    role: Role = Role.AT
    alone: bool = True
    leads: re.Pattern[str] | None = None
    rule: str = ""
    clock: Clock | None = None
    clock_end: Clock | None = None
    hours: tuple[int, int] | None = None
    core: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """The folded text with the moment it is said at. ``inner``: the date piece that begins exactly there, or None."""

    text: str
    anchor: datetime
    direction: Direction
    words: TimeWords
    day_first: bool
    inner: Callable[[int, Scene], Piece | None]


Resolver = Callable[[re.Match[str], Scene], Piece | None]


@dataclass(frozen=True, slots=True)
class Rule:
    """``leads``: where given, the piece stands only behind such a preposition, joined to another, or as the whole text."""

    name: str
    pattern: re.Pattern[str]
    resolve: Resolver
    leads: re.Pattern[str] | None = None
