# ruff: noqa: S608 - what is put together here are names of this package; values are always parameters
"""Every statement, by name. Lists of ids travel as one JSON array, so that a statement is prepared once however many."""

from __future__ import annotations

from typing import Final

from memory_lib.adapters.stored_graph.rows import ACT_COLUMNS, EDGE_COLUMNS, NODE_COLUMNS, PROOF_COLUMNS


def _upsert(table: str, columns: str, key: tuple[str, ...]) -> str:
    names = columns.split(", ")
    # not INSERT OR REPLACE: that deletes first, and edges and vectors would go with the row
    updates = ", ".join(f"{name} = excluded.{name}" for name in names if name not in key)
    places = ", ".join("?" * len(names))
    return f"INSERT INTO {table} ({columns}) VALUES ({places}) ON CONFLICT ({', '.join(key)}) DO UPDATE SET {updates}"


_LISTED: Final = "(SELECT value FROM json_each(?))"
_VISIBLE: Final = "retracted_us IS NULL AND archived_us IS NULL AND state <> 'stale'"

# -- head --
HEAD: Final = "SELECT epoch, n, key_generation, fence, fingerprint, dimension FROM head"
SET_KEY_GENERATION: Final = "UPDATE head SET key_generation = ?"
SET_EPOCH: Final = "UPDATE head SET epoch = ?, n = ?, fence = ?"
SET_HEAD: Final = "UPDATE head SET epoch = ?, n = ?, key_generation = ?, fence = ?, fingerprint = ?, dimension = ?"
CLEAR: Final = ("DELETE FROM proof", "DELETE FROM edge", "DELETE FROM node")
"""Vectors go with their nodes; acts, names and write keys stay."""
SET_FINGERPRINT: Final = "UPDATE head SET fingerprint = ?, dimension = ?, fence = ?"
ANY_VECTOR: Final = "SELECT EXISTS (SELECT 1 FROM vector)"

# -- reading --
INDEX_NODES: Final = (
    "SELECT id, type, weight, weight_at_us, decay, created_us, last_us, "
    f"{_VISIBLE}, closed_us IS NOT NULL, is_pinned, private FROM node ORDER BY id"
)
INDEX_EDGES: Final = "SELECT source, target, type, confidence FROM edge WHERE retracted_us IS NULL ORDER BY id"
VECTORS: Final = "SELECT node, sealed FROM vector"
NODES: Final = f"SELECT {NODE_COLUMNS} FROM node ORDER BY id"
EDGES: Final = f"SELECT {EDGE_COLUMNS} FROM edge ORDER BY id"
PROOFS: Final = f"SELECT {PROOF_COLUMNS} FROM proof ORDER BY owner, place"
ACTS: Final = f"SELECT {ACT_COLUMNS} FROM act ORDER BY at_us, id"
RENAMES: Final = "SELECT old, new FROM rename ORDER BY old"
NODES_BY_ID: Final = f"SELECT {NODE_COLUMNS} FROM node WHERE id IN {_LISTED}"
EDGES_BY_ID: Final = f"SELECT {EDGE_COLUMNS} FROM edge WHERE id IN {_LISTED}"
EDGES_AMONG: Final = f"SELECT {EDGE_COLUMNS} FROM edge WHERE source IN {_LISTED} AND target IN {_LISTED} ORDER BY id"
PROOFS_OF: Final = f"SELECT {PROOF_COLUMNS} FROM proof WHERE owner IN {_LISTED} ORDER BY owner, place"
CHAIN_EDGES: Final = "SELECT source, target FROM edge WHERE type = ? AND retracted_us IS NULL"
HIDDEN: Final = f"SELECT id FROM node WHERE NOT ({_VISIBLE})"

