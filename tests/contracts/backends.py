"""The backends every contract suite runs over: one row each, with what it can do (CONTRIBUTING: add a backend)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from memory_lib.adapters.graph_routing.opened_files import OpenedFiles
from memory_lib.adapters.graph_routing.params import OpenedFilesParams
from memory_lib.adapters.graph_routing.places import Places
from memory_lib.adapters.graph_routing.routed_graph import RoutedGraph
from memory_lib.adapters.neo4j.params import Neo4jParams, Neo4jServerParams
from memory_lib.adapters.sqlite.graph_store import SqliteGraphStore
from memory_lib.domain.ids import UserId
from memory_lib.policies.sharding import ShardingParams
from memory_lib.ports.graph import GraphCapabilities, GraphFileParams, GraphStore
from memory_lib.ports.keys import Sealer
from tests.contracts.shares_alone import BySharesAlone

Address = dict[str, str]


def files_below(root: Path, users: Iterable[UserId]) -> Iterator[bytes]:
    """Every file's bytes, logs and locks included. Write nothing afterwards: reading a file beside SQLite drops its locks."""
    for path in sorted(root.rglob("*")):
        if path.is_file():
            yield path.read_bytes()


@dataclass(frozen=True, kw_only=True)
class GraphBackend:
    """``open`` makes a store over what lies in a folder (two of them see the same people); ``at_rest`` gives all bytes that an
    outsider with the disk would see, of these people at least. ``many_processes``: whether several processes write at once here
    and are killed at any moment (of two versions of one server, one is enough). ``examples``: of a test by examples;
    ``repeats``: change sets of each writer in a race; fewer where a call is many round trips. ``service``: the marker of the
    server it needs, ``server``: the fixture with its address, and ``clear``, which takes people away who were left there by
    another test.
    """

    name: str
    capabilities: GraphCapabilities
    open: Callable[[Path, Sealer], GraphStore]
    at_rest: Callable[[Path, Iterable[UserId]], Iterator[bytes]]
    many_processes: bool = True
    examples: int = 30
    repeats: int = 25
    service: str | None = None
    server: str | None = None
    clear: Callable[[Path, Iterable[UserId]], None] | None = None


def open_sqlite(root: Path, sealer: Sealer) -> SqliteGraphStore:
    return SqliteGraphStore(root, sealer, params=GraphFileParams(max_open_files=64, busy_timeout_s=20.0))


def open_routed(root: Path, sealer: Sealer) -> RoutedGraph:
    """Two stores, over which people are spread by share alone: whoever opens it finds them again."""
    stores = {name: open_sqlite(root / name, sealer) for name in ("main", "second")}
    places = Places(stores, BySharesAlone(tuple(stores)), params=ShardingParams(shares={}))
    return RoutedGraph(places, OpenedFiles({}, params=OpenedFilesParams(people=1, kept_s=1.0, opening=1)))


# -- Neo4j: all tests share a server, so each has people of its own --

NEO4J_PARAMS = Neo4jParams(
    shards={},
    connect_s=2.0,
    retry_s=5.0,
    busy_s=20.0,
    bulk_s=60.0,
    idle_check_s=1.0,
    pool=20,
    # small, so that a test meets the border between two batches
    batch_rows=3,
    batch_bytes=4_000_000,
)
_ADDRESS = "neo4j.json"
LABELS = ("Memory", "Person", "Act", "FormerName", "WriteKey", "OutboxEntry")


def keep_address(root: Path, *, url: str, database: str) -> None:
    """Where ``open_neo4j`` finds the server, in this process and in children."""
    (root / _ADDRESS).write_text(json.dumps({"url": url, "database": database}), encoding="utf-8")


def _address(root: Path) -> Address:
    found: Address = json.loads((root / _ADDRESS).read_text(encoding="utf-8"))
    return found


def data_key(user: UserId, generation: int) -> bytes:
    """A key that every process of the suite has."""
    return hashlib.sha256(f"{user}/{generation}".encode()).digest()


def open_neo4j(root: Path, sealer: Sealer) -> GraphStore:
    from memory_lib.adapters.neo4j.graph_store import Neo4jGraphStore

    address = _address(root)
    server = Neo4jServerParams(uri=address["url"], database=address["database"])
    return Neo4jGraphStore(server, sealer, keys=data_key, params=NEO4J_PARAMS)


def _answers(root: Path, statement: str, users: Iterable[UserId]) -> list[dict[str, Any]]:
    import neo4j

    address = _address(root)
    with neo4j.GraphDatabase.driver(address["url"]) as driver, driver.session(database=address["database"]) as session:
        return [record.data()["values"] for record in session.run(statement, users=list(users))]


def clear_neo4j(root: Path, users: Iterable[UserId]) -> None:
    for label in LABELS:
        _answers(root, f"MATCH (n:{label}) WHERE n.user_id IN $users DETACH DELETE n RETURN DISTINCT {{}} AS values", users)


def properties_of(root: Path, users: Iterable[UserId]) -> Iterator[bytes]:
    """Every property of every node and relationship of these people, and its name: what a disk, a log and a backup hold."""
    for label in LABELS:
        nodes = f"MATCH (n:{label}) WHERE n.user_id IN $users "
        rows = _answers(root, nodes + "RETURN properties(n) AS values", users)
        rows += _answers(root, nodes + "MATCH (n)-[e]->() RETURN properties(e) AS values", users)
        for row in rows:
            yield "\n".join(row).encode()
            yield from map(_as_bytes, row.values())


def _as_bytes(value: object) -> bytes:
    match value:
        case bytes() | bytearray():
            return bytes(value)
        case list():
            return np.array(value, dtype="<f4").tobytes()
    return str(value).encode()


neo4j_row = partial(GraphBackend, open=open_neo4j, at_rest=properties_of, clear=clear_neo4j, examples=4, repeats=6)

GRAPH_BACKENDS = (
    GraphBackend(
        name="sqlite",
        capabilities=GraphCapabilities(vector_search=False, per_person_file=True, fencing=True),
        open=open_sqlite,
        at_rest=files_below,
    ),
    GraphBackend(
        name="routed",
        capabilities=GraphCapabilities(vector_search=False, per_person_file=True, fencing=True),
        open=open_routed,
        at_rest=files_below,
        many_processes=False,
        examples=10,
    ),
    neo4j_row(
        name="neo4j-2026",
        capabilities=GraphCapabilities(vector_search=True, per_person_file=False, fencing=True),
        service="neo4j",
        server="neo4j_server",
    ),
    neo4j_row(
        name="neo4j-5",
        capabilities=GraphCapabilities(vector_search=False, per_person_file=False, fencing=True),
        service="neo4j5",
        server="neo4j5_server",
        many_processes=False,
    ),
)


def graph_backend(name: str) -> GraphBackend:
    """The row by this name: how a child process finds it again."""
    (backend,) = (b for b in GRAPH_BACKENDS if b.name == name)
    return backend
