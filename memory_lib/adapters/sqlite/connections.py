"""At most so many files open: one connection a person, used by one thread at a time, the longest unused closed first.

Forks: SQLite keeps its locks per process and remembers them across a fork, so a child that opens a file which its parent had
open would hold locks that nobody else sees. All connections are therefore closed before a fork; what was in use by another
thread just then is left alone in the child (never used, never closed), which starts with none.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import weakref
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path

from memory_lib.adapters.durable_files import make_folder, sync
from memory_lib.adapters.sqlite import schema
from memory_lib.adapters.sqlite.file_lock import file_lock
from memory_lib.errors import StoreBusy
from memory_lib.ports.graph import GraphFileParams

_PRAGMAS = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
    # what SQLite would spill goes nowhere near a disk
    "PRAGMA temp_store = MEMORY",
)
_STATEMENTS_KEPT = 64
_SIDE_FILES = ("-wal", "-shm", ".lock")


class PersonFile:
    """One person's file and the connection to it. Used only inside ``PersonFiles.file``."""

    __slots__ = ("_identity", "_new_epoch", "_params", "connection", "lock", "path", "users")

    def __init__(self, path: str, *, params: GraphFileParams, new_epoch: Callable[[], int]) -> None:
        self.path = path
        self.lock = threading.Lock()
        self.users = 0
        self.connection: sqlite3.Connection | None = None
        self._params = params
        self._new_epoch = new_epoch
        self._identity: tuple[int, int] | None = None

    def reading(self) -> sqlite3.Connection | None:
        """The connection, or None where the person has no file (none is made)."""
        identity = self._on_disk()
        if identity is not None and identity == self._identity:
            return self.connection
        if identity is None and self.connection is None:
            return None
        with self._file_lock():
            self._meet(create=False)
        return self.connection

    @contextmanager
    def writing(self, *, create: bool) -> Iterator[sqlite3.Connection | None]:
        """Hold the file's write lock; the connection, or None where there is no file and ``create`` is False."""
        if create:
            make_folder(Path(self.path).parent)
        elif self.connection is None and self._on_disk() is None:
            yield None
            return
        with self._file_lock():
            self._meet(create=create)
            yield self.connection

    def close(self) -> None:
        """Raises StoreBusy where another process keeps the file locked; the connection stays as it was."""
        if self.connection is not None:
            with self._file_lock():
                self._close()
                if self._on_disk() is None:
                    # the person was erased meanwhile, and taking the lock made its file, named after them, anew
                    Path(f"{self.path}.lock").unlink(missing_ok=True)

    def remove(self) -> None:
        """Take the person's files away; the lock last, so that whoever waits for it finds out."""
        if not Path(self.path).parent.exists():
            return
        with self._file_lock():
            self._close()
            for suffix in ("", *_SIDE_FILES):
                Path(self.path + suffix).unlink(missing_ok=True)
            sync(Path(self.path).parent)

    def _file_lock(self) -> AbstractContextManager[None]:
        return file_lock(self.path, timeout_s=self._params.busy_timeout_s)

    def _on_disk(self) -> tuple[int, int] | None:
        try:
            found = os.stat(self.path)  # noqa: PTH116 - before every read: a Path costs more than the call
        except FileNotFoundError:
            return None
        return (found.st_dev, found.st_ino)

    def _meet(self, *, create: bool) -> None:
        """Under the write lock: have the connection to what is on disk now.

        Another process may have erased the person, or made them anew; the number of a file that we hold open is given to no
        other file, so equal numbers are the same file.
        """
        identity = self._on_disk()
        if identity == self._identity:
            if identity is not None or not create:
                return
        else:
            # SQLite sees by itself that a file was taken away under a connection, and then leaves the log by that name alone
            self._close()
        if identity is not None or create:
            self._open()

    def _open(self) -> None:
        if self._on_disk() is None:
            # made here for its rights. Never opened beside SQLite again: closing it would drop this process's locks on it
            os.close(os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            sync(Path(self.path).parent)
        connection = sqlite3.connect(
            self.path,
            timeout=self._params.busy_timeout_s,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=_STATEMENTS_KEPT,
        )
        try:
            for pragma in _PRAGMAS:
                connection.execute(pragma)
            schema.ensure(connection, new_epoch=self._new_epoch)
        except BaseException:
            connection.close()
            raise
        self.connection, self._identity = connection, self._on_disk()

    def _close(self) -> None:
        if self.connection is not None:
            self.connection.close()
        self.connection = self._identity = None


class PersonFiles:
    """The open files of a store. ``new_epoch`` numbers a file when it is made."""

    def __init__(self, *, params: GraphFileParams, new_epoch: Callable[[], int]) -> None:
        self._params = params
        self._new_epoch = new_epoch
        # connections that may not be closed safely; held so that nothing closes them by collecting them
        self._left_open: list[sqlite3.Connection] = []
        self._start()
        reference = weakref.ref(self)

        def before_fork() -> None:
            files = reference()
            if files is not None:
                with suppress(StoreBusy):
                    files.close()

        os.register_at_fork(before=before_fork)

    def _start(self) -> None:
        self._process = os.getpid()
        self._condition = threading.Condition()
        self._files: OrderedDict[str, PersonFile] = OrderedDict()
        self._closing = 0

    @property
    def open_count(self) -> int:
        """How many connections are open."""
        return sum(file.connection is not None for file in self._files.values())

    @contextmanager
    def file(self, path: str) -> Iterator[PersonFile]:
        """The file, for this thread alone.

        Raises:
            StoreBusy: every allowed file, or this one, stayed in use for longer than the store waits.
        """
        self._check_process()
        file = self._take(path)
        try:
            if not file.lock.acquire(timeout=self._params.busy_timeout_s):
                raise StoreBusy(f"a person's graph file stayed in use for {self._params.busy_timeout_s:g} s; try again later")
            try:
                yield file
            finally:
                file.lock.release()
        finally:
            with self._condition:
                file.users -= 1
                self._condition.notify()

    def close(self) -> None:
        """Close every connection, waiting for those in use; a later call opens its file again.

        Raises:
            StoreBusy: one stayed in use, here or in another process, for longer than the store waits.
        """
        self._check_process()
        with self._condition:
            files = list(self._files.values())
        for file in files:
            if not file.lock.acquire(timeout=self._params.busy_timeout_s):
                raise StoreBusy(f"a person's graph file stayed in use for {self._params.busy_timeout_s:g} s; close again later")
            try:
                file.close()
            finally:
                file.lock.release()

    def _check_process(self) -> None:
        if self._process != os.getpid():
            self._left_open.extend(file.connection for file in self._files.values() if file.connection is not None)
            # locks may have been held by threads that do not exist here
            self._start()

    def _take(self, path: str) -> PersonFile:
        while True:
            with self._condition:
                file = self._files.get(path)
                if file is not None:
                    file.users += 1
                    self._files.move_to_end(path)
                    return file
                if len(self._files) + self._closing < self._params.max_open_files:
                    file = PersonFile(path, params=self._params, new_epoch=self._new_epoch)
                    file.users = 1
                    self._files[path] = file
                    return file
                unused = next((f for f in self._files.values() if f.users == 0), None)
                if unused is None:
                    if not self._condition.wait(self._params.busy_timeout_s):
                        raise StoreBusy(
                            f"all {self._params.max_open_files} graph files that may be open are in use; try again later"
                        )
                    continue
                del self._files[unused.path]
                self._closing += 1
            try:
                # outside the condition: another process may hold the file's lock for a while
                unused.close()
            except StoreBusy:
                if unused.connection is not None:
                    self._left_open.append(unused.connection)
                raise
            finally:
                with self._condition:
                    self._closing -= 1
                    self._condition.notify_all()