# -- writing --
WRITE_KEY: Final = "SELECT content FROM write_key WHERE key = ?"
WRITE_KEYS: Final = f"SELECT key FROM write_key WHERE key IN {_LISTED}"
PUT_WRITE_KEY: Final = "INSERT INTO write_key (key, content, n) VALUES (?, ?, ?)"
PUT_NODE: Final = _upsert("node", NODE_COLUMNS, ("id",))
PUT_VECTOR: Final = _upsert("vector", "node, sealed", ("node",))
PUT_EDGE: Final = _upsert("edge", EDGE_COLUMNS, ("id",))
PUT_PROOF: Final = _upsert("proof", PROOF_COLUMNS, ("owner", "place"))
PUT_ACT: Final = f"INSERT INTO act ({ACT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING"
OWN_PROOFS: Final = f"SELECT {PROOF_COLUMNS} FROM proof WHERE owner = ? ORDER BY place"
CUT_PROOFS: Final = "DELETE FROM proof WHERE owner = ? AND place >= ?"
HAS_NODE: Final = "SELECT EXISTS (SELECT 1 FROM node WHERE id = ?)"
REMOVE_EDGE_PROOFS_OF_NODE: Final = "DELETE FROM proof WHERE owner IN (SELECT id FROM edge WHERE source = ?1 OR target = ?1)"
REMOVE_PROOFS: Final = "DELETE FROM proof WHERE owner = ?"
REMOVE_NODE: Final = "DELETE FROM node WHERE id = ?"
REMOVE_EDGE: Final = "DELETE FROM edge WHERE id = ?"
RENAMED: Final = "SELECT new FROM rename WHERE old = ?"
IS_LIVE_NAME: Final = "DELETE FROM rename WHERE old = ?"
PUT_RENAME: Final = "INSERT INTO rename (old, new) VALUES (?, ?) ON CONFLICT (old) DO UPDATE SET new = excluded.new"
ACTS_OF: Final = "SELECT id FROM act WHERE node = ?"
FORGET_ACTS: Final = "DELETE FROM act WHERE node = ?1 OR node IN (SELECT old FROM rename WHERE new = ?1)"
FORGET_NAMES: Final = "DELETE FROM rename WHERE new = ?1 OR old = ?1"
MOVE_ACT: Final = "UPDATE act SET node = ? WHERE id = ?"

# -- vectors of the next embedder --
_LACKING: Final = (
    "NOT EXISTS (SELECT 1 FROM next_vector WHERE next_vector.node = node.id AND next_vector.fingerprint = ?1) "
    "AND NOT (EXISTS (SELECT 1 FROM vector WHERE vector.node = node.id) "
    "AND EXISTS (SELECT 1 FROM head WHERE head.fingerprint = ?1))"
)
LACKING: Final = f"SELECT id FROM node WHERE {_LACKING} ORDER BY id"
AHEAD: Final = "SELECT count(*) FROM next_vector"
DROP_OTHERS_AHEAD: Final = "DELETE FROM next_vector WHERE fingerprint <> ?"
DROP_AHEAD: Final = "DELETE FROM next_vector WHERE node = ?"
DROP_ALL_AHEAD: Final = "DELETE FROM next_vector"
PUT_AHEAD: Final = _upsert("next_vector", "node, fingerprint, dimension, sealed", ("node",))
DROP_FOREIGN: Final = "DELETE FROM vector WHERE node NOT IN (SELECT node FROM next_vector)"
# WHERE true: without it SQLite reads ON CONFLICT as part of a join
MOVE_AHEAD: Final = (
    "INSERT INTO vector (node, sealed) SELECT node, sealed FROM next_vector WHERE true "
    "ON CONFLICT (node) DO UPDATE SET sealed = excluded.sealed"
)
SET_SERVING: Final = "UPDATE head SET fingerprint = ?, dimension = ?, epoch = ?, n = n + 1, fence = ?"
SET_FENCE: Final = "UPDATE head SET fence = ?"

# -- outbox --
PUT_ACTION: Final = "INSERT INTO outbox (write_key, position, recorded_us, recorded_offset, action) VALUES (?, ?, ?, ?, ?)"
PENDING: Final = "SELECT seq, write_key, position, recorded_us, recorded_offset, action FROM outbox ORDER BY seq LIMIT ?"
ACKNOWLEDGE: Final = "DELETE FROM outbox WHERE seq <= ?"
