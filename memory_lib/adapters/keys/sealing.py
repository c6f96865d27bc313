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
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from memory_lib.adapters.keys.params import KeyringParams
from memory_lib.domain.ids import UserId
from memory_lib.errors import SealBroken
from memory_lib.ports.keys import Keyring

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


@dataclass(slots=True, repr=False)
class _Cipher:
    """A person's opened key, and how many seals of the last reservation are left to this process."""

    generation: int
    aead: AESGCM
    header: bytes
    left: int = 0
    pid: int = 0


class AesGcmSealer:
    """Implements ``ports.keys.Sealer``. Safe between threads; a fork books seals of its own."""

    def __init__(self, keyring: Keyring, *, params: KeyringParams) -> None:
        self._keyring = keyring
        self._params = params
        self._ciphers: OrderedDict[UserId, _Cipher] = OrderedDict()
        self._guard = threading.Lock()

    def seal(self, user: UserId, kind: str, record: str, payload: bytes) -> bytes:
        return self.sealing(user)(kind, record, payload)

    def open(self, user: UserId, kind: str, record: str, envelope: bytes) -> bytes:
        return self.opener(user)(kind, record, envelope)

    def sealing(self, user: UserId) -> Callable[[str, str, bytes], bytes]:
        """(kind, record id, payload) → envelope, for many records of one person.

        Raises:
            KeyMissing: erased or never made.
        """
        cipher = self._cipher(user)
        prefixes: dict[str, bytes] = {}
        encrypt, header, urandom = cipher.aead.encrypt, cipher.header, os.urandom

        def seal(kind: str, record: str, payload: bytes) -> bytes:
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
        decrypt, header = cipher.aead.decrypt, cipher.header

        def open_envelope(kind: str, record: str, envelope: bytes) -> bytes:
            prefix = prefixes.get(kind)
            if prefix is None:
                prefix = prefixes[kind] = _aad_prefix(user, kind)
            name = record.encode()
            aad = prefix + len(name).to_bytes(4, "big") + name
            if envelope[:5] != header:
                return self._open_other(user, kind, aad, envelope)
            try:
                return decrypt(envelope[5:17], envelope[17:], aad)
            except (InvalidTag, ValueError):
                raise EnvelopeBroken(kind=kind, generation=cipher.generation, reason=MOVED) from None

        return open_envelope

    def forget(self, user: UserId) -> None:
        """Drop the opened key from memory (after ``destroy``, or a rotation)."""
        with self._guard:
            self._ciphers.pop(user, None)

    def _cipher(self, user: UserId) -> _Cipher:
        with self._guard:
            cipher = self._ciphers.get(user)
            if cipher is not None:
                # another process may have erased the person since
                if self._keyring.exists(user):
                    self._ciphers.move_to_end(user)
                    return cipher
                del self._ciphers[user]
        key = self._keyring.open(user)
        header = bytes([VERSION]) + key.generation.to_bytes(4, "big")
        cipher = _Cipher(generation=key.generation, aead=AESGCM(key.key), header=header)
        with self._guard:
            cipher = self._ciphers.setdefault(user, cipher)
            while len(self._ciphers) > self._params.opened_keys:
                self._ciphers.popitem(last=False)
            return cipher

    def _count(self, user: UserId, cipher: _Cipher) -> None:
        with self._guard:
            if cipher.left <= 0 or cipher.pid != os.getpid():
                cipher.left = 0
                self._keyring.reserve(user, self._params.seals_reserved)
                cipher.left, cipher.pid = self._params.seals_reserved, os.getpid()
            cipher.left -= 1

    def _open_other(self, user: UserId, kind: str, aad: bytes, envelope: bytes) -> bytes:
        """An envelope of another version or generation than the cached key: the key may have been rotated elsewhere."""
        if len(envelope) < OVERHEAD or envelope[0] != VERSION:
            raise EnvelopeBroken(kind=kind, generation=-1, reason="it is no envelope of a known version")
        generation = int.from_bytes(envelope[1:5], "big")
        self.forget(user)
        fresh = self._cipher(user)
        if fresh.generation != generation:
            raise EnvelopeBroken(kind=kind, generation=generation, reason=f"the key is at generation {fresh.generation}")
        try:
            return fresh.aead.decrypt(envelope[NONCE], envelope[HEADER_BYTES:], aad)
        except (InvalidTag, ValueError):
            raise EnvelopeBroken(kind=kind, generation=generation, reason=MOVED) from None


def _aad_prefix(user: UserId, kind: str) -> bytes:
    parts = (user.encode(), kind.encode())
    return bytes([VERSION]) + b"".join(len(part).to_bytes(4, "big") + part for part in parts)
