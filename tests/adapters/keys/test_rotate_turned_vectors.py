"""A graph whose vectors are turned by the person's key is turned anew with it."""

from __future__ import annotations

import secrets
from contextlib import contextmanager

import numpy as np
import pytest

from memory_lib.adapters.keys.sealing import AesGcmSealer
from memory_lib.adapters.sql.people import new_user_id
from memory_lib.domain.changes import PutNode
from memory_lib.ports.write_turn import Turn
from memory_lib.usecases.graph_reseal import GraphReseal
from tests.adapters.keys.workers import PARAMS, keyring_of
from tests.contracts.backends import NEO4J_PARAMS
from tests.contracts.graph.samples import DIMENSION, FINGERPRINT, NOW, change_set, node, node_id, vector


class Turns:
    def __init__(self):
        self.token = 1

    @contextmanager
    def hold(self, _user, *, renewing=False):
        self.token += 1
        yield Turn(self.token)


@pytest.mark.neo4j
@pytest.mark.slow
def test_vectors_are_turned_anew_and_mean_the_same(tmp_path, neo4j_server):
    from memory_lib.adapters.neo4j.graph_store import Neo4jGraphStore
    from memory_lib.adapters.neo4j.params import Neo4jServerParams

    keyring, user, turns = keyring_of(tmp_path), new_user_id(), Turns()
    keyring.create(user)
    server = Neo4jServerParams(uri=neo4j_server.url, database=neo4j_server.database)
    store = Neo4jGraphStore(
        server,
        AesGcmSealer(keyring, params=PARAMS),
        keys=lambda who, generation: keyring.open(who, generation).key,
        newest=keyring.generation,
        params=NEO4J_PARAMS,
    )
    names = [secrets.token_hex(4) for _ in range(5)]
    try:
        store.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=DIMENSION, token=1)
        changes = [PutNode(node(name), vector(seed)) for seed, name in enumerate(names)]
        store.apply(user, [change_set(user, "first", *changes)], token=1, now=NOW)
        before = store.load(user)
        resealing = GraphReseal(store, rotation=keyring, write_turn=turns)
        assert resealing.outdated(user) == 0
        keyring.begin(user)
        assert resealing.outdated(user) >= 5
        assert resealing.reseal(user, limit=1) >= 5
        assert resealing.outdated(user) == 0
        keyring.finish(user)
        assert store.head(user).key_generation == 2
        assert store.head(user).revision.epoch != before.revision.epoch
        after = store.load(user)
        assert after.nodes == before.nodes
        for name in names:
            np.testing.assert_allclose(after.vectors[node_id(name)], before.vectors[node_id(name)], atol=1e-5)
        store.apply(user, [change_set(user, "second", PutNode(node("late"), vector(9)))], token=turns.token, now=NOW)
        np.testing.assert_allclose(
            store.load(user).vectors[node_id("late")], np.frombuffer(vector(9), dtype=np.float32), atol=1e-5
        )
    finally:
        store.close()
        neo4j_server.wipe([user])
