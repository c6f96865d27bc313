"""Exports made where nobody could be handed a file: kept sealed until somebody fetches them."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from memory_lib.domain.ids import UserId


class Exports(Protocol):
    """Sealed with the person's key, gone with it; also a ``PersonStore``."""

    def keep(self, user: UserId, name: str, data: bytes) -> None:
        """Whole or not at all, durable on return; ``name``: an id."""
        ...

    def fetch(self, user: UserId, name: str) -> bytes:
        """Raises UnreadableFile where there is none by this name, SealBroken."""
        ...

    def expire(self, *, before: datetime) -> int:
        """What was made before that instant goes, fetched or not; how many files."""
        ...

    def erase(self, user: UserId) -> Mapping[str, int]: ...

    def residue(self, user: UserId) -> Mapping[str, int]: ...
