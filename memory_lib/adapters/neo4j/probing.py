"""A look at a graph server that changes nothing in it and waits for nothing."""

from __future__ import annotations

from typing import Final

from memory_lib.adapters.neo4j.params import Neo4jParams, Neo4jServerParams
from memory_lib.adapters.neo4j.queries import VECTOR_INDEX
from memory_lib.adapters.neo4j.schema import VECTOR_INDEXES, VERSION, abilities, stored_version
from memory_lib.adapters.neo4j.server import Server
from memory_lib.domain.service_state import ServiceState

OLDEST: Final = (5, 26)
"""The oldest version that the suite is run with."""


def probe(name: str, server: Neo4jServerParams, *, params: Neo4jParams) -> ServiceState:
    """Version, abilities and schema of this shard's server. Raises what Server raises where it does not answer."""
    connection = Server(server, params=params)
    try:
        able = abilities(connection)
        version = stored_version(connection)
        indexes = connection.alone(VECTOR_INDEXES, {"name": VECTOR_INDEX}) if version else []
    finally:
        connection.close()
    search = "vectors searched in the index" if able.filtered_search else "vectors scanned person by person"
    edition = f"{able.edition} edition"
    told = ServiceState(
        name=name,
        reachable=True,
        usable=True,
        version=f"Neo4j {able.version}",
        capabilities=(edition, search),
        schema=f"graph schema {version}" if version else "no schema yet",
    )
    numbers = tuple(int(part) for part in able.version.split(".")[:2] if part.isdecimal())
    if version > VERSION:
        return _with(
            told, f"it was made by a newer version of SelfImprint, this one knows {VERSION}; update here", usable=False
        )
    if numbers < OLDEST:
        return _with(told, "it is older than any version this is tried with; move to Neo4j 5.26 or newer")
    if 0 < version < VERSION:
        return _with(told, f"this program's is {VERSION}; it is upgraded when a memory is next opened")
    states = [str(state) for state, _ in indexes]
    if version and able.filtered_search and states != ["ONLINE"]:
        return _with(told, "its vector index is missing, building or failed; open a memory once, then look again")
    return told


def _with(told: ServiceState, remedy: str, *, usable: bool = True) -> ServiceState:
    return ServiceState(
        name=told.name,
        reachable=True,
        usable=usable,
        version=told.version,
        capabilities=told.capabilities,
        schema=told.schema,
        remedy=remedy,
    )
