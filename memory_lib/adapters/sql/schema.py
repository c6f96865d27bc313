"""The ledger's schema at open: one SELECT where it is current, Alembic only where it is not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlalchemy import inspect, select, text

from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.tables import REVISION, deployment
from memory_lib.errors import KeyMissing, SchemaMismatch
from memory_lib.ports.keys import Keyring

KEY_CHECK = "key check"
CURRENT = text(
    "SELECT (SELECT version_num FROM alembic_version) AS revision, "
    "(SELECT value FROM deployment WHERE name = 'key check') AS key_check"
)


def ensure_schema(database: Database, keyring: Keyring) -> None:
    """Create or upgrade the tables, and make sure that they belong to this deployment's keys.

    Raises:
        SchemaMismatch: made by a newer version.
        KeyMissing: made under another deployment key.
    """
    try:
        with database.read() as connection:
            found = connection.execute(CURRENT).one()
        revision, check = found.revision, found.key_check
    except SchemaMismatch:
        revision, check = None, None
    if revision != REVISION or check is None:
        check = _migrate(database, keyring)
    if check != _key_check(keyring):
        raise KeyMissing("the ledger was made under another deployment key; restore the keys folder that belongs to it")


def _key_check(keyring: Keyring) -> str:
    """Says which deployment key it is, and nothing about it."""
    return keyring.deployment_key("ledger key check")[:16].hex()


def _migrate(database: Database, keyring: Keyring) -> str:
    # imported here: Alembic takes longer to import than the ledger to open
    from alembic import command  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415
    from alembic.util import CommandError  # noqa: PLC0415

    config = alembic_config()
    with database.exclusive():
        if database.dialect == "sqlite":
            # a lasting property of the file; it cannot be set inside a transaction
            with database.read() as connection:
                connection.exec_driver_sql("PRAGMA journal_mode = WAL")
        with database.write() as connection:
            if database.dialect == "postgresql":
                connection.execute(text("SELECT pg_advisory_xact_lock(hashtext('selfimprint ledger schema'))"))
            revision = None
            if inspect(connection).has_table("alembic_version"):
                revision = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
            try:
                known = revision is None or ScriptDirectory.from_config(config).get_revision(revision) is not None
            except CommandError:
                known = False
            if not known:
                raise SchemaMismatch("the ledger was written by a newer version of SelfImprint; update this installation")
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            check = connection.execute(select(deployment.c.value).where(deployment.c.name == KEY_CHECK)).scalar_one_or_none()
            if check is None:
                check = _key_check(keyring)
                connection.execute(deployment.insert().values(name=KEY_CHECK, value=check))
            return str(check)


def alembic_config() -> Any:
    """Alembic's configuration, without a file: the scripts travel inside the package."""
    from alembic.config import Config  # noqa: PLC0415 - as above

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
