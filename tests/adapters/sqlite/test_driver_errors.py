from __future__ import annotations

import sqlite3

import pytest

from memory_lib.adapters.sqlite.driver_errors import BY_CLASS, BY_CODE, driver_errors, translated
from memory_lib.errors import IllegalValue, Permanent, SchemaMismatch, SelfImprintError, StoreBusy

DRIVER_CLASSES = {value for value in vars(sqlite3).values() if isinstance(value, type) and issubclass(value, Exception)}


def test_every_exception_class_of_the_driver_is_translated():
    assert set(BY_CLASS) == DRIVER_CLASSES


@pytest.mark.parametrize("kind", sorted(DRIVER_CLASSES, key=lambda c: c.__name__))
def test_each_class_becomes_one_of_our_errors(kind):
    with pytest.raises(SelfImprintError, match="person 00ff") as caught, driver_errors("00ff"):
        raise kind("UNIQUE constraint failed: somebody's words")
    assert "words" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("SQLITE_BUSY", StoreBusy),
        ("SQLITE_BUSY_SNAPSHOT", StoreBusy),
        ("SQLITE_LOCKED", StoreBusy),
        ("SQLITE_CORRUPT", Permanent),
        ("SQLITE_CORRUPT_INDEX", Permanent),
        ("SQLITE_NOTADB", SchemaMismatch),
        ("SQLITE_FULL", Permanent),
        ("SQLITE_IOERR_FSYNC", Permanent),
        ("SQLITE_TOOBIG", IllegalValue),
        ("SQLITE_ERROR", Permanent),
    ],
)
def test_the_result_code_decides_who_must_react(name, expected):
    error = sqlite3.OperationalError("x")
    error.sqlite_errorcode, error.sqlite_errorname = getattr(sqlite3, name), name
    ours = translated(error, "00ff")
    assert type(ours) is expected
    assert name in str(ours)


def test_codes_of_the_table_are_primary_ones():
    assert all(code == code & 0xFF for code in BY_CODE)


def test_text_that_no_column_holds_is_refused_without_repeating_it():
    connection = sqlite3.connect(":memory:")
    for value in ("\ud800 secret", 2**70):
        with pytest.raises(IllegalValue) as caught, driver_errors("00ff"):
            connection.execute("SELECT ?", (value,))
        assert "secret" not in str(caught.value)
        assert caught.value.__cause__ is None
        assert caught.value.__suppress_context__
    connection.close()
