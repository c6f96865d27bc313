"""What deleted rows leave behind in a database's files, taken away as far as the database lets us, and the rest counted.

SQLite overwrites what is deleted (``secure_delete``); the file is written anew all the same, because an older version may have
deleted without that, and the write-ahead log is cut to nothing. PostgreSQL keeps deleted rows until nobody can see them any
more, and their bytes in the free space of pages until it is used again: tables are written anew, and their statistics, which
quote values. Its own log cannot be cut: how many segments there are is stated.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, Table, exc, text

from memory_lib.adapters.sql.engine import Database
from memory_lib.errors import StoreBusy

POLL_S = 0.02
WAL_SEGMENTS = "log_wal_segments"
"""Segments of PostgreSQL's write-ahead log, which holds sealed bytes until they are recycled."""
REUSABLE_BYTES = "log_reusable_bytes"
"""Bytes of files too large to be written anew (``LedgerParams.rewrite_bytes``): deleted space in them is reused in time."""

TRANSACTION = text("SELECT CAST(CAST(pg_current_xact_id() AS xid) AS text)")
# somebody whose snapshot is older than the deletion: the rows cannot go while they may be read
SEEN_BY_OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() "
    "AND backend_xmin IS NOT NULL AND age(backend_xmin) >= age(CAST(:before AS xid))"
)
SIZE = text("SELECT pg_total_relation_size(CAST(:table_name AS regclass))")
SEGMENTS = text("SELECT count(*) FROM pg_ls_waldir()")


def take_traces_away(database: Database, tables: Sequence[Table]) -> Mapping[str, int]:
    """What is left all the same, by kind; kinds with none are left out.

    Raises:
        StoreBusy: somebody reads or writes for longer than we wait; call again.
    """
    if database.dialect == "postgresql":
        return _postgresql(database, tables)
    return _sqlite(database)


def _sqlite(database: Database) -> Mapping[str, int]:
    left = 0
    with database.outside() as connection:
        pages, size = (connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in ("page_count", "page_size"))
        if pages * size <= database.params.rewrite_bytes:
            connection.exec_driver_sql("VACUUM")
        else:
            left = pages * size
        busy = connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()[0]
    if busy:
        raise StoreBusy("somebody reads the ledger for longer than we wait, and its log cannot be cut; try again")
    return {REUSABLE_BYTES: left} if left else {}


def _postgresql(database: Database, tables: Sequence[Table]) -> Mapping[str, int]:
    with database.write() as connection:
        before = connection.execute(TRANSACTION).scalar_one()
    left = 0
    with database.outside() as connection:
        _wait_until_unseen(connection, before, database.params.busy_s)
        connection.execute(text("SET statement_timeout = 0"))
        try:
            for table in tables:
                size = int(connection.execute(SIZE, {"table_name": table.name}).scalar_one())
                small = size <= database.params.rewrite_bytes
                left += 0 if small else size
                connection.execute(text(f"VACUUM ({'FULL, ' if small else ''}ANALYZE) {table.name}"))
            # what statistics quoted; a warning, and nothing, where the role may not
            connection.execute(text("VACUUM FULL pg_catalog.pg_statistic"))
        finally:
            connection.execute(text("RESET statement_timeout"))
    stated = {REUSABLE_BYTES: left, WAL_SEGMENTS: _segments(database)}
    return {kind: count for kind, count in stated.items() if count}


def _wait_until_unseen(connection: Connection, before: str, longest_s: float) -> None:
    deadline = time.monotonic() + longest_s
    while connection.execute(SEEN_BY_OTHERS, {"before": before}).scalar_one():
        if time.monotonic() >= deadline:
            raise StoreBusy("an older transaction still sees what was deleted; end it, and try again")
        time.sleep(POLL_S)


def _segments(database: Database) -> int:
    """0 where the role may not look (grant it pg_monitor)."""
    with database.outside() as connection:
        try:
            return int(connection.execute(SEGMENTS).scalar_one())
        except exc.ProgrammingError:
            return 0
