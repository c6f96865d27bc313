"""Who did what as an administrator, and receipts of operations: ids, codes and numbers, kept when the person is gone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from memory_lib.domain.ids import UserId
from memory_lib.domain.receipt import Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditRow:
    """One administrative act. ``operator``: a name given by the deployment; ``act``: a code (``peek``, ``disclose`` …);
    ``subject``: a keyed pseudonym of the person, which outlives them and leads nowhere; ``details``: codes, ids and numbers.

    ``reason`` is what the operator wrote: sealed with the person's key, gone with it (then "").
    """

    seq: int
    at: datetime
    operator: str
    act: str
    subject: str
    details: Mapping[str, str] = field(default_factory=dict)
    reason: str = ""


class AuditLog(Protocol):
    """Append-only."""

    def append(
        self, user: UserId, act: str, *, operator: str, now: datetime, details: Mapping[str, str], reason: str = ""
    ) -> AuditRow:
        """On disk when it returns, so that what it records may happen."""
        ...

    def rows(self, *, user: UserId | None = None, after: int = 0, limit: int = 1000) -> tuple[AuditRow, ...]:
        """In order; of everybody, or of one person."""
        ...

    def broken_at(self) -> int | None:
        """The number of the first row that was altered, or follows one that was taken out; None: all are as they were written.
        Rows taken off the end do not show.
        """
        ...


class ReceiptBook(Protocol):
    """Receipts, by id."""

    def keep(self, receipt: Receipt) -> None:
        """Under its id; the same receipt twice is one. Raises IllegalValue where one without a user still names one."""
        ...

    def one(self, receipt: str) -> Receipt | None: ...

    def of(self, user: UserId, *, limit: int = 100) -> tuple[Receipt, ...]:
        """The newest first."""
        ...
