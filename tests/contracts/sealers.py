"""Sealers for tests: one that seals (keys made of the user id, so that every process has them), and ones that misbehave."""

from __future__ import annotations

import hashlib
import os
import signal
from collections.abc import Callable

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from memory_lib.domain.ids import UserId
from memory_lib.errors import SealBroken
from memory_lib.ports.keys import Sealer


class TestSealer:
    """AES-256-GCM over (user, kind, record)."""

    __test__ = False

    def seal(self, user: UserId, kind: str, record: str, payload: bytes) -> bytes:
        nonce = os.urandom(12)
        return nonce + self._key(user).encrypt(nonce, payload, f"{user}|{kind}|{record}".encode())

    def open(self, user: UserId, kind: str, record: str, envelope: bytes) -> bytes:
        try:
            return self._key(user).decrypt(envelope[:12], envelope[12:], f"{user}|{kind}|{record}".encode())
        except InvalidTag:
            raise SealBroken("a sealed record does not open; restore it from a backup") from None

    def forget(self, user: UserId) -> None:
        """Keeps nothing."""

    def sealing(self, user: UserId) -> Callable[[str, str, bytes], bytes]:
        return lambda kind, record, payload: self.seal(user, kind, record, payload)

    def opener(self, user: UserId) -> Callable[[str, str, bytes], bytes]:
        return lambda kind, record, envelope: self.open(user, kind, record, envelope)

    @staticmethod
    def _key(user: UserId) -> AESGCM:
        return AESGCM(hashlib.sha256(user.encode()).digest())


class OpenSealer(TestSealer):
    """Seals nothing: what the canary tests must notice."""

    def seal(self, user: UserId, kind: str, record: str, payload: bytes) -> bytes:
        return payload

    def open(self, user: UserId, kind: str, record: str, envelope: bytes) -> bytes:
        return envelope


class DeadlySealer(TestSealer):
    """Kills its own process at the ``after``-th seal: in the middle of an apply, whatever the backend."""

    def __init__(self, after: int) -> None:
        self._left = after

    def seal(self, user: UserId, kind: str, record: str, payload: bytes) -> bytes:
        self._left -= 1
        if self._left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().seal(user, kind, record, payload)


def sealers() -> tuple[Sealer, ...]:
    """All of them, as the port: so that a type checker compares."""
    return (TestSealer(), OpenSealer(), DeadlySealer(1))
