from __future__ import annotations

import sqlite3

import pytest
from sqlalchemy import exc

from memory_lib.adapters.sql.errors import CLASSES, MEANINGS, SQLITE_CODES, SQLSTATES, translate, translated
from memory_lib.errors import DependencyDown, Permanent, SchemaMismatch, SelfImprintError, StoreBusy, UnknownUser

SECRET = "тайное озеро"


def subclasses(kind):
    for child in kind.__subclasses__():
        yield child
        yield from subclasses(child)


def sqlite_failure(code, name=""):
    failure = sqlite3.OperationalError(f"said {SECRET}")
    failure.sqlite_errorcode, failure.sqlite_errorname = code, name
    return failure


@pytest.mark.parametrize("kind", sorted({exc.DBAPIError, *subclasses(exc.DBAPIError)}, key=lambda kind: kind.__name__))
def test_every_class_of_driver_error_has_a_meaning(kind):
    assert kind in CLASSES
    assert isinstance(translate(kind("SELECT 1", {"x": SECRET}, ValueError(SECRET))), SelfImprintError)


@pytest.mark.parametrize("meaning", sorted({*CLASSES.values(), *SQLITE_CODES.values(), *SQLSTATES.values()}))
def test_every_meaning_is_a_sentence_that_says_what_to_do(meaning):
    assert len(str(MEANINGS[meaning]())) > 20


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("Connection refused", "does not answer"),
        ("[Errno -2] Name or service not known", "does not answer"),
        (f'FATAL:  role "{SECRET}" does not exist', "refuses the role"),
        (f'FATAL:  password authentication failed for user "{SECRET}"', "refuses the role"),
        (f'FATAL:  no pg_hba.conf entry for host "{SECRET}"', "refuses the role"),
        (f'FATAL:  database "{SECRET}" does not exist', "no database"),
        ("FATAL:  sorry, too many clients already", "no space or connection"),
    ],
)
def test_who_cannot_connect_is_told_why(said, told):
    ours = translate(exc.OperationalError("x", {}, OSError(f"connection failed: {said}")))
    assert type(ours) is DependencyDown
    assert told in str(ours)
    assert SECRET not in str(ours)


@pytest.mark.parametrize(
    ("code", "name", "expected"),
    [
        (sqlite3.SQLITE_BUSY, "SQLITE_BUSY", StoreBusy),
        (sqlite3.SQLITE_LOCKED, "SQLITE_LOCKED", StoreBusy),
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "SQLITE_BUSY_SNAPSHOT", StoreBusy),
        (sqlite3.SQLITE_CANTOPEN, "SQLITE_CANTOPEN", DependencyDown),
        (sqlite3.SQLITE_FULL, "SQLITE_FULL", DependencyDown),
        (sqlite3.SQLITE_CORRUPT, "SQLITE_CORRUPT", Permanent),
        (sqlite3.SQLITE_NOTADB, "SQLITE_NOTADB", Permanent),
        (sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY, "SQLITE_CONSTRAINT_FOREIGNKEY", UnknownUser),
        (sqlite3.SQLITE_CONSTRAINT_UNIQUE, "SQLITE_CONSTRAINT_UNIQUE", Permanent),
    ],
)
def test_sqlites_codes_are_understood(code, name, expected):
    kind = exc.IntegrityError if "CONSTRAINT" in name else exc.OperationalError
    assert type(translate(kind("x", {}, sqlite_failure(code, name)))) is expected


@pytest.mark.parametrize(
    ("state", "expected"),
    [("40001", StoreBusy), ("40P01", StoreBusy), ("55P03", StoreBusy), ("08006", DependencyDown), ("57P01", DependencyDown),
     ("53300", DependencyDown), ("23503", UnknownUser), ("23505", Permanent), ("42P01", SchemaMismatch)],
)  # fmt: skip
def test_sqlstates_are_understood(state, expected):
    original = Exception(SECRET)
    original.sqlstate = state
    kind = {"23": exc.IntegrityError, "42": exc.ProgrammingError}.get(state[:2], exc.OperationalError)
    assert type(translate(kind("x", {}, original))) is expected


def test_nothing_of_the_statement_or_its_values_gets_out():
    with pytest.raises(StoreBusy) as caught, translated():
        raise exc.OperationalError(f"INSERT {SECRET}", {"text": SECRET}, sqlite_failure(sqlite3.SQLITE_BUSY))
    assert SECRET not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


def test_our_own_errors_pass_unchanged():
    with pytest.raises(UnknownUser, match="as it is"), translated():
        raise UnknownUser("as it is")
