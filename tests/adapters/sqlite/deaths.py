"""``python -m tests.adapters.sqlite.deaths ROOT FIRST LAST``: for each number N of that range, a child that makes a person and
applies change sets, and is killed as it sends its N-th statement to SQLite."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from pathlib import Path

from memory_lib.adapters.sqlite import connections
from tests.contracts.backends import open_sqlite
from tests.contracts.graph.samples import DIMENSION, FINGERPRINT, NOW, person
from tests.contracts.graph.worker import first_set, second_sets
from tests.contracts.sealers import TestSealer


class Connect:
    """``sqlite3`` for the adapter, with a connection that counts."""

    def __init__(self, deadly: int) -> None:
        self.left = deadly

    def connect(self, *args: object, **options: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = sqlite3.connect(*args, **options)  # type: ignore[call-overload]
        connection.set_trace_callback(self.count)
        return connection

    def count(self, _statement: str) -> None:
        self.left -= 1
        if self.left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)

    Connection = sqlite3.Connection


def main() -> None:
    root, first, last, step = Path(sys.argv[1]), *map(int, sys.argv[2:])
    for number in range(first, last, step):
        child = os.fork()
        if child == 0:
            connections.sqlite3 = Connect(number)  # type: ignore[assignment,attr-defined]
            store, user = open_sqlite(root, TestSealer()), person(f"death {number}")
            store.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=DIMENSION, token=1)
            store.apply(user, [first_set(user)], token=1, now=NOW)
            store.apply(user, second_sets(user), token=1, now=NOW)
            store.close()
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(number, "killed" if os.WIFSIGNALED(status) else "finished")  # noqa: T201 - its answer


if __name__ == "__main__":
    main()
