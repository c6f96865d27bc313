"""Exports that wait to be fetched: ``root/exports/<user id>/<name>.sealed``, sealed with the person's key.

A sealed file holds so much and no more, so a large export goes on in ``<name>.2.sealed`` …; the first part says how many there
are, and is written last.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from memory_lib.adapters.durable_files import make_folder, rewritten, sync
from memory_lib.domain.ids import UserId
from memory_lib.errors import IllegalValue, SealBroken, UnreadableFile
from memory_lib.ports.keys import FileSealer

SUFFIX = ".sealed"
GENERATION = 1
PART_BYTES = 32 * 2**20
"""Half of what a sealed file may hold."""
COUNT_BYTES = 4
_ID = re.compile(r"[0-9a-f]{32}")


class SealedExports:
    """Implements ``ports.exports.Exports``, ``PersonStore`` and ``Resealable``. The folder is made with the first export."""

    def __init__(self, root: Path, sealer: FileSealer) -> None:
        self._folder = root / "exports"
        self._sealer = sealer

    def keep(self, user: UserId, name: str, data: bytes) -> None:
        folder = self._of(user)
        make_folder(folder)
        parts = [data[start : start + PART_BYTES] for start in range(0, len(data), PART_BYTES)] or [b""]
        for number in range(len(parts), 1, -1):
            self._write(user, name, number, parts[number - 1])
        self._write(user, name, 1, len(parts).to_bytes(COUNT_BYTES, "big") + parts[0])
        for each in (folder, self._folder):
            sync(each)

    def fetch(self, user: UserId, name: str) -> bytes:
        first = self._read(user, name, 1)
        count = int.from_bytes(first[:COUNT_BYTES], "big")
        return b"".join([first[COUNT_BYTES:], *(self._read(user, name, number) for number in range(2, count + 1))])

    def outdated(self, user: UserId) -> int:
        """As ``Resealable.outdated``."""
        return len(self._outdated(user))

    def reseal(self, user: UserId, *, limit: int) -> int:
        """As ``Resealable.reseal``; at least one at a time."""
        done = 0
        broken: SealBroken | None = None
        for name, number in self._outdated(user):
            try:
                part = self._read(user, name, number)
            except SealBroken as error:
                broken = broken or error
                continue
            self._write(user, name, number, part)
            done += 1
            if done >= limit:
                break
        if done:
            sync(self._of(user))
        elif broken is not None:
            raise broken
        return done

    def _outdated(self, user: UserId) -> list[tuple[str, int]]:
        """(name, part), of those that are sealed under an older key or form."""
        folder = self._of(user)
        found: list[tuple[str, int]] = []
        for path in sorted(folder.glob(f"*{SUFFIX}")) if folder.is_dir() else ():
            name, _, number = path.name.removesuffix(SUFFIX).partition(".")
            if self._sealer.outdated(user, path.read_bytes()):
                found.append((name, int(number or 1)))
        return found

    def _write(self, user: UserId, name: str, number: int, part: bytes) -> None:
        path = self._path(user, name, number)
        sealed = self._sealer.seal_file(user, _place(user, name, number), GENERATION, part)
        with rewritten(path) as file:
            file.write(sealed)

    def _read(self, user: UserId, name: str, number: int) -> bytes:
        try:
            sealed = self._path(user, name, number).read_bytes()
        except FileNotFoundError:
            raise UnreadableFile("there is no export by this request; it is not made yet, or was taken away") from None
        return self._sealer.open_file(user, _place(user, name, number), GENERATION, sealed)

    def expire(self, *, before: datetime) -> int:
        """Exports made before that instant go, fetched or not; how many files."""
        gone = 0
        if self._folder.is_dir():
            for path in self._folder.glob("*/*"):
                if path.stat().st_mtime < before.timestamp():
                    path.unlink(missing_ok=True)
                    gone += 1
        return gone

    def erase(self, user: UserId) -> Mapping[str, int]:
        """Unfinished ones too (``files``)."""
        gone = self.residue(user)
        folder = self._of(user)
        if folder.is_dir():
            shutil.rmtree(folder)
            sync(self._folder)
        return gone

    def residue(self, user: UserId) -> Mapping[str, int]:
        folder = self._of(user)
        files = sum(1 for _ in folder.iterdir()) if folder.is_dir() else 0
        return {"files": files} if files else {}

    def _of(self, user: UserId) -> Path:
        if not _ID.fullmatch(user):
            raise IllegalValue("a user id is 32 hex digits; it names a folder of exports")
        return self._folder / user

    def _path(self, user: UserId, name: str, number: int) -> Path:
        if not _ID.fullmatch(name):
            raise IllegalValue("an export is named by the 32 hex digits of its request")
        return self._of(user) / (f"{name}{SUFFIX}" if number == 1 else f"{name}.{number}{SUFFIX}")


def _place(user: UserId, name: str, number: int) -> str:
    return f"exports/{user}/{name}/{number}"
