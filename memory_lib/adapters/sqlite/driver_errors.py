"""What SQLite raises, in our own words: one table (STYLE C7). No message carries a value of a row."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from memory_lib.errors import IllegalValue, Permanent, SchemaMismatch, SelfImprintError, StoreBusy

BY_CODE: dict[int, tuple[type[SelfImprintError], str]] = {
    sqlite3.SQLITE_BUSY: (StoreBusy, "is being written by somebody else; try again later"),
    sqlite3.SQLITE_LOCKED: (StoreBusy, "is locked by another connection of this process; try again later"),
    sqlite3.SQLITE_PROTOCOL: (StoreBusy, "was opened by too many at the same moment; try again later"),
    sqlite3.SQLITE_INTERRUPT: (StoreBusy, "was being read when the call was interrupted; try again"),
    sqlite3.SQLITE_CORRUPT: (Permanent, "is damaged; restore it from its backup, or erase it and rebuild from the messages"),
    sqlite3.SQLITE_NOTADB: (SchemaMismatch, "is no graph file; move it away, then restore or rebuild"),
    sqlite3.SQLITE_FULL: (
        Permanent,
        "could not be written, the disk is full; free some space and run again (nothing was kept)",
    ),
    sqlite3.SQLITE_IOERR: (Permanent, "could not be read or written; check the disk and its file system"),
    sqlite3.SQLITE_READONLY: (Permanent, "is read-only; give the process the right to write it"),
    sqlite3.SQLITE_CANTOPEN: (Permanent, "could not be opened; check that its folder exists and may be written"),
    sqlite3.SQLITE_PERM: (Permanent, "may not be opened; give the process the right to read and write it"),
    sqlite3.SQLITE_AUTH: (Permanent, "may not be opened; give the process the right to read and write it"),
    sqlite3.SQLITE_NOMEM: (Permanent, "needs more memory than there is; give the process more"),
    sqlite3.SQLITE_NOLFS: (Permanent, "is too large for its file system; move the home to another one"),
    sqlite3.SQLITE_TOOBIG: (IllegalValue, "was given a value above SQLite's limit of one billion bytes; split it"),
}
"""By primary result code: who must react, and the rest of the sentence."""

BY_CLASS: dict[type[Exception], tuple[type[SelfImprintError], str]] = {
    sqlite3.Warning: (Permanent, "raised a driver warning; report this as a defect"),
    sqlite3.Error: (Permanent, "failed for a reason the driver does not name; report this as a defect"),
    sqlite3.InterfaceError: (Permanent, "was called in a way the driver does not allow; report this as a defect"),
    sqlite3.DatabaseError: (Permanent, "failed; check the file, and report this as a defect where it is sound"),
    sqlite3.DataError: (IllegalValue, "was given a value that no column holds; report this as a defect"),
    sqlite3.OperationalError: (
        Permanent,
        "failed while working; check disk and rights, and report this as a defect where they are fine",
    ),
    sqlite3.IntegrityError: (Permanent, "refused a row that breaks its rules; report this as a defect (nothing was kept)"),
    sqlite3.InternalError: (Permanent, "failed inside SQLite; check the file, then report this as a defect"),
    sqlite3.ProgrammingError: (Permanent, "was called wrongly; report this as a defect"),
    sqlite3.NotSupportedError: (Permanent, "needs an SQLite that this Python was not built with; install a newer Python"),
}
"""By exception class, where the code says nothing: every class of the driver (a test compares)."""

_PRIMARY = 0xFF


def translated(error: Exception, where: str) -> SelfImprintError:
    """Our error for a driver's. ``where`` is the internal user id."""
    code = getattr(error, "sqlite_errorcode", None)
    kind, rest = BY_CODE.get(code & _PRIMARY, BY_CLASS[type(error)]) if code is not None else BY_CLASS[type(error)]
    name = getattr(error, "sqlite_errorname", type(error).__name__)
    return kind(f"the graph file of person {where} {rest} ({name})")


@contextmanager
def driver_errors(where: str) -> Iterator[None]:
    """Translate whatever the driver raises inside."""
    try:
        yield
    except (sqlite3.Error, sqlite3.Warning) as error:
        raise translated(error, where) from error
    except UnicodeEncodeError:
        # not chained: that error carries the text
        raise IllegalValue(
            f"an id or name for the graph file of person {where} is no valid Unicode; only sealed fields may hold any text"
        ) from None
    except OverflowError:
        raise IllegalValue(f"a number for the graph file of person {where} does not fit 64 bits") from None
