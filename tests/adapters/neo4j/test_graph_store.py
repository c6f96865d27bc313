from __future__ import annotations

import os
import socket
import threading
import time
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from memory_lib.adapters.neo4j.params import Neo4jServerParams
from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.changes import Action, PutEdge, PutNode, RemoveNode
from memory_lib.domain.ids import UserId
from memory_lib.domain.node import Archived, NodeState
from memory_lib.errors import DependencyDown, FingerprintMismatch, IllegalValue, Permanent
from tests.contracts.backends import NEO4J_PARAMS, data_key
from tests.contracts.graph.samples import NOW, change_set, edge, ident, node, node_id
from tests.contracts.sealers import TestSealer

D = 24


def row(seed: int):
    return np.random.default_rng(seed).standard_normal(D).astype(np.float32)


def put(store, user, unit, *changes, actions=()):
    (applied,) = store.apply(user, [change_set(user, unit, *changes, actions=actions)], token=1, now=NOW)
    return applied


def known(store, user):
    store.set_fingerprint(user, fingerprint="test-24", dimension=D, token=1)


def properties(server, user: UserId):
    """What lies there of a person's memories: id → properties."""
    import neo4j

    with neo4j.GraphDatabase.driver(server.url) as driver, driver.session(database=server.database) as session:
        rows = session.run("MATCH (m:Memory {user_id: $user}) RETURN properties(m) AS p", user=user)
        return {record["p"]["id"]: record["p"] for record in rows}


# -- people apart --


def test_two_people_of_the_same_ids_names_and_texts_never_meet(server, open_store, people):
    store = open_store(server)
    anna, boris = people(), people()
    for user in (anna, boris):
        known(store, user)
        changes = [PutNode(node(n, "the same words"), row(i).tobytes()) for i, n in enumerate("abc")]
        put(store, user, "1", *changes, PutEdge(edge("a", "b")), actions=[Action("create", "new", ())])
    before = store.take(boris)
    put(store, anna, "2", PutNode(node("a", "Анна одна"), row(9).tobytes()), RemoveNode(node_id("b")), PutEdge(edge("c", "a")))
    put(store, anna, "3", PutNode(node("only anna"), row(1).tobytes()), PutEdge(edge("only anna", "c")))
    store.acknowledge(anna, up_to=10)
    after = store.take(boris)
    assert (after.nodes, after.edges, after.revision, after.outbox) == (
        before.nodes,
        before.edges,
        before.revision,
        before.outbox,
    )
    assert after.write_keys == before.write_keys
    for user, names in ((anna, {"a", "c", "only anna"}), (boris, {"a", "b", "c"})):
        ids = {node_id(n) for n in names}
        assert set(store.index(user).ids) == ids
        assert {found for found, _ in store.search(user, row(1), k=20).nodes} == ids
        assert set(store.nodes(user, [node_id(n) for n in ("a", "b", "c", "only anna")])) == ids
    assert {e.id for e in store.edges_among(boris, [node_id(n) for n in "abc"])} == {edge("a", "b").id}
    assert store.chains(boris, edge_type=EdgeType.CAUSED_BY, min_length=1, limit=5) == ((node_id("a"), node_id("b")),)
    assert [len(store.search(user, row(1), k=1).edges) for user in (anna, boris)] == [1, 1]
    store.erase(anna)
    same = store.take(boris)
    assert (same.nodes, same.edges, same.revision) == (before.nodes, before.edges, before.revision)
    assert {i: v.tobytes() for i, v in same.vectors.items()} == {i: v.tobytes() for i, v in before.vectors.items()}
    assert store.residue(anna) == {}


def test_vectors_lie_there_turned_by_each_persons_own_key(newest, open_store, people):
    store = open_store(newest)
    anna, boris = people(), people()
    for user in (anna, boris):
        known(store, user)
        put(store, user, "1", *(PutNode(node(str(i)), row(i).tobytes()) for i in range(30)))
    plain = np.stack([row(i) for i in range(30)])
    theirs = [
        np.array([found[node_id(str(i))]["embedding"] for i in range(30)], np.float32)
        for found in (properties(newest, anna), properties(newest, boris))
    ]
    for stored in theirs:
        np.testing.assert_allclose(stored @ stored.T, plain @ plain.T, atol=1e-3), "cosines are kept"
        assert abs(cosine(stored, plain).mean()) < 0.25, "of no use beside a public model"
    assert abs(cosine(*theirs).mean()) < 0.25, "nor beside anybody else's"
    np.testing.assert_array_equal(store.load(anna).vectors[node_id("3")], row(3))
    assert not any(row(3).tobytes() in bytes(found["vector"]) for found in properties(newest, anna).values())


