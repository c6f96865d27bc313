"""The clock, as an argument: tests and ``--now`` set it, nothing in the core reads the wall."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """Says what time it is."""

    def now(self) -> datetime:
        """An aware instant."""
        ...
