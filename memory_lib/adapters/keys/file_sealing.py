"""Sealed files: zstd, then AES-256-GCM under a key of the file's own (DESIGN §3; CONTRACTS, Sealing and keys).

::

    0   4   magic "SIF1" (the version is its last character)
    4   4   generation of the person's data key, big-endian
    8   12  nonce, random
    20  …   ciphertext and 16-byte tag

File key = HKDF-SHA256 of the data key, info = user, path and generation of the set of files; AAD = the first 8 bytes, then the
same three. A file opens only for the person, in the place and in the set that it was made for. The data key seals nothing
itself, so files are not counted as its seals; a file key seals as often as this path of this set is written.
"""

from __future__ import annotations

import os

import zstandard
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from memory_lib.adapters.keys.params import FileSealParams
from memory_lib.domain.ids import UserId
from memory_lib.errors import IllegalValue, KeyMissing, SealBroken
from memory_lib.ports.keys import DataKey, Keyring

MAGIC = b"SIF1"
PREFIX_BYTES = 8
NONCE_BYTES = 12
OVERHEAD = PREFIX_BYTES + NONCE_BYTES + 16


class FileSealBroken(SealBroken):
    """``path`` of the file, and the key ``generation`` it names (-1: none)."""

    def __init__(self, *, path: str, generation: int, reason: str) -> None:
        self.path, self.generation = path, generation
        super().__init__(f"sealed file {path} (key generation {generation}) does not open: {reason}; restore it from a backup")


class AesGcmFileSealer:
    """Implements ``ports.keys.FileSealer``. Seals under the newest generation of the person's key, opens by the one that a file
    names. Safe between threads.
    """

    def __init__(self, keyring: Keyring, *, params: FileSealParams) -> None:
        self._keyring = keyring
        self._params = params

    def seal_file(self, user: UserId, path: str, generation: int, content: bytes) -> bytes:
        """Raises KeyMissing (erased), IllegalValue (larger than could be opened again)."""
        if len(content) > self._params.content_bytes:
            raise IllegalValue(f"file {path} has {len(content)} bytes, more than a sealed file may hold; write it in parts")
        key = self._keyring.open(user)
        packed = zstandard.ZstdCompressor(level=self._params.level, write_content_size=True).compress(content)
        prefix = MAGIC + key.generation.to_bytes(4, "big")
        nonce = os.urandom(NONCE_BYTES)
        place = _place(user, path, generation)
        return prefix + nonce + _aead(key, place).encrypt(nonce, packed, prefix + place)

    def open_file(self, user: UserId, path: str, generation: int, sealed: bytes) -> bytes:
        if len(sealed) < OVERHEAD or sealed[:4] != MAGIC:
            # an erased person's file is not broken, whatever it looks like
            self._keyring.open(user)
            raise FileSealBroken(path=path, generation=-1, reason="it is no sealed file of a known version, or was cut")
        named = int.from_bytes(sealed[4:8], "big")
        try:
            key = self._keyring.open(user, named)
        except KeyMissing:
            if not self._keyring.exists(user):
                raise
            raise FileSealBroken(path=path, generation=named, reason="the key of that generation is not kept") from None
        place = _place(user, path, generation)
        nonce_end = PREFIX_BYTES + NONCE_BYTES
        try:
            packed = _aead(key, place).decrypt(
                sealed[PREFIX_BYTES:nonce_end], sealed[nonce_end:], sealed[:PREFIX_BYTES] + place
            )
        except InvalidTag:
            reason = "altered, cut, moved, of another person or of another set"
            raise FileSealBroken(path=path, generation=named, reason=reason) from None
        return self._unpacked(packed, path, named)

    def outdated(self, user: UserId, sealed: bytes) -> bool:
        return generation_of(sealed) != self._keyring.open(user).generation

    def _unpacked(self, packed: bytes, path: str, named: int) -> bytes:
        """Whoever holds the key may have made anything: no more is unpacked than a file may hold."""
        try:
            size = zstandard.frame_content_size(packed)
            if not 0 <= size <= self._params.content_bytes:
                reason = "it would unpack to more than a sealed file may hold"
                raise FileSealBroken(path=path, generation=named, reason=reason)
            return zstandard.ZstdDecompressor().decompress(packed, max_output_size=size, allow_extra_data=False)
        except zstandard.ZstdError:
            raise FileSealBroken(path=path, generation=named, reason="what was sealed is not zstd") from None


def generation_of(sealed: bytes) -> int:
    """The generation of the person's key that a sealed file names; -1: no sealed file of a known version. Opens nothing."""
    return int.from_bytes(sealed[4:8], "big") if len(sealed) >= OVERHEAD and sealed[:4] == MAGIC else -1


def _aead(key: DataKey, place: bytes) -> AESGCM:
    return AESGCM(HKDF(algorithm=SHA256(), length=32, salt=None, info=b"selfimprint/1/file/" + place).derive(key.key))


def _place(user: UserId, path: str, generation: int) -> bytes:
    parts = (user.encode(), path.encode(), generation.to_bytes(8, "big"))
    return b"".join(len(part).to_bytes(4, "big") + part for part in parts)
