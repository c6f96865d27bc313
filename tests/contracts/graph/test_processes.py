from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from memory_lib.domain.changes import RenameNode
from memory_lib.domain.ids import UserId
from tests.contracts.graph.samples import DIMENSION, FINGERPRINT, NOW, change_set, edge, node_id, person
from tests.contracts.graph.worker import first_set, second_sets, writers_set

REPOSITORY = Path(__file__).resolve().parents[3]
SEALS = 20  # of the second sets: 10 nodes, 8 vectors, an edge, an act


def worker(task, backend, root, *rest):
    command = [sys.executable, "-m", "tests.contracts.graph.worker", task, backend.name, str(root), *rest]
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY)}
    return subprocess.Popen(command, cwd=REPOSITORY, env=environment, stdout=subprocess.PIPE, text=True)


@pytest.fixture(autouse=True)
def needs_processes(backend):
    if not backend.many_processes:
        pytest.skip(f"{backend.name} leaves processes to another row")


def expect_all_of(backend, store, writers):
    graph = store.load(person())
    names = [f"{w} {n}" for w in writers for n in range(backend.repeats)]
    assert set(graph.nodes) == {node_id(name) for name in names} | {node_id("shared")}
    assert set(graph.edges) == {edge(name, "shared").id for name in names}
    assert len(graph.vectors) == len(names)
    assert graph.revision.n == len(names), "one for each change set, none lost, none counted twice"
    entries = store.pending(person(), limit=1000)
    assert sorted(e.write_key for e in entries) == sorted(
        str(writers_set(person(), w, n).key) for w in writers for n in range(backend.repeats)
    )
    assert len({e.seq for e in entries}) == len(entries)


def test_two_processes_applying_at_once_lose_nothing(backend, store, tmp_path):
    running = [worker("write", backend, tmp_path, name) for name in ("one", "two")]
    assert [process.wait(60) for process in running] == [0, 0]
    for process in running:
        process.stdout.close()
    expect_all_of(backend, store, ("one", "two"))


def test_threads_sharing_a_store_and_a_second_store_lose_nothing_and_read_whole_states(backend, store, open_store):
    store.set_fingerprint(person(), fingerprint=FINGERPRINT, dimension=DIMENSION, token=1)
    other = open_store()
    failures: list[BaseException] = []
    done = threading.Event()

    def guarded(work, *args):
        try:
            work(*args)
        except BaseException as error:  # noqa: BLE001 - reported below
            failures.append(error)

    def write(target, name):
        for number in range(backend.repeats):
            target.apply(person(), [writers_set(person(), name, number)], token=1, now=NOW)

    def read(target):
        last = -1
        while not done.is_set():
            graph, index = target.load(person()), target.index(person())
            assert len(graph.edges) == len(graph.vectors) == graph.revision.n
            assert len(index.edge_type) == index.has_vector.sum() == index.revision.n >= graph.revision.n >= last
            last = graph.revision.n

    writing = [
        threading.Thread(target=guarded, args=(write, s, n)) for s, n in ((store, "one"), (store, "two"), (other, "three"))
    ]
    reading = [threading.Thread(target=guarded, args=(read, s)) for s in (store, other)]
    for thread in (*writing, *reading):
        thread.start()
    for thread in writing:
        thread.join(60)
    done.set()
    for thread in reading:
        thread.join(60)
    assert failures == []
    expect_all_of(backend, store, ("one", "two", "three"))


def contents(store, user):
    graph = store.load(user)
    actions = [(e.write_key.removeprefix(user), e.position, e.action) for e in store.pending(user, limit=100)]
    vectors = {i: v.tobytes() for i, v in graph.vectors.items()}
    return (graph.nodes, graph.edges, graph.acts, graph.renames, vectors, graph.revision.n, actions)


def uninterrupted(store, user: UserId):
    """What a person holds before and after the second sets, when nobody dies."""
    nothing = contents(store, user)
    store.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=DIMENSION, token=1)
    store.apply(user, [first_set(user)], token=1, now=NOW)
    before = contents(store, user)
    store.apply(user, second_sets(user), token=1, now=NOW)
    after = contents(store, user)
    return nothing, before, after


def test_killed_in_the_middle_of_an_apply_all_or_nothing_is_there_and_the_rerun_completes_it(backend, store, tmp_path):
    points = [
        *(f"seal {n}" for n in (1, 9, SEALS - 2, SEALS - 1, SEALS, SEALS + 1)),
        "make 1",
        "make 17",
        *(f"time {ms}" for ms in (0, 3, 6, 9)),
    ]
    process = worker("die", backend, tmp_path, *points)
    answer, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    fates = dict(line.split("\t") for line in answer.splitlines())
    assert list(fates) == points
    seals_a_call = sum(fates[p] == "killed" for p in points if p.startswith(("seal", "make")))
    assert seals_a_call == 7, "all but the last point lie inside the calls"
    for point in points:
        user = person(point)
        nothing, before, after = uninterrupted(store, person(f"calm {point}"))
        found = contents(store, user)
        if fates[point] == "finished":
            assert found == after, point
        elif point.startswith("time"):
            assert found in (before, after), point
        else:
            # a person who is being made may die before or after the first call, never inside one
            assert found == before or (point.startswith("make") and found == nothing), point
        store.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=DIMENSION, token=1)
        store.apply(user, [first_set(user), *second_sets(user)], token=1, now=NOW)
        assert contents(store, user) == after, point


def test_a_store_opened_by_another_hand_sees_the_newest_state(store, open_store):
    other = open_store()
    for number in range(3):
        store.apply(
            person(), [change_set(person(), str(number), RenameNode(node_id(f"{number}"), node_id("z")))], token=number, now=NOW
        )
        assert other.head(person()) == store.head(person())
        assert other.load(person()).renames == store.load(person()).renames
