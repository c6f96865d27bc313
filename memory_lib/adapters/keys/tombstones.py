"""Tombstones: that somebody was erased, in files beside the keys, never in the ledger (CONTRACTS, Sealing and keys).

::

    keys/tombstones/<mark>.json    0600; mark = HMAC-SHA256 of the internal id under a deployment key

Whatever backup of the ledger, graph or files is restored, these are newer, and say who must not come back.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from memory_lib.adapters.keys import key_files
from memory_lib.domain.canonical import canonical_json
from memory_lib.domain.ids import UserId
from memory_lib.errors import DependencyDown, IllegalValue, KeyMissing
from memory_lib.ports.keys import Keyring, Tombstone

_MARK = re.compile("[0-9a-f]{64}", re.ASCII)


class FileTombstones:
    """Implements ``ports.keys.Tombstones`` under ``root/keys``. Safe between processes: a stage is put whole or not at all."""

    def __init__(self, root: Path, keyring: Keyring) -> None:
        self._directory = root / "keys" / "tombstones"
        self._key = keyring.deployment_key("tombstone")

    def mark(self, user: UserId) -> str:
        """64 hex digits."""
        return hmac.digest(self._key, user.encode(), "sha256").hex()

    def put(self, tombstone: Tombstone) -> None:
        """Raises DependencyDown where it cannot be written, a full disk for one; the former stage stays."""
        path = self._path(tombstone.mark)
        record = {
            "at_us": tombstone.at_us,
            "stage": tombstone.stage,
            "counts": {part: dict(each) for part, each in tombstone.counts.items()},
        }
        try:
            key_files.make_directory(self._directory)
            with key_files.locked(self._directory):
                key_files.replace(path, canonical_json(record))
                key_files.destroy_temporary(path)
        except OSError as failure:
            reason = (failure.strerror or type(failure).__name__).lower()
            raise DependencyDown(
                "keys", f"how far the erasure has come cannot be written ({reason}); put that right and start it again"
            ) from None

    def of(self, user: UserId) -> Tombstone | None:
        """Raises KeyMissing where its file is damaged: that somebody was erased is still known."""
        mark = self.mark(user)
        path = self._path(mark)
        content = key_files.read_secret(path)
        if content is None:
            return None
        try:
            record: dict[str, Any] = json.loads(content)
            counts = {str(part): {str(what): int(n) for what, n in each.items()} for part, each in record["counts"].items()}
            return Tombstone(mark=mark, at_us=int(record["at_us"]), stage=str(record["stage"]), counts=counts)
        except (ValueError, KeyError, TypeError, AttributeError):
            raise KeyMissing(f"tombstone {path} is damaged; restore it from a key backup, or erase the person again") from None

    def state(self) -> str:
        """A hash of all marks; reads one directory."""
        return hashlib.sha256("".join(sorted(self._marks())).encode()).hexdigest()

    def buried(self, users: Iterable[UserId]) -> tuple[UserId, ...]:
        marks = self._marks()
        return tuple(user for user in users if self.mark(user) in marks) if marks else ()

    def _marks(self) -> frozenset[str]:
        if not self._directory.is_dir():
            return frozenset()
        return frozenset(
            path.stem for path in self._directory.iterdir() if path.suffix == ".json" and _MARK.fullmatch(path.stem)
        )

    def _path(self, mark: str) -> Path:
        if not _MARK.fullmatch(mark):
            raise IllegalValue("the mark of a tombstone is 64 hex digits")
        return self._directory / f"{mark}.json"