def cosine(left, right):
    return np.sum(left * right, axis=1) / np.linalg.norm(left, axis=1) / np.linalg.norm(right, axis=1)


def test_a_new_key_turns_them_anew(newest, open_store, people):
    store, anna = open_store(newest), people()
    known(store, anna)
    put(store, anna, "1", PutNode(node("a"), row(1).tobytes()))
    old = properties(newest, anna)[node_id("a")]["embedding"]
    store.place(anna, store.take(anna), token=2, key_generation=2)
    new = properties(newest, anna)[node_id("a")]["embedding"]
    assert not np.allclose(old, new, atol=0.1)
    assert store.search(anna, row(1), k=1).nodes[0][1] == pytest.approx(1.0, abs=1e-5)
    store.apply(anna, [change_set(anna, "2", PutNode(node("b"), row(2).tobytes()))], token=2, now=NOW)
    assert store.search(anna, row(2), k=1).nodes[0][0] == node_id("b"), "what is written later is turned by the same key"


def test_a_person_made_here_begins_with_the_newest_key(newest, open_store, people):
    store, anna = open_store(newest, newest=lambda _: 5), people()
    known(store, anna)
    assert store.head(anna).key_generation == 5


# -- the store's own search --


def test_the_search_finds_the_true_neighbours_and_the_edges_of_one_step(server, open_store, people):
    store = open_store(server)
    crowd, anna = [people() for _ in range(4)], people()
    for user in (*crowd, anna):
        known(store, user)
        put(store, user, "1", *(PutNode(node(f"{i}"), row(i + len(user)).tobytes()) for i in range(60)))
    hidden = {"state": NodeState.ARCHIVED, "archived": Archived(NOW, "faded", ident("b"))}
    near = row(700)
    put(
        store,
        anna,
        "2",
        PutNode(node("hidden", **hidden), near.tobytes()),
        PutNode(node("alone"), None),
        PutEdge(edge("5", "alone")),
        PutEdge(edge("6", "hidden")),
        PutEdge(edge("7", "8", retracted_at=NOW)),
    )
    plain = {node_id(f"{i}"): row(i + 32) for i in range(60)}
    found = store.search(anna, near, k=10)
    truth = sorted(plain, key=lambda n: -float(cosine(plain[n][None], near[None])[0]))[:10]
    assert [n for n, _ in found.nodes] == truth
    for n, score in found.nodes:
        assert score == pytest.approx(float(cosine(plain[n][None], near[None])[0]), abs=1e-5)
    assert store.search(anna, plain[node_id("5")], k=1).edges == (edge("5", "alone").id,)
    assert store.search(anna, plain[node_id("6")], k=1).edges == (), "a hidden neighbour is none"
    assert store.search(anna, plain[node_id("7")], k=1).edges == (), "nor is one along an edge that was taken back"
    assert len(store.search(anna, near, k=500).nodes) == 60


def test_a_search_that_cannot_be_is_refused(newest, open_store, people):
    store, anna = open_store(newest), people()
    assert store.search(anna, row(1), k=3).nodes == (), "nobody has nothing"
    known(store, anna)
    with pytest.raises(FingerprintMismatch):
        store.search(anna, np.zeros(3, np.float32), k=3)
    with pytest.raises(IllegalValue):
        store.search(anna, row(1), k=0)


# -- servers, processes, retries --


def closed_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def store_at(port: int, **changes):
    pytest.importorskip("neo4j")
    from memory_lib.adapters.neo4j.graph_store import Neo4jGraphStore

    params = replace(NEO4J_PARAMS, **{"connect_s": 0.5, "retry_s": 0.5, **changes})
    return Neo4jGraphStore(Neo4jServerParams(uri=f"bolt://127.0.0.1:{port}"), TestSealer(), keys=data_key, params=params)


def test_a_server_that_is_away_is_told_at_once(people):
    store = store_at(closed_port())
    for call in (
        lambda: store.head(people()),
        lambda: store.index(people()),
        lambda: store.nodes(people(), [node_id("a")]),
        lambda: store.capabilities,
        lambda: store.erase(people()),
    ):
        begun = time.perf_counter()
        with pytest.raises(DependencyDown):
            call()
        assert time.perf_counter() - begun < 2.0
    store.close()


