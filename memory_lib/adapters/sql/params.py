"""The ledger's numbers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerParams:
    """``busy_s``: how long a writer waits for another, and anybody for a connection. ``connections``: kept open in a process.
    ``chunk``: ids in one statement (SQLite before 3.32 takes 999 variables). ``wal_pages``: pages in SQLite's WAL before a
    commit checkpoints it.

    On PostgreSQL: ``overflow``: connections above those kept, while many ask at once. ``recycle_s``: a connection older than
    this is made anew. ``statement_s``: a statement, or a transaction that does nothing, is ended after this.
    ``idle_check_s``: a connection unused for longer is tried before use.

    ``rewrite_bytes``: after an erasure a SQLite file, or a PostgreSQL table, up to this size is written anew without what was
    deleted; of a larger one the deleted space is reused in time, and the erasure says how much that is.
    """

    busy_s: float
    connections: int
    chunk: int
    wal_pages: int
    overflow: int
    recycle_s: int
    statement_s: float
    idle_check_s: float
    rewrite_bytes: int
