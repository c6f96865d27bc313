"""One ledger of each backend, with a person in it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.adapters.keys.sealing import AesGcmSealer
from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.domain.ids import UserId
from tests.contracts.ledger.said import NOW
from tests.contracts.ledger_backends import BACKENDS, LedgerBackend, keys_of


@pytest.fixture(params=BACKENDS.values(), ids=lambda backend: backend.name, scope="session")
def backend(request: pytest.FixtureRequest) -> LedgerBackend:
    return request.param


@pytest.fixture(scope="session")
def fresh(backend: LedgerBackend, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose tables are made: making them takes ten times as long as copying."""
    place = tmp_path_factory.mktemp("fresh")
    keyring, sealer = keys_of(place)
    backend.open(place, sealer, keyring).close()
    return place


@pytest.fixture
def root(backend: LedgerBackend, fresh: Path, tmp_path: Path) -> Path:
    place = tmp_path / "root"
    if backend.kept_in_home:
        shutil.copytree(fresh, place)
    return place


@pytest.fixture
def keys(root: Path) -> tuple[LocalKeyring, AesGcmSealer]:
    return keys_of(root)


@pytest.fixture
def keyring(keys: tuple[LocalKeyring, AesGcmSealer]) -> LocalKeyring:
    return keys[0]


@pytest.fixture
def sealer(keys: tuple[LocalKeyring, AesGcmSealer]) -> AesGcmSealer:
    return keys[1]


@pytest.fixture
def ledger(backend: LedgerBackend, root: Path, sealer: AesGcmSealer, keyring: LocalKeyring) -> Iterator[Ledger]:
    with backend.open(root, sealer, keyring) as opened:
        yield opened


@pytest.fixture
def user(ledger: Ledger) -> UserId:
    return ledger.people.ensure("анна", now=NOW)
