from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import pytest

from memory_lib.adapters.sqlite import schema
from memory_lib.adapters.sqlite.file_lock import file_lock
from memory_lib.adapters.sqlite.graph_store import SqliteGraphStore, new_epoch
from memory_lib.domain.changes import PutEdge, PutNode, RemoveEdge, RemoveNode, Revision
from memory_lib.domain.ids import UserId
from memory_lib.errors import IllegalValue, Permanent, SchemaMismatch, StoreBusy
from memory_lib.ports.graph import GraphFileParams
from tests.contracts.graph.samples import DIMENSION, FINGERPRINT, NOW, change_set, edge, node, node_id, person, vector
from tests.contracts.graph.worker import first_set, second_sets
from tests.contracts.sealers import TestSealer

REPOSITORY = Path(__file__).resolve().parents[3]


def open_store(root, *, files=4, timeout=5.0):
    return SqliteGraphStore(root, TestSealer(), params=GraphFileParams(max_open_files=files, busy_timeout_s=timeout))


@pytest.fixture
def store(tmp_path):
    opened = open_store(tmp_path)
    yield opened
    opened.close()


def put(store, name="anna", unit="1", content=None):
    user = person(name)
    return store.apply(user, [change_set(user, unit, PutNode(node("a", content)))], token=1, now=NOW)[0].revision


def file_of(root, name="anna"):
    user = person(name)
    return root / "graphs" / user[:2] / f"{user}.db"


# -- files --


def test_a_person_is_one_file_named_by_internal_id_that_only_its_owner_may_read(store, tmp_path):
    put(store)
    path = file_of(tmp_path)
    assert path.stat().st_mode & 0o777 == 0o600
    for folder in (path.parent, path.parent.parent):
        assert folder.stat().st_mode & 0o777 == 0o700
    # each of them is as closed as the file
    assert {p.name for p in path.parent.iterdir()} == {path.name, f"{path.name}-wal", f"{path.name}-shm", f"{path.name}.lock"}
    assert all(p.stat().st_mode & 0o077 == 0 for p in path.parent.iterdir())
    store.close()
    assert {p.name for p in path.parent.iterdir()} == {path.name, f"{path.name}.lock"}
    assert store.file_bytes(person()) == path.stat().st_size
    assert store.file_bytes(person("nobody")) == 0


def test_reading_a_person_without_a_graph_makes_no_file(store, tmp_path):
    store.load(person())
    store.index(person())
    store.acknowledge(person(), up_to=1)
    assert list(tmp_path.rglob("*")) == []


@pytest.mark.parametrize("name", ["", "anna", "../../etc/passwd", "A" * 32, "a" * 31, "a" * 33, "a" * 32 + "\n", "ａ" * 32])
def test_only_internal_ids_become_file_names(store, name):
    with pytest.raises(IllegalValue, match="32 hex digits"):
        store.head(UserId(name))


def test_connections_have_the_settings_that_keep_data(store):
    put(store)
    with store._reading(person()) as connection:
        told = {
            name: connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "secure_delete", "temp_store")
        }
    assert told == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1, "temp_store": 2}


def test_a_file_of_a_newer_version_is_refused_and_left_as_it_is(store, tmp_path):
    put(store)
    store.close()
    with closing(sqlite3.connect(file_of(tmp_path))) as connection:
        connection.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    before = file_of(tmp_path).read_bytes()
    for call in (lambda: store.head(person()), lambda: put(store, unit="2")):
        with pytest.raises(SchemaMismatch, match="newer release"):
            call()
    assert file_of(tmp_path).read_bytes() == before


def test_a_file_of_the_first_version_is_brought_to_this_one_with_all_it_holds(store, tmp_path):
    put(store)
    before, head = store.load(person()), store.head(person())
    store.close()
    with closing(sqlite3.connect(file_of(tmp_path))) as connection:
        connection.execute("DROP TABLE next_vector")
        connection.execute("PRAGMA user_version = 1")
    assert store.load(person()) == before
    assert store.head(person()) == head
    assert store.ahead(person()) == 0
    put(store, unit="2")


