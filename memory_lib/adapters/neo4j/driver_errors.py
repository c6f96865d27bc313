"""What the driver and the server raise, in our own words: one table (STYLE C7).

Nothing of the original leaves this module, not even as a cause: a server quotes property values and parameters in its messages.
Its code, which is made of names only, is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from neo4j import exceptions as driver

from memory_lib.errors import DependencyDown, IllegalValue, Permanent, SchemaMismatch, SelfImprintError, StoreBusy

PART = "graph"
"""What a degraded answer names."""


def _down(reason: str) -> DependencyDown:
    return DependencyDown(PART, reason)


_NO_CODE = "Neo.DatabaseError.General.UnknownError"
"""What the driver says where the server said nothing."""

MEANINGS: dict[str, Callable[[str], SelfImprintError]] = {
    "down": lambda code: _down(f"its Neo4j server does not answer; start it, or check its address ({code})"),
    "unsure": lambda code: _down(
        f"its Neo4j server went away while a write was being confirmed; write again, what was kept is known by its key ({code})"
    ),
    "crowded": lambda code: _down(
        f"its Neo4j server gave no connection in time; it is stopped, overloaded, or neo4j.pool is too small ({code})"
    ),
    "busy": lambda code: StoreBusy(f"the person's graph in Neo4j is being written by somebody else; try again later ({code})"),
    "full": lambda code: Permanent(
        f"the Neo4j server has too little memory or disk for this; raise its limits, nothing was kept ({code})"
    ),
    "refused": lambda code: Permanent(
        f"the Neo4j server refuses our name, password or rights; check neo4j.shards and the roles there ({code})"
    ),
    "settings": lambda code: Permanent(
        f"the Neo4j driver cannot work with what neo4j.shards says; check uri, user, password, database ({code})"
    ),
    "schema": lambda code: SchemaMismatch(
        f"the Neo4j database lacks what this version makes there; open it again, or ask who changed it ({code})"
    ),
    "value": lambda code: IllegalValue(f"a value for the Neo4j graph is none that it can keep; this is a defect ({code})"),
    "damaged": lambda code: Permanent(f"the Neo4j server failed inside; read its own log, then restore its backup ({code})"),
    "defect": lambda code: Permanent(f"the Neo4j server refused a statement of ours; this is a defect, report it ({code})"),
}
"""Meaning → our error, given the driver's class or the server's code."""

CODES: dict[str, str] = {
    "Neo.TransientError.General.MemoryPoolOutOfMemoryError": "full",
    "Neo.TransientError.General.OutOfMemoryError": "full",
    "Neo.TransientError.General.DatabaseUnavailable": "down",
    "Neo.TransientError.General.TransactionMemoryLimit": "full",
    "Neo.TransientError.Security": "refused",
    "Neo.TransientError": "busy",
    "Neo.ClientError.Transaction": "busy",
    "Neo.ClientError.Statement.EntityNotFound": "busy",
    "Neo.ClientError.Security": "refused",
    "Neo.ClientError.Database.DatabaseNotFound": "settings",
    "Neo.ClientError.Database": "settings",
    "Neo.ClientError.Schema": "schema",
    "Neo.ClientError.Schema.ConstraintAlreadyExists": "busy",
    "Neo.ClientError.Schema.EquivalentSchemaRuleAlreadyExists": "busy",
    "Neo.ClientError.Schema.IndexAlreadyExists": "busy",
    "Neo.ClientError.Statement.TypeError": "value",
    "Neo.ClientError.Statement.ArgumentError": "value",
    "Neo.ClientError": "defect",
    "Neo.DatabaseError": "damaged",
}
"""Beginnings of the server's codes, the more exact one decides (Neo4j status codes)."""

CLASSES: dict[type[Exception], str] = {
    driver.GqlError: "damaged",
    driver.Neo4jError: "damaged",
    driver.ClientError: "defect",
    driver.CypherSyntaxError: "defect",
    driver.CypherTypeError: "value",
    driver.ConstraintError: "defect",
    driver.AuthError: "refused",
    driver.TokenExpired: "refused",
    driver.Forbidden: "refused",
    driver.DatabaseError: "damaged",
    driver.TransientError: "busy",
    driver.DatabaseUnavailable: "down",
    driver.NotALeader: "down",
    driver.ForbiddenOnReadOnlyDatabase: "down",
    driver.DriverError: "defect",
    driver.SessionError: "defect",
    driver.TransactionError: "busy",
    driver.TransactionNestingError: "defect",
    driver.ResultError: "defect",
    driver.ResultFailedError: "busy",
    driver.ResultConsumedError: "defect",
    driver.ResultNotSingleError: "defect",
    driver.BrokenRecordError: "defect",
    driver.SessionExpired: "down",
    driver.ServiceUnavailable: "down",
    driver.RoutingServiceUnavailable: "down",
    driver.WriteServiceUnavailable: "down",
    driver.ReadServiceUnavailable: "down",
    driver.IncompleteCommit: "unsure",
    driver.ConfigurationError: "settings",
    driver.AuthConfigurationError: "settings",
    driver.CertificateConfigurationError: "settings",
    driver.UnsupportedServerProduct: "settings",
    driver.ConnectionPoolError: "crowded",
    driver.ConnectionAcquisitionTimeoutError: "crowded",
}
"""Every exception class of the driver (a test compares), for where no code says more."""


def translated(error: Exception) -> SelfImprintError:
    """Our error for a driver's."""
    code = error.code if isinstance(error, driver.Neo4jError) else None
    if code and code != _NO_CODE:
        found = max((beginning for beginning in CODES if f"{code}.".startswith(f"{beginning}.")), key=len, default=None)
        if found is not None:
            return MEANINGS[CODES[found]](code)
    return MEANINGS[CLASSES[next(kind for kind in type(error).__mro__ if kind in CLASSES)]](type(error).__name__)


@contextmanager
def driver_errors() -> Iterator[None]:
    """Translate whatever the driver raises inside."""
    try:
        yield
    except (driver.GqlError, driver.DriverError) as error:
        raise translated(error) from None
    except SelfImprintError:
        raise
    except UnicodeError:
        raise IllegalValue(
            "an id or name for the Neo4j graph is no valid Unicode; only sealed fields may hold any text"
        ) from None
    except OverflowError:
        raise IllegalValue("a number for the Neo4j graph does not fit 64 bits") from None
    except OSError as error:
        raise MEANINGS["down"](type(error).__name__) from None