def test_a_server_that_accepts_and_says_nothing_is_told_within_the_setting(people):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        taken: list[socket.socket] = []

        def accept() -> None:
            while True:
                try:
                    taken.append(silent.accept()[0])
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        store = store_at(silent.getsockname()[1])
        begun = time.perf_counter()
        with pytest.raises(DependencyDown):
            store.head(people())
        assert time.perf_counter() - begun < 3.0
        store.close()
        silent.shutdown(socket.SHUT_RDWR)
        for each in taken:
            each.close()


def test_a_store_is_made_without_a_connection_and_a_closed_one_connects_again(newest, open_store, people):
    store, anna = open_store(newest), people()
    put(store, anna, "1", PutNode(node("a")))
    store.close()
    store.close()
    assert store.head(anna).revision.n == 1


def test_a_user_id_that_is_none_is_refused(newest, open_store):
    store = open_store(newest)
    for wrong in ("anna", "../../etc", "", "A" * 32, "0" * 31, "0" * 33):
        with pytest.raises(IllegalValue):
            super(type(store), store)._check(UserId(wrong))


def test_a_child_of_a_fork_opens_a_connection_of_its_own_and_the_parents_goes_on(newest, open_store, people):
    store, anna = open_store(newest), people()
    put(store, anna, "1", PutNode(node("a")))
    child = os.fork()
    if child == 0:
        try:
            put(store, anna, "2", PutNode(node("b")))
            os._exit(0 if set(store.load(anna).nodes) == {node_id("a"), node_id("b")} else 3)
        except BaseException:  # noqa: BLE001 - the exit status is the answer
            os._exit(4)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    put(store, anna, "3", PutNode(node("c")))
    assert len(store.load(anna).nodes) == 3


def test_what_the_driver_tries_again_is_applied_once(newest, open_store, people):
    from neo4j.exceptions import TransientError

    class Stumbling(TestSealer):
        """The first piece of work of each kind meets a deadlock, after it has begun."""

        left = 2

        def seal(self, user, kind, record, payload):
            if self.left and kind == "edge":
                self.left -= 1
                raise TransientError("a deadlock")
            return super().seal(user, kind, record, payload)

    TransientError._retryable = True
    try:
        store, anna = open_store(newest, sealer=Stumbling()), people()
        changes = [PutNode(node("a")), PutNode(node("b")), PutEdge(edge("a", "b"))]
        applied = put(store, anna, "1", *changes, actions=[Action("create", "new", ())])
    finally:
        TransientError._retryable = False
    assert (applied.fresh, applied.revision.n, applied.dropped) == (True, 1, ())
    assert len(store.pending(anna, limit=10)) == 1
    assert set(store.load(anna).nodes) == {node_id("a"), node_id("b")}


def test_reads_are_sent_as_reads(newest, open_store):
    store = open_store(newest)
    with pytest.raises(Permanent):
        store._server.read(lambda work: work.run("MATCH (p:Person {user_id: $user}) SET p.n = 1", user="nobody"))


def test_numbers_and_names_that_nothing_keeps_are_refused(newest, open_store, people):
    store, anna = open_store(newest), people()
    with pytest.raises(IllegalValue):
        put(store, anna, "1", PutNode(node("a", rule="\ud800 words")))
    with pytest.raises(IllegalValue):
        store.apply(anna, [change_set(anna, "1", PutNode(node("a")))], token=2**70, now=NOW)
    assert store.take(anna).nodes == {}


def test_a_large_person_goes_in_batches_of_a_few_rows(newest, open_store, people):
    store, anna = open_store(newest, params=replace(NEO4J_PARAMS, batch_rows=7, batch_bytes=1000)), people()
    known(store, anna)
    names = [str(i) for i in range(40)]
    edges = [PutEdge(edge(a, b)) for a, b in pairwise(names)]
    put(store, anna, "1", *(PutNode(node(n), row(int(n)).tobytes()) for n in names), *edges)
    whole = store.take(anna)
    assert (len(whole.nodes), len(whole.edges), len(whole.vectors)) == (40, 39, 40)


def test_the_password_is_never_shown():
    from pydantic import SecretStr

    shown = repr(Neo4jServerParams(uri="bolt://x", user="neo4j", password=SecretStr("open sesame")))
    assert "sesame" not in shown
