"""Stores on servers that other tests use too: every person here has an id of chance and is erased at the end."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from memory_lib.domain.ids import UserId
from tests.contracts.backends import NEO4J_PARAMS, data_key
from tests.contracts.sealers import TestSealer

SERVERS = [
    pytest.param("neo4j_server", id="neo4j-2026", marks=pytest.mark.neo4j),
    pytest.param("neo4j5_server", id="neo4j-5", marks=pytest.mark.neo4j5),
]


@pytest.fixture(params=SERVERS)
def server(request: pytest.FixtureRequest) -> Any:
    """Each version in turn."""
    return request.getfixturevalue(request.param)


@pytest.fixture
def newest(request: pytest.FixtureRequest) -> Any:
    """The newest version alone, where one is enough."""
    return request.getfixturevalue("neo4j_server")


def params_of(server: Any) -> Any:
    from memory_lib.adapters.neo4j.params import Neo4jServerParams

    return Neo4jServerParams(uri=server.url, database=server.database)


@pytest.fixture
def people() -> Callable[[], UserId]:
    """Somebody new."""
    return lambda: UserId(secrets.token_hex(16))


@pytest.fixture
def open_store() -> Iterator[Callable[..., Any]]:
    """A store on a server; whom it was used for is erased, then it is closed."""
    from memory_lib.adapters.neo4j.graph_store import Neo4jGraphStore

    made: list[tuple[Any, set[UserId]]] = []

    class Noting(Neo4jGraphStore):
        def _check(self, user: UserId, **patience: Any) -> Any:
            touched.add(user)
            return super()._check(user, **patience)

    touched: set[UserId] = set()

    def another(server: Any, **changes: Any) -> Any:
        store = Noting(
            params_of(server), changes.pop("sealer", TestSealer()), **{"keys": data_key, "params": NEO4J_PARAMS, **changes}
        )
        made.append((store, touched))
        return store

    yield another
    if made:
        for user in list(touched):
            made[0][0].erase(user)
    for store, _ in made:
        store.close()
