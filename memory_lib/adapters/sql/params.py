"""The ledger's numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerParams:
    """``busy_s``: how long a writer waits for another. ``connections``: kept open in a process. ``chunk``: ids in one statement
    (SQLite before 3.32 takes 999 variables). ``wal_pages``: pages in the WAL before a commit checkpoints it.
    """

    busy_s: float
    connections: int
    chunk: int
    wal_pages: int
