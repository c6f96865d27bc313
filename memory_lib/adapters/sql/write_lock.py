"""One writer of a SQLite file at a time, between threads and processes.

SQLite 3.7.0 to 3.51.2 can damage a WAL where two connections write and checkpoint at once (sqlite.org, "WAL reset bug"); the
lock is held around every write and every close, so no two do.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from memory_lib.errors import StoreBusy

FIRST_PAUSE_S = 0.0005
LONGEST_PAUSE_S = 0.02


class WriteLock:
    """Re-entrant within a thread; entering waits up to ``timeout_s``.

    Raises:
        StoreBusy: somebody else held it for longer.
    """

    def __init__(self, path: Path, *, timeout_s: float) -> None:
        self._timeout_s = timeout_s
        self._thread = threading.RLock()
        self._depth = 0
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)

    def __enter__(self) -> Self:
        if not self._thread.acquire(timeout=self._timeout_s):
            raise StoreBusy("another thread writes the ledger for longer than we wait; try again")
        try:
            if self._depth == 0:
                self._lock_file()
            self._depth += 1
        except BaseException:
            self._thread.release()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._depth -= 1
        if self._depth == 0:
            fcntl.flock(self._descriptor, fcntl.LOCK_UN)
        self._thread.release()

    def close(self) -> None:
        os.close(self._descriptor)

    def _lock_file(self) -> None:
        deadline = time.monotonic() + self._timeout_s
        pause = FIRST_PAUSE_S
        while True:
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise StoreBusy("another process writes the ledger for longer than we wait; try again") from None
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE_S)
            else:
                return
