"""The clocks that a memory is opened with."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime


class WallClock:
    """The wall, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class FixedClock:
    """One instant; what ``--now`` sets."""

    instant: datetime

    def now(self) -> datetime:
        return self.instant
