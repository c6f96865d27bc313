"""The databases that the ledger's contract suite runs over: a row each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import URL, create_engine, make_url

from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.adapters.keys.params import KeyringParams
from memory_lib.adapters.keys.sealing import AesGcmSealer
from memory_lib.adapters.sql.engine import sqlite_url
from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.adapters.sql.params import LedgerParams
from memory_lib.adapters.sql.tables import metadata
from memory_lib.ports.keys import Keyring, Sealer

KEYRING = KeyringParams(seals_a_key=2**32, seals_reserved=4096, opened_keys=8, rotate_at=2**31, opened_s=300.0, checked_s=0.2)
LEDGER = LedgerParams(
    busy_s=20.0,
    connections=8,
    chunk=50,
    wal_pages=1000,
    overflow=8,
    recycle_s=1800,
    statement_s=60.0,
    idle_check_s=0.05,
    rewrite_bytes=2**28,
)
ADDRESS = "ledger.url"
"""A file in a home that says where its ledger lies: so that another process finds it, knowing the home alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerBackend:
    """``new``: an empty database for this home, while the context lasts. ``emptied``: no rows in it but those that opening
    wrote. ``kept_in_home``: every byte lies in files under the root. ``service``: the row of tests/services.py that it needs.
    ``stored``: all bytes that it keeps, file by file or row by row.
    """

    name: str
    url: Callable[[Path], str | URL]
    new: Callable[[Path, pytest.FixtureRequest], AbstractContextManager[None]]
    emptied: Callable[[Path], None]
    stored: Callable[[Path], Iterator[bytes]]
    kept_in_home: bool
    service: str | None = None

    def open(self, root: Path, sealer: Sealer, keyring: Keyring, *, params: LedgerParams = LEDGER) -> Ledger:
        return Ledger(self.url(root), sealer, keyring, params=params)


def database_url(root: Path) -> URL:
    """What ``new_database`` wrote there."""
    return make_url((root / ADDRESS).read_text())


@contextmanager
def new_database(root: Path, request: pytest.FixtureRequest) -> Iterator[None]:
    """A database of the session's server."""
    with request.getfixturevalue("postgres_server").fresh() as url:
        (root / ADDRESS).write_text(url)
        yield


def empty_database(root: Path) -> None:
    """Deleting a handful of rows, in one message to the server, is quicker than truncating twenty tables."""
    import psycopg

    names = [table.name for table in reversed(metadata.sorted_tables) if table.name != "deployment"]
    place = database_url(root).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(place) as connection:
        connection.execute(";".join(f"DELETE FROM {name}" for name in names))


def bytes_of_files(root: Path) -> Iterator[bytes]:
    """Those of the database; its log is one of them."""
    yield from (path.read_bytes() for path in root.glob("ledger.db*"))


def bytes_of_rows(root: Path) -> Iterator[bytes]:
    """Every value of every table, and every page of every table, index and statistic as the server keeps it in its files."""
    engine = create_engine(database_url(root), isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        for table in metadata.sorted_tables:
            for row in connection.execute(table.select()):
                yield b"\0".join(value if isinstance(value, bytes) else str(value).encode() for value in row)
        connection.exec_driver_sql("CHECKPOINT")
        for relation in connection.exec_driver_sql(RELATIONS).scalars():
            yield connection.exec_driver_sql("SELECT pg_read_binary_file(%s, 0, 100000000, true)", (relation,)).scalar_one()
    engine.dispose()


RELATIONS = """
SELECT pg_relation_filepath(c.oid) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'i', 't') AND (n.nspname IN ('public', 'pg_toast') OR c.relname LIKE 'pg_statistic%%')
AND pg_relation_filepath(c.oid) IS NOT NULL
"""

BACKENDS = {
    backend.name: backend
    for backend in (
        LedgerBackend(
            name="sqlite",
            url=lambda root: sqlite_url(root / "ledger.db"),
            new=lambda _root, _request: nullcontext(),
            emptied=lambda _root: None,
            stored=bytes_of_files,
            kept_in_home=True,
        ),
        LedgerBackend(
            name="postgres",
            url=database_url,
            new=new_database,
            emptied=empty_database,
            stored=bytes_of_rows,
            kept_in_home=False,
            service="postgres",
        ),
    )
}


def keys_of(root: Path) -> tuple[LocalKeyring, AesGcmSealer]:
    keyring = LocalKeyring(root, id_key=bytes(range(32)), params=KEYRING)
    return keyring, AesGcmSealer(keyring, params=KEYRING)
