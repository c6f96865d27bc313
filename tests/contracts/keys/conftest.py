"""One keyring of each backend."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from memory_lib.adapters.keys.file_keyring import FileKeyring
from memory_lib.adapters.keys.kms_keyring import KmsClient
from memory_lib.adapters.keys.sealing import AesGcmSealer
from tests.contracts.keyring_backends import KEYRINGS, PARAMS, KeyringBackend
from tests.contracts.kms_key import kms

__all__ = ["kms"]


@pytest.fixture(params=[pytest.param(row, id=row.name, marks=[pytest.mark.kms] if row.needs_kms else []) for row in KEYRINGS])
def backend(request: pytest.FixtureRequest) -> KeyringBackend:
    return request.param


@pytest.fixture
def reopen(backend: KeyringBackend, request: pytest.FixtureRequest) -> Callable[[Path], FileKeyring]:
    """root → the keyring of this backend there."""
    client: KmsClient | None = request.getfixturevalue("kms") if backend.needs_kms else None
    return lambda root: backend.open(root, client)


@pytest.fixture
def keyring(reopen: Callable[[Path], FileKeyring], tmp_path: Path) -> FileKeyring:
    return reopen(tmp_path)


@pytest.fixture
def sealer(keyring: FileKeyring) -> AesGcmSealer:
    return AesGcmSealer(keyring, params=PARAMS)
