"""The wrapped data key of one person and generation as bytes: a record whose count of seals is changed in place.

::

    0    4  magic: which wrapping, and the version ("SIK1" local, "SIK2" AWS KMS)
    4    4  generation, big-endian
    8    …  data key, wrapped together with user and generation ("SIK1": 60 bytes)
    -12  8  seals reserved so far, big-endian
    -4   4  CRC-32 of the count

The record lies within one disk sector; a count is written by one call, so it is the old one or the new one.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

from memory_lib.domain.ids import UserId
from memory_lib.errors import KeyExhausted, KeyMissing

HEADER_BYTES = 8
COUNT_BYTES = 12
MOST_BYTES = 4096
MAGICS = {b"SIK1": 80, b"SIK2": None}
"""The wrappings there are, and the length of their records where it is always the same."""


@dataclass(frozen=True, slots=True)
class Record:
    """``count_field``: the last 12 bytes, which may be damaged while the key is not."""

    magic: bytes
    generation: int
    wrapped: bytes
    count_field: bytes

    @property
    def count_offset(self) -> int:
        return HEADER_BYTES + len(self.wrapped)


def made(magic: bytes, generation: int, wrapped: bytes) -> bytes:
    """A new record, no seals counted yet."""
    return magic + generation.to_bytes(4, "big") + wrapped + count_field(0)


def generation_of(header: bytes) -> int:
    """The generation that a record's first 8 bytes name; 0: destroyed or damaged."""
    return int.from_bytes(header[4:8], "big") if len(header) == HEADER_BYTES and header[:4] in MAGICS else 0


def parsed(content: bytes, user: UserId) -> Record:
    """A record taken apart; nothing is opened.

    Raises:
        KeyMissing: destroyed (overwritten) or cut.
    """
    magic = content[:4]
    expected = MAGICS.get(magic)
    least = HEADER_BYTES + COUNT_BYTES + 16 if expected is None else expected
    if magic not in MAGICS or len(content) < least or (expected is not None and len(content) != expected):
        raise KeyMissing(f"the data key of {user} is destroyed or damaged; restore it from a key backup if it was not erased")
    generation = int.from_bytes(content[4:8], "big")
    return Record(magic, generation, content[HEADER_BYTES:-COUNT_BYTES], content[-COUNT_BYTES:])


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
        raise KeyExhausted(
            f"the count of seals of {user} is unreadable; run selfimprint rotate-keys for this person, which counts anew"
        )
    return int.from_bytes(field[:8], "big")
