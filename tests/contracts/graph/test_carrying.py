from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.candidates import NodeType
from memory_lib.domain.changes import Action, PutEdge, PutNode, RecordAct, RemoveNode, RenameNode, Revision
from memory_lib.domain.node import Archived, NodeState, Weight
from memory_lib.errors import LeaseLost, StaleRead, WriteKeyConflict
from memory_lib.ports.graph import GraphStore, WholeGraph
from tests.contracts.backends import GRAPH_BACKENDS, GraphBackend
from tests.contracts.graph.conftest import ready
from tests.contracts.graph.samples import (
    AT_US,
    DIMENSION,
    FINGERPRINT,
    NOW,
    change_set,
    edge,
    ident,
    node,
    node_id,
    person,
    proof,
    vector,
)
from tests.contracts.graph.test_reading import FULL_ACT, FULL_EDGE, FULL_NODE
from tests.contracts.sealers import TestSealer

ANNA = person()
KINDS = {"nodes", "edges", "proofs", "acts", "renames", "vectors", "next_vectors", "write_keys", "outbox", "head"}


def fill(store: GraphStore, user=ANNA, *, token=1) -> None:
    """Something of every kind, in every state."""
    store.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=DIMENSION, token=token)
    changes = [
        PutNode(FULL_NODE, vector(1)),
        PutNode(node("plain"), vector(2)),
        PutNode(node("archived", state=NodeState.ARCHIVED, archived=Archived(NOW, "faded", ident("batch"))), vector(3)),
        PutNode(node("retracted", "отозвано", retracted_at=NOW)),
        PutNode(node("guess", type=NodeType.HYPOTHESIS, is_inference=True, proofs=(), decay=1.0, weight=Weight(0.25, AT_US))),
        PutNode(node("old")),
        PutEdge(FULL_EDGE),
        PutEdge(edge("plain", "archived", retracted_at=NOW)),
        PutEdge(edge("plain", "guess", proofs=(proof("m1"), proof("m2")))),
        RecordAct(FULL_ACT),
        RecordAct(Act(id=ident("on old"), node=node_id("old"), kind=ActKind.PIN, at=NOW, recorded_at=NOW)),
    ]
    first = [Action("create", "new", (FULL_NODE.id,), {"weight": 1.0}, after=(FULL_NODE.id,)), Action("create", "new", ())]
    renames = [RenameNode(node_id("old"), node_id("plain")), RemoveNode(node_id("old"))]
    store.apply(
        user,
        [
            change_set(user, "1", *changes, actions=first),
            change_set(user, "2", *renames, actions=[Action("merge", "same", ())]),
        ],
        token=token,
        now=NOW,
    )


def same(found: WholeGraph, expected: WholeGraph) -> None:
    """Everything but the epoch and the outbox's numbers is equal, clocks of instants included."""
    assert found.revision.n == expected.revision.n
    assert (found.fingerprint, found.dimension) == (expected.fingerprint, expected.dimension)
    assert found.nodes == expected.nodes
    assert found.edges == expected.edges
    for id_, each in found.nodes.items():
        assert each.created_at.utcoffset() == expected.nodes[id_].created_at.utcoffset()
    assert found.acts == expected.acts
    assert found.renames == expected.renames
    assert {i: v.tobytes() for i, v in found.vectors.items()} == {i: v.tobytes() for i, v in expected.vectors.items()}
    assert found.write_keys == expected.write_keys
    assert [replace(entry, seq=0) for entry in found.outbox] == [replace(entry, seq=0) for entry in expected.outbox]


@dataclass(frozen=True)
class OtherPlace:
    """A second backend with people of its own."""

    store: GraphStore


