"""AES-256-GCM envelopes (DESIGN §3, Sealed text; CONTRACTS, Sealing and keys).

::

    0   1   envelope version (1)
    1   4   generation of the key, big-endian
    5   12  nonce, random
    17  …   ciphertext and 16-byte tag

AAD = envelope version, then user, kind and record id, each with its length before it: an envelope opens only for the person,
kind and row it was made for.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from memory_lib.adapters.keys.opened_keys import Opened
from memory_lib.adapters.keys.params import KeyringParams
from memory_lib.domain.ids import UserId
from memory_lib.errors import KeyMissing, SealBroken
from memory_lib.ports.keys import DataKey, Keyring

VERSION = 1
NONCE = slice(5, 17)
HEADER_BYTES = 17
OVERHEAD = HEADER_BYTES + 16
"""Bytes an envelope is longer than what it holds."""
MOVED = "altered, moved or of another person"


class EnvelopeBroken(SealBroken):
    """``kind`` of record and key ``generation`` named by the envelope (-1: none), never its content."""

    def __init__(self, *, kind: str, generation: int, reason: str) -> None:
        self.kind, self.generation = kind, generation
        super().__init__(f"a sealed {kind} (key generation {generation}) does not open: {reason}; restore it from a backup")


class CachingKeyring(Keyring, Protocol):
    """A keyring that keeps opened keys itself, checks them on use, and drops them when told."""

    def forget(self, user: UserId) -> None: ...


@dataclass(slots=True, repr=False)
class _Cipher:
    """A person's newest key, and how many seals of the last reservation are left to this process."""

    key: DataKey
    aead: AESGCM
    header: bytes
    left: int = 0
    pid: int = 0
    guard: threading.Lock = field(default_factory=threading.Lock)


