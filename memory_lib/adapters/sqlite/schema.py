"""The tables of one person's file, and how they come to be (CONTRACTS, Sealing and keys).

In clear: internal ids, types, states, times, weights, coefficients, flags, rule and reasoner names, counts. Everything else
of a row is in its ``sealed`` envelope; vectors have envelopes of their own. ``private`` says that not everybody may see a
node, not who may.

A change of the tables is a new ``VERSION`` and a step from the former one; what is inside an envelope has a version of its own
(``stored_graph.rows.PAYLOAD_VERSION``) and needs none.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

from memory_lib.errors import SchemaMismatch

VERSION = 2
SQLITE = sqlite3.sqlite_version
"""SQLite's own version."""

TABLES = (
    """
    CREATE TABLE head (
        only INTEGER PRIMARY KEY CHECK (only = 1),
        epoch INTEGER NOT NULL, n INTEGER NOT NULL, key_generation INTEGER NOT NULL, fence INTEGER NOT NULL,
        fingerprint TEXT, dimension INTEGER
    ) STRICT
    """,
    """
    CREATE TABLE node (
        id TEXT PRIMARY KEY, type TEXT NOT NULL, state TEXT NOT NULL,
        weight REAL NOT NULL, weight_at_us INTEGER NOT NULL, decay REAL NOT NULL,
        confidence REAL NOT NULL, importance REAL NOT NULL,
        created_us INTEGER NOT NULL, created_offset INTEGER NOT NULL,
        last_us INTEGER NOT NULL, last_offset INTEGER NOT NULL,
        recorded_us INTEGER NOT NULL, recorded_offset INTEGER NOT NULL,
        retracted_us INTEGER, retracted_offset INTEGER,
        closed_us INTEGER, closed_by TEXT, closed_recorded_us INTEGER, closed_recorded_offset INTEGER,
        archived_us INTEGER, archived_offset INTEGER,
        is_inference INTEGER NOT NULL, is_pinned INTEGER NOT NULL, private INTEGER NOT NULL, flags TEXT NOT NULL,
        rule TEXT NOT NULL, reasoner TEXT NOT NULL, version TEXT NOT NULL,
        sealed BLOB NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    # rows of 1.5 to 4 kB: in a rowid table they lie one after the other, as index() reads them
    """
    CREATE TABLE vector (
        node TEXT NOT NULL UNIQUE REFERENCES node (id) ON DELETE CASCADE,
        sealed BLOB NOT NULL
    ) STRICT
    """,
    """
    CREATE TABLE edge (
        id TEXT PRIMARY KEY,
        source TEXT NOT NULL REFERENCES node (id) ON DELETE CASCADE,
        target TEXT NOT NULL REFERENCES node (id) ON DELETE CASCADE,
        type TEXT NOT NULL, confidence REAL NOT NULL, is_inferred INTEGER NOT NULL, state TEXT NOT NULL,
        created_us INTEGER NOT NULL, created_offset INTEGER NOT NULL,
        recorded_us INTEGER NOT NULL, recorded_offset INTEGER NOT NULL,
        retracted_us INTEGER, retracted_offset INTEGER,
        closed_us INTEGER, closed_by TEXT, closed_recorded_us INTEGER, closed_recorded_offset INTEGER,
        rule TEXT NOT NULL, reasoner TEXT NOT NULL, version TEXT NOT NULL,
        sealed BLOB NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX edge_source ON edge (source)",
    "CREATE INDEX edge_target ON edge (target)",
    # owner: a node id or an edge id; place: the proof's place among its owner's
    """
    CREATE TABLE proof (
        owner TEXT NOT NULL, place INTEGER NOT NULL,
        message TEXT NOT NULL, start INTEGER NOT NULL, "end" INTEGER NOT NULL,
        at_us INTEGER NOT NULL, "offset" INTEGER NOT NULL, kind TEXT NOT NULL, weighed INTEGER NOT NULL,
        reasoner TEXT NOT NULL, version TEXT NOT NULL,
        PRIMARY KEY (owner, place)
    ) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE act (
        id TEXT PRIMARY KEY, node TEXT NOT NULL, kind TEXT NOT NULL,
        at_us INTEGER NOT NULL, at_offset INTEGER NOT NULL,
        recorded_us INTEGER NOT NULL, recorded_offset INTEGER NOT NULL,
        sealed BLOB NOT NULL
    ) STRICT, WITHOUT ROWID
    """,
    "CREATE INDEX act_node ON act (node)",
    """
    CREATE TABLE rename (old TEXT PRIMARY KEY, new TEXT NOT NULL) STRICT, WITHOUT ROWID
    """,
    """
    CREATE TABLE write_key (key TEXT PRIMARY KEY, content TEXT NOT NULL, n INTEGER NOT NULL) STRICT, WITHOUT ROWID
    """,
    # AUTOINCREMENT: a number is never given twice, also after its entry was taken away
    """
    CREATE TABLE outbox (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, write_key TEXT NOT NULL, position INTEGER NOT NULL,
        recorded_us INTEGER NOT NULL, recorded_offset INTEGER NOT NULL, action TEXT NOT NULL
    ) STRICT
    """,
)

NEXT_VECTOR = """
    CREATE TABLE next_vector (
        node TEXT PRIMARY KEY REFERENCES node (id) ON DELETE CASCADE,
        fingerprint TEXT NOT NULL, dimension INTEGER NOT NULL, sealed BLOB NOT NULL
    ) STRICT
    """
"""Made ahead for the next embedder (ADR 0008)."""

STEPS = {1: TABLES, 2: (NEXT_VECTOR,)}
"""Version -> what makes it of the one before."""

FIRST_HEAD = "INSERT INTO head (only, epoch, n, key_generation, fence) VALUES (1, ?, 0, ?, 0)"
FIRST_KEY_GENERATION = 1


def ensure(connection: sqlite3.Connection, *, new_epoch: Callable[[], int]) -> None:
    """Make the tables if there are none, or bring them to this version. One transaction: a process killed here leaves the file
    as it was.

    The caller holds the file's write lock.

    Raises:
        SchemaMismatch: the file was written by a newer version of the tables.
    """
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise SchemaMismatch(
            f"a graph file has tables of version {version}, this program knows {VERSION}; install the newer release"
        )
    if version == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        for step in range(version + 1, VERSION + 1):
            for statement in STEPS[step]:
                connection.execute(statement)
        if version == 0:
            connection.execute(FIRST_HEAD, (new_epoch(), FIRST_KEY_GENERATION))
        connection.execute(f"PRAGMA user_version = {VERSION:d}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise
