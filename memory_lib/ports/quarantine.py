"""Where records that cannot be used wait, sealed, for somebody to look at them (CONTRACTS: sealed, gone after 30 days)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from memory_lib.domain.ids import UserId


class RecordQuarantine(Protocol):
    """Takes records that an import could not use."""

    def add(self, place: str, reason: str, raw: bytes, *, source: str, now: datetime) -> str:
        """Keep a record, durably; returns its id. The same bytes from the same place are kept once."""
        ...

    def holds(self, source: str) -> bool:
        """Whether a record of this source is kept."""
        ...

    def attribute(self, source: str, users: Sequence[UserId], *, now: datetime) -> None:
        """Note, durably, that this source brought something of these people: its records go when one of them is erased."""
        ...
