"""The wrapped data key of one person as bytes: a fixed record, so that the count of seals is changed in place.

::

    0   4  magic "SIK1" (the version is its last character)
    4   4  generation, big-endian
    8   12 nonce
    20  48 data key, AES-256-GCM under the deployment's wrapping key; AAD = version, user, generation
    68  8  seals reserved so far, big-endian
    76  4  CRC-32 of the count

The record lies within one disk sector; a count is written by one call, so it is the old one or the new one.
"""

from __future__ import annotations

import os
import zlib

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from memory_lib.domain.ids import UserId
from memory_lib.errors import KeyExhausted, KeyMissing
from memory_lib.ports.keys import DataKey

MAGIC = b"SIK1"
COUNT_OFFSET = 68
SIZE = 80


def wrap(key: DataKey, wrapping: AESGCM) -> bytes:
    """A new record, no seals counted yet."""
    nonce = os.urandom(12)
    sealed = wrapping.encrypt(nonce, key.key, _aad(key.user, key.generation))
    return MAGIC + key.generation.to_bytes(4, "big") + nonce + sealed + count_field(0)


def unwrap(record: bytes, user: UserId, wrapping: AESGCM) -> DataKey:
    """The key in the record.

    Raises:
        KeyMissing: destroyed (overwritten), cut, of another person or another deployment.
    """
    if len(record) != SIZE or record[:4] != MAGIC:
        raise KeyMissing(f"the data key of {user} is destroyed or damaged; restore it from a key backup if it was not erased")
    generation = int.from_bytes(record[4:8], "big")
    try:
        opened = wrapping.decrypt(record[8:20], record[20:COUNT_OFFSET], _aad(user, generation))
    except InvalidTag:
        raise KeyMissing(
            f"the data key of {user} does not open under this deployment key; restore keys/deployment.key of the same backup"
        ) from None
    return DataKey(user=user, generation=generation, key=opened)


def count_field(count: int) -> bytes:
    """The last 12 bytes of a record."""
    data = count.to_bytes(8, "big")
    return data + zlib.crc32(data).to_bytes(4, "big")


def read_count(field: bytes, user: UserId) -> int:
    """Seals reserved so far.

    Raises:
        KeyExhausted: the count is unreadable, so that no further seal can be proven safe.
    """
    if field[8:] != zlib.crc32(field[:8]).to_bytes(4, "big"):
        raise KeyExhausted(f"the count of seals of {user} is unreadable; rotate the key of this person")
    return int.from_bytes(field[:8], "big")


def _aad(user: UserId, generation: int) -> bytes:
    name = user.encode("utf-8")
    return MAGIC + len(name).to_bytes(4, "big") + name + generation.to_bytes(4, "big")
