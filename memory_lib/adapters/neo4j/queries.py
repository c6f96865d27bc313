"""Every statement, by name, made of names of this package and of the enums alone; values are always parameters.

A person's things are theirs by ``user_id``: it stands in every node pattern of every statement (a test reads them all), because
all people share one database (ADR 0010). Node patterns that rest on the composite index say so: a plan that was made while the
database was empty would otherwise scan it ever after.

``(:Person)`` is the head: one a person. ``(:Memory)`` are nodes, relationships between them edges; proofs lie in their owner,
one JSON text in clear. ``(:Act)``, ``(:FormerName)``, ``(:WriteKey)`` and ``(:OutboxEntry)`` stand alone, found by ``id``.
"""

from __future__ import annotations

from typing import Final

from memory_lib.adapters.neo4j.rows import ACT_NAMES
from memory_lib.domain.candidates import EdgeType

_ROW: Final = ("id", "columns", "sealed", "proofs")
"""What a node or an edge is read as (``rows``)."""

RELATIONSHIPS: Final = {kind: kind.value.upper() for kind in EdgeType}
"""Edge type → relationship type: the only ones there are."""
ANY_RELATIONSHIP: Final = "|".join(RELATIONSHIPS.values())
VECTOR_INDEX: Final = "memory_embedding"
STANDING_ALONE: Final = ("Act", "FormerName", "WriteKey", "OutboxEntry")
"""Labels of what is no memory and no head."""


def _columns(variable: str, names: tuple[str, ...]) -> str:
    return ", ".join(f"{variable}.{name}" for name in names)


def _listed(variable: str, names: tuple[str, ...]) -> str:
    """All rows as one list: a record costs the driver more than what is in it."""
    return f"RETURN collect([{_columns(variable, names)}])"


def _settings(variable: str, names: tuple[str, ...]) -> str:
    return ", ".join(f"{variable}.{name} = row.{name}" for name in names)


_ALL_MEMORIES: Final = "MATCH (m:Memory {user_id: $user}) USING INDEX m:Memory(user_id)"
_MEMORY_OF_ROW: Final = "UNWIND $rows AS row MATCH (m:Memory {user_id: $user, id: row.id}) USING INDEX m:Memory(user_id, id)"
_NOTHING_AHEAD: Final = "m.next_fingerprint = null, m.next_embedding = null, m.next_vector = null"

# -- head --
LOCK: Final = "MATCH (p:Person {user_id: $user}) SET p.lock = true RETURN p.user_id"
"""Orders everybody who writes one person, and who reads the whole: held to the end of the transaction. No row: nobody."""
HEAD: Final = (
    "MATCH (p:Person {user_id: $user}) RETURN p.epoch, p.n, p.key_generation, p.fence, p.fingerprint, p.dimension, p.outbox"
)
HEAD_AND_KEYS: Final = (
    "MATCH (p:Person {user_id: $user}) "
    "OPTIONAL MATCH (k:WriteKey {user_id: $user}) WHERE k.id IN $keys "
    "RETURN p.epoch, p.n, p.key_generation, p.fence, p.fingerprint, p.dimension, p.outbox, collect([k.id, k.content])"
)
MAKE_HEAD: Final = (
    "MERGE (p:Person {user_id: $user}) "
    "ON CREATE SET p.epoch = 0, p.n = 0, p.key_generation = $key_generation, p.fence = 0, p.outbox = 0, p.lock = true"
)
SET_HEAD: Final = (
    "MATCH (p:Person {user_id: $user}) SET p.epoch = $epoch, p.n = $n, p.key_generation = $key_generation, p.fence = $fence, "
    "p.fingerprint = $fingerprint, p.dimension = $dimension, p.outbox = $outbox "
    "FOREACH (row IN $keys | CREATE (:WriteKey {user_id: $user, id: row.id, content: row.content, n: row.n})) "
    "FOREACH (row IN $entries | CREATE (:OutboxEntry {user_id: $user, id: row.id, write_key: row.write_key, "
    "position: row.position, recorded_us: row.recorded_us, recorded_offset: row.recorded_offset, action: row.action}))"
)
"""The last statement of a write: the head as it is now, and what was recorded on the way to it."""

