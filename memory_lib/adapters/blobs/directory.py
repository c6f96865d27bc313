"""Blobs in a local directory.

A file is its content and a trailer: 8 bytes that say so, and the content's SHA-256, which is also its etag. It appears whole
or not at all (temporary file beside it, fsync, hard link or rename, fsync of the folder). Temporary files are called
``<name>~<chance>``; ``~`` is in no blob's path. Replacing and deleting hold a lock on ``~lock`` in the root; the first writer
of a free path needs none, as a hard link is exclusive.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from memory_lib.adapters.blobs.file_errors import file_errors
from memory_lib.adapters.blobs.paths import checked_path, checked_prefix
from memory_lib.adapters.durable_files import OWNER_FILE, OWNER_FOLDER, new_file, sync
from memory_lib.errors import SealBroken, StaleRead
from memory_lib.ports.blobs import BlobInfo

MAGIC: Final = b"simpblb1"
TRAILER_BYTES: Final = len(MAGIC) + hashlib.sha256().digest_size
DAMAGED: Final = ""
"""The etag of a file that has no trailer."""

_TEMPORARY: Final = "~"
_LOCK: Final = "~lock"
_ATTEMPTS: Final = 8


class DirectoryBlobs:
    """Implements ``ports.blobs.Blobs`` under ``root``, which is made when something is put. Files are for their owner only."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def put(self, path: str, data: bytes, *, replacing: str | None = None) -> BlobInfo:
        target = self._root / checked_path(path)
        etag = hashlib.sha256(data)
        with file_errors(path):
            temporary = self._written(target, data + MAGIC + etag.digest())
            try:
                if replacing is None:
                    self._link(temporary, target, path)
                else:
                    self._replace(temporary, target, path, replacing)
            finally:
                with suppress(FileNotFoundError):
                    temporary.unlink()
            return BlobInfo(path, len(data), etag.hexdigest())

    def get(self, path: str) -> bytes | None:
        with file_errors(path):
            try:
                whole = (self._root / checked_path(path)).read_bytes()
            except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
                return None
        data, trailer = whole[:-TRAILER_BYTES], whole[-TRAILER_BYTES:]
        if len(whole) < TRAILER_BYTES or trailer != MAGIC + hashlib.sha256(data).digest():
            raise SealBroken(f"file {path} is not what was put there; restore it from a backup")
        return data

    def list(self, prefix: str) -> tuple[BlobInfo, ...]:
        with file_errors(prefix):
            found = [self._info(path) for path in sorted(self._paths(prefix)) if _TEMPORARY not in path]
        return tuple(info for info in found if info is not None)

    def delete(self, paths: Sequence[str]) -> None:
        for path in paths:
            checked_path(path)
        with file_errors(paths[0] if paths else ""):
            self._remove(paths)

    def purge(self, prefix: str) -> Mapping[str, int]:
        with file_errors(prefix):
            gone = _kinds(self._remove(list(self._paths(prefix))))
            self._remove_empty(prefix)
            return gone

    def residue(self, prefix: str) -> Mapping[str, int]:
        with file_errors(prefix):
            return _kinds(self._paths(prefix))

    def reap(self, *, older_than: datetime) -> int:
        with file_errors(""):
            old = [path for path in self._paths("") if _TEMPORARY in path and self._begun_before(path, older_than)]
            return len(self._remove(old))

    # -- writing --

    def _written(self, target: Path, content: bytes) -> Path:
        """A temporary file beside ``target`` with this content, durable."""
        temporary = target.with_name(f"{target.name}{_TEMPORARY}{secrets.token_hex(8)}")
        descriptor = self._opened(temporary)
        try:
            try:
                rest = memoryview(content)
                while rest:
                    rest = rest[os.write(descriptor, rest) :]
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise
        return temporary

    def _opened(self, temporary: Path) -> int:
        for attempt in range(_ATTEMPTS):
            self._make_folder(temporary.parent)
            try:
                return new_file(temporary)
            except FileNotFoundError:
                # somebody who deleted the folder's last file took the folder away in between
                if attempt == _ATTEMPTS - 1:
                    raise
        raise AssertionError

    def _make_folder(self, folder: Path) -> None:
        if folder.is_dir():
            return
        if folder != self._root:
            self._make_folder(folder.parent)
        else:
            folder.parent.mkdir(parents=True, exist_ok=True)
        with suppress(FileExistsError, FileNotFoundError):
            folder.mkdir(mode=OWNER_FOLDER)
            sync(folder.parent)

    def _link(self, temporary: Path, target: Path, path: str) -> None:
        try:
            os.link(temporary, target)
        except FileExistsError:
            raise StaleRead(f"file {path} is there already; nothing was put") from None
        try:
            sync(target.parent)
        except OSError:
            # what may be gone after a crash was never put
            with suppress(OSError):
                target.unlink()
            raise

    def _replace(self, temporary: Path, target: Path, path: str, replacing: str) -> None:
        with self._locked():
            there = self._info(path)
            if there is None or there.etag != replacing:
                raise StaleRead(f"file {path} is not the one to be replaced; nothing was put")
            temporary.replace(target)
            sync(target.parent)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self._make_folder(self._root)
        descriptor = os.open(self._root / _LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, OWNER_FILE)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            # said aloud: a child forked meanwhile holds the same description
            fcntl.flock(descriptor, fcntl.LOCK_UN)
            os.close(descriptor)

    # -- taking away --

    def _remove(self, paths: Sequence[str]) -> Sequence[str]:
        """Those that were there; folders that are empty then go too."""
        if not paths or not self._root.is_dir():
            return []
        gone = []
        with self._locked():
            for path in paths:
                try:
                    (self._root / path).unlink()
                except (FileNotFoundError, NotADirectoryError):
                    continue
                gone.append(path)
            for folder in sorted({(self._root / path).parent for path in gone}, reverse=True):
                self._tidy(folder)
        return gone

    def _remove_empty(self, prefix: str) -> None:
        """Folders left empty by who was killed between the last file and them go: their names name a person."""
        folder = self._root / checked_prefix(prefix).rpartition("/")[0]
        if folder == self._root or not folder.is_dir():
            return
        with self._locked():
            for each in sorted((path for path in folder.rglob("*") if path.is_dir()), reverse=True):
                with suppress(OSError):
                    each.rmdir()
            self._tidy(folder)

    def _tidy(self, folder: Path) -> None:
        """The removal of its files is durable; the folder and its parents go where they are empty."""
        while folder != self._root:
            try:
                folder.rmdir()
            except FileNotFoundError:
                pass
            except OSError:
                break
            folder = folder.parent
        sync(folder)

    # -- looking --

    def _paths(self, prefix: str) -> Iterator[str]:
        """Relative paths of all files, temporary ones too, that start with ``prefix``."""
        folder = self._root / checked_prefix(prefix).rpartition("/")[0]
        for place, _folders, names in os.walk(folder, onerror=_unless_gone):
            for name in names:
                path = (Path(place) / name).relative_to(self._root).as_posix()
                if path.startswith(prefix) and path != _LOCK:
                    yield path

    def _info(self, path: str) -> BlobInfo | None:
        try:
            with (self._root / path).open("rb") as file:
                size = file.seek(0, os.SEEK_END) - TRAILER_BYTES
                if size < 0:
                    return BlobInfo(path, 0, DAMAGED)
                file.seek(size)
                trailer = file.read()
        except (FileNotFoundError, NotADirectoryError):
            return None
        return BlobInfo(path, size, trailer[len(MAGIC) :].hex() if trailer.startswith(MAGIC) else DAMAGED)

    def _begun_before(self, path: str, instant: datetime) -> bool:
        try:
            return (self._root / path).stat().st_mtime < instant.timestamp()
        except FileNotFoundError:
            return False


def _kinds(paths: Iterator[str] | Sequence[str]) -> dict[str, int]:
    return dict(Counter("parts" if _TEMPORARY in path else "content" for path in paths))


def _unless_gone(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError):
        raise error
