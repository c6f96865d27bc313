"""The numbers of graph stores on Neo4j, and where their servers are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import SecretStr


@dataclass(frozen=True, slots=True, kw_only=True)
class Neo4jServerParams:
    """One server. ``uri``: ``bolt://``, ``neo4j://``, or with TLS ``bolt+s://``, ``neo4j+s://``. ``user`` None: the server asks
    for no name and password. ``database``: always named, so that no look-up precedes a statement.
    """

    uri: str
    user: str | None = None
    password: SecretStr | None = field(default=None, repr=False)
    database: str = "neo4j"


@dataclass(frozen=True, slots=True, kw_only=True)
class Neo4jParams:
    """``shards``: name of a shard → its server; none: graphs are kept in files. ``connect_s``: until a server that does not
    answer counts as down (also for a connection that was open). ``retry_s``: for how long the driver tries a write again.
    ``busy_s``: what one transaction may take, waiting for somebody else's included, ``bulk_s`` the same for a whole person.
    ``idle_check_s``: a connection unused for longer is tried before use. ``pool``: connections a process keeps to a server.
    ``batch_rows``, ``batch_bytes``: what travels in one statement, whichever is reached first.
    """

    shards: Mapping[str, Neo4jServerParams]
    connect_s: float
    retry_s: float
    busy_s: float
    bulk_s: float
    idle_check_s: float
    pool: int
    batch_rows: int
    batch_bytes: int
