"""Server, worker and UI on this machine until Ctrl-C: ``python -m deployments.serve [--port N]`` (``make ui``)."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from deployments.catalog import POOL
from deployments.descendants import descendants
from flows import prefect_environment
from flows.local import PrefectUnavailable, until_healthy
from flows.prefect_environment import LOOPBACK
from memory_lib.errors import SelfImprintError
from memory_lib.settings import Settings

PORT = 4200
"""Prefect's own."""

START_WITHIN_S = 120.0  # ours: the first start also unpacks the UI
STOP_WITHIN_S = 10.0  # ours: a flow run needs a moment to say that it was stopped
LOOK_EVERY_S = 0.5


class _Stopped(Exception):
    """Ctrl-C or a polite kill."""


def main(arguments: list[str] | None = None) -> int:
    """0: stopped by Ctrl-C. Raises nothing; an error is one sentence and its class's exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m deployments.serve", description="Prefect server, worker and UI on loopback."
    )
    parser.add_argument("--port", type=int, default=PORT, help=f"of the UI and API (default {PORT})")
    parser.add_argument("--home", type=Path, default=None, help="state folder (default: SELFIMPRINT_HOME)")
    given = parser.parse_args(arguments)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stop_asked)
    try:
        serve(Settings.load(home=given.home).home.resolve(), port=given.port)
    except _Stopped:
        sys.stdout.write("stopped\n")
        return 0
    except SelfImprintError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code
    return 1


def _stop_asked(_number: int, _frame: object) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # stopping takes seconds, a second Ctrl-C must not leave children behind
    raise _Stopped


def serve(home: Path, *, port: int) -> None:
    """Runs until asked to stop (raises out of here) or until a child ends.

    Raises:
        PrefectUnavailable: the port is taken, the server does not come up, or a child ended by itself.
    """
    place = prefect_environment.prefect_home(home)
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    url = f"http://{LOOPBACK}:{port}"
    log = place / "ui.log"
    with ExitStack() as stack:
        words = stack.enter_context(log.open("wb"))
        sys.stdout.write("starting Prefect: server, worker, UI; the first time takes half a minute\n")
        sys.stdout.flush()
        with _listening(port) as listening:
            handed = listening.fileno()
            settings = prefect_environment.lasting_server(home, port=port)
            server = stack.enter_context(
                _child(["flows.server_process", str(handed)], settings, words.fileno(), home, (handed,))
            )
        until_healthy(server, port, deadline=time.monotonic() + START_WITHIN_S, log=log)
        here = prefect_environment.worker(home, api_url=f"{url}/api")
        with prefect_environment.environment(here):
            from deployments.apply import apply  # noqa: PLC0415 - imports Prefect, which reads the environment set above

            names = asyncio.run(apply())
        worker = stack.enter_context(_child(["deployments.worker_process", POOL], here, words.fileno(), home))
        sys.stdout.write(f"{url}  shows runs, artifacts and forms ({', '.join(names)}); Ctrl-C stops everything\n")
        sys.stdout.flush()
        while server.poll() is None and worker.poll() is None:
            time.sleep(LOOK_EVERY_S)
        gone = "server" if server.poll() is not None else "worker"
        raise PrefectUnavailable(f"its {gone} ended by itself, see {log}")


@contextmanager
def _listening(port: int) -> Iterator[socket.socket]:
    try:
        listening = socket.create_server((LOOPBACK, port))
    except OSError as error:
        raise PrefectUnavailable(f"port {port} cannot be had ({error.strerror}); name another: make ui PORT=4300") from None
    with listening:
        yield listening


@contextmanager
def _child(
    module: list[str], settings: Mapping[str, str], words: int, home: Path, descriptors: tuple[int, ...] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    environment = prefect_environment.without_prefect(os.environ) | dict(settings)
    environment |= {"SELFIMPRINT_HOME": str(home), "PYTHONPATH": prefect_environment.python_path(environment)}
    child = subprocess.Popen(  # noqa: S603 - our own modules
        [sys.executable, "-m", *module],
        env=environment,
        pass_fds=descriptors,
        stdin=subprocess.PIPE,  # never written: its closing is what the child waits for
        stdout=words,
        stderr=words,
        start_new_session=True,
    )
    try:
        yield child
    finally:
        family = [child.pid, *descendants(child.pid)]
        for number in (signal.SIGTERM, signal.SIGKILL):
            # the server is stopped after the worker, so its flow runs have a moment to say that they were stopped
            for pid in family:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, number)
            family = _left(family, child)
        assert child.stdin is not None
        child.stdin.close()


def _left(family: list[int], child: subprocess.Popen[bytes]) -> list[int]:
    """Who of them is still there after a while."""
    deadline = time.monotonic() + STOP_WITHIN_S
    while (family := [pid for pid in family if _alive(pid)]) and time.monotonic() < deadline:
        child.poll()
        time.sleep(0.05)
    return family


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
