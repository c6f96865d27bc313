"""Counts the moments at which a process changes what is on disk, and may kill it at one of them.

A moment is: a statement that SQLite is sent (other than reading), a file opened, renamed, linked, removed or locked under the
home, a folder made, bytes written or synced by Python. Just before the N-th, the process can be ended as by ``kill -9``.
"""

from __future__ import annotations

import functools
import itertools
import os
import signal
import sqlite3
import sqlite3.dbapi2
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

READING = ("SELECT", "PRAGMA", "WITH")
FILES = frozenset({"open", "os.rename", "os.link", "os.remove", "os.mkdir", "os.truncate"})
CALLS = ("write", "pwrite", "fsync", "fdatasync")


class Moments:
    """From its making on, for the rest of the process: what an audit hook has begun cannot be taken back, so use it in a child.

    ``deadly``: the moment before which the process dies, counted from 1; None counts only.
    """

    def __init__(self, home: Path, *, deadly: int | None) -> None:
        self._home = str(home)
        self._deadly = deadly
        self._counter = itertools.count(1)
        self.seen = 0
        for name in CALLS:
            setattr(os, name, self._counted(getattr(os, name)))
        sqlite3.connect = sqlite3.dbapi2.connect = self._traced(sqlite3.connect)
        sys.addaudithook(self._audit)

    def _pass(self) -> None:
        # one step of an iterator written in C: no two threads get the same number
        self.seen = number = next(self._counter)
        if number == self._deadly:
            os.kill(os.getpid(), signal.SIGKILL)

    def _counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(call)
        def counted(*arguments: Any, **options: Any) -> Any:
            self._pass()
            return call(*arguments, **options)

        return counted

    def _traced(self, connect: Callable[..., sqlite3.Connection]) -> Callable[..., sqlite3.Connection]:
        @functools.wraps(connect)
        def traced(*arguments: Any, **options: Any) -> sqlite3.Connection:
            connection = connect(*arguments, **options)
            connection.set_trace_callback(self._statement)
            return connection

        return traced

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if event == "fcntl.flock" or (event in FILES and str(arguments[0]).startswith(self._home)):
            self._pass()

    def _statement(self, statement: str) -> None:
        if not statement.lstrip().upper().startswith(READING):
            self._pass()
