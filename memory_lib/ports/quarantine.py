"""Where records that cannot be used wait, sealed, for somebody to look at them (CONTRACTS: sealed, gone after 30 days)."""

from __future__ import annotations

from datetime import datetime
from typing import Protocol


class RecordQuarantine(Protocol):
    """Takes records that an import could not use."""

    def add(self, place: str, reason: str, raw: bytes, *, source: str, now: datetime) -> str:
        """Keep a record, durably; returns its id. The same bytes from the same place are kept once."""
        ...