# -- reading --
INDEX_NODES: Final = f"{_ALL_MEMORIES} {_listed('m', ('id', 'columns', 'visible', 'vector'))}"
NODES: Final = f"{_ALL_MEMORIES} {_listed('m', (*_ROW, 'vector'))}"
NODES_BY_ID: Final = (
    f"MATCH (m:Memory {{user_id: $user}}) USING INDEX m:Memory(user_id, id) WHERE m.id IN $ids {_listed('m', _ROW)}"
)
EXISTING: Final = "MATCH (m:Memory {user_id: $user}) USING INDEX m:Memory(user_id, id) WHERE m.id IN $ids RETURN m.id"
_ALL_EDGES: Final = (
    "MATCH (m:Memory {user_id: $user}) USING INDEX m:Memory(user_id) "
    f"MATCH (m)-[e:{ANY_RELATIONSHIP}]->(:Memory {{user_id: $user}})"
)
EDGES: Final = f"{_ALL_EDGES} {_listed('e', _ROW)}"
INDEX_EDGES: Final = f"{_ALL_EDGES} WHERE e.in_force {_listed('e', ('id', 'confidence'))}"
EDGES_BY_ID: Final = (
    f"{_MEMORY_OF_ROW} MATCH (m)-[e:{ANY_RELATIONSHIP} {{id: row.edge}}]->(:Memory {{user_id: $user}}) {_listed('e', _ROW)}"
)
EDGES_AMONG: Final = (
    "MATCH (m:Memory {user_id: $user}) USING INDEX m:Memory(user_id, id) WHERE m.id IN $ids "
    f"MATCH (m)-[e:{ANY_RELATIONSHIP}]->(b:Memory {{user_id: $user}}) WHERE b.id IN $ids "
    f"{_listed('e', _ROW)}"
)
ACTS: Final = (
    "MATCH (c:Act {user_id: $user}) USING INDEX c:Act(user_id, id) WHERE c.id IS NOT NULL "
    f"RETURN {_columns('c', ACT_NAMES)} ORDER BY c.at_us, c.id"
)
RENAMES: Final = (
    "MATCH (f:FormerName {user_id: $user}) USING INDEX f:FormerName(user_id, id) WHERE f.id IS NOT NULL "
    "RETURN f.id, f.new ORDER BY f.id"
)
RENAMES_OF: Final = (
    "MATCH (f:FormerName {user_id: $user}) USING INDEX f:FormerName(user_id, id) WHERE f.id IN $ids RETURN f.id, f.new"
)
WRITE_KEYS: Final = (
    "MATCH (k:WriteKey {user_id: $user}) USING INDEX k:WriteKey(user_id, id) WHERE k.id IN $keys RETURN k.id, k.content"
)
ALL_WRITE_KEYS: Final = (
    "MATCH (k:WriteKey {user_id: $user}) USING INDEX k:WriteKey(user_id, id) WHERE k.id IS NOT NULL "
    f"{_listed('k', ('id', 'content', 'n'))}"
)


def chain_edges(kind: EdgeType) -> str:
    """Ends of one type's edges between visible nodes."""
    return (
        "MATCH (m:Memory {user_id: $user, visible: true}) USING INDEX m:Memory(user_id) "
        f"MATCH (m)-[e:{RELATIONSHIPS[kind]}]->(b:Memory {{user_id: $user, visible: true}}) WHERE e.in_force "
        "RETURN collect([m.id, b.id])"
    )


