from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from memory_lib.domain.changes import Action, PutNode, RemoveNode, Revision, WriteKey
from memory_lib.errors import IllegalValue, LeaseLost
from tests.contracts.graph.samples import DIMENSION, FINGERPRINT, NOW, change_set, node, node_id, person, vector

NEW: dict[str, Any] = {"fingerprint": "another/3", "dimension": 3}
ANNA = person()


def made(name, content=None):
    return {node_id(name): (f"content of {name}" if content is None else content, row(name))}


def row(name):
    return np.random.default_rng(len(name) * 100 + ord(name[0])).normal(size=3).astype(np.float32)


def put(store, *nodes, unit="1", token=1):
    store.apply(ANNA, [change_set(ANNA, unit, *nodes)], token=token, now=NOW)


@pytest.fixture
def three(anna):
    """Three nodes, the third without a vector."""
    put(anna, PutNode(node("a"), vector(1)), PutNode(node("b"), vector(2)), PutNode(node("c"), None))
    return anna


def switch(store, *, token=2, without=(), **changes):
    return store.switch(
        ANNA,
        **{**NEW, **changes},
        token=token,
        key=WriteKey(ANNA, "reembed", "pass", "switch", "1"),
        action=Action("reembed", "embedder_changed", ()),
        now=NOW,
        without=frozenset(map(node_id, without)),
    )


def ahead(store, *names, token=2):
    store.put_ahead(ANNA, {k: v for name in names for k, v in made(name).items()}, **NEW, token=token)


def test_what_lacks_a_vector_of_one_embedder(three):
    assert three.wanting(ANNA, fingerprint="another/3") == tuple(sorted(map(node_id, "abc")))
    assert three.wanting(ANNA, fingerprint=FINGERPRINT) == (node_id("c"),)
    assert three.wanting(person("nobody"), fingerprint="another/3") == ()
    assert three.ahead(person("nobody")) == 0


def test_what_is_made_ahead_lacks_no_more_and_serves_nobody_yet(three):
    before, index = three.head(ANNA), three.index(ANNA)
    ahead(three, "a", "c")
    assert three.wanting(ANNA, fingerprint="another/3") == (node_id("b"),)
    assert three.ahead(ANNA) == 2
    assert (three.head(ANNA).revision, three.head(ANNA).fingerprint) == (before.revision, FINGERPRINT)
    np.testing.assert_array_equal(three.index(ANNA).vectors, index.vectors)


def test_a_node_that_says_something_else_by_now_or_is_gone_is_left_out(three):
    three.put_ahead(ANNA, {**made("a", "another content"), **made("b"), **made("gone")}, **NEW, token=2)
    assert three.ahead(ANNA) == 1
    assert node_id("a") in three.wanting(ANNA, fingerprint="another/3")


def test_a_later_change_of_a_node_takes_its_vector_made_ahead_away(three):
    ahead(three, "a", "b", "c")
    put(three, PutNode(node("a", "другое"), None), RemoveNode(node_id("b")), unit="2", token=3)
    assert three.wanting(ANNA, fingerprint="another/3") == (node_id("a"),)
    assert three.ahead(ANNA) == 1


def test_the_switch_moves_everything_under_a_new_epoch(three):
    nodes, before = three.load(ANNA).nodes, three.head(ANNA)
    ahead(three, "a", "b", "c")
    assert switch(three)
    head = three.head(ANNA)
    assert (head.fingerprint, head.dimension, head.fence) == ("another/3", 3, 2)
    assert head.revision.epoch != before.revision.epoch
    assert head.revision.n > before.revision.n
    loaded = three.load(ANNA)
    assert loaded.nodes == nodes
    for name in "abc":
        np.testing.assert_array_equal(loaded.vectors[node_id(name)], row(name))
    assert three.ahead(ANNA) == 0
    assert three.wanting(ANNA, fingerprint="another/3") == ()
    assert [entry.action.action for entry in three.pending(ANNA, limit=10)] == ["reembed"]
    put(three, PutNode(node("d"), vector(4, 3)), unit="9", token=3)
    assert len(three.load(ANNA).vectors) == 4


def test_it_refuses_while_a_node_lacks_its_vector(three):
    ahead(three, "a", "b")
    before = three.head(ANNA)
    assert not switch(three)
    assert three.head(ANNA) == before
    assert three.ahead(ANNA) == 2
    assert switch(three, without=["c"])
    assert set(three.load(ANNA).vectors) == {node_id("a"), node_id("b")}


def test_a_node_left_without_a_new_vector_keeps_no_old_one(three):
    ahead(three, "b", "c")
    assert switch(three, without=["a"])
    assert set(three.load(ANNA).vectors) == {node_id("b"), node_id("c")}
    assert not three.index(ANNA).has_vector.all()


def test_missing_vectors_of_the_serving_embedder_are_filled_in_beside_the_others(three):
    same = {"fingerprint": FINGERPRINT, "dimension": DIMENSION}
    filled = np.frombuffer(vector(3), np.float32)
    three.put_ahead(ANNA, {node_id("c"): ("content of c", filled)}, **same, token=2)
    assert switch(three, **same)
    vectors = three.load(ANNA).vectors
    np.testing.assert_array_equal(vectors[node_id("c")], filled)
    np.testing.assert_array_equal(vectors[node_id("a")], np.frombuffer(vector(1), np.float32))


def test_for_a_third_embedder_what_was_made_for_the_second_goes(three):
    ahead(three, "a", "b")
    third = {"fingerprint": "third/3", "dimension": 3}
    three.put_ahead(ANNA, made("c"), **third, token=2)
    assert three.ahead(ANNA) == 1
    assert switch(three, without=["a", "b"], **third)
    assert set(three.load(ANNA).vectors) == {node_id("c")}


def test_an_older_token_is_refused_and_changes_nothing(three):
    ahead(three, "a", "b", "c", token=5)
    with pytest.raises(LeaseLost):
        ahead(three, "a", token=4)
    with pytest.raises(LeaseLost):
        switch(three, token=4)
    assert three.head(ANNA).fingerprint == FINGERPRINT
    with pytest.raises(LeaseLost):
        put(three, PutNode(node("d"), None), unit="7", token=4)


def test_a_write_that_rests_on_the_old_epoch_is_stale_after_the_switch(three):
    from memory_lib.errors import StaleRead

    before: Revision = three.head(ANNA).revision
    ahead(three, "a", "b", "c")
    switch(three)
    with pytest.raises(StaleRead):
        three.apply(ANNA, [change_set(ANNA, "3", PutNode(node("a"), vector(1, 3)))], token=3, now=NOW, based_on=before)


def test_a_vector_of_another_size_is_refused(three):
    with pytest.raises(IllegalValue):
        three.put_ahead(ANNA, {node_id("a"): ("content of a", np.zeros(4, np.float32))}, **NEW, token=2)
    assert three.ahead(ANNA) == 0
