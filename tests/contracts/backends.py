"""The backends every contract suite runs over: one row each, with what it can do (CONTRIBUTING: add a backend)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from memory_lib.adapters.sqlite.graph_store import SqliteGraphStore
from memory_lib.ports.graph import GraphCapabilities, GraphFileParams, GraphReader, GraphWriter, NextNodeVectors, Outbox
from memory_lib.ports.keys import Sealer


class GraphStore(GraphReader, GraphWriter, NextNodeVectors, Outbox, Protocol):
    """All four graph ports in one object."""


def files_below(root: Path) -> Iterator[bytes]:
    """Every file's bytes, logs and locks included. Write nothing afterwards: reading a file beside SQLite drops its locks."""
    for path in sorted(root.rglob("*")):
        if path.is_file():
            yield path.read_bytes()


@dataclass(frozen=True, kw_only=True)
class GraphBackend:
    """``open`` makes a store over what lies in a folder (two of them see the same people); ``at_rest`` gives all bytes that an
    outsider with the disk would see; ``service``: the marker of the server it needs, if any; ``many_processes``: whether
    several processes may write at once and be killed at any moment."""

    name: str
    capabilities: GraphCapabilities
    open: Callable[[Path, Sealer], GraphStore]
    at_rest: Callable[[Path], Iterator[bytes]]
    many_processes: bool = True
    service: str | None = None


def open_sqlite(root: Path, sealer: Sealer) -> SqliteGraphStore:
    return SqliteGraphStore(root, sealer, params=GraphFileParams(max_open_files=64, busy_timeout_s=20.0))


GRAPH_BACKENDS = (
    GraphBackend(
        name="sqlite",
        capabilities=GraphCapabilities(vector_search=False, per_person_file=True, fencing=True),
        open=open_sqlite,
        at_rest=files_below,
    ),
)


def graph_backend(name: str) -> GraphBackend:
    """The row by this name: how a child process finds it again."""
    (backend,) = (b for b in GRAPH_BACKENDS if b.name == name)
    return backend
