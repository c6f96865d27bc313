"""Connections to the ledger's database: short reads, short writes, one writer at a time on SQLite, nothing across a fork."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, exc, make_url
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.pool import ConnectionPoolEntry

from memory_lib.adapters.sql.errors import translated
from memory_lib.adapters.sql.params import LedgerParams
from memory_lib.adapters.sql.write_lock import WriteLock
from memory_lib.errors import DependencyDown, MissingExtra, UnknownSetting

WRITES = "selfimprint_writes"
RESTING = "selfimprint_resting_since"
Upsert = postgresql.Insert | sqlite.Insert
T = TypeVar("T")


LedgerUrl = str | URL
"""What a ledger is opened by."""


def sqlite_url(path: Path) -> URL:
    """The URL of a SQLite ledger in this file; a value and no text, so that a path may hold any sign."""
    return URL.create("sqlite", database=str(path.absolute()))


def ledger_url(url: str | URL) -> URL:
    """The URL as SQLAlchemy reads it, with the driver that we use.

    Raises:
        UnknownSetting: no URL, or one of another database.
    """
    try:
        made = make_url(url)
    except (exc.ArgumentError, ValueError):
        # what was given may hold a password
        raise UnknownSetting("the ledger's URL cannot be read; write postgresql://user@host:5432/name") from None
    if made.drivername in ("postgres", "postgresql"):
        made = made.set(drivername="postgresql+psycopg")
    if made.drivername not in ("sqlite", "postgresql+psycopg"):
        raise UnknownSetting(f"the ledger runs on SQLite or PostgreSQL, not on {made.drivername}; change its URL")
    if made.drivername == "sqlite" and made.database in (None, "", ":memory:"):
        raise UnknownSetting("a ledger in memory would be lost; give a file: sqlite:////path/to/ledger.db")
    return made


@dataclass(slots=True)
class _Opened:
    """What one process holds; a forked child makes its own and leaves its parent's alone."""

    pid: int
    reads: Engine
    writes: Engine
    lock: WriteLock | None


class Database:
    """Where every statement of the ledger runs. Safe between threads; a forked child opens connections of its own.

    Raises:
        UnknownSetting: a URL that is neither a SQLite file nor PostgreSQL.
    """

    def __init__(self, url: str | URL, *, params: LedgerParams) -> None:
        self._url = ledger_url(url)
        self.params = params
        self.dialect = self._url.get_backend_name()
        self._guard = threading.Lock()
        self._inherited: list[_Opened] = []
        self._opened: _Opened | None = None

    @property
    def path(self) -> Path | None:
        """The SQLite file, or None."""
        return Path(str(self._url.database)) if self.dialect == "sqlite" else None

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection for one statement's snapshot; never waits for a writer on SQLite."""
        with translated(), self._current().reads.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction, alone on SQLite, committed at the end and rolled back on any error."""
        opened = self._current()
        with translated(), opened.lock or nullcontext(), opened.writes.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A connection whose statements all see the same instant; nothing is written through it."""
        with translated(), self._current().reads.connect() as connection:
            if self.dialect == "postgresql":
                connection = connection.execution_options(  # noqa: PLW2901 - the same connection
                    isolation_level="REPEATABLE READ", postgresql_readonly=True
                )
            else:
                connection.exec_driver_sql("BEGIN")
            yield connection

    @contextmanager
    def outside(self) -> Iterator[Connection]:
        """A connection without a transaction, alone on SQLite: for what databases do to their files."""
        opened = self._current()
        with translated(), opened.lock or nullcontext(), opened.reads.connect() as connection:
            yield connection

    def exclusive(self) -> AbstractContextManager[object]:
        """The writers' lock without a transaction (migrations)."""
        return self._current().lock or nullcontext()

    def insert(self, table: Table) -> Upsert:
        """An INSERT that knows ON CONFLICT in this dialect."""
        return postgresql.insert(table) if self.dialect == "postgresql" else sqlite.insert(table)

    def close(self) -> None:
        with self._guard:
            opened, self._opened = self._opened, None
        if opened is not None and opened.pid == os.getpid():
            opened.reads.dispose()
            if opened.lock is not None:
                opened.lock.close()

    def _current(self) -> _Opened:
        opened = self._opened
        if opened is not None and opened.pid == os.getpid():
            return opened
        with self._guard:
            opened = self._opened
            if opened is None or opened.pid != os.getpid():
                if opened is not None:
                    # closing, or collecting, a parent's SQLite connection in a child may end the parent's locks
                    self._inherited.append(opened)
                opened = self._opened = self._open()
            return opened

    def _open(self) -> _Opened:
        params = self.params
        pool: dict[str, Any] = {
            "hide_parameters": True,
            "pool_size": params.connections,
            "pool_timeout": params.busy_s,
        }
        if self.dialect == "postgresql":
            try:
                engine = create_engine(
                    self._url,
                    max_overflow=params.overflow,
                    pool_recycle=params.recycle_s,
                    connect_args=_session(params),
                    **pool,
                )
            except ModuleNotFoundError:
                raise MissingExtra("psycopg", "postgres") from None
            _try_the_rested(engine, params.idle_check_s)
            # one statement needs no BEGIN and no ROLLBACK: two questions to the server fewer
            reads = engine.execution_options(isolation_level="AUTOCOMMIT")
            return _Opened(pid=os.getpid(), reads=reads, writes=engine, lock=None)
        path = Path(str(self._url.database))
        try:
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            lock = WriteLock(path.with_name(path.name + ".lock"), timeout_s=self.params.busy_s)
        except OSError as failure:
            reason = f"{path} cannot be opened ({failure.strerror}); check the folder and its rights"
            raise DependencyDown("ledger", reason) from None
        engine = create_engine(
            self._url,
            max_overflow=0,
            pool_use_lifo=True,
            connect_args={"timeout": self.params.busy_s, "isolation_level": None, "factory": _locking_connection(lock)},
            **pool,
        )
        writes = engine.execution_options(**{WRITES: True})
        event.listen(engine, "connect", _prepare(self.params))
        event.listen(engine, "begin", _begin)
        return _Opened(pid=os.getpid(), reads=engine, writes=writes, lock=lock)