# -- writing --
PUT_NODES: Final = (
    "UNWIND $rows AS row MERGE (m:Memory {user_id: $user, id: row.id}) "
    f"SET {_settings('m', ('type', 'visible', 'columns', 'sealed', 'proofs', 'proof_count'))}, "
    f"{_NOTHING_AHEAD} "
    "FOREACH (_ IN CASE WHEN row.new_vector IS NULL THEN [] ELSE [1] END | "
    "SET m.embedding = row.new_embedding, m.vector = row.new_vector)"
)
"""Made, or its fields replaced; its vector only where there is a new one."""
REMOVE_NODES: Final = f"{_MEMORY_OF_ROW} DETACH DELETE m"
REMOVE_EDGES: Final = (
    f"{_MEMORY_OF_ROW} MATCH (m)-[e:{ANY_RELATIONSHIP} {{id: row.edge}}]->(:Memory {{user_id: $user}}) DELETE e"
)


_EDGE_ENDS: Final = (
    "UNWIND $rows AS row "
    "MATCH (m:Memory {user_id: $user, id: row.source}) USING INDEX m:Memory(user_id, id) "
    "MATCH (b:Memory {user_id: $user, id: row.target}) USING INDEX b:Memory(user_id, id) "
)
_EDGE_SET: Final = _settings("e", ("in_force", "confidence", "columns", "sealed", "proofs", "proof_count"))


def put_edges(kind: EdgeType) -> str:
    """Made, or its fields replaced; one whose end is missing is left out. The person's lock keeps two from being made."""
    return f"{_EDGE_ENDS} MERGE (m)-[e:{RELATIONSHIPS[kind]} {{id: row.id}}]->(b) SET {_EDGE_SET}"


def make_edges(kind: EdgeType) -> str:
    """The same where the person has no edges yet."""
    return f"{_EDGE_ENDS} CREATE (m)-[e:{RELATIONSHIPS[kind]} {{id: row.id}}]->(b) SET {_EDGE_SET}"


PUT_ACTS: Final = (
    f"UNWIND $rows AS row MERGE (c:Act {{user_id: $user, id: row.id}}) ON CREATE SET {_settings('c', ACT_NAMES[1:])}"
)
MOVE_ACTS: Final = (
    "UNWIND $rows AS row MATCH (c:Act {user_id: $user, id: row.id}) USING INDEX c:Act(user_id, id) SET c.node = row.node"
)
ACTS_TOUCHED: Final = (
    "MATCH (c:Act {user_id: $user}) USING INDEX c:Act(user_id, node) WHERE c.node IN $nodes RETURN c.id, c.node "
    "UNION MATCH (c:Act {user_id: $user}) USING INDEX c:Act(user_id, id) WHERE c.id IN $ids RETURN c.id, c.node"
)
PUT_RENAMES: Final = "UNWIND $rows AS row MERGE (f:FormerName {user_id: $user, id: row.id}) SET f.new = row.new"
REMOVE_RENAMES: Final = (
    "MATCH (f:FormerName {user_id: $user}) USING INDEX f:FormerName(user_id, id) WHERE f.id IN $ids DELETE f"
)
FORGET_ACTS: Final = "MATCH (c:Act {user_id: $user}) USING INDEX c:Act(user_id, node) WHERE c.node IN $ids DELETE c"
FORGET_NAMES: Final = (
    "MATCH (f:FormerName {user_id: $user}) USING INDEX f:FormerName(user_id, id) "
    "WHERE f.id IS NOT NULL AND (f.id IN $ids OR f.new IN $ids) DELETE f"
)

# -- vectors of the next embedder --
LACKING: Final = (
    f"{_ALL_MEMORIES} WHERE coalesce(m.next_fingerprint <> $fingerprint, true) "
    "AND NOT ($serving AND m.vector IS NOT NULL) RETURN m.id ORDER BY m.id"
)
AHEAD: Final = f"{_ALL_MEMORIES} RETURN count(m.next_vector)"
ANY_VECTOR: Final = f"{_ALL_MEMORIES} WHERE m.vector IS NOT NULL RETURN m.id LIMIT 1"
DROP_OTHERS_AHEAD: Final = f"{_ALL_MEMORIES} WHERE m.next_fingerprint <> $fingerprint SET {_NOTHING_AHEAD}"
PUT_AHEAD: Final = (
    f"{_MEMORY_OF_ROW} SET m.next_fingerprint = $fingerprint, m.next_embedding = row.new_embedding, "
    "m.next_vector = row.new_vector"
)
DROP_FOREIGN: Final = f"{_ALL_MEMORIES} WHERE m.next_vector IS NULL SET m.embedding = null, m.vector = null"
MOVE_AHEAD: Final = (
    f"{_ALL_MEMORIES} WHERE m.next_vector IS NOT NULL "
    f"SET m.embedding = m.next_embedding, m.vector = m.next_vector, {_NOTHING_AHEAD}"
)

