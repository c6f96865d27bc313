from __future__ import annotations

import pytest
from neo4j import exceptions as driver

from memory_lib.adapters.neo4j.driver_errors import CLASSES, CODES, MEANINGS, driver_errors, translated
from memory_lib.errors import DependencyDown, IllegalValue, Permanent, SchemaMismatch, SelfImprintError, StoreBusy, Transient


def classes(*roots: type[BaseException]) -> set[type[BaseException]]:
    found = set(roots)
    for root in roots:
        found |= classes(*root.__subclasses__()) if root.__subclasses__() else set()
    return found


NAMED = {value for value in vars(driver).values() if isinstance(value, type) and issubclass(value, Exception)}
DRIVER_CLASSES = NAMED | {kind for kind in classes(driver.GqlError, driver.DriverError) if kind.__module__.startswith("neo4j")}


def server_error(code: str, kind: type[driver.Neo4jError] = driver.ClientError) -> driver.Neo4jError:
    error = driver.Neo4jError._hydrate_neo4j(code=code, message="Node(7) already exists with property text = 'Marina said'")
    assert isinstance(error, driver.Neo4jError)
    return error


def test_every_exception_class_of_the_driver_is_translated():
    assert DRIVER_CLASSES - set(CLASSES) == set()
    assert set(CLASSES) <= DRIVER_CLASSES


def test_every_meaning_exists_and_is_used():
    assert {*CLASSES.values(), *CODES.values()} == set(MEANINGS)


@pytest.mark.parametrize("kind", sorted(DRIVER_CLASSES, key=lambda c: c.__name__))
def test_each_class_becomes_one_of_our_errors_without_its_words(kind):
    with pytest.raises(SelfImprintError) as caught, driver_errors():
        raise kind("Marina said")
    assert "Marina" not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__, "not in a printed traceback either"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("Neo.TransientError.Transaction.DeadlockDetected", StoreBusy),
        ("Neo.TransientError.General.MemoryPoolOutOfMemoryError", Permanent),
        ("Neo.TransientError.General.DatabaseUnavailable", DependencyDown),
        ("Neo.ClientError.Transaction.TransactionTimedOut", StoreBusy),
        ("Neo.ClientError.Statement.EntityNotFound", StoreBusy),
        ("Neo.ClientError.Statement.SyntaxError", Permanent),
        ("Neo.ClientError.Statement.TypeError", IllegalValue),
        ("Neo.ClientError.Schema.ConstraintValidationFailed", SchemaMismatch),
        ("Neo.ClientError.Schema.IndexNotFound", SchemaMismatch),
        ("Neo.ClientError.Security.Unauthorized", Permanent),
        ("Neo.ClientError.Database.DatabaseNotFound", Permanent),
        ("Neo.DatabaseError.General.UnknownError", Permanent),
        ("Neo.Unheard.Of.It", Permanent),
    ],
)
def test_the_servers_code_decides_who_must_react(code, expected):
    ours = translated(server_error(code))
    assert type(ours) is expected
    assert "Marina" not in str(ours)


@pytest.mark.parametrize(
    "kind",
    [driver.ServiceUnavailable, driver.SessionExpired, driver.IncompleteCommit, driver.ConnectionAcquisitionTimeoutError],
)
def test_a_server_that_is_away_is_a_dependency_that_is_down(kind):
    ours = translated(kind("127.0.0.1"))
    assert isinstance(ours, DependencyDown)
    assert isinstance(ours, Transient)
    assert ours.part == "graph"


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (UnicodeEncodeError("utf-8", "\ud800 Marina", 0, 1, "surrogates"), IllegalValue),
        (OverflowError("Marina"), IllegalValue),
        (ConnectionRefusedError("Marina"), DependencyDown),
    ],
)
def test_what_python_says_of_values_and_sockets_is_ours_too(error, expected):
    with pytest.raises(expected) as caught, driver_errors():
        raise error
    assert "Marina" not in str(caught.value)


def test_our_own_errors_pass_as_they_are():
    ours = IllegalValue("ours")
    with pytest.raises(IllegalValue) as caught, driver_errors():
        raise ours
    assert caught.value is ours
