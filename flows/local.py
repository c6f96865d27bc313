"""Prefect on this machine for the length of one command: a temporary server, and a plan walked as a flow against it."""

from __future__ import annotations

import http.client
import importlib.util
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from flows import prefect_environment
from flows.prefect_environment import LOOPBACK
from memory_lib.bootstrap import Memory
from memory_lib.domain.ids import UserId
from memory_lib.errors import DependencyDown
from memory_lib.plans import Done, PlanRun
from memory_lib.settings import Settings

STOP_WITHIN_S = 5.0
LOOK_EVERY_S = 0.1
PEOPLE_A_RUN = 1000
"""A run's parameters are its people's ids; Prefect takes half a megabyte of parameters."""


class PrefectUnavailable(DependencyDown):
    """No Prefect server could be had, or it ended early. The same plan runs without it: ``memory.run(plan, users)``."""

    def __init__(self, reason: str) -> None:
        super().__init__("Prefect", reason)


@dataclass(frozen=True, slots=True)
class LocalPrefect:
    """A running temporary server."""

    home: Path
    port: int
    pid: int
    log: Path
    """What the server wrote to its terminal; ids and numbers only."""

    @property
    def api_url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}/api"


_active: ContextVar[LocalPrefect | None] = ContextVar("local_prefect", default=None)


@contextmanager
def local_prefect(home: Path, *, wait_s: float | None = None) -> Iterator[LocalPrefect]:
    """One temporary server for everything inside; its database lies under the home, so that ``make ui`` shows these runs later.

    The server is stopped by its pid on the way out, also by Ctrl-C, and ends by itself when this process is killed.

    Raises:
        PrefectUnavailable: it is not installed, or does not answer within ``wait_s`` seconds (None: the setting
            ``prefect_start_s`` of this home).
    """
    if importlib.util.find_spec("prefect") is None:
        raise PrefectUnavailable("it is not installed (pip install 'selfimprint[flows]')")
    place = prefect_environment.prefect_home(home)
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    with ExitStack() as stack:
        deadline = time.monotonic() + (Settings.load(home=home).prefect_start_s if wait_s is None else wait_s)
        child, server = _start(home, place / "server.log")
        stack.callback(_stop, child)
        stack.enter_context(prefect_environment.environment(prefect_environment.client(home, api_url=server.api_url)))
        # Prefect's client takes seconds to import: as many as the server needs to start. Ctrl-C goes to the main thread, which
        # only waits; inside an import it may be swallowed.
        importing = threading.Thread(
            target=importlib.import_module, args=("flows.in_process",), name="import-prefect", daemon=True
        )
        importing.start()
        until_healthy(child, server.port, deadline=deadline, log=server.log)
        importing.join()
        token = _active.set(server)
        stack.callback(_active.reset, token)
        yield server


def _start(home: Path, log: Path) -> tuple[subprocess.Popen[bytes], LocalPrefect]:
    with socket.create_server((LOOPBACK, 0)) as listening, log.open("wb") as words:
        port = int(listening.getsockname()[1])
        environment = prefect_environment.without_prefect(os.environ)
        environment |= prefect_environment.temporary_server(home, port=port)
        environment["PYTHONPATH"] = prefect_environment.python_path(environment)
        child = subprocess.Popen(  # noqa: S603 - our own module
            [sys.executable, "-m", "flows.server_process", str(listening.fileno())],
            env=environment,
            pass_fds=[listening.fileno()],
            stdin=subprocess.PIPE,  # never written: its closing is what the child waits for
            stdout=words,
            stderr=words,
            start_new_session=True,  # Ctrl-C on the terminal ends the run first, then we end the server
        )
    return child, LocalPrefect(home=home, port=port, pid=child.pid, log=log)


def until_healthy(child: subprocess.Popen[bytes], port: int, *, deadline: float, log: Path) -> None:
    """Looks at least once. Raises PrefectUnavailable where the child ends, or ``deadline`` (monotonic) comes first."""
    while True:
        left = deadline - time.monotonic()
        if child.poll() is not None:
            raise PrefectUnavailable(f"its temporary server ended with code {child.returncode} while starting, see {log}")
        if _healthy(port, wait_s=max(left, LOOK_EVERY_S)):
            return
        if left <= 0:
            raise PrefectUnavailable(f"its temporary server was not up in time, see {log}")
        time.sleep(LOOK_EVERY_S)


def _healthy(port: int, *, wait_s: float) -> bool:
    """The socket listens from the start, so a request waits in it until the server is there, or this long."""
    connection = http.client.HTTPConnection(LOOPBACK, port, timeout=min(wait_s, 5.0))
    try:
        connection.request("GET", "/api/health")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _stop(child: subprocess.Popen[bytes]) -> None:
    """By pid: asked first, then made to."""
    child.terminate()
    try:
        child.wait(timeout=STOP_WITHIN_S)
    except subprocess.TimeoutExpired:
        child.kill()
        child.wait()
    finally:
        assert child.stdin is not None
        child.stdin.close()


def run_plan_with_prefect(
    memory: Memory,
    plan: str,
    users: Sequence[UserId],
    *,
    progress: Callable[[str, int], None] = lambda _step, _count: None,
    server: LocalPrefect | None = None,
) -> PlanRun:
    """The plan's flow in this process, against ``server``, else the ``local_prefect`` around this call, else one of its own.

    The same pieces of work in the same order as ``plans.run``; failed ones are in the result (``PlanRun.failures``), nothing is
    raised for them. Many people make several flow runs.

    Raises:
        PrefectUnavailable: Prefect is not there, or its server ended before the run did. What was done stays; the rest is done
            by running the plan without Prefect.
    """
    server = server or _active.get()
    if server is None:
        with local_prefect(memory.settings.home, wait_s=memory.settings.prefect_start_s) as own:
            return run_plan_with_prefect(memory, plan, users, progress=progress, server=own)
    from flows import in_process  # noqa: PLC0415 - imports Prefect, which reads the environment set above

    done: list[Done] = []
    for start in range(0, len(users), PEOPLE_A_RUN):
        some = users[start : start + PEOPLE_A_RUN]
        run = in_process.run(memory, plan, some, api_url=server.api_url, progress=progress)
        if run is None:
            raise PrefectUnavailable(f"its temporary server did not last until the run ended, see {server.log}")
        done += run.done
    return PlanRun(tuple(done))