# -- outbox --
_ENTRY: Final = "o.id, o.write_key, o.position, o.recorded_us, o.recorded_offset, o.action"
PENDING: Final = (
    "MATCH (o:OutboxEntry {user_id: $user}) USING INDEX o:OutboxEntry(user_id, id) WHERE o.id IS NOT NULL "
    f"RETURN {_ENTRY} ORDER BY o.id LIMIT $limit"
)
ACKNOWLEDGE: Final = (
    "MATCH (o:OutboxEntry {user_id: $user}) USING INDEX o:OutboxEntry(user_id, id) WHERE o.id <= $up_to DELETE o"
)

# -- the store's own search --
_HOP: Final = (
    f"OPTIONAL MATCH (m)-[e:{ANY_RELATIONSHIP}]-(b:Memory {{user_id: $user, visible: true}}) WHERE e.in_force "
    "RETURN m.id, score, collect(e.id)"
)
SEARCH_INDEX: Final = (
    f"CYPHER 25 MATCH (m:Memory) SEARCH m IN (VECTOR INDEX {VECTOR_INDEX} FOR $vector "
    f"WHERE m.user_id = $user AND m.visible = true LIMIT $k) SCORE AS score {_HOP}"
)
"""In the index, one person's only (Neo4j 2026.02 and later)."""
SEARCH_SCAN: Final = (
    f"{_ALL_MEMORIES} WHERE m.visible AND m.embedding IS NOT NULL "
    "WITH m, vector.similarity.cosine(m.embedding, $vector) AS score WHERE score IS NOT NULL "
    f"ORDER BY score DESC, m.id LIMIT $k {_HOP}"
)
"""Exact, over all of the person's (before that)."""

# -- the whole person --
CLEAR_MEMORIES: Final = f"{_ALL_MEMORIES} DETACH DELETE m"
REMOVE_HEAD: Final = "MATCH (p:Person {user_id: $user}) DELETE p"
COUNT_MEMORIES: Final = (
    f"{_ALL_MEMORIES} RETURN count(m), count(m.vector), count(m.next_vector), coalesce(sum(m.proof_count), 0)"
)
COUNT_EDGES: Final = f"{_ALL_EDGES} RETURN count(e), coalesce(sum(e.proof_count), 0)"


def clear(label: str) -> str:
    """All of one label that stands alone."""
    name = STANDING_ALONE[STANDING_ALONE.index(label)]
    return f"MATCH (x:{name} {{user_id: $user}}) USING INDEX x:{name}(user_id, id) WHERE x.id IS NOT NULL DELETE x"


def count(label: str) -> str:
    """How many of one label that stands alone."""
    name = STANDING_ALONE[STANDING_ALONE.index(label)]
    return f"MATCH (x:{name} {{user_id: $user}}) USING INDEX x:{name}(user_id, id) WHERE x.id IS NOT NULL RETURN count(x)"


_KEPT: Final = " OR ".join(f"EXISTS {{ MATCH (:{label} {{user_id: p.user_id}}) }}" for label in ("Memory", *STANDING_ALONE))
PEOPLE: Final = (
    f"MATCH (p:Person) WHERE p.user_id > $after AND (p.n > 0 OR {_KEPT}) RETURN p.user_id ORDER BY p.user_id LIMIT $limit"
)
"""The only statement about more than one person; of each it tells the id alone."""
