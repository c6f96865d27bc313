"""The connection to one server: one driver a process, opened on first use, never across a fork.

No call waits for a server without end. The server itself ends what takes too long; one that hangs says nothing at all, and that
is noticed here: each wait for its next bytes has a limit, and a connection that reaches it is given up.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, TypeVar, cast

from memory_lib.adapters.neo4j.params import Neo4jParams, Neo4jServerParams
from memory_lib.errors import MissingExtra

try:
    import neo4j
    from neo4j import exceptions as driver_exceptions
except ModuleNotFoundError as missing:
    raise MissingExtra("neo4j", "neo4j") from missing

from memory_lib.adapters.neo4j.driver_errors import MEANINGS, driver_errors

_T = TypeVar("_T")

Row = tuple[Any, ...]
_READS: Final = 2
"""A read that met a dying connection is tried once more, on a new one; not longer, so that who waits can do without."""
_EVERYTHING: Final = -1
_FIRST_RETRY_S: Final = 0.05
_PLANNING: Final = 6
"""So many times longer may a server be silent over a statement that it must plan first: it has just taken the connection."""


class Work:
    """Where statements are carried out, with parameters in and rows out: an open transaction, or a session, in which each is a
    transaction of its own that ends after ``timeout_s``. ``patience``: of a session.
    """

    __slots__ = ("_patience", "_runner", "_timeout_s")

    def __init__(
        self,
        runner: neo4j.Transaction | neo4j.ManagedTransaction | neo4j.Session,
        *,
        timeout_s: float | None = None,
        patience: _Patience | None = None,
    ) -> None:
        self._runner = runner
        self._timeout_s = timeout_s
        self._patience = patience

    def rows(self, statement: str, **parameters: Any) -> list[Row]:
        """All rows of the answer."""
        if self._patience is None:
            return [tuple(record) for record in self._run(statement, parameters)]
        with self._patience.asking(statement):
            return [tuple(record) for record in self._run(statement, parameters)]

    def listed(self, statement: str, **parameters: Any) -> list[Row]:
        """The rows of a statement that gives them as one list."""
        ((found,),) = self.rows(statement, **parameters)
        return [tuple(row) for row in found]

    def run(self, statement: str, **parameters: Any) -> None:
        """A statement whose answer is of no interest; it has been carried out on return."""
        self._run(statement, parameters).consume()

    def _run(self, statement: str, parameters: dict[str, Any]) -> neo4j.Result:
        query: Any = statement if self._timeout_s is None else neo4j.Query(cast("Any", statement), timeout=self._timeout_s)
        return self._runner.run(query, parameters)


class _Patience:
    """A session's way to connections, which sets how long each wait for the server's next bytes may take. The driver has no
    setting for it, only a hint that a server may give.

    ``known``: statements that the server has answered since it was last away; one that it must plan first may take longer.
    """

    def __init__(self, pool: Any, silence_s: float, known: set[str]) -> None:
        self._pool = pool
        self._silence_s = self._usual_s = silence_s
        self._known = known

    @contextmanager
    def asking(self, statement: str) -> Iterator[None]:
        self._silence_s = self._usual_s if statement in self._known else self._usual_s * _PLANNING
        yield
        self._known.add(statement)

    def acquire(self, *arguments: Any, **options: Any) -> Any:
        connection = self._pool.acquire(*arguments, **options)
        connection.socket.set_read_timeout(self._silence_s)
        return connection

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)


class Server:
    """One server, for all threads of a process. Every method raises what ``driver_errors`` translates to.

    ``within_s`` of a read: for whoever can do without: a server that says nothing for so long counts as down. From then until
    it has answered somebody, one such reader at a time tries, and the others are told at once: those who wait do not pile up,
    and the first one after its return is served.
    """

    def __init__(self, server: Neo4jServerParams, *, params: Neo4jParams) -> None:
        self._server = server
        self._params = params
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._driver: neo4j.Driver | None = None
        self._opened = 0
        self._abandoned: list[neo4j.Driver] = []
        self._silent = False
        self._trying = threading.Lock()
        self._answered: set[str] = set()

    def read(self, work: Callable[[Work], _T], *, within_s: float | None = None) -> _T:
        """``work`` of reads alone, routed to readers. It may see what is being committed just then half-way. The server would
        show it no more of one instant in a transaction, which costs two further round trips.
        """

        def once() -> _T:
            with self._session(neo4j.READ_ACCESS, limit_s=self._params.busy_s, within_s=within_s) as session:
                patience = None if within_s is None else self._patient(session, within_s)
                return work(Work(session, timeout_s=self._params.busy_s, patience=patience))

        return self._try_again(once, within_s=within_s)

    def read_locked(self, work: Callable[[Work], _T], *, within_s: float | None = None) -> _T:
        """``work`` in a transaction that is taken back at its end: what it locks stays as it is meanwhile."""
        limit = self._params.busy_s if within_s is None else within_s

        def once() -> _T:
            with (
                self._session(neo4j.WRITE_ACCESS, limit_s=limit) as session,
                session.begin_transaction(timeout=limit) as transaction,
            ):
                return work(Work(transaction))

        return self._try_again(once, within_s=within_s)

    def write(self, work: Callable[[Work], _T], *, bulk: bool = False) -> _T:
        """``work`` in a write transaction. The driver calls it again where the server says that it may go through then: it must
        start from what it reads.
        """
        limit = self._params.bulk_s if bulk else self._params.busy_s

        @neo4j.unit_of_work(timeout=limit)
        def one(transaction: neo4j.ManagedTransaction) -> _T:
            return work(Work(transaction))

        with driver_errors(), self._session(neo4j.WRITE_ACCESS, limit_s=limit) as session:
            done = session.execute_write(one)
        self._silent = False
        return done

    def alone(self, statement: str, parameters: Mapping[str, Any] | None = None) -> list[Row]:
        """A statement in a transaction of its own, as the server wants it for its schema."""
        with driver_errors(), self._session(neo4j.WRITE_ACCESS, limit_s=self._params.bulk_s) as session:
            return [tuple(record) for record in session.run(cast("Any", statement), dict(parameters or {}))]

    def close(self) -> None:
        """Connections closed; the next call opens new ones. Harmless twice."""
        with self._own():
            driver, self._driver = self._driver, None
        if driver is not None:
            with driver_errors():
                driver.close()

    @property
    def generation(self) -> tuple[int, int]:
        """Changes with every new driver: what was learned of the server counts for one of them."""
        return (os.getpid(), self._opened)

    # -- below: how --

    def _own(self) -> threading.Lock:
        process = os.getpid()
        if self._process != process:
            # in a child: the parent's sockets are never used nor closed here, only kept from the collector
            if self._driver is not None:
                self._abandoned.append(self._driver)
            self._process, self._lock, self._driver, self._opened = process, threading.Lock(), None, 0
            self._silent, self._trying, self._answered = False, threading.Lock(), set()
        return self._lock

    def _session(self, access: str, *, limit_s: float, within_s: float | None = None) -> neo4j.Session:
        """``limit_s``: after which the server ends a transaction by itself, and says so."""
        connect_s = self._params.connect_s
        with self._own():
            if self._driver is None:
                self._driver = self._open()
                self._opened += 1
            driver = self._driver
        session = driver.session(
            database=self._server.database,
            default_access_mode=access,
            fetch_size=_EVERYTHING,
            connection_acquisition_timeout=connect_s if within_s is None else min(within_s, connect_s),
        )
        if within_s is None:
            self._patient(session, limit_s + connect_s)
        return session

    def _patient(self, session: neo4j.Session, silence_s: float) -> _Patience:
        session._pool = patience = _Patience(session._pool, silence_s, self._answered)  # noqa: SLF001 - see _Patience
        return patience

    def _open(self) -> neo4j.Driver:
        server, params = self._server, self._params
        password = "" if server.password is None else server.password.get_secret_value()
        return neo4j.GraphDatabase.driver(
            server.uri,
            auth=None if server.user is None else (server.user, password),
            connection_timeout=params.connect_s,
            connection_acquisition_timeout=params.connect_s,
            max_transaction_retry_time=params.retry_s,
            initial_retry_delay=_FIRST_RETRY_S,
            liveness_check_timeout=params.idle_check_s,
            max_connection_pool_size=params.pool,
            keep_alive=True,
            notifications_min_severity="OFF",
            telemetry_disabled=True,
        )

    def _try_again(self, work: Callable[[], _T], *, within_s: float | None) -> _T:
        patience = self._params.connect_s if within_s is None else within_s
        begun = time.monotonic()
        with self._in_turn(within_s), driver_errors():
            for _ in range(_READS - 1):
                try:
                    done = work()
                except (driver_exceptions.DriverError, driver_exceptions.Neo4jError) as error:
                    waited = time.monotonic() - begun > patience / 2
                    away = isinstance(error, driver_exceptions.DriverError)
                    self._silent = waited and away
                    if away:
                        self._answered.clear()
                    # who has waited once is not made to wait again
                    if waited or not error.is_retryable():
                        raise
                else:
                    self._silent = False
                    return done
            done = work()
            self._silent = False
            return done

    @contextmanager
    def _in_turn(self, within_s: float | None) -> Iterator[None]:
        """While the server is silent, one of those who can do without tries it."""
        if within_s is None or not self._silent:
            yield
            return
        trying = self._trying
        if not trying.acquire(blocking=False):
            raise MEANINGS["down"]("another call is trying it")
        try:
            yield
        finally:
            trying.release()
