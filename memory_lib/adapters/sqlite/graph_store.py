"""``GraphStore`` on SQLite: ``<root>/graphs/<first 2 digits>/<user id>.db`` (DESIGN §3).

Words are opened after the snapshot has been read and the connection given back, so a large read keeps nobody waiting for
longer than its rows take to fetch.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from datetime import datetime
from functools import partial
from operator import itemgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from memory_lib.adapters.sqlite import carrying, schema, statements
from memory_lib.adapters.sqlite.connections import PersonFiles
from memory_lib.adapters.sqlite.driver_errors import driver_errors
from memory_lib.adapters.sqlite.writer import Writer, entities, listed
from memory_lib.adapters.stored_graph.columns import EdgeColumns, NodeColumns, index_of_columns, matrix, no_opener
from memory_lib.adapters.stored_graph.heads import NOBODY, check_fence, check_unchanged, check_user, is_internal, new_epoch
from memory_lib.adapters.stored_graph.rows import (
    VECTOR_KIND,
    Opener,
    Row,
    act_from_row,
    action_text,
    edge_from_row,
    node_from_row,
    outbox_entries,
    proofs_by_owner,
)
from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.changes import Action, Applied, ChangeSet, Revision, WriteKey
from memory_lib.domain.ids import NodeId, UserId
from memory_lib.domain.node import Edge, Node
from memory_lib.domain.time import offset_minutes, to_us
from memory_lib.errors import FingerprintMismatch, IllegalValue
from memory_lib.policies.chains import chains
from memory_lib.policies.graph_index import GraphIndex
from memory_lib.ports.graph import GraphCapabilities, GraphFileParams, GraphHead, OutboxEntry, StoredGraph, WholeGraph
from memory_lib.ports.keys import Sealer

_NO_GRAPH = WholeGraph(NOBODY.revision, None, None, {}, {}, (), {}, {}, (), ())
_NOWHERE = (NOBODY.revision.epoch, NOBODY.revision.n)


class SqliteGraphStore:
    """All people's graphs under ``root``, a file each, made when something is first written. Safe for threads and processes.
    ``newest``: the generation of the key that a person who is made here begins with (the first, where it is not given).

    Text and vectors go through ``sealer``. A fork finds all connections closed (``connections``). After ``close`` a call opens
    its file again.

    Besides what the port says, every method raises:
        IllegalValue: the user id is not 32 hex digits (it becomes a file name).
        StoreBusy: locks were held for longer than ``params.busy_timeout_s``.
        SchemaMismatch: the file was written by a newer version, or is no graph file.
        Permanent: the file is damaged, may not be read or written, or the disk is full.
    """

    capabilities = GraphCapabilities(vector_search=False, per_person_file=True, fencing=True)

    def __init__(
        self,
        root: Path,
        sealer: Sealer,
        *,
        params: GraphFileParams,
        newest: Callable[[UserId], int] | None = None,
        epochs: Callable[[], int] = new_epoch,
    ) -> None:
        self._folder = root / "graphs"
        self._newest = newest
        self._sealer = sealer
        self._new_epoch = epochs
        self._files = PersonFiles(params=params, new_epoch=epochs)

    # -- GraphReader --

    def head(self, user: UserId, *, within_s: float | None = None) -> GraphHead:  # noqa: ARG002 - a file is no server
        with self._reading(user) as connection:
            return NOBODY if connection is None else _head(connection)

    def index(self, user: UserId, *, within_s: float | None = None) -> GraphIndex:  # noqa: ARG002 - as above
        nodes: list[Row] = []
        edges: list[Row] = []
        vectors: list[Row] = []
        head = NOBODY
        with self._reading(user) as connection:
            if connection is not None:
                with _snapshot(connection):
                    head = _head(connection)
                    nodes = connection.execute(statements.INDEX_NODES).fetchall()
                    edges = connection.execute(statements.INDEX_EDGES).fetchall()
                    vectors = connection.execute(statements.VECTORS).fetchall()
        return _index(head, nodes, edges, vectors, partial(self._sealer.opener, user))

    def nodes(
        self,
        user: UserId,
        ids: Sequence[NodeId],
        *,
        within_s: float | None = None,  # noqa: ARG002 - as above
    ) -> dict[NodeId, Node]:
        if not ids:
            return {}
        with self._reading(user) as connection:
            if connection is None:
                return {}
            wanted = listed(ids)
            with _snapshot(connection):
                rows = connection.execute(statements.NODES_BY_ID, (wanted,)).fetchall()
                proof_rows = connection.execute(statements.PROOFS_OF, (wanted,)).fetchall()
        proofs = proofs_by_owner(proof_rows)
        open_ = self._sealer.opener(user)
        return {row[0]: node_from_row(row, proofs.get(row[0], ()), open_) for row in rows}

    def edges_among(self, user: UserId, ids: Sequence[NodeId]) -> tuple[Edge, ...]:
        if not ids:
            return ()
        with self._reading(user) as connection:
            if connection is None:
                return ()
            wanted = listed(ids)
            with _snapshot(connection):
                rows = connection.execute(statements.EDGES_AMONG, (wanted, wanted)).fetchall()
                proof_rows = connection.execute(statements.PROOFS_OF, (listed(row[0] for row in rows),)).fetchall()
        proofs = proofs_by_owner(proof_rows)
        open_ = self._sealer.opener(user)
        return tuple([edge_from_row(row, proofs.get(row[0], ()), open_) for row in rows])

    def load(self, user: UserId) -> StoredGraph:
        return self._whole(user, travelling=False).stored

    def chains(self, user: UserId, *, edge_type: EdgeType, min_length: int, limit: int) -> tuple[tuple[NodeId, ...], ...]:
        edges: list[tuple[NodeId, NodeId]] = []
        hidden: set[NodeId] = set()
        with self._reading(user) as connection:
            if connection is not None:
                with _snapshot(connection):
                    edges = connection.execute(statements.CHAIN_EDGES, (edge_type.value,)).fetchall()
                    hidden = {id_ for (id_,) in connection.execute(statements.HIDDEN)}
        seen = [(source, target) for source, target in edges if source not in hidden and target not in hidden]
        return chains(seen, min_length=min_length, limit=limit)

    # -- GraphWriter --

    def applied_keys(self, user: UserId, keys: Sequence[str]) -> frozenset[str]:
        if not keys:
            return frozenset()
        with self._reading(user) as connection:
            if connection is None:
                return frozenset()
            return frozenset([key for (key,) in connection.execute(statements.WRITE_KEYS, (listed(keys),))])

    def apply(
        self,
        user: UserId,
        change_sets: Sequence[ChangeSet],
        *,
        token: int,
        now: datetime,
        based_on: Revision | None = None,
    ) -> tuple[Applied, ...]:
        if any(change_set.key.user != user for change_set in change_sets):
            raise IllegalValue(f"a change set for another person was handed in for person {user}; apply it under its own")
        if not change_sets:
            return ()
        contents = [change_set.content_hash() for change_set in change_sets]
        with self._writing(user) as connection:
            head = _head(connection)
            check_fence(head, token)
            check_unchanged(head, based_on, user)
            writer = Writer(
                connection,
                user=user,
                seal=self._sealer.sealing(user),
                opener=partial(self._sealer.opener, user),
                dimension=head.dimension,
                now=now,
            )
            # whoever lived here before took their epoch along
            epoch, n = head.revision.epoch or self._new_epoch(), head.revision.n
            applied: list[Applied] = []
            fresh_sets = [c for c, content in zip(change_sets, contents, strict=True) if not writer.seen(c, content)]
            writer.watch(fresh_sets)
            for change_set, content in zip(change_sets, contents, strict=True):
                if writer.seen(change_set, content):
                    applied.append(Applied(change_set.key, Revision(epoch, n), fresh=False))
                    continue
                n += 1
                dropped = writer.write(change_set, content=content, n=n)
                applied.append(Applied(change_set.key, Revision(epoch, n), fresh=True, dropped=dropped))
            if head.revision.n == NOBODY.revision.n < n and self._newest is not None:
                connection.execute(statements.SET_KEY_GENERATION, (self._newest(user),))
            if (n, token) != (head.revision.n, head.fence):
                connection.execute(statements.SET_EPOCH, (epoch, n, token))
        return tuple(applied)

    def set_fingerprint(self, user: UserId, *, fingerprint: str, dimension: int, token: int) -> None:
        if dimension < 1:
            raise IllegalValue(f"vectors need a dimension of at least 1, got {dimension}")
        with self._writing(user) as connection:
            head = _head(connection)
            check_fence(head, token)
            if (head.fingerprint, head.dimension) != (fingerprint, dimension) and connection.execute(
                statements.ANY_VECTOR
            ).fetchone()[0]:
                known, new = (head.fingerprint, head.dimension), (fingerprint, dimension)
                raise FingerprintMismatch(f"person {user} has vectors of embedder {known}, not {new}; run reembed")
            connection.execute(statements.SET_FINGERPRINT, (fingerprint, dimension, token))

    def close(self) -> None:
        self._files.close()

    # -- NextNodeVectors --

    def wanting(self, user: UserId, *, fingerprint: str) -> tuple[NodeId, ...]:
        with self._reading(user) as connection:
            if connection is None:
                return ()
            return tuple([NodeId(node) for (node,) in connection.execute(statements.LACKING, (fingerprint,))])

    def ahead(self, user: UserId) -> int:
        with self._reading(user) as connection:
            return 0 if connection is None else int(connection.execute(statements.AHEAD).fetchone()[0])

    def put_ahead(
        self,
        user: UserId,
        vectors: Mapping[NodeId, tuple[str, NDArray[np.float32]]],
        *,
        fingerprint: str,
        dimension: int,
        token: int,
    ) -> None:
        if not vectors:
            return
        if any(vector.shape != (dimension,) for _, vector in vectors.values()):
            raise IllegalValue(f"a vector made ahead for person {user} is not of the announced dimension {dimension}")
        seal, open_ = self._sealer.sealing(user), self._sealer.opener(user)
        with self._writing(user) as connection:
            check_fence(_head(connection), token)
            found = entities(connection, vectors, open_)
            contents = {id_: node.content for id_, node in found.items() if isinstance(node, Node)}
            connection.execute(statements.DROP_OTHERS_AHEAD, (fingerprint,))
            connection.executemany(
                statements.PUT_AHEAD,
                [
                    (node, fingerprint, dimension, seal(VECTOR_KIND, node, vector.astype("<f4", copy=False).tobytes()))
                    for node, (content, vector) in vectors.items()
                    if contents.get(node) == content
                ],
            )
            connection.execute(statements.SET_FENCE, (token,))

    def switch(
        self,
        user: UserId,
        *,
        fingerprint: str,
        dimension: int,
        token: int,
        key: WriteKey,
        action: Action,
        now: datetime,
        without: frozenset[NodeId],
    ) -> bool:
        with self._writing(user) as connection:
            head = _head(connection)
            check_fence(head, token)
            lacking = {NodeId(node) for (node,) in connection.execute(statements.LACKING, (fingerprint,))}
            if lacking - without:
                return False
            connection.execute(statements.DROP_OTHERS_AHEAD, (fingerprint,))
            if head.fingerprint != fingerprint:
                connection.execute(statements.DROP_FOREIGN)
            connection.execute(statements.MOVE_AHEAD)
            connection.execute(statements.DROP_ALL_AHEAD)
            connection.execute(statements.SET_SERVING, (fingerprint, dimension, self._new_epoch(), token))
            row = (str(key), 0, to_us(now), offset_minutes(now), action_text(action, user))
            connection.execute(statements.PUT_ACTION, row)
        return True

    # -- GraphRebuilder --

    def rebuild(self, user: UserId, change_set: ChangeSet, *, token: int, now: datetime, based_on: Revision) -> Revision:
        if change_set.key.user != user:
            raise IllegalValue(f"a change set for another person was handed in for person {user}; apply it under its own")
        content = change_set.content_hash()
        with self._writing(user) as connection:
            head = _head(connection)
            check_fence(head, token)
            check_unchanged(head, based_on, user)
            writer = Writer(
                connection,
                user=user,
                seal=self._sealer.sealing(user),
                opener=partial(self._sealer.opener, user),
                dimension=head.dimension,
                now=now,
            )
            if writer.seen(change_set, content):
                return head.revision
            for statement in statements.CLEAR:
                connection.execute(statement)
            revision = Revision(self._new_epoch(), head.revision.n + 1)
            writer.write(change_set, content=content, n=revision.n)
            connection.execute(statements.SET_EPOCH, (revision.epoch, revision.n, token))
        return revision

    # -- Outbox --

    def pending(self, user: UserId, *, limit: int) -> tuple[OutboxEntry, ...]:
        with self._reading(user) as connection:
            rows = [] if connection is None else connection.execute(statements.PENDING, (limit,)).fetchall()
        return outbox_entries(rows)

    def acknowledge(self, user: UserId, *, up_to: int) -> None:
        path = self._path(user)
        with driver_errors(user), self._files.file(path) as file, file.writing(create=False) as connection:
            if connection is not None:
                connection.execute(statements.ACKNOWLEDGE, (up_to,))

    # -- GraphCarrier --

    def take(self, user: UserId) -> WholeGraph:
        return self._whole(user, travelling=True)

    def _whole(self, user: UserId, *, travelling: bool) -> WholeGraph:
        """``travelling``: with what only a move needs, write keys and waiting outbox entries."""
        with self._reading(user) as connection:
            if connection is None:
                return _NO_GRAPH
            with _snapshot(connection):
                head = _head(connection)
                nodes, edges, proof_rows, acts, renames, vectors = (
                    connection.execute(statement).fetchall()
                    for statement in (
                        statements.NODES,
                        statements.EDGES,
                        statements.PROOFS,
                        statements.ACTS,
                        statements.RENAMES,
                        statements.VECTORS,
                    )
                )
                keys = carrying.write_keys(connection) if travelling else ()
                waiting = carrying.outbox(connection) if travelling else ()
        proofs = proofs_by_owner(proof_rows)
        # an emptied person may have no key any more
        open_ = self._sealer.opener(user) if nodes or edges or acts else no_opener
        rows = matrix(vectors, head.dimension or 0, open_)
        return WholeGraph(
            revision=head.revision,
            fingerprint=head.fingerprint,
            dimension=head.dimension,
            nodes={row[0]: node_from_row(row, proofs.get(row[0], ()), open_) for row in nodes},
            edges={row[0]: edge_from_row(row, proofs.get(row[0], ()), open_) for row in edges},
            acts=tuple([act_from_row(row, open_) for row in acts]),
            renames=dict(renames),
            vectors={row[0]: vector for row, vector in zip(vectors, rows, strict=True)},
            write_keys=keys,
            outbox=waiting,
        )

    def fence(self, user: UserId, *, token: int) -> None:
        with self._writing(user) as connection:
            check_fence(_head(connection), token)
            connection.execute(statements.SET_FENCE, (token,))

    def place(self, user: UserId, whole: WholeGraph, *, token: int, key_generation: int) -> Revision:
        with self._writing(user) as connection:
            check_fence(_head(connection), token)
            carrying.clear(connection)
            return carrying.put(
                connection,
                user,
                whole,
                seal=self._sealer.sealing(user),
                new_epoch=self._new_epoch,
                key_generation=key_generation,
                token=token,
            )

    def vacate(self, user: UserId, *, token: int) -> None:
        path = self._path(user)
        with driver_errors(user), self._files.file(path) as file, file.writing(create=False) as connection:
            if connection is None:
                return
            with _transaction(connection):
                check_fence(_head(connection), token)
                carrying.clear(connection)
                connection.execute(statements.SET_HEAD, (*_NOWHERE, schema.FIRST_KEY_GENERATION, token, None, None))
            # the pages of what went hold its envelopes until they are written over
            connection.execute("VACUUM")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").close()

    def erase(self, user: UserId) -> Mapping[str, int]:
        """Whoever has the file open, in this process or another, reads an empty person from the next call on. Copies of the
        file are made unreadable by destroying the person's key.
        """
        path = self._path(user)
        with driver_errors(user), self._files.file(path) as file:
            connection = file.reading()
            gone = {} if connection is None else carrying.counts(connection)
            file.remove()
        return gone

    def residue(self, user: UserId) -> Mapping[str, int]:
        with self._reading(user) as connection:
            return {} if connection is None else carrying.counts(connection)

    def people(self, *, after: UserId | None = None, limit: int = 1000) -> tuple[UserId, ...]:
        found: list[UserId] = []
        for path in sorted(self._folder.glob("??/*.db")):
            user = UserId(path.stem)
            if user <= (after or "") or not is_internal(user):
                continue
            with self._reading(user) as connection:
                if connection is not None and not carrying.is_vacant(connection):
                    found.append(user)
            if len(found) == limit:
                break
        return tuple(found)

    def file_bytes(self, user: UserId) -> int:
        """Size on disk, log included; 0 where there is no file."""
        path = Path(self._path(user))
        return sum(p.stat().st_size for p in (path, Path(f"{path}-wal")) if p.exists())

    @property
    def open_files(self) -> int:
        return self._files.open_count

    def _path(self, user: UserId) -> str:
        check_user(user)
        return f"{self._folder}/{user[:2]}/{user}.db"

    @contextmanager
    def _reading(self, user: UserId) -> Iterator[sqlite3.Connection | None]:
        path = self._path(user)
        with driver_errors(user), self._files.file(path) as file:
            yield file.reading()

    @contextmanager
    def _writing(self, user: UserId) -> Iterator[sqlite3.Connection]:
        """A write transaction: committed at the end, rolled back on any error."""
        path = self._path(user)
        with driver_errors(user), self._files.file(path) as file, file.writing(create=True) as connection:
            assert connection is not None
            with _transaction(connection):
                yield connection


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Committed at the end, rolled back on any error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def _snapshot(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("COMMIT")


def _head(connection: sqlite3.Connection) -> GraphHead:
    epoch, n, key_generation, fence, fingerprint, dimension = connection.execute(statements.HEAD).fetchone()
    return GraphHead(Revision(epoch, n), key_generation, fence, fingerprint, dimension)


def _index(head: GraphHead, nodes: list[Row], edges: list[Row], vectors: list[Row], opener: Callable[[], Opener]) -> GraphIndex:
    return index_of_columns(
        head,
        NodeColumns(*(list(zip(*nodes, strict=True)) or [()] * len(fields(NodeColumns)))),
        EdgeColumns(*zip(*edges, strict=True)),
        sorted(vectors, key=itemgetter(0)),
        opener,
    )
