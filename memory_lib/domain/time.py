"""Event times. An instant is an aware ``datetime`` with a fixed offset: the moment, and the clock the person saw.

Stores keep it as two integers: microseconds since 1970 in UTC, and the offset in minutes. Arithmetic on the calendar uses the
message's own offset, so that "the day" of a message is the day on the person's wall (CONTRACTS, Time and weight).
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta, timezone

from memory_lib.errors import IllegalValue

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
DAY_US = 86_400_000_000
"""Microseconds in a day of 24 hours; decay counts these, never calendar days, so summer time changes nothing."""


def to_us(instant: datetime) -> int:
    """Microseconds since 1970 in UTC.

    Raises:
        IllegalValue: the instant has no offset.
    """
    if instant.tzinfo is None:
        raise IllegalValue("a time without an offset; write it as ISO 8601 with an offset, like 2026-05-01T09:00:00+03:00")
    return (instant - EPOCH) // timedelta(microseconds=1)


def offset_minutes(instant: datetime) -> int:
    """The offset in whole minutes (zones with seconds are rounded towards zero)."""
    offset = instant.utcoffset()
    return 0 if offset is None else int(offset.total_seconds() // 60)


def from_us(us: int, offset: int = 0) -> datetime:
    """The instant again, on a clock ``offset`` minutes from UTC."""
    moment = EPOCH + timedelta(microseconds=us)
    if offset == 0:
        return moment
    try:
        return moment.astimezone(timezone(timedelta(minutes=offset)))
    except OverflowError:
        return moment


def parse_instant(text: str) -> datetime:
    """An ISO 8601 instant with an offset or ``Z``.

    Raises:
        IllegalValue: not ISO 8601, without an offset, or outside the years 1…9999 once moved to UTC.
    """
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        raise IllegalValue("not an ISO 8601 time; write it like 2026-05-01T09:00:00+03:00") from None
    try:
        if instant.tzinfo is not None:
            instant.astimezone(UTC)
        to_us(instant)
    except OverflowError:
        raise IllegalValue("a time outside the years 1 to 9999 in UTC") from None
    if instant.utcoffset() is not None and instant.utcoffset() != timedelta(minutes=offset_minutes(instant)):
        instant = instant.astimezone(timezone(timedelta(minutes=offset_minutes(instant))))
    return instant


def local_date(us: int, offset: int) -> date:
    """The date on the person's wall at that instant."""
    return from_us(us, offset).date()
