"""Secret files: made whole or not at all, readable by their owner only.

A file appears under its name with all its bytes or not at all (temporary file, fsync, hard link, fsync of the directory), and
the first of two makers wins: the link is exclusive.
"""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memory_lib.adapters.durable_files import OWNER_FILE, OWNER_FOLDER, TEMPORARY, make_folder, new_file, sync
from memory_lib.errors import KeyMissing

OTHERS = 0o077
MOST_BYTES = 1 << 16
"""Of a secret file; ours have some hundred."""


def make_directory(path: Path) -> None:
    """The directory and its parents, the last one for its owner only; durable.

    Raises:
        KeyMissing: others may enter it and it is not ours to close.
    """
    make_folder(path)
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        _close_to_others(path, descriptor, OWNER_FOLDER)
    finally:
        os.close(descriptor)


def create_exclusively(path: Path, content: bytes) -> bool:
    """Write the file unless it is there already; True where this call made it. Durable once it returns.

    Where the process dies half-way, at most a temporary file stays: another name of the same bytes, or of bytes never used.
    """
    temporary = _temporary(path, content)
    try:
        try:
            os.link(temporary, path)
        except FileExistsError:
            return False
    finally:
        temporary.unlink(missing_ok=True)
        sync(path.parent)
    return True


def put_in_place(path: Path, content: bytes) -> None:
    """New bytes under the name, in one step and durable; the former ones are not overwritten."""
    temporary = _temporary(path, content)
    try:
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
        sync(path.parent)


def replace(path: Path, content: bytes) -> None:
    """``put_in_place``, then the former bytes are overwritten; by ``destroy_temporary`` where the process died meanwhile."""
    former = path.with_name(f"{path.name}.{secrets.token_hex(8)}{TEMPORARY}")
    if path.exists():
        os.link(path, former)
    try:
        put_in_place(path, content)
    except BaseException:
        former.unlink(missing_ok=True)
        raise
    _overwrite(former)
    former.unlink(missing_ok=True)
    sync(path.parent)


def _temporary(path: Path, content: bytes) -> Path:
    """The bytes under a name of their own beside ``path``, durable; nothing stays where that fails."""
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}{TEMPORARY}")
    descriptor = new_file(temporary)
    try:
        try:
            if os.write(descriptor, content) != len(content):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return temporary


def read_secret(path: Path) -> bytes | None:
    """The file's bytes, None where there is no such file; rights that are too wide are tightened first.

    Raises:
        KeyMissing: the file cannot be read, or others can read it and it is not ours to close.
    """
    try:
        # a pipe put there would be waited for without end
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as failure:
        raise KeyMissing(f"key file {path} cannot be read ({failure.strerror}); give its owner the right to read it") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise KeyMissing(f"{path} is no file; move it away and restore the key file")
        _close_to_others(path, descriptor, OWNER_FILE)
        return os.read(descriptor, MOST_BYTES)
    finally:
        os.close(descriptor)


def destroy(path: Path) -> None:
    """Overwrite in place, unlink, fsync the directory; the same for temporary files left by a killed maker of this file."""
    _overwrite(path)
    path.unlink(missing_ok=True)
    destroy_temporary(path)
    if path.parent.is_dir():
        sync(path.parent)


def destroy_temporary(path: Path) -> None:
    """What a killed maker of this file left beside it: another name of its bytes is taken away, other bytes are overwritten."""
    for left in path.parent.glob(f"{path.name}.*{TEMPORARY}"):
        if not (path.exists() and left.samefile(path)):
            _overwrite(left)
        left.unlink(missing_ok=True)
    if path.parent.is_dir():
        sync(path.parent)


def destroy_unless_same(path: Path, present: Path) -> None:
    """``destroy``; where the file is only another name of ``present``, the name goes and the bytes stay."""
    if path.exists() and present.exists() and path.samefile(present):
        path.unlink()
        sync(path.parent)
    else:
        destroy(path)


def _overwrite(path: Path) -> None:
    try:
        descriptor = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return
    try:
        os.pwrite(descriptor, bytes(os.fstat(descriptor).st_size), 0)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """One process and thread at a time changes the files of this directory."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _close_to_others(path: Path, descriptor: int, mode: int) -> None:
    """``descriptor``: what ``path`` was opened by; whatever has that name by now is not touched."""
    if not stat.S_IMODE(os.fstat(descriptor).st_mode) & OTHERS:
        return
    try:
        os.fchmod(descriptor, mode)
    except OSError:
        raise KeyMissing(f"{path} can be read by others and is not ours to change; run: chmod {mode:o} {path}") from None
