"""A store of each backend, empty."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory_lib.ports.keys import Sealer
from tests.contracts.backends import GRAPH_BACKENDS, GraphBackend, GraphStore
from tests.contracts.graph.samples import DIMENSION, FINGERPRINT, person
from tests.contracts.sealers import TestSealer
from tests.services import require


@pytest.fixture(params=GRAPH_BACKENDS, ids=lambda backend: backend.name)
def backend(request: pytest.FixtureRequest) -> GraphBackend:
    chosen: GraphBackend = request.param
    if chosen.service is not None:
        require(chosen.service)
    return chosen


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
