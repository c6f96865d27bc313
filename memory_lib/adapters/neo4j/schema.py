"""What a database must have before the first statement, in versions: constraints, indexes, and a node that says which version.

A change is a new step; each statement may be carried out again after a kill (``IF NOT EXISTS``), and by several at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from memory_lib.adapters.neo4j.queries import STANDING_ALONE, VECTOR_INDEX
from memory_lib.adapters.neo4j.server import Server
from memory_lib.errors import SchemaMismatch, StoreBusy

VERSION: Final = 1
_PATIENCE_S: Final = 60
"""For indexes to be filled: on an empty database none is waited for."""
_ATTEMPTS: Final = 10
"""Of one statement, while others make the same schema: each of them makes it at most once."""
_FILTERED_SEARCH_SINCE: Final = (2026, 2)
"""SEARCH with a condition inside the index (Neo4j 2026.02, Cypher 25)."""

STEPS: Final[dict[int, tuple[str, ...]]] = {
    1: (
        "CREATE CONSTRAINT selfimprint_schema IF NOT EXISTS FOR (s:SelfImprintSchema) REQUIRE s.id IS UNIQUE",
        "CREATE CONSTRAINT person_user IF NOT EXISTS FOR (p:Person) REQUIRE p.user_id IS UNIQUE",
        "CREATE CONSTRAINT memory_id IF NOT EXISTS FOR (m:Memory) REQUIRE (m.user_id, m.id) IS UNIQUE",
        "CREATE RANGE INDEX memory_user IF NOT EXISTS FOR (m:Memory) ON (m.user_id)",
        *(
            f"CREATE CONSTRAINT {label.lower()}_id IF NOT EXISTS FOR (x:{label}) REQUIRE (x.user_id, x.id) IS UNIQUE"
            for label in STANDING_ALONE
        ),
        "CREATE RANGE INDEX act_node IF NOT EXISTS FOR (c:Act) ON (c.user_id, c.node)",
    )
}
"""Version → what makes it of the one before."""

MAKE_VECTOR_INDEX: Final = (
    f"CYPHER 25 CREATE VECTOR INDEX {VECTOR_INDEX} IF NOT EXISTS FOR (m:Memory) ON m.embedding WITH [m.user_id, m.visible] "
    "OPTIONS {indexConfig: {`vector.similarity_function`: 'cosine'}}"
)
"""No dimension is named: people of different embedders share it. Where the server cannot search one person's part, there is
none, since nothing would read it.
"""
AWAIT: Final = f"CALL db.awaitIndexes({_PATIENCE_S})"
READ_VERSION: Final = "MATCH (s:SelfImprintSchema {id: 'graph'}) RETURN s.version"
WRITE_VERSION: Final = "MERGE (s:SelfImprintSchema {id: 'graph'}) SET s.version = $version"
COMPONENTS: Final = (
    "CALL dbms.components() YIELD name, versions, edition WHERE name = 'Neo4j Kernel' RETURN versions[0], edition"
)
VECTOR_INDEXES: Final = "SHOW INDEXES YIELD name, state, properties WHERE name = $name RETURN state, properties"


@dataclass(frozen=True, slots=True)
class ServerAbilities:
    """What one server is: ``version`` as it names it ("2026.07.1"), ``edition``, and whether it searches vectors in an index by
    person.
    """

    version: str
    edition: str
    filtered_search: bool


KNOCK: Final = "RETURN 1"
"""Is anybody there?"""


def abilities(server: Server) -> ServerAbilities:
    """Asked, in one statement. Raises DependencyDown."""
    ((version, edition),) = server.alone(COMPONENTS)
    return ServerAbilities(version, edition, _numbers(version) >= _FILTERED_SEARCH_SINCE)


def stored_version(server: Server) -> int:
    """0 where nothing was made yet. Raises DependencyDown."""
    rows: list[tuple[Any, ...]] = server.alone(READ_VERSION)
    return int(rows[0][0]) if rows else 0


def ensure(server: Server) -> ServerAbilities:
    """Make what is missing.

    Raises:
        SchemaMismatch: a newer version made it.
        DependencyDown: the server does not answer.
    """
    able = abilities(server)
    version = stored_version(server)
    if version > VERSION:
        raise SchemaMismatch(
            f"the Neo4j database was made by a newer version ({version}), this program knows {VERSION}; install that release"
        )
    indexed = bool(server.alone(VECTOR_INDEXES, {"name": VECTOR_INDEX})) or not able.filtered_search
    if version == VERSION and indexed:
        return able
    for step in range(version + 1, VERSION + 1):
        for statement in STEPS[step]:
            _make(server, statement)
    if able.filtered_search:
        _make(server, MAKE_VECTOR_INDEX)
    server.alone(AWAIT)
    server.alone(WRITE_VERSION, {"version": VERSION})
    return able


def _make(server: Server, statement: str) -> None:
    """``IF NOT EXISTS`` looks before it makes: who makes the same just then is met as an error, and found the next time."""
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            server.alone(statement)
        except StoreBusy:
            if attempt == _ATTEMPTS:
                raise
        else:
            return


def _numbers(version: str) -> tuple[int, ...]:
    """``2026.07.1`` → (2026, 7, 1); what is no number ends it."""
    found: list[int] = []
    for part in version.split("."):
        digits = part.split("-")[0]
        if not digits.isdecimal():
            break
        found.append(int(digits))
    return tuple(found)
