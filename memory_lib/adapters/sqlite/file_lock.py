"""A lock between processes and threads, beside the file it guards (TRAPS, SQLite: WAL and two writers).

SQLite 3.7.0 to 3.51.2 can damage a WAL when two connections write and checkpoint at the same moment. So every write, open
and close of a person's file happens under an exclusive lock on ``<file>.lock``. The lock belongs to an open file description:
it also keeps two connections of one process apart, and ends with its process however that ends.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memory_lib.errors import StoreBusy

_FIRST_WAIT_S = 0.0005
_LONGEST_WAIT_S = 0.01


@contextmanager
def file_lock(path: str, *, timeout_s: float) -> Iterator[None]:
    """Hold ``<path>.lock``. The folder must exist.

    Raises:
        StoreBusy: somebody else held it for longer than ``timeout_s``.
    """
    descriptor = _acquire(f"{path}.lock", timeout_s)
    try:
        yield
    finally:
        # said aloud: a child forked meanwhile holds the same description, and closing ours alone would leave the lock with it
        fcntl.flock(descriptor, fcntl.LOCK_UN)
        os.close(descriptor)


def _acquire(path: str, timeout_s: float) -> int:
    deadline = time.monotonic() + timeout_s
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            _wait_for(descriptor, deadline)
            # whoever erased the person took the lock file away: a lock on a file without a name locks nothing
            with suppress(FileNotFoundError):
                if _names(path, descriptor):
                    return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)


def _wait_for(descriptor: int, deadline: float) -> None:
    wait = _FIRST_WAIT_S
    while not _try(descriptor):
        if time.monotonic() >= deadline:
            raise StoreBusy("a person's graph file stayed locked by another writer for longer than this one waits; try later")
        time.sleep(wait)
        wait = min(2 * wait, _LONGEST_WAIT_S)


def _try(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _names(path: str, descriptor: int) -> bool:
    return os.path.samestat(Path(path).stat(), os.fstat(descriptor))
