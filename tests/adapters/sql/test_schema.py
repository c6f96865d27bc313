from __future__ import annotations

import subprocess
import sys

import pytest
from alembic.script import ScriptDirectory

from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.schema import alembic_config
from memory_lib.adapters.sql.tables import REVISION
from memory_lib.errors import DependencyDown, KeyMissing, Permanent, UnknownSetting
from tests.contracts.ledger.said import NOW
from tests.contracts.ledger_backends import BACKENDS, LEDGER, keys_of

SQLITE = BACKENDS["sqlite"]


def opened(root):
    keyring, sealer = keys_of(root)
    return SQLITE.open(root, sealer, keyring)


def test_the_code_knows_the_newest_migration():
    assert ScriptDirectory.from_config(alembic_config()).get_current_head() == REVISION


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


@pytest.mark.parametrize(
    "url", ["sqlite://", "sqlite:///:memory:", "mysql://host/name", "postgresql+asyncpg://host/name", "no url"]
)
def test_urls_that_cannot_hold_a_ledger_are_refused(url):
    with pytest.raises(UnknownSetting):
        Database(url, params=LEDGER)


def test_a_url_that_is_refused_is_not_quoted():
    with pytest.raises(UnknownSetting) as caught:
        Database("mysql+x://anna:geheim@host", params=LEDGER)
    assert "geheim" not in str(caught.value)
    with pytest.raises(UnknownSetting) as caught:
        Database("anna:geheim@host", params=LEDGER)
    assert "geheim" not in str(caught.value)


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
