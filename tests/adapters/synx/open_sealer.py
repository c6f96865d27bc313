"""A file sealer that hides nothing and binds content to its place: what is tested over it is the files, not the seal."""

from __future__ import annotations

import hashlib

from memory_lib.domain.ids import UserId
from memory_lib.errors import SealBroken


class OpenSealer:
    """Implements ``ports.keys.FileSealer``."""

    def seal_file(self, user: UserId, path: str, generation: int, content: bytes) -> bytes:
        return self._tag(user, path, generation, content) + content

    def open_file(self, user: UserId, path: str, generation: int, sealed: bytes) -> bytes:
        tag, content = sealed[:32], sealed[32:]
        if tag != self._tag(user, path, generation, content):
            raise SealBroken(f"sealed file {path} does not open; restore it from a backup")
        return content

    def outdated(self, user: UserId, sealed: bytes) -> bool:
        """Nothing is: there is no key."""
        return False

    @staticmethod
    def _tag(user: UserId, path: str, generation: int, content: bytes) -> bytes:
        return hashlib.sha256(f"{user}|{path}|{generation}|".encode() + content).digest()
