"""How Prefect is set here, whoever starts it: a home of its own, this machine only, nothing sent anywhere.

Prefect reads the environment once, when it is imported; so these values are in place before that.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LOOPBACK = "127.0.0.1"
DEBUG = "SELFIMPRINT_DEBUG"
"""Set to anything: Prefect says on the terminal what it does."""

PREFECT = "PREFECT_"

_UNNEEDED_WHILE_ONE_RUN_LASTS = (
    "CANCELLATION_CLEANUP",
    "CLEANUP_RECONCILER",
    "EVENT_PERSISTER",
    "FOREMAN",
    "LATE_RUNS",
    "PAUSE_EXPIRATIONS",
    "REPOSSESSOR",
    "SCHEDULER",
    "TRIGGERS",
)
"""The task run recorder stays: it writes what the UI shows of a run later."""


def prefect_home(home: Path) -> Path:
    """Where Prefect keeps its database under a SelfImprint home."""
    return home / "prefect"


def common(home: Path) -> dict[str, str]:
    """What holds for server, worker and flow alike."""
    place = prefect_home(home)
    quiet = {"LOGGING_LEVEL": "ERROR", "LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL", "INTERNAL_LOGGING_LEVEL": "CRITICAL"}
    values = {
        "HOME": str(place),
        "PROFILES_PATH": str(place / "profiles.toml"),
        "SERVER_ANALYTICS_ENABLED": "false",
        "SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
        "RESULTS_PERSIST_BY_DEFAULT": "false",
        "RESULTS_LOCAL_STORAGE_PATH": str(place / "storage"),
        "LOGGING_LOG_PRINTS": "false",
        "LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
        "LOGGING_COLORS": "false",
        **({} if os.environ.get(DEBUG) else quiet),
    }
    return {**{PREFECT + name: value for name, value in values.items()}, "DO_NOT_TRACK": "1"}


def server(home: Path, *, port: int) -> dict[str, str]:
    """A server with its SQLite database, on loopback. The UI asks the address it was told, so the port is said here too."""
    place = prefect_home(home)
    values = {
        "SERVER_API_HOST": LOOPBACK,
        "SERVER_API_PORT": str(port),
        "SERVER_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{place / 'prefect.db'}",
        "SERVER_MEMO_STORE_PATH": str(place / "memo_store.toml"),
    }
    return {**common(home), **{PREFECT + name: value for name, value in values.items()}}


def temporary_server(home: Path, *, port: int) -> dict[str, str]:
    """The same for the length of one run: no UI, and only the service that records task runs."""
    values = {
        "SERVER_UI_ENABLED": "false",
        "SERVER_REGISTER_BLOCKS_ON_START": "false",
        **{f"SERVER_SERVICES_{name}_ENABLED": "false" for name in _UNNEEDED_WHILE_ONE_RUN_LASTS},
    }
    return {
        **server(home, port=port),
        **{PREFECT + name: value for name, value in values.items()},
        "PREFECT__SERVER_EPHEMERAL": "1",
    }


def lasting_server(home: Path, *, port: int) -> dict[str, str]:
    """The same until somebody stops it, with the UI, whose files are unpacked into Prefect's own home."""
    values = {
        "SERVER_UI_ENABLED": "true",
        "SERVER_UI_API_URL": f"http://{LOOPBACK}:{port}/api",
        "SERVER_UI_STATIC_DIRECTORY": str(prefect_home(home) / "ui"),
        # a killed run's place among the runs at once: kept over a restart, so that it can run out, and free after a minute
        "SERVER_CONCURRENCY_LEASE_STORAGE": "prefect.server.concurrency.lease_storage.filesystem",
        "SERVER_CONCURRENCY_INITIAL_DEPLOYMENT_LEASE_DURATION": "60",
    }
    return {**server(home, port=port), **{PREFECT + name: value for name, value in values.items()}}


def worker(home: Path, *, api_url: str) -> dict[str, str]:
    """A worker and its flow runs: their logs are read in the UI, those of the library too."""
    values = {"API_URL": api_url, "LOGGING_LEVEL": "INFO", "LOGGING_EXTRA_LOGGERS": "memory_lib", "WORKER_QUERY_SECONDS": "5"}
    return {**common(home), **{PREFECT + name: value for name, value in values.items()}}


def client(home: Path, *, api_url: str) -> dict[str, str]:
    """A process that runs flows against a server. The run's own log stays on this machine's terminal (see ``DEBUG``)."""
    return {**common(home), PREFECT + "API_URL": api_url, PREFECT + "LOGGING_TO_API_ENABLED": "false"}


def python_path(environment: Mapping[str, str]) -> str:
    """So that a child finds ``flows``, ``tasks`` and ``deployments``, which are not installed."""
    return os.pathsep.join(filter(None, (str(ROOT), environment.get("PYTHONPATH"))))


def without_prefect(environment: Mapping[str, str]) -> dict[str, str]:
    """The environment without what a user set for a Prefect of their own: an account, another server, another home."""
    return {name: value for name, value in environment.items() if not name.startswith(PREFECT)}


@contextmanager
def environment(values: Mapping[str, str]) -> Iterator[None]:
    """These values and no other of Prefect's in this process; what was there before comes back."""
    before = dict(os.environ)
    for name in set(before) - set(without_prefect(before)):
        del os.environ[name]
    os.environ.update(values)
    try:
        yield
    finally:
        for name in set(os.environ) - set(before):
            if name.startswith(PREFECT) or name in values:
                del os.environ[name]
        os.environ.update({name: value for name, value in before.items() if name in values or name.startswith(PREFECT)})
