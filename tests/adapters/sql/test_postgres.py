"""The ledger's server in trouble: killed, cut off, locked, slow. Whoever calls hears what to do, and the next call goes."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest
from sqlalchemy import make_url, text

from infra.local.postgres import binaries
from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.errors import MEANINGS, SQLSTATES
from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.adapters.sql.requests import CLAIMABLE
from memory_lib.domain.time import to_us
from memory_lib.errors import DependencyDown, MissingExtra, SchemaMismatch, StoreBusy, Transient, UnknownSetting
from tests.contracts.ledger.said import NOW, said
from tests.contracts.ledger.whole_person import everything, fill
from tests.contracts.ledger_backends import LEDGER, keys_of

pytestmark = pytest.mark.postgres

QUICK = replace(LEDGER, busy_s=0.3, statement_s=5.0, connections=3, overflow=0)


@pytest.fixture
def keys(tmp_path):
    return keys_of(tmp_path)


@pytest.fixture
def ledger(postgres_url, keys):
    with Ledger(postgres_url, keys[1], keys[0], params=QUICK) as opened:
        yield opened


@pytest.fixture
def user(ledger):
    return ledger.people.ensure("анна", now=NOW)


@pytest.fixture
def outsider(postgres_url):
    """Somebody else's connection."""
    with psycopg.connect(postgres_url.replace("+psycopg", ""), autocommit=True) as connection:
        yield connection


def cut_all(outsider):
    """End every other connection to this database."""
    outsider.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    time.sleep(0.1)


def test_a_session_waits_for_nobody_without_end(ledger):
    names = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout", "application_name")
    with ledger._database.read() as connection:
        values = [connection.execute(text(f"SHOW {name}")).scalar_one() for name in names]
    assert values == ["300ms", "5s", "5s", "selfimprint"]


@pytest.mark.slow
def test_a_server_that_died_is_named_and_the_same_ledger_goes_on_when_it_is_back(private_server, keys):
    server = private_server("postgres")
    with server.postgres.fresh() as url, Ledger(url, keys[1], keys[0], params=QUICK) as ledger:
        user = ledger.people.ensure("анна", now=NOW)
        key = keys[0].id_key
        ledger.messages.append(user, [said(key, 1)], now=NOW)
        server.kill()
        for call in (
            lambda: ledger.people.person(user),
            lambda: ledger.messages.append(user, [said(key, 2)], now=NOW),
            lambda: ledger.requests.claim("k", holder="h", limit=1, ttl_s=1.0, now=NOW),
        ):
            began = time.monotonic()
            with pytest.raises(DependencyDown):
                call()
            assert time.monotonic() - began < 5
        server.start()
        assert ledger.people.person(user).messages == 1
        ledger.messages.append(user, [said(key, 2)], now=NOW)
        assert ledger.people.person(user).messages == 2


def test_connections_cut_while_idle_cost_no_call(ledger, user, keys, outsider):
    cut_all(outsider)
    ledger.messages.append(user, [said(keys[0].id_key, 1)], now=NOW)
    cut_all(outsider)
    assert len(ledger.messages.refs(user)) == 1


def test_a_connection_cut_in_a_transaction_keeps_nothing_and_the_call_may_be_repeated(
    ledger, user, keys, outsider, monkeypatch
):
    from memory_lib.adapters.sql import message_log

    original, cut = message_log.lock_person, []

    def lock_then_cut(connection, who):
        original(connection, who)
        if not cut:
            cut.append(1)
            cut_all(outsider)

    monkeypatch.setattr(message_log, "lock_person", lock_then_cut)
    with pytest.raises(DependencyDown):
        ledger.messages.append(user, [said(keys[0].id_key, 1)], now=NOW)
    assert ledger.messages.refs(user) == ()
    assert ledger.messages.append(user, [said(keys[0].id_key, 1)], now=NOW).new == 1


def test_a_row_that_others_hold_is_waited_for_and_no_longer(ledger, user, keys, outsider):
    with outsider.transaction():
        outsider.execute("SELECT 1 FROM people FOR UPDATE")
        began = time.monotonic()
        with pytest.raises(StoreBusy):
            ledger.messages.append(user, [said(keys[0].id_key, 1)], now=NOW)
        assert 0.25 < time.monotonic() - began < 3
        assert ledger.people.person(user).messages == 0, "who only reads does not wait"
    assert ledger.messages.append(user, [said(keys[0].id_key, 1)], now=NOW).new == 1


def test_who_claims_work_does_not_wait_for_another_who_claims(ledger, user):
    first, second = (ledger.requests.ask(user, "forget", now=NOW + timedelta(seconds=n), payload={"n": n}) for n in range(2))
    with ledger._database.write() as connection:
        held = connection.execute(CLAIMABLE, {"of_kind": "forget", "now_us": to_us(NOW), "limit": 1}).one()
        assert held.request_id == first.id
        with ThreadPoolExecutor(1) as pool:
            (got,) = pool.submit(ledger.requests.claim, "forget", holder="h", limit=2, ttl_s=9.0, now=NOW).result(timeout=5)
        assert got.id == second.id


