"""The same history of tables on every database, up and down, with people in them."""

from __future__ import annotations

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.schema import alembic_config
from memory_lib.adapters.sql.tables import metadata
from memory_lib.domain.placement import Tier
from memory_lib.domain.time import to_us
from memory_lib.errors import SchemaMismatch
from tests.contracts.ledger.said import NOW
from tests.contracts.ledger.whole_person import everything, fill
from tests.contracts.ledger_backends import LEDGER, keys_of

REVISIONS = [script.revision for script in ScriptDirectory.from_config(alembic_config()).walk_revisions()][::-1]


@pytest.fixture
def home(another_home):
    return another_home("migrated")


@pytest.fixture
def database(backend, home):
    opened = Database(backend.url(home), params=LEDGER)
    yield opened
    opened.close()


def migrate(database, revision, *, down=False):
    with database.write() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        (command.downgrade if down else command.upgrade)(config, revision)


def opened(backend, home):
    keyring, sealer = keys_of(home)
    return backend.open(home, sealer, keyring)


def test_migrations_make_what_the_tables_say(database):
    migrate(database, "head")
    with database.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []
        made = inspect(connection)
        for table in metadata.sorted_tables:
            assert made.get_pk_constraint(table.name)["constrained_columns"] == [c.name for c in table.primary_key]
            columns = {column["name"]: column["nullable"] for column in made.get_columns(table.name)}
            assert columns == {column.name: column.nullable for column in table.columns}
            assert {key["name"] for key in made.get_foreign_keys(table.name)} == {
                key.name for key in table.foreign_key_constraints
            }


@pytest.mark.slow
def test_every_step_goes_up_and_down_again(database):
    for revision in REVISIONS:
        migrate(database, revision)
        before = tables(database)
        migrate(database, "-1", down=True)
        assert tables(database) != before
        migrate(database, revision)
        assert tables(database) == before
    migrate(database, "base", down=True)
    assert set(tables(database)) == {"alembic_version"}
    migrate(database, "head")


def tables(database):
    with database.read() as connection:
        made = inspect(connection)
        return {
            name: (
                [column["name"] for column in made.get_columns(name)],
                sorted(index["name"] for index in made.get_indexes(name)),
            )
            for name in made.get_table_names()
        }


def test_people_come_through_the_newest_step_down_and_up(backend, home, database):
    with opened(backend, home) as ledger:
        person = fill(ledger, keys_of(home)[0].id_key, "Аделаида")
        before = everything(ledger, person)
    migrate(database, "r0004", down=True)
    with opened(backend, home) as ledger:
        after = everything(ledger, person)
        assert {**after, "rules": before["rules"]} == before
        assert after["rules"] == ()
        # whoever was there before there were places lives in the one store there was
        last = max(message.at_us for message in person.messages if message.role.value == "user")
        assert ledger.placements.silent(tier=Tier.HOT, before_us=to_us(NOW)) == ((person.user, last),)


def test_whoever_has_vectors_already_is_served_by_whose_they_are(backend, database):
    migrate(database, "r0001")
    byte = "decode('00', 'hex')" if backend.name == "postgres" else "x'00'"
    person = f"INSERT INTO people VALUES (:u, :u, {byte}, 0, 0, 0, 0, NULL, NULL)"
    kept = f"INSERT INTO rounds VALUES (:u, :m, 'r', :f, 4, {byte}, {byte})"
    with database.write() as connection:
        for user in ("a", "b"):
            connection.execute(text(person), {"u": user})
        for number, fingerprint in enumerate(["e5", "e5", "other", None]):
            connection.execute(text(kept), {"u": "a", "m": str(number), "f": fingerprint})
    migrate(database, "head")
    with database.read() as connection:
        served = dict(connection.execute(text("SELECT user_id, fingerprint FROM people")).all())
    assert served == {"a": "e5", "b": None}


def test_a_ledger_of_a_newer_version_is_refused_and_left_as_it_is(backend, home, database):
    opened(backend, home).close()
    with database.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'r9999'"))
    with pytest.raises(SchemaMismatch, match="newer"):
        opened(backend, home)
    with database.read() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == "r9999"


def test_a_migration_that_fails_leaves_nothing(backend, home, database, monkeypatch):
    def fail(*_arguments):
        raise RuntimeError("planted")

    with monkeypatch.context() as patch:
        patch.setattr("memory_lib.adapters.sql.schema._key_check", fail)
        with pytest.raises(RuntimeError, match="planted"):
            opened(backend, home)
    with database.read() as connection:
        assert inspect(connection).get_table_names() == []
    opened(backend, home).close()
