"""A copy of a SQLite ledger while it is in use."""

from __future__ import annotations

import os
from pathlib import Path

from sqlalchemy import text

from memory_lib.adapters.durable_files import new_file, sync
from memory_lib.adapters.sql.engine import Database
from memory_lib.errors import IllegalValue, UnknownSetting


def back_up(database: Database, to: Path) -> None:
    """The ledger as of one instant in the file ``to``, whole or not there; deleted rows are not in it.

    Raises:
        UnknownSetting: the ledger is on PostgreSQL.
        IllegalValue: there is a file already.
    """
    if database.dialect != "sqlite":
        raise UnknownSetting("a ledger on PostgreSQL is backed up by pg_dump; restore it and give its URL as ledger_url")
    if to.exists():
        raise IllegalValue("there is a file where the ledger's backup was to be; give another name")
    half = to.with_name(to.name + ".half")
    half.unlink(missing_ok=True)
    os.close(new_file(half))
    try:
        with database.read() as connection:
            connection.execute(text("VACUUM INTO :place"), {"place": str(half)})
        sync(half)
        half.replace(to)
        sync(to.parent)
    finally:
        half.unlink(missing_ok=True)
