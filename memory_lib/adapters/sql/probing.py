"""A look at the ledger's server that changes nothing in it."""

from __future__ import annotations

from typing import Final

from sqlalchemy import text

from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.params import LedgerParams
from memory_lib.adapters.sql.schema import alembic_config
from memory_lib.adapters.sql.tables import REVISION
from memory_lib.domain.service_state import ServiceState

OLDEST: Final = 15
"""The oldest PostgreSQL that the suite is run with."""
SERVER: Final = text(
    "SELECT current_setting('server_version') AS version, current_setting('server_encoding') AS encoding, "
    "pg_is_in_recovery() AS replica, has_schema_privilege(current_schema(), 'CREATE') AS may_create, "
    "current_setting('max_connections') AS connections, to_regclass('alembic_version') IS NOT NULL AS made"
)
MADE_BY: Final = text("SELECT version_num FROM alembic_version")


def probe(name: str, url: str, *, params: LedgerParams) -> ServiceState:
    """Version, rights and schema of a PostgreSQL ledger.

    Raises:
        UnknownSetting: the URL is none.
        DependencyDown: the server does not answer.
        MissingExtra: its driver is not installed.
    """
    database = Database(url, params=params)
    try:
        with database.snapshot() as connection:
            found = connection.execute(SERVER).one()
            revision = connection.execute(MADE_BY).scalar_one_or_none() if found.made else None
    finally:
        database.close()
    version = str(found.version).partition(" ")[0]
    usable, remedy = True, ""
    if found.encoding != "UTF8":
        usable, remedy = False, "its database is not in UTF-8; make one with ENCODING 'UTF8'"
    elif found.replica:
        usable, remedy = False, "it is a read-only replica; name the primary server in ledger_url"
    elif revision is not None and not _is_known(str(revision)):
        usable, remedy = False, "it was written by a newer version of SelfImprint; update this installation"
    elif not found.may_create:
        # tables of a current schema can be used without this right
        usable = revision == REVISION
        remedy = "its role may not make tables, which a new version needs; grant it CREATE on the schema"
    elif int(version.partition(".")[0]) < OLDEST:
        remedy = f"it is older than any version this is tried with; move to PostgreSQL {OLDEST} or newer"
    elif revision not in (None, REVISION):
        remedy = f"this program's schema is {REVISION}; it is upgraded when a memory is next opened"
    return ServiceState(
        name=name,
        reachable=True,
        usable=usable,
        version=f"PostgreSQL {version}",
        capabilities=(f"{found.connections} connections at most",),
        schema="no schema yet" if revision is None else f"ledger schema {revision}",
        remedy=remedy,
    )


def _is_known(revision: str) -> bool:
    # imported here: see schema.py
    from alembic.script import ScriptDirectory  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    try:
        return ScriptDirectory.from_config(alembic_config()).get_revision(revision) is not None
    except CommandError:
        return False
