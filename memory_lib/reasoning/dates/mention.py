"""What a date in a text is: where it stands, when it begins, how exactly it was given, and what it is to its clause."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory_lib.domain.candidates import Precision


class Direction(StrEnum):
    """Which side of now the clause's tense points to."""

    PAST = "past"
    FUTURE = "future"
    NONE = "none"


class Role(StrEnum):
    """What the date is to its clause: its time, its start, its end, or a length of time up to now."""

    AT = "at"
    SINCE = "since"
    UNTIL = "until"
    LASTING = "lasting"


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date of a text.

    ``start``/``end``: code points of the searched text. ``begin``: local, in the anchor's offset, start of the period; for
    ``UNTIL`` its last unit. ``ends``: start of the last unit of a stated range. ``stretch``: what vague words ("evening",
    "weekend", "the end of the year") cover at most, half open, by the conventions of facebook/duckling; None where the words
    are not vague.
    """

    start: int
    end: int
    begin: datetime
    precision: Precision
    role: Role = Role.AT
    ends: datetime | None = None
    rule: str = ""
    stretch: tuple[datetime, datetime] | None = None
