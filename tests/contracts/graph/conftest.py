"""A store of each backend, empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_lib.ports.graph import GraphStore
from memory_lib.ports.keys import Sealer
from tests.contracts.backends import GRAPH_BACKENDS, GraphBackend, keep_address
from tests.contracts.graph.samples import DIMENSION, FINGERPRINT, PEOPLE, person
from tests.contracts.sealers import TestSealer


def rows() -> list[Any]:
    """Each backend under its name, with the marker of the service it needs."""
    return [
        pytest.param(backend, id=backend.name, marks=[getattr(pytest.mark, backend.service)] if backend.service else [])
        for backend in GRAPH_BACKENDS
    ]


def ready(backend: GraphBackend, root: Path, request: pytest.FixtureRequest) -> GraphBackend:
    """Its server runs, and keeps nobody of whom this test will speak."""
    if backend.server is not None:
        server = request.getfixturevalue(backend.server)
        keep_address(root, url=server.url, database=server.database)
    if backend.clear is not None:
        backend.clear(root, PEOPLE)
    return backend


@pytest.fixture(params=rows())
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[GraphBackend]:
    chosen = ready(request.param, tmp_path, request)
    yield chosen
    if chosen.clear is not None:
        chosen.clear(tmp_path, PEOPLE)


@pytest.fixture
def open_store(backend: GraphBackend, tmp_path: Path) -> Iterator[Callable[..., GraphStore]]:
    """Another store over the same people; closed at the end."""
    stores: list[GraphStore] = []

    def another(sealer: Sealer | None = None) -> GraphStore:
        stores.append(backend.open(tmp_path, sealer or TestSealer()))
        return stores[-1]

    yield another
    for store in stores:
        store.close()


@pytest.fixture
def store(open_store: Callable[..., GraphStore]) -> GraphStore:
    """Without people."""
    return open_store()


@pytest.fixture
def anna(store: GraphStore) -> GraphStore:
    """With one person whose embedder is known."""
    store.set_fingerprint(person(), fingerprint=FINGERPRINT, dimension=DIMENSION, token=1)
    return store
