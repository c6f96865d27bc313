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
    "08": "away",  # connection exception
    "22": "defect",  # data exception
    "23": "defect",  # integrity constraint violation
    "23503": "unknown user",  # foreign key violation: all of ours name people
    "25": "defect",  # invalid transaction state
    "25006": "down",  # read-only: a standby answers
    "25P03": "busy",  # a transaction of ours stood idle for too long
    "28": "refused",  # invalid authorization
    "3D": "no database",  # no such database
    "40": "busy",  # serialization failure, deadlock
    "42": "schema",  # syntax error or access rule violation
    "42501": "down",  # insufficient privilege
    "53": "full",  # insufficient resources
    "54": "defect",  # program limit exceeded
    "55": "busy",  # object not in prerequisite state, lock not available
    "57": "away",  # operator intervention, shutdown
    "57014": "busy",  # statement timeout
    "58": "down",  # system error outside PostgreSQL
    "XX": "damaged",  # internal error, data corrupted
}
"""Codes and classes of SQLSTATE (PostgreSQL manual, appendix A); the code counts where it is named, else its class."""

MEANINGS: dict[str, Callable[[], SelfImprintError]] = {
    "busy": lambda: StoreBusy("the ledger is locked by another process for longer than we wait; try again"),
    "down": lambda: DependencyDown(
        "ledger", "its database cannot be opened, read or written; check its rights, or that it runs"
    ),
    "away": lambda: DependencyDown("ledger", "its server does not answer; check the address in ledger_url, or that it runs"),
    "refused": lambda: DependencyDown(
        "ledger", "its server refuses the role or its password; check ledger_url, and what the server allows the role"
    ),
    "no database": lambda: DependencyDown(
        "ledger", "its server has no database by the name in ledger_url; make it with createdb, or correct the name"
    ),
    "full": lambda: DependencyDown("ledger", "no space or connection is left for its database; free some and try again"),
    "damaged": lambda: Permanent("the ledger's database is damaged, or its file is none; restore it from a backup"),
    "unknown user": lambda: UnknownUser("no such person in this ledger"),
    "schema": lambda: SchemaMismatch(
        "the ledger's tables are not those of this version; open it with the version that made it"
    ),
    "defect": lambda: Permanent("the ledger's database refused a statement or a value of it; this is a defect, report it"),
}

NOT_CONNECTED = ("connection ", "failed to resolve host")
CONNECTING: tuple[tuple[str, str], ...] = (
    ('database "', "no database"),
    ("password", "refused"),
    ('role "', "refused"),
    ("pg_hba.conf", "refused"),
    ("too many", "full"),
    ("", "away"),
)
"""What a refusal to connect says in English, where the driver gives no code: the first of these words that it has tells what it
means. No connection, no values: nothing of a person can be in it, and still nothing of it is told.
"""

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
    if name == "SQLITE_CONSTRAINT_FOREIGNKEY":
        return MEANINGS["unknown user"]()
    if str(original).startswith("no such table") or str(original).startswith("no such column"):
        return MEANINGS["schema"]()
    meaning = SQLITE_CODES.get(getattr(original, "sqlite_errorcode", -1) & 0xFF)
    meaning = meaning or SQLSTATES.get(str(state)) or SQLSTATES.get(str(state)[:2])
    if meaning is None and isinstance(error, exc.OperationalError) and str(original).startswith(NOT_CONNECTED):
        meaning = next(means for words, means in CONNECTING if words in str(original))
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
