"""Sealed graphs over each kind of blob store, with real keys of two people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from memory_lib.adapters.keys.file_sealing import AesGcmFileSealer
from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.adapters.keys.params import FileSealParams, KeyringParams
from memory_lib.adapters.synx.graph_files import SynxSealedGraphs
from memory_lib.adapters.synx.params import SealedFilesParams
from memory_lib.domain.ids import UserId
from memory_lib.ports.blobs import Blobs
from memory_lib.ports.keys import FileSealer
from tests.contracts.blobs.backends import BlobBackend
from tests.contracts.blobs.conftest import backend, blobs  # noqa: F401 - fixtures

ANNA = UserId("ab" + "1" * 30)
BEN = UserId("ab" + "2" * 30)
KEYS = KeyringParams(seals_a_key=1_000_000, rotate_at=500_000, seals_reserved=100, opened_keys=8, opened_s=60.0, checked_s=0.05)
PARAMS = SealedFilesParams(shard_bytes=8 * 2**20, block_vectors=128, at_once=4)


@dataclass(frozen=True)
class Place:
    """Sealed graphs, and what lies under them."""

    graphs: SynxSealedGraphs
    blobs: Blobs
    backend: BlobBackend

    def damage(self, path: str, change: Callable[[bytes], bytes]) -> None:
        self.backend.damage(self.blobs, path, change)

    def swap(self, path: str, data: bytes) -> None:
        """Other content at a path, put there as the store's own clients do."""
        there = {info.path: info.etag for info in self.blobs.list(path)}
        self.blobs.put(path, data, replacing=there.get(path))

    def paths(self, user: UserId, generation: int) -> list[str]:
        return [info.path for info in self.blobs.list(f"{user[:2]}/{user}/{generation:012d}/")]


@pytest.fixture(scope="session")
def sealer(tmp_path_factory: pytest.TempPathFactory) -> FileSealer:
    keyring = LocalKeyring(tmp_path_factory.mktemp("keys") / "keys", id_key=None, params=KEYS)
    for user in (ANNA, BEN):
        keyring.create(user)
    return AesGcmFileSealer(keyring, params=FileSealParams(level=3, content_bytes=64 * 2**20))


@pytest.fixture
def place(backend: BlobBackend, blobs: Blobs, sealer: FileSealer) -> Place:  # noqa: F811 - the fixtures above
    return Place(SynxSealedGraphs(blobs, sealer, params=PARAMS), blobs, backend)
