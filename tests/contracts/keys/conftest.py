"""One keyring of each backend."""

from __future__ import annotations

from pathlib import Path

import pytest

from memory_lib.adapters.keys.sealing import AesGcmSealer
from memory_lib.ports.keys import Keyring
from tests.contracts.keyring_backends import KEYRINGS, PARAMS, KeyringBackend


@pytest.fixture(params=KEYRINGS, ids=lambda backend: backend.name)
def backend(request: pytest.FixtureRequest) -> KeyringBackend:
    return request.param


@pytest.fixture
def keyring(backend: KeyringBackend, tmp_path: Path) -> Keyring:
    return backend.open(tmp_path)


@pytest.fixture
def sealer(keyring: Keyring) -> AesGcmSealer:
    return AesGcmSealer(keyring, params=PARAMS)
