"""A copy of a SQLite ledger that is in use."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from memory_lib.adapters.sql.engine import sqlite_url
from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.errors import IllegalValue
from tests.contracts.ledger.said import NOW, said
from tests.contracts.ledger.whole_person import everything, fill
from tests.contracts.ledger_backends import BACKENDS, LEDGER, keys_of


@pytest.fixture
def keys(tmp_path):
    return keys_of(tmp_path)


@pytest.fixture
def keyring(keys):
    return keys[0]


@pytest.fixture
def sealer(keys):
    return keys[1]


@pytest.fixture
def ledger(tmp_path, keyring, sealer):
    with BACKENDS["sqlite"].open(tmp_path, sealer, keyring) as opened:
        yield opened


def test_a_backup_is_whole_opens_like_the_ledger_and_is_its_owners(ledger, keyring, sealer, tmp_path):
    person = fill(ledger, keyring.id_key, "Аделаида")
    before = everything(ledger, person)
    ledger.backup(tmp_path / "copy.db")
    ledger.messages.append(person.user, [said(keyring.id_key, 99)], now=NOW)
    with Ledger(sqlite_url(tmp_path / "copy.db"), sealer, keyring, params=LEDGER) as copy:
        assert everything(copy, person) == before
    assert stat.S_IMODE((tmp_path / "copy.db").stat().st_mode) == 0o600
    assert not list(tmp_path.glob("*.half"))


def test_a_backup_made_while_others_write_holds_whole_batches(ledger, keyring, sealer, tmp_path):
    user = ledger.people.ensure("анна", now=NOW)

    def write(number):
        ledger.messages.append(user, [said(keyring.id_key, 10 * number + n) for n in range(10)], now=NOW)

    with ThreadPoolExecutor(3) as pool:
        writing = pool.map(write, range(40))
        ledger.backup(tmp_path / "copy.db")
        list(writing)
    with Ledger(sqlite_url(tmp_path / "copy.db"), sealer, keyring, params=LEDGER) as copy:
        said_then = copy.people.person(user).messages
        assert said_then % 10 == 0
        assert len(copy.messages.refs(user)) == said_then


def test_a_backup_never_overwrites(ledger, tmp_path):
    (tmp_path / "copy.db").write_text("mine")
    with pytest.raises(IllegalValue):
        ledger.backup(tmp_path / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "mine"


def test_a_backup_holds_nobody_who_was_erased(ledger, keyring, tmp_path):
    person = fill(ledger, keyring.id_key, "Аделаида")
    ledger.person_store.erase(person.user)
    ledger.backup(tmp_path / "copy.db")
    assert person.user.encode() not in (tmp_path / "copy.db").read_bytes()
