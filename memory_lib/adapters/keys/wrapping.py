"""How keys are wrapped at rest: by this machine's own secret, or by a key management service. A keyring has one of these.

A person's data key is wrapped together with what it is for (whose, which generation): moved to another name, it does not open.
The deployment's own secrets lie in files of their own, each as one line of text that says how it is protected.
"""

from __future__ import annotations

import os
from typing import Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from memory_lib.domain.ids import UserId
from memory_lib.errors import KeyMissing

KEY_BYTES = 32


class PersonWrapping(Protocol):
    """Wraps people's data keys. ``magic``: the four bytes that its records start with."""

    @property
    def magic(self) -> bytes: ...

    def fresh(self, user: UserId, generation: int) -> tuple[bytes, bytes]:
        """A new data key and the same wrapped. Raises DependencyDown."""
        ...

    def unwrap(self, user: UserId, generation: int, wrapped: bytes) -> bytes:
        """Raises KeyMissing where it is of another person, generation or deployment, or altered; DependencyDown."""
        ...


class SecretWrapping(Protocol):
    """Protects the deployment's own secrets; ``name``: of the file."""

    def protect(self, name: str, secret: bytes) -> str:
        """The line that is kept."""
        ...

    def reveal(self, name: str, line: str) -> bytes:
        """Raises KeyMissing, saying what to do; DependencyDown."""
        ...


class LocalWrapping:
    """AES-256-GCM under a key of this deployment. Implements ``PersonWrapping``."""

    magic = b"SIK1"

    def __init__(self, key: bytes) -> None:
        self._aead = AESGCM(key)

    def fresh(self, user: UserId, generation: int) -> tuple[bytes, bytes]:
        key, nonce = os.urandom(KEY_BYTES), os.urandom(12)
        return key, nonce + self._aead.encrypt(nonce, key, self._aad(user, generation))

    def unwrap(self, user: UserId, generation: int, wrapped: bytes) -> bytes:
        try:
            return self._aead.decrypt(wrapped[:12], wrapped[12:], self._aad(user, generation))
        except (InvalidTag, ValueError):
            raise KeyMissing(
                f"the data key of {user} does not open under this deployment key; "
                "restore keys/deployment.key of the same backup"
            ) from None

    def _aad(self, user: UserId, generation: int) -> bytes:
        name = user.encode("utf-8")
        return self.magic + len(name).to_bytes(4, "big") + name + generation.to_bytes(4, "big")


class PlainSecrets:
    """Hex digits, protected by the file's rights alone. Implements ``SecretWrapping``."""

    def protect(self, name: str, secret: bytes) -> str:  # noqa: ARG002 - the protocol's shape
        return secret.hex()

    def reveal(self, name: str, line: str) -> bytes:
        key = hex_key(line)
        if key is not None:
            return key
        if line.startswith("argon2id:"):
            raise KeyMissing(
                f"keys/{name} is protected by a passphrase; give it with keyring_passphrase or keyring_passphrase_file"
            )
        if line.startswith("kms:"):
            raise KeyMissing(f"keys/{name} is wrapped by a key management service; name its key with kms.key_id")
        raise KeyMissing(f"keys/{name} does not hold 64 hex digits; restore that file from a backup")


def hex_key(text: str) -> bytes | None:
    """32 bytes written as 64 hex digits, else None."""
    digits = text.strip()
    if len(digits) != 2 * KEY_BYTES:
        return None
    try:
        return bytes.fromhex(digits)
    except ValueError:
        return None