def test_a_file_that_is_no_database_is_named_as_such(store, tmp_path):
    put(store)
    store.close()
    file_of(tmp_path).write_bytes(b"not a database at all" * 500)
    with pytest.raises(SchemaMismatch, match=person()):
        store.load(person())


def test_a_damaged_file_is_named_as_such(store, tmp_path):
    store.set_fingerprint(person(), fingerprint=FINGERPRINT, dimension=DIMENSION, token=1)
    store.apply(
        person(), [change_set(person(), "1", *(PutNode(node(f"{i}"), vector(i)) for i in range(200)))], token=1, now=NOW
    )
    store.close()
    path = file_of(tmp_path)
    data = bytearray(path.read_bytes())
    data[4096 : len(data)] = os.urandom(len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(Permanent, match="damaged"):
        store.load(person())


def test_an_empty_file_left_by_a_killed_process_is_made_whole(store, tmp_path):
    path = file_of(tmp_path)
    path.parent.mkdir(parents=True)
    path.touch()
    assert store.load(person()).nodes == {}
    assert put(store).n == 1


# -- how many are open --


def test_no_more_files_are_open_than_allowed_and_the_longest_unused_is_closed(tmp_path):
    store = open_store(tmp_path, files=3)
    for name in "abcd":
        put(store, name)
    assert store.open_files == 3
    assert not Path(f"{file_of(tmp_path, 'a')}-wal").exists(), "closed"
    store.head(person("b"))
    put(store, "e")
    assert not Path(f"{file_of(tmp_path, 'c')}-wal").exists(), "b was used since"
    assert [store.load(person(name)).revision.n for name in "abcde"] == [1] * 5
    store.close()
    assert store.open_files == 0


def test_many_threads_on_many_people_stay_within_the_limit(tmp_path):
    store, most, failures = open_store(tmp_path, files=2), [0], []

    def work(name):
        try:
            for unit in range(5):
                put(store, name, str(unit))
                most[0] = max(most[0], store.open_files)
                store.head(person(name))
        except BaseException as error:  # noqa: BLE001 - reported below
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcdef"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert most[0] <= 2
    assert [store.head(person(name)).revision.n for name in "abcdef"] == [5] * 6
    store.close()


def test_when_all_allowed_files_are_in_use_the_caller_is_told(tmp_path):
    store = open_store(tmp_path, files=1, timeout=0.05)
    put(store, "a")
    with store._reading(person("a")), pytest.raises(StoreBusy, match="may be open"):
        store.head(person("b"))
    assert store.head(person("b")).revision == Revision(0, 0)
    store.close()


def test_a_writer_that_waits_too_long_is_told_and_keeps_nothing(tmp_path):
    store = open_store(tmp_path, timeout=0.05)
    put(store)
    with file_lock(str(file_of(tmp_path)), timeout_s=1):
        with pytest.raises(StoreBusy):
            put(store, unit="2")
        assert store.head(person()).revision.n == 1, "readers wait for nobody"
    assert put(store, unit="2").n == 2
    with closing(sqlite3.connect(file_of(tmp_path), isolation_level=None)) as stranger:
        stranger.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreBusy):
            put(store, unit="3")
        stranger.execute("ROLLBACK")
    assert put(store, unit="3").n == 3
    store.close()


# -- erasing --


def test_erasing_takes_every_file_of_the_person_and_of_nobody_else(store, tmp_path):
    put(store, "anna")
    put(store, "boris")
    store.erase(person("anna"))
    store.erase(person("nobody"))
    assert [p for p in tmp_path.rglob("*") if person("anna") in p.name] == []
    assert store.load(person("anna")).nodes == {}
    assert store.head(person("anna")).revision == Revision(0, 0)
    assert len(store.load(person("boris")).nodes) == 1


def test_a_person_made_anew_has_another_epoch_and_other_stores_notice(store, tmp_path):
    first, other = put(store), open_store(tmp_path)
    assert other.load(person()).revision == first
    store.erase(person())
    assert other.head(person()).revision == Revision(0, 0)
    second = put(store, content="after")
    assert first.n == second.n == 1
    assert first.epoch != second.epoch
    assert other.load(person()).nodes[node_id("a")].content == "after"
    # a connection to the erased file must not take the log of the new one with it
    third = open_store(tmp_path)
    assert third.head(person()).revision == second
    store.erase(person())
    fourth = put(other, content="again")
    third.close()
    assert third.head(person()).revision == store.head(person()).revision == fourth
    other.close()
    third.close()


