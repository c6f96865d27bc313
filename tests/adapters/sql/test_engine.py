from __future__ import annotations

import os
import stat
import threading
from dataclasses import replace

import pytest
from sqlalchemy import text

from memory_lib.adapters.sql.engine import Database, sqlite_url
from memory_lib.adapters.sql.write_lock import WriteLock
from memory_lib.errors import StoreBusy
from tests.contracts.ledger.said import NOW, said
from tests.contracts.ledger_backends import BACKENDS, LEDGER, keys_of

QUICK = replace(LEDGER, busy_s=0.1)


@pytest.fixture
def ledger(tmp_path):
    keyring, sealer = keys_of(tmp_path)
    with BACKENDS["sqlite"].open(tmp_path, sealer, keyring) as opened:
        yield opened


@pytest.fixture
def database(tmp_path, ledger):
    opened = Database(sqlite_url(tmp_path / "ledger.db"), params=QUICK)
    yield opened
    opened.close()


def test_a_connection_is_set_up_to_lose_nothing(database):
    with database.read() as connection:
        values = {
            name: connection.execute(text(f"PRAGMA {name}")).scalar_one()
            for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        }
    assert values == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "busy_timeout": 100}


def test_the_file_is_its_owners(tmp_path, ledger):
    ledger.people.ensure("анна", now=NOW)
    for path in tmp_path.glob("ledger.db*"):
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


def test_a_writer_is_alone_and_a_reader_does_not_wait(database, ledger):
    with database.write() as connection:
        connection.execute(text("INSERT INTO deployment VALUES ('a', 'b')"))
        other = Database(sqlite_url(database.path), params=QUICK)
        with pytest.raises(StoreBusy), other.write():
            pass
        with other.read() as reader:
            assert reader.execute(text("SELECT count(*) FROM deployment WHERE name = 'a'")).scalar_one() == 0
    with other.write() as connection:
        assert connection.execute(text("SELECT count(*) FROM deployment WHERE name = 'a'")).scalar_one() == 1
    other.close()


def test_an_error_inside_a_write_undoes_it(database):
    def write_half():
        with database.write() as connection:
            connection.execute(text("INSERT INTO deployment VALUES ('a', 'b')"))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_half()
    with database.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM deployment WHERE name = 'a'")).scalar_one() == 0


def test_closing_waits_for_the_writer(database, tmp_path):
    with database.read():
        pass
    lock = WriteLock(tmp_path / "ledger.db.lock", timeout_s=1)
    closed = threading.Event()

    def close():
        other = Database(sqlite_url(database.path), params=LEDGER)
        with other.read():
            pass
        other.close()
        closed.set()

    with lock:
        thread = threading.Thread(target=close)
        thread.start()
        assert not closed.wait(0.2)
    thread.join(10)
    assert closed.is_set()
    lock.close()


def test_a_lock_is_re_entrant_in_its_thread_and_nowhere_else(tmp_path):
    lock = WriteLock(tmp_path / "lock", timeout_s=0.05)
    refused = []

    def try_it():
        try:
            with lock:
                pass
        except StoreBusy as error:
            refused.append(error)

    with lock, lock:
        thread = threading.Thread(target=try_it)
        thread.start()
        thread.join(5)
    assert len(refused) == 1
    try_it()
    assert len(refused) == 1
    lock.close()


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_opens_connections_of_its_own(ledger, tmp_path):
    key = keys_of(tmp_path)[0].id_key
    user = ledger.people.ensure("анна", now=NOW)
    child = os.fork()
    if child == 0:
        done = 1
        try:
            ledger.messages.append(user, [said(key, 1)], now=NOW)
            done = 0 if len(ledger.messages.refs(user)) == 1 else 2
        finally:
            os._exit(done)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    ledger.messages.append(user, [said(key, 2)], now=NOW)
    assert [ref.id for ref in ledger.messages.refs(user)] == [said(key, 1).id, said(key, 2).id]


def test_a_closed_ledger_opens_again_when_used(ledger):
    ledger.close()
    ledger.close()
    assert ledger.people.find("анна") is None
