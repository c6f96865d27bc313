"""One ledger of each backend, with a person in it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.adapters.keys.sealing import AesGcmSealer
from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.domain.ids import UserId
from tests.contracts.ledger.said import NOW
from tests.contracts.ledger_backends import BACKENDS, LedgerBackend, keys_of


def row(backend: LedgerBackend) -> object:
    """A row of the suite, with the marker of the service that it needs."""
    marks = () if backend.service is None else (getattr(pytest.mark, backend.service),)
    return pytest.param(backend, id=backend.name, marks=marks)


@pytest.fixture(params=[row(backend) for backend in BACKENDS.values()], scope="session")
def backend(request: pytest.FixtureRequest) -> LedgerBackend:
    return request.param


@pytest.fixture(scope="session")
def fresh(backend: LedgerBackend, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A home whose tables are made: making them takes ten times as long as copying, or emptying, them."""
    with made(backend, tmp_path_factory.mktemp("fresh"), request) as place:
        yield place


@pytest.fixture(scope="session")
def fresh_elsewhere(
    backend: LedgerBackend, tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> Iterator[Path]:
    """Another one, of a deployment of its own."""
    with made(backend, tmp_path_factory.mktemp("elsewhere"), request) as place:
        yield place


@contextmanager
def made(backend: LedgerBackend, place: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    with backend.new(place, request):
        keyring, sealer = keys_of(place)
        backend.open(place, sealer, keyring).close()
        yield place


@pytest.fixture
def root(backend: LedgerBackend, fresh: Path, tmp_path: Path) -> Path:
    place = tmp_path / "root"
    shutil.copytree(fresh, place)
    backend.emptied(place)
    return place


@pytest.fixture
def another_home(backend: LedgerBackend, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Callable[[str], Path]]:
    """Makes homes, by name, with an empty database each."""
    with ExitStack() as made:

        def make(name: str) -> Path:
            place = tmp_path / name
            place.mkdir()
            made.enter_context(backend.new(place, request))
            return place

        yield make


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
def elsewhere(backend: LedgerBackend, fresh_elsewhere: Path, tmp_path: Path) -> Iterator[Ledger]:
    """An empty ledger of another deployment: other keys, the same id key."""
    place = tmp_path / "elsewhere"
    shutil.copytree(fresh_elsewhere, place)
    backend.emptied(place)
    keyring, sealer = keys_of(place)
    with backend.open(place, sealer, keyring) as opened:
        yield opened


@pytest.fixture
def user(ledger: Ledger) -> UserId:
    return ledger.people.ensure("анна", now=NOW)