def test_epochs_are_exact_in_json_and_differ():
    epochs = {new_epoch() for _ in range(50)}
    assert len(epochs) > 45
    assert max(epochs) < 2**53


# -- processes --


def test_after_a_fork_parent_and_child_use_connections_of_their_own(store, tmp_path):
    put(store)
    assert store.open_files == 1
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            inherited = store.open_files
            revision = put(store, unit="child").n
            store.close()
            os.write(write_end, f"{inherited} {revision}".encode())
        finally:
            os._exit(0)
    os.close(write_end)
    put(store, unit="parent")
    os.waitpid(child, 0)
    assert os.read(read_end, 100).split()[0] == b"0", "nothing is inherited open"
    os.close(read_end)
    assert store.head(person()).revision.n == 3
    assert store.applied_keys(person(), [str(change_set(person(), u).key) for u in ("1", "child", "parent")]) != frozenset()
    assert len(store.applied_keys(person(), [str(change_set(person(), u).key) for u in ("1", "child", "parent")])) == 3


def test_a_child_forked_while_a_connection_is_in_use_leaves_it_alone(tmp_path):
    store = open_store(tmp_path, timeout=0.2)
    put(store)
    using, release = threading.Event(), threading.Event()

    def use():
        with store._reading(person()):
            using.set()
            release.wait(10)

    thread = threading.Thread(target=use)
    thread.start()
    using.wait(5)
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            inherited = [f.connection for f in store._files._files.values()]
            store.head(person("nobody"))
            answer = store._files._left_open == inherited and store.open_files == 0
            os.write(write_end, b"yes" if answer else b"no")
        finally:
            os._exit(0)
    os.close(write_end)
    os.waitpid(child, 0)
    release.set()
    thread.join()
    assert os.read(read_end, 10) == b"yes"
    os.close(read_end)
    assert put(store, unit="2").n == 2
    store.close()


def test_killed_at_any_statement_a_person_is_whole_and_the_rerun_completes_it(store, tmp_path):
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    command = [sys.executable, "-m", "tests.adapters.sqlite.deaths", str(tmp_path), "1", "220", "13"]
    answer = subprocess.run(
        command, cwd=REPOSITORY, env=environment, stdout=subprocess.PIPE, text=True, timeout=90, check=True
    ).stdout
    fates = dict(line.split() for line in answer.splitlines())
    assert {"killed", "finished"} == set(fates.values()), "the range must reach beyond the last statement"
    seen = set()
    for number in fates:
        user = person(f"death {number}")
        graph = store.load(user)
        seen.add((graph.revision.n, len(graph.nodes), len(graph.edges), len(graph.acts)))
        store.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=DIMENSION, token=1)
        store.apply(user, [first_set(user), *second_sets(user)], token=1, now=NOW)
        graph = store.load(user)
        assert (graph.revision.n, len(graph.nodes), len(graph.edges), len(graph.acts)) == (3, 14, 4, 1)
        with store._reading(user) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    assert seen == {(0, 0, 0, 0), (1, 6, 5, 0), (3, 14, 4, 1)}, "between change sets of one call there is no state"


def test_a_removed_node_leaves_no_row_behind(store):
    user = person()
    store.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=DIMENSION, token=1)
    changes = [
        *(PutNode(node(name), vector(1)) for name in "abc"),
        PutEdge(edge("a", "b")),
        PutEdge(edge("b", "a")),
        PutEdge(edge("b", "c")),
    ]
    store.apply(user, [change_set(user, "1", *changes)], token=1, now=NOW)
    store.apply(user, [change_set(user, "2", RemoveNode(node_id("a")), RemoveEdge(edge("b", "c").id))], token=1, now=NOW)
    with store._reading(user) as connection:
        owners = {owner for (owner,) in connection.execute("SELECT owner FROM proof")}
        vectors = {owner for (owner,) in connection.execute("SELECT node FROM vector")}
    assert owners == vectors == {node_id("b"), node_id("c")}