class AesGcmSealer:
    """Implements ``ports.keys.Sealer``. Safe between threads; a fork books seals of its own.

    Seals with the newest generation of the person's key; which one that is, and whether there still is a key, the keyring is
    asked whenever sealing or opening begins, and every ``checked_s`` while a piece of sealing goes on. Opens by the generation
    that an envelope names, while that one is kept.
    """

    def __init__(self, keyring: CachingKeyring, *, params: KeyringParams) -> None:
        self._keyring = keyring
        self._params = params
        self._ciphers: Opened[UserId, _Cipher] = Opened(most=params.opened_keys, seconds=params.opened_s)

    def seal(self, user: UserId, kind: str, record: str, payload: bytes) -> bytes:
        return self.sealing(user)(kind, record, payload)

    def open(self, user: UserId, kind: str, record: str, envelope: bytes) -> bytes:
        return self.opener(user)(kind, record, envelope)

    def sealing(self, user: UserId) -> Callable[[str, str, bytes], bytes]:
        """(kind, record id, payload) → envelope, for many records of one person.

        Raises:
            KeyMissing: erased or never made. What it returns raises KeyMissing and KeyExhausted.
        """
        cipher = self._cipher(user)
        prefixes: dict[str, bytes] = {}
        encrypt, header, urandom, checked_s = cipher.aead.encrypt, cipher.header, os.urandom, self._params.checked_s
        check_at = monotonic() + checked_s

        def seal(kind: str, record: str, payload: bytes) -> bytes:
            nonlocal cipher, encrypt, header, check_at
            if monotonic() >= check_at:
                cipher = self._cipher(user)
                encrypt, header, check_at = cipher.aead.encrypt, cipher.header, monotonic() + checked_s
            self._count(user, cipher)
            prefix = prefixes.get(kind)
            if prefix is None:
                prefix = prefixes[kind] = _aad_prefix(user, kind)
            name = record.encode()
            nonce = urandom(12)
            return header + nonce + encrypt(nonce, payload, prefix + len(name).to_bytes(4, "big") + name)

        return seal

    def opener(self, user: UserId) -> Callable[[str, str, bytes], bytes]:
        """(kind, record id, envelope) → payload, for many records of one person.

        Raises:
            KeyMissing: erased or never made. What it returns raises SealBroken.
        """
        cipher = self._cipher(user)
        prefixes: dict[str, bytes] = {}
        others: dict[bytes, AESGCM] = {}
        decrypt, header = cipher.aead.decrypt, cipher.header

        def open_envelope(kind: str, record: str, envelope: bytes) -> bytes:
            prefix = prefixes.get(kind)
            if prefix is None:
                prefix = prefixes[kind] = _aad_prefix(user, kind)
            name = record.encode()
            aad = prefix + len(name).to_bytes(4, "big") + name
            head = envelope[:5]
            if head != header:
                other = others.get(head)
                if other is None:
                    other = others[head] = self._other(user, kind, envelope)
                return _decrypted(other.decrypt, kind, envelope, aad)
            try:
                return decrypt(envelope[5:17], envelope[17:], aad)
            except (InvalidTag, ValueError):
                raise EnvelopeBroken(kind=kind, generation=cipher.key.generation, reason=MOVED) from None

        return open_envelope

    def forget(self, user: UserId) -> None:
        """Drop the opened keys from memory, the keyring's too (after ``destroy``, or a rotation)."""
        self._ciphers.discard(user)
        self._keyring.forget(user)

    def _cipher(self, user: UserId) -> _Cipher:
        try:
            key = self._keyring.open(user)
        except KeyMissing:
            self._ciphers.discard(user)
            raise
        cipher = self._ciphers.get(user)
        if cipher is not None:
            if cipher.key.generation == key.generation:
                return cipher
            self._ciphers.discard(user)
        header = bytes([VERSION]) + key.generation.to_bytes(4, "big")
        return self._ciphers.put(user, _Cipher(key=key, aead=AESGCM(key.key), header=header))

    def _count(self, user: UserId, cipher: _Cipher) -> None:
        with cipher.guard:
            if cipher.left <= 0 or cipher.pid != os.getpid():
                cipher.left = 0
                self._keyring.reserve(user, self._params.seals_reserved, generation=cipher.key.generation)
                cipher.left, cipher.pid = self._params.seals_reserved, os.getpid()
            cipher.left -= 1

    def _other(self, user: UserId, kind: str, envelope: bytes) -> AESGCM:
        """For an envelope of another version or generation than the newest key."""
        if len(envelope) < OVERHEAD or envelope[0] != VERSION:
            raise EnvelopeBroken(kind=kind, generation=-1, reason="it is no envelope of a known version")
        generation = generation_of(envelope)
        try:
            return AESGCM(self._keyring.open(user, generation).key)
        except KeyMissing:
            if not self._keyring.exists(user):
                raise
            raise EnvelopeBroken(kind=kind, generation=generation, reason="the key of that generation is not kept") from None


def generation_of(envelope: bytes) -> int:
    """The generation of the key that an envelope names; -1: no envelope of a known version. Opens nothing."""
    if len(envelope) < OVERHEAD or envelope[0] != VERSION:
        return -1
    return int.from_bytes(envelope[1:5], "big")


def _decrypted(decrypt: Callable[[bytes, bytes, bytes], bytes], kind: str, envelope: bytes, aad: bytes) -> bytes:
    if len(envelope) < OVERHEAD:
        raise EnvelopeBroken(kind=kind, generation=-1, reason="it is no envelope of a known version")
    try:
        return decrypt(envelope[NONCE], envelope[HEADER_BYTES:], aad)
    except (InvalidTag, ValueError):
        raise EnvelopeBroken(kind=kind, generation=generation_of(envelope), reason=MOVED) from None


def _aad_prefix(user: UserId, kind: str) -> bytes:
    parts = (user.encode(), kind.encode())
    return bytes([VERSION]) + b"".join(len(part).to_bytes(4, "big") + part for part in parts)