@pytest.fixture(params=GRAPH_BACKENDS, ids=lambda backend: f"to-{backend.name}")
def elsewhere(backend: GraphBackend, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[OtherPlace]:
    target: GraphBackend = request.param
    if target.service is not None and backend.service is not None and target != backend:
        pytest.skip("each goes to files and back; between two servers of one kind nothing else happens")
    if target.service is not None:
        request.getfixturevalue("require")(target.service)
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    ready(target, folder, request)
    store = target.open(folder, TestSealer())
    yield OtherPlace(store)
    store.close()
    if target.clear is not None:
        target.clear(folder, [ANNA])


def test_nobody_is_an_empty_graph(store):
    whole = store.take(person("nobody"))
    assert (whole.revision, whole.fingerprint, whole.dimension) == (Revision(0, 0), None, None)
    assert not whole.nodes
    assert not whole.edges
    assert (whole.acts, whole.write_keys, whole.outbox, dict(whole.renames), dict(whole.vectors)) == ((), (), (), {}, {})


def test_a_whole_person_is_what_was_written(store):
    fill(store)
    whole = store.take(ANNA)
    loaded = store.load(ANNA)
    assert whole.revision == store.head(ANNA).revision == loaded.revision
    assert (whole.nodes, whole.edges, whole.acts, whole.renames) == (loaded.nodes, loaded.edges, loaded.acts, loaded.renames)
    assert whole.nodes[FULL_NODE.id] == FULL_NODE
    assert whole.edges[FULL_EDGE.id] == FULL_EDGE
    assert FULL_ACT in whole.acts
    assert set(whole.vectors) == {FULL_NODE.id, node_id("plain"), node_id("archived")}
    assert [(key.key, key.n) for key in whole.write_keys] == [
        (str(change_set(ANNA, unit).key), n) for unit, n in (("1", 1), ("2", 2))
    ]
    assert whole.outbox == store.pending(ANNA, limit=10)
    assert len(whole.outbox) == 3


def test_from_any_store_into_any_other_everything_is_as_it_was(store, elsewhere):
    fill(store)
    whole = store.take(ANNA)
    if elsewhere.store.people() and ANNA in elsewhere.store.people():
        elsewhere.store.erase(ANNA)
    revision = elsewhere.store.place(ANNA, whole, token=7, key_generation=3)
    same(elsewhere.store.take(ANNA), whole)
    head = elsewhere.store.head(ANNA)
    assert head.revision == revision
    assert revision.n == whole.revision.n
    assert revision.epoch not in (0, whole.revision.epoch)
    assert (head.fence, head.key_generation) == (7, 3)
    back = store.place(ANNA, elsewhere.store.take(ANNA), token=8, key_generation=3)
    same(store.take(ANNA), whole)
    assert back.epoch not in (revision.epoch, whole.revision.epoch)


def test_the_person_goes_on_where_they_were_placed(store):
    fill(store)
    whole = store.take(ANNA)
    store.place(ANNA, whole, token=2, key_generation=1)
    again = change_set(ANNA, "2", RenameNode(node_id("old"), node_id("plain")), RemoveNode(node_id("old")))
    (applied,) = store.apply(ANNA, [again], token=2, now=NOW)
    assert not applied.fresh, "keys travel too"
    with pytest.raises(WriteKeyConflict):
        store.apply(ANNA, [change_set(ANNA, "2", PutNode(node("other")))], token=2, now=NOW)
    (applied,) = store.apply(ANNA, [change_set(ANNA, "3", PutNode(node("new"), vector(9)))], token=2, now=NOW)
    assert (applied.fresh, applied.revision.n) == (True, whole.revision.n + 1)
    with pytest.raises(StaleRead):
        store.apply(ANNA, [change_set(ANNA, "4", PutNode(node("x")))], token=2, now=NOW, based_on=whole.revision)


def test_placing_takes_the_place_of_what_was_there(store):
    fill(store)
    whole = store.take(ANNA)
    store.apply(
        ANNA,
        [
            change_set(
                ANNA,
                "later",
                PutNode(node("later"), vector(4)),
                PutEdge(edge("later", "plain")),
                RecordAct(replace(FULL_ACT, id=ident("later"))),
                actions=[Action("later", "later", ())],
            )
        ],
        token=2,
        now=NOW,
    )
    store.put_ahead(
        ANNA, {node_id("plain"): ("content of plain", np.zeros(3, np.float32))}, fingerprint="next/3", dimension=3, token=2
    )
    store.place(ANNA, whole, token=3, key_generation=1)
    same(store.take(ANNA), whole)
    assert store.ahead(ANNA) == 0


def test_the_same_place_twice_is_the_same_person_in_a_newer_epoch(store):
    fill(store)
    whole = store.take(ANNA)
    first = store.place(ANNA, whole, token=2, key_generation=1)
    second = store.place(ANNA, whole, token=2, key_generation=1)
    assert first.epoch != second.epoch
    same(store.take(ANNA), whole)
    assert store.residue(ANNA)["nodes"] == len(whole.nodes)


def test_entries_of_the_outbox_get_numbers_that_nobody_had(store):
    fill(store)
    whole = store.take(ANNA)
    known = [entry.seq for entry in whole.outbox]
    store.acknowledge(ANNA, up_to=known[0])
    store.place(ANNA, whole, token=2, key_generation=1)
    placed = store.pending(ANNA, limit=10)
    assert [entry.action for entry in placed] == [entry.action for entry in whole.outbox]
    assert min(entry.seq for entry in placed) > max(known)
    store.vacate(ANNA, token=3)
    store.place(ANNA, whole, token=3, key_generation=1)
    assert min(entry.seq for entry in store.pending(ANNA, limit=10)) > max(entry.seq for entry in placed)


def test_an_older_token_places_nothing(store):
    fill(store, token=5)
    whole = store.take(ANNA)
    with pytest.raises(LeaseLost):
        store.place(ANNA, replace(whole, nodes={}, edges={}, vectors={}), token=4, key_generation=1)
    same(store.take(ANNA), whole)
    assert store.head(ANNA).revision == whole.revision


def test_a_raised_fence_refuses_who_held_the_lease_before_and_changes_nothing_else(store):
    fill(store)
    before = store.take(ANNA)
    store.fence(ANNA, token=6)
    assert store.head(ANNA).fence == 6
    assert store.take(ANNA).revision == before.revision
    with pytest.raises(LeaseLost):
        store.apply(ANNA, [change_set(ANNA, "3", PutNode(node("x")))], token=5, now=NOW)
    with pytest.raises(LeaseLost):
        store.fence(ANNA, token=5)
    store.fence(person("nobody"), token=3)
    assert store.residue(person("nobody")).keys() <= {"fence"}
    assert person("nobody") not in store.people()


def test_a_vacated_person_is_gone_and_older_writers_are_refused(store):
    fill(store)
    read = store.take(ANNA).revision
    store.vacate(ANNA, token=6)
    whole = store.take(ANNA)
    assert (whole.revision, whole.nodes, whole.edges, whole.write_keys, whole.outbox) == (Revision(0, 0), {}, {}, (), ())
    assert store.index(ANNA).ids == ()
    assert store.head(ANNA).fence == 6
    assert store.residue(ANNA) == {"fence": 1}
    assert ANNA not in store.people()
    with pytest.raises(LeaseLost):
        store.apply(ANNA, [change_set(ANNA, "3", PutNode(node("x")))], token=5, now=NOW)
    with pytest.raises(LeaseLost):
        store.place(ANNA, whole, token=5, key_generation=1)
    with pytest.raises(StaleRead):
        store.apply(ANNA, [change_set(ANNA, "3", PutNode(node("x")))], token=7, now=NOW, based_on=read)
    assert store.residue(ANNA) == {"fence": 1}
    with pytest.raises(LeaseLost):
        store.vacate(ANNA, token=5)
    store.vacate(person("nobody"), token=1)
    assert store.residue(person("nobody")) == {}


def test_who_writes_after_everything_left_begins_an_epoch_of_their_own(store):
    fill(store)
    before = store.take(ANNA).revision
    store.vacate(ANNA, token=6)
    (applied,) = store.apply(ANNA, [change_set(ANNA, "anew", PutNode(node("x")))], token=7, now=NOW)
    assert applied.revision == store.head(ANNA).revision
    assert applied.revision.epoch not in (0, before.epoch)


def test_a_person_may_come_back_after_leaving(store):
    fill(store)
    whole = store.take(ANNA)
    store.vacate(ANNA, token=2)
    revision = store.place(ANNA, whole, token=3, key_generation=2)
    same(store.take(ANNA), whole)
    assert revision.epoch != whole.revision.epoch
    assert ANNA in store.people()


def test_erasing_counts_what_went_and_leaves_nothing(store):
    fill(store)
    store.put_ahead(
        ANNA, {node_id("plain"): ("content of plain", np.zeros(3, np.float32))}, fingerprint="next/3", dimension=3, token=2
    )
    kept = store.residue(ANNA)
    assert kept == {
        "nodes": 5,
        "edges": 3,
        "proofs": 9,
        "acts": 2,
        "renames": 1,
        "vectors": 3,
        "next_vectors": 1,
        "write_keys": 2,
        "outbox": 3,
        "head": 1,
    }
    assert kept.keys() <= KINDS
    gone = store.erase(ANNA)
    assert {kind: count for kind, count in gone.items() if count} == kept
    assert store.residue(ANNA) == {}
    assert not any(store.erase(ANNA).values())
    assert store.head(ANNA).fence == 0
    assert store.take(ANNA).revision == Revision(0, 0)
    assert ANNA not in store.people()


def test_erasing_one_person_leaves_another_to_the_bit(store):
    for user in (ANNA, person("boris")):
        fill(store, user)
    before, revision = store.take(person("boris")), store.head(person("boris"))
    store.erase(ANNA)
    same(store.take(person("boris")), before)
    assert store.head(person("boris")) == revision


def test_people_come_in_order_a_page_at_a_time(store):
    users = sorted(person(name) for name in "pqrst")
    for user in users:
        store.apply(user, [change_set(user, "1", PutNode(node("a")))], token=1, now=NOW)
    store.vacate(users[1], token=2)
    mine = [user for user in store.people() if user in users]
    assert mine == [users[0], *users[2:]]
    assert list(store.people()) == sorted(store.people())
    page = store.people(after=users[2], limit=1)
    assert len(page) == 1
    assert page[0] > users[2]
    walked: list[str] = []
    last = None
    while some := store.people(after=last, limit=2):
        walked += some
        last = some[-1]
    assert [user for user in walked if user in users] == mine