def _try_the_rested(engine: Engine, idle_s: float) -> None:
    """A server that was restarted, or a firewall that forgot us, costs one question and no failed call. SQLAlchemy's own way
    asks before every use, which doubles what a read by key takes.
    """

    def rests(_connection: object, record: ConnectionPoolEntry) -> None:
        record.info[RESTING] = time.monotonic()

    def tried(connection: Any, record: ConnectionPoolEntry, _proxy: object) -> None:
        if time.monotonic() - record.info.pop(RESTING, time.monotonic()) < idle_s:
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error:
            # the pool takes a new one in its place, and drops all that rested when this one began to
            raise exc.InvalidatePoolError from None

    event.listen(engine, "checkin", rests)
    event.listen(engine, "checkout", tried)


def _session(params: LedgerParams) -> dict[str, Any]:
    """What every PostgreSQL session keeps to, so that nobody waits, or is waited for, without end."""
    limits = {
        "lock_timeout": params.busy_s,
        "statement_timeout": params.statement_s,
        "idle_in_transaction_session_timeout": params.statement_s,
        "tcp_user_timeout": params.statement_s,
    }
    return {
        "application_name": "selfimprint",
        "connect_timeout": max(2, round(params.busy_s)),  # libpq takes whole seconds, and not one
        "keepalives": 1,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "options": " ".join(f"-c {name}={int(seconds * 1000)}" for name, seconds in limits.items()),
    }


def chunks(values: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """``values`` in slices of at most ``size``."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


def _locking_connection(lock: WriteLock) -> type[sqlite3.Connection]:
    """Connections that close under the lock: the last close of a WAL database checkpoints it."""

    class LockingConnection(sqlite3.Connection):
        def close(self) -> None:
            with lock:
                super().close()

    return LockingConnection


def _prepare(params: LedgerParams) -> Callable[[Any, Any], None]:
    def prepare(connection: sqlite3.Connection, _record: object) -> None:
        # the driver's own BEGIN is off (isolation_level None): ours is explicit, see _begin
        for pragma in (
            f"busy_timeout = {int(params.busy_s * 1000)}",
            "synchronous = FULL",
            "foreign_keys = ON",
            "secure_delete = ON",
            f"wal_autocheckpoint = {params.wal_pages}",
        ):
            connection.execute(f"PRAGMA {pragma}").close()

    return prepare


def _begin(connection: Connection) -> None:
    if connection.get_execution_options().get(WRITES):
        connection.exec_driver_sql("BEGIN IMMEDIATE")
