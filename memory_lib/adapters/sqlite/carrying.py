"""A whole person out of a file and into one, on an open connection (``ports.graph.GraphCarrier``)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from typing import Final

from memory_lib.adapters.sqlite import statements
from memory_lib.adapters.stored_graph.rows import (
    VECTOR_KIND,
    Seal,
    act_row,
    action_text,
    edge_row,
    node_row,
    outbox_entries,
    proof_rows,
)
from memory_lib.domain.changes import Revision
from memory_lib.domain.ids import UserId
from memory_lib.domain.time import offset_minutes, to_us
from memory_lib.ports.graph import AppliedKey, OutboxEntry, WholeGraph

KINDS: Final[Mapping[str, str]] = {
    "proofs": "proof",
    "edges": "edge",
    "vectors": "vector",
    "next_vectors": "next_vector",
    "nodes": "node",
    "acts": "act",
    "renames": "rename",
    "write_keys": "write_key",
    "outbox": "outbox",
}
"""What is counted and cleared → its table; what points at others comes first."""


def counts(connection: sqlite3.Connection) -> dict[str, int]:
    """Rows of each kind, those with none left out; ``head`` and, where nothing else is kept, ``fence``."""
    found = {
        kind: int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])  # noqa: S608 - names of this module
        for kind, table in KINDS.items()
    }
    (n,) = connection.execute("SELECT n FROM head").fetchone()
    living = {kind: count for kind, count in found.items() if count}
    return {**living, "head": 1} if living or n else {"fence": 1}


def is_vacant(connection: sqlite3.Connection) -> bool:
    """Whether nothing but a fence is kept here."""
    return "fence" in counts(connection)


def clear(connection: sqlite3.Connection) -> None:
    """Everything of the person but the head."""
    for table in KINDS.values():
        connection.execute(f"DELETE FROM {table}")  # noqa: S608 - names of this module


def write_keys(connection: sqlite3.Connection) -> tuple[AppliedKey, ...]:
    """Every write key, in order of n, then of itself."""
    rows = connection.execute("SELECT key, content, n FROM write_key ORDER BY n, key").fetchall()
    return tuple([AppliedKey(*row) for row in rows])


def outbox(connection: sqlite3.Connection) -> tuple[OutboxEntry, ...]:
    """Every waiting entry, in order."""
    return outbox_entries(connection.execute(statements.PENDING, (-1,)))


def put(
    connection: sqlite3.Connection,
    user: UserId,
    whole: WholeGraph,
    *,
    seal: Seal,
    new_epoch: Callable[[], int],
    key_generation: int,
    token: int,
) -> Revision:
    """``whole`` into a file that ``clear`` has emptied; the person's new revision."""
    many = connection.executemany
    many(statements.PUT_NODE, [node_row(node, seal) for node in whole.nodes.values()])
    many(statements.PUT_EDGE, [edge_row(edge, seal) for edge in whole.edges.values()])
    for owners in (whole.nodes, whole.edges):
        many(statements.PUT_PROOF, [row for ident, owner in owners.items() for row in proof_rows(ident, owner.proofs)])
    many(
        statements.PUT_VECTOR,
        [(node, seal(VECTOR_KIND, node, vector.astype("<f4", copy=False).tobytes())) for node, vector in whole.vectors.items()],
    )
    many(statements.PUT_ACT, [act_row(act, act.node, seal) for act in whole.acts])
    many(statements.PUT_RENAME, list(whole.renames.items()))
    many(statements.PUT_WRITE_KEY, [(each.key, each.content, each.n) for each in whole.write_keys])
    many(
        statements.PUT_ACTION,
        [
            (
                entry.write_key,
                entry.position,
                to_us(entry.recorded_at),
                offset_minutes(entry.recorded_at),
                action_text(entry.action, user),
            )
            for entry in whole.outbox
        ],
    )
    revision = Revision(new_epoch(), whole.revision.n)
    connection.execute(
        statements.SET_HEAD, (revision.epoch, revision.n, key_generation, token, whole.fingerprint, whole.dimension)
    )
    return revision
