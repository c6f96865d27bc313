"""What the database's errors mean here: one table, from SQLAlchemy's classes and the drivers' codes to our tree.

Nothing of the original leaves this module: a driver may quote values in its message, and SQLAlchemy the statement's parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import exc

from memory_lib.errors import DependencyDown, Permanent, SchemaMismatch, SelfImprintError, StoreBusy, UnknownUser

SQLITE_CODES: dict[int, str] = {
    5: "busy",  # SQLITE_BUSY
    6: "busy",  # SQLITE_LOCKED
    8: "down",  # SQLITE_READONLY
    10: "down",  # SQLITE_IOERR
    11: "damaged",  # SQLITE_CORRUPT
    13: "full",  # SQLITE_FULL
    14: "down",  # SQLITE_CANTOPEN
    26: "damaged",  # SQLITE_NOTADB
}
"""Primary result codes (sqlite.org/rescode.html)."""

SQLSTATES: dict[str, str] = {
    "08": "down",  # connection exception
    "40": "busy",  # serialization failure, deadlock
    "53": "full",  # insufficient resources
    "55": "busy",  # lock not available
    "57": "down",  # operator intervention, shutdown
}
"""Classes of SQLSTATE (PostgreSQL manual, appendix A)."""

MEANINGS: dict[str, Callable[[], SelfImprintError]] = {
    "busy": lambda: StoreBusy("the ledger is locked by another process for longer than we wait; try again"),
    "down": lambda: DependencyDown(
        "ledger", "its database cannot be opened, read or written; check its rights, or that it runs"
    ),
    "full": lambda: DependencyDown("ledger", "no space or connection is left for its database; free some and try again"),
    "damaged": lambda: Permanent("the ledger's database file is damaged or no SQLite file; restore it from a backup"),
    "unknown user": lambda: UnknownUser("no such person in this ledger"),
    "schema": lambda: SchemaMismatch(
        "the ledger's tables are not those of this version; open it with the version that made it"
    ),
    "defect": lambda: Permanent("the ledger's database refused a statement or a value of it; this is a defect, report it"),
}

CLASSES: dict[type[exc.SQLAlchemyError], str] = {
    exc.TimeoutError: "busy",
    exc.IntegrityError: "defect",
    exc.OperationalError: "down",
    exc.InterfaceError: "down",
    exc.ProgrammingError: "schema",
    exc.DataError: "defect",
    exc.InternalError: "defect",
    exc.NotSupportedError: "defect",
    exc.DatabaseError: "damaged",
    exc.DBAPIError: "defect",
    exc.SQLAlchemyError: "defect",
}
"""By class, where the driver gives no code that says more."""


def translate(error: exc.SQLAlchemyError) -> SelfImprintError:
    """The error of our tree that tells a caller what to do."""
    original = getattr(error, "orig", None)
    state = getattr(original, "sqlstate", None)
    name = str(getattr(original, "sqlite_errorname", ""))
    if name == "SQLITE_CONSTRAINT_FOREIGNKEY" or state == "23503":
        return MEANINGS["unknown user"]()
    if str(original).startswith("no such table") or str(original).startswith("no such column"):
        return MEANINGS["schema"]()
    meaning = SQLITE_CODES.get(getattr(original, "sqlite_errorcode", -1) & 0xFF) or SQLSTATES.get(str(state)[:2])
    if meaning is None:
        meaning = next(CLASSES[base] for base in type(error).__mro__ if base in CLASSES)
    return MEANINGS[meaning]()


@contextmanager
def translated() -> Iterator[None]:
    """Every error of the database inside leaves as one of ours, without its cause."""
    try:
        yield
    except exc.SQLAlchemyError as error:
        raise translate(error) from None