@pytest.mark.slow
def test_a_ledger_restored_from_a_dump_opens_by_its_url(ledger, keys, postgres_server, tmp_path):
    person = fill(ledger, keys[0].id_key, "Аделаида")
    before = everything(ledger, person)
    with pytest.raises(UnknownSetting, match="pg_dump"):
        ledger.backup(tmp_path / "copy")
    tools = binaries()
    with postgres_server.fresh() as url:
        kept = tmp_path / "ledger.dump"
        for tool, words in (
            ("pg_dump", ["--format=custom", f"--file={kept}", plain(ledger._database._url)]),
            ("pg_restore", ["--no-owner", f"--dbname={plain(make_url(url))}", str(kept)]),
        ):
            subprocess.run([str(tools / tool), *words], check=True)
        assert "Аделаида".encode() not in kept.read_bytes()
        ledger.person_store.erase(person.user)
        with Ledger(url, keys[1], keys[0], params=QUICK) as restored:
            assert everything(restored, person) == before
            ledger.person_rows.load(person.user, restored.person_rows.dump(person.user))
    assert everything(ledger, person) == before


def plain(url):
    """As PostgreSQL's own programs read it."""
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


def test_a_statement_without_end_is_ended(postgres_url):
    database = Database(postgres_url, params=replace(QUICK, statement_s=0.2))
    with pytest.raises(StoreBusy), database.read() as connection:
        connection.execute(text("SELECT pg_sleep(20)"))
    database.close()


def test_whoever_finds_no_free_connection_is_told_to_wait(ledger, user):
    everyone_in, done = threading.Barrier(4), threading.Event()

    def hold():
        with ledger._database.read() as connection:
            connection.execute(text("SELECT 1"))
            everyone_in.wait(5)
            done.wait(5)

    holders = [threading.Thread(target=hold) for _ in range(3)]
    for holder in holders:
        holder.start()
    everyone_in.wait(5)
    with pytest.raises(StoreBusy):
        ledger.people.person(user)
    done.set()
    for holder in holders:
        holder.join()
    assert ledger.people.person(user).user == user


def test_a_server_or_database_that_is_not_there_is_named_without_its_address(postgres_server, keys):
    there = make_url(postgres_server.url).set(password="geheim")
    for url in (there.set(database="nowhere"), there.set(port=1), there.set(username="nobody")):
        with pytest.raises(DependencyDown) as caught:
            Ledger(url, keys[1], keys[0], params=QUICK)
        assert "geheim" not in str(caught.value)
        assert caught.value.__suppress_context__


def test_without_the_driver_the_extra_is_named(monkeypatch, keys):
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r"selfimprint\[postgres\]"):
        Ledger("postgresql://host/name", keys[1], keys[0], params=QUICK)


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_the_usual_ways_to_write_its_url_are_understood(postgres_url, scheme):
    database = Database(f"{scheme}://{postgres_url.partition('://')[2]}", params=QUICK)
    with database.read() as connection:
        assert connection.execute(text("SELECT 1")).scalar_one() == 1
    database.close()


def test_an_erasure_waits_for_who_still_sees_the_rows_and_may_be_repeated(ledger, user, outsider):
    with outsider.transaction():
        outsider.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        outsider.execute("SELECT count(*) FROM people")
        with pytest.raises(StoreBusy):
            ledger.person_store.erase(user)
    ledger.person_store.erase(user)
    assert ledger.person_store.residue(user) == {}


def test_tables_too_large_to_be_written_anew_are_stated(postgres_url, keys):
    with Ledger(postgres_url, keys[1], keys[0], params=replace(QUICK, rewrite_bytes=0)) as ledger:
        user = ledger.people.ensure("анна", now=NOW)
        assert ledger.person_store.erase(user)["log_reusable_bytes"] > 0
        assert ledger.person_store.residue(user) == {}


@contextmanager
def answer_lost(database):
    """The commit goes through; its answer does not arrive."""
    original = database.write

    @contextmanager
    def write():
        with original() as connection:
            yield connection
        raise DependencyDown("ledger", "planted")

    database.write = write
    yield
    database.write = original


def test_a_person_whose_making_was_not_confirmed_keeps_their_key(ledger, keys):
    with answer_lost(ledger._database), pytest.raises(DependencyDown):
        ledger.people.ensure("борис", now=NOW)
    user = ledger.people.ensure("борис", now=NOW)
    assert ledger.people.external(user) == "борис"
    assert keys[0].exists(user)


def known_states():
    """Every SQLSTATE that the driver has a class for."""
    named = (getattr(psycopg.errors, name) for name in dir(psycopg.errors))
    kinds = {kind for kind in named if isinstance(kind, type) and issubclass(kind, psycopg.Error)}
    return sorted({kind.sqlstate for kind in kinds if isinstance(getattr(kind, "sqlstate", None), str)})


def test_every_state_that_the_driver_knows_has_a_meaning():
    from sqlalchemy import exc

    from memory_lib.adapters.sql.errors import translate

    states = known_states()
    assert len(states) > 200
    retried = {"40001", "40P01", "55P03", "57014", "25P03", "57P01", "57P02", "57P03", "08006", "53300"}
    for state in states:
        error = exc.OperationalError("x", {}, psycopg.errors.lookup(state)("geheim"))
        ours = translate(error)
        assert "geheim" not in str(ours)
        if state in retried:
            assert isinstance(ours, Transient), state
    assert {SQLSTATES[state] for state in SQLSTATES} <= set(MEANINGS)


def test_a_database_without_our_tables_is_a_schema_mismatch(postgres_url):
    database = Database(postgres_url, params=QUICK)
    with pytest.raises(SchemaMismatch), database.read() as connection:
        connection.execute(text("SELECT 1 FROM people"))
    database.close()
