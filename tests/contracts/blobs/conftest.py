"""One empty store of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_lib.ports.blobs import Blobs
from tests.contracts.blobs.backends import BACKENDS, BlobBackend

ROWS = [pytest.param(row, id=row.name, marks=[getattr(pytest.mark, row.service)] if row.service else []) for row in BACKENDS]


@pytest.fixture(params=ROWS)
def backend(request: pytest.FixtureRequest) -> BlobBackend:
    return request.param


@pytest.fixture
def blobs(backend: BlobBackend, request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Blobs]:
    server = request.getfixturevalue(backend.server) if backend.server else None
    with backend.open(tmp_path, server) as store:
        yield store
