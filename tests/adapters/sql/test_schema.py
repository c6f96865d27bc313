from __future__ import annotations

import subprocess
import sys

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text

from memory_lib.adapters.sql.engine import Database, sqlite_url
from memory_lib.adapters.sql.schema import alembic_config
from memory_lib.adapters.sql.tables import REVISION, metadata
from memory_lib.errors import DependencyDown, KeyMissing, Permanent, SchemaMismatch, UnknownSetting
from tests.contracts.ledger.said import NOW
from tests.contracts.ledger_backends import BACKENDS, LEDGER, keys_of

SQLITE = BACKENDS["sqlite"]


def opened(root):
    keyring, sealer = keys_of(root)
    return SQLITE.open(root, sealer, keyring)


def database(root):
    return Database(sqlite_url(root / "ledger.db"), params=LEDGER)


def migrate(place, revision, *, down=False):
    with place.write() as connection:
        config = alembic_config()
        config.attributes["connection"] = connection
        (command.downgrade if down else command.upgrade)(config, revision)


def test_the_code_knows_the_newest_migration():
    assert ScriptDirectory.from_config(alembic_config()).get_current_head() == REVISION


def test_migrations_make_what_the_tables_say(tmp_path):
    place = database(tmp_path)
    migrate(place, "head")
    with place.read() as connection:
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
    place.close()


def test_migrations_go_up_and_down_again(tmp_path):
    place = database(tmp_path)
    for _ in range(2):
        migrate(place, "head")
        migrate(place, "base", down=True)
        with place.read() as connection:
            assert inspect(connection).get_table_names() == ["alembic_version"]
    place.close()
    opened(tmp_path).close()


def test_whoever_has_vectors_already_is_served_by_whose_they_are(tmp_path):
    place = database(tmp_path)
    migrate(place, "r0001")
    person = "INSERT INTO people VALUES (:u, :u, x'00', 0, 0, 0, 0, NULL, NULL)"
    kept = "INSERT INTO rounds VALUES (:u, :m, 'r', :f, 4, x'00', x'00')"
    with place.write() as connection:
        for user in ("a", "b"):
            connection.execute(text(person), {"u": user})
        for number, fingerprint in enumerate(["e5", "e5", "other", None]):
            connection.execute(text(kept), {"u": "a", "m": str(number), "f": fingerprint})
    migrate(place, "head")
    with place.read() as connection:
        served = dict(connection.execute(text("SELECT user_id, fingerprint FROM people")).all())
    assert served == {"a": "e5", "b": None}
    place.close()


def test_a_ledger_of_a_newer_version_is_refused_and_left_as_it_is(tmp_path):
    opened(tmp_path).close()
    place = database(tmp_path)
    with place.write() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'r9999'"))
    with pytest.raises(SchemaMismatch, match="newer"):
        opened(tmp_path)
    with place.read() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one() == "r9999"
    place.close()


def test_a_migration_that_fails_leaves_nothing(tmp_path, monkeypatch):
    def fail(*_arguments):
        raise RuntimeError("planted")

    with monkeypatch.context() as patch:
        patch.setattr("memory_lib.adapters.sql.schema._key_check", fail)
        with pytest.raises(RuntimeError, match="planted"):
            opened(tmp_path)
    place = database(tmp_path)
    with place.read() as connection:
        assert inspect(connection).get_table_names() == []
    place.close()
    opened(tmp_path).close()


def test_the_ledger_of_another_deployment_is_refused(tmp_path):
    opened(tmp_path / "one").close()
    opened(tmp_path / "two").close()
    (tmp_path / "one" / "ledger.db").replace(tmp_path / "two" / "ledger.db")
    with pytest.raises(KeyMissing):
        opened(tmp_path / "two")


def test_a_file_that_is_no_database_is_refused(tmp_path):
    (tmp_path / "ledger.db").write_bytes(b"not a database at all" * 100)
    with pytest.raises(Permanent) as caught:
        opened(tmp_path)
    assert type(caught.value) is Permanent


def test_a_folder_that_is_missing_is_named_without_a_trace_of_the_driver(tmp_path):
    keyring, sealer = keys_of(tmp_path)
    with pytest.raises(DependencyDown):
        SQLITE.open(tmp_path / "missing", sealer, keyring)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:", "mysql://host/name"])
def test_urls_that_cannot_hold_a_ledger_are_refused(url):
    with pytest.raises(UnknownSetting):
        Database(url, params=LEDGER)


def test_a_path_with_signs_in_it_opens(tmp_path):
    place = tmp_path / "каталог 100% ?#"
    place.mkdir()
    with opened(place) as ledger:
        ledger.people.ensure("анна", now=NOW)
    assert (place / "ledger.db").is_file()


def test_opening_a_current_ledger_does_without_alembic(tmp_path):
    opened(tmp_path).close()
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from tests.contracts.ledger_backends import BACKENDS, keys_of\n"
        "root = Path(sys.argv[1])\n"
        "keyring, sealer = keys_of(root)\n"
        "BACKENDS['sqlite'].open(root, sealer, keyring).close()\n"
        "print('alembic' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script, tmp_path], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
