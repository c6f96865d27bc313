"""``ports.graph.GraphStore`` on Neo4j: many people in one database, each one's things under their ``user_id`` (ADR 0010).

Every write of a person takes the lock of their head first, so writers of one person are serial and those of two never meet.
Neo4j shows readers a transaction while it is being committed; who reads the whole of a person therefore takes the same lock, in
a transaction that is taken back. Other reads are routed to readers and take none.

Words are opened after the transaction is over, so a large read keeps nobody waiting for longer than its rows take to fetch.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Final

import numpy as np
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from numpy.typing import NDArray

from memory_lib.adapters.neo4j import carrying, queries, schema
from memory_lib.adapters.neo4j.heads import Head, head_of, set_head
from memory_lib.adapters.neo4j.params import Neo4jParams, Neo4jServerParams
from memory_lib.adapters.neo4j.rows import edges_of, index_of_rows, nodes_of
from memory_lib.adapters.neo4j.schema import ServerAbilities
from memory_lib.adapters.neo4j.server import Row, Server, Work
from memory_lib.adapters.neo4j.writer import Person, Turner, Writer, entities, put_rows, vector_rows
from memory_lib.adapters.stored_graph.heads import NOBODY, check_fence, check_unchanged, check_user, new_epoch
from memory_lib.adapters.stored_graph.rows import action_text, outbox_entries
from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.changes import Action, Applied, ChangeSet, Revision, WriteKey
from memory_lib.domain.ids import EdgeId, NodeId, UserId
from memory_lib.domain.node import Edge, Node
from memory_lib.domain.time import offset_minutes, to_us
from memory_lib.errors import FingerprintMismatch, IllegalValue
from memory_lib.policies.chains import chains
from memory_lib.policies.graph_index import GraphIndex
from memory_lib.policies.vector_rotation import SEED_BYTES, rotation
from memory_lib.ports.graph import GraphCapabilities, GraphHead, OutboxEntry, StoredGraph, WholeGraph
from memory_lib.ports.keys import Sealer

FIRST_KEY_GENERATION: Final = 1

_ROTATION_INFO: Final = b"selfimprint/vectors"


def rotation_seed(data_key: bytes) -> bytes:
    """What a person's vectors are turned by: HKDF-SHA256 of their data key (DESIGN §3)."""
    return HKDF(algorithm=SHA256(), length=SEED_BYTES, salt=None, info=_ROTATION_INFO).derive(data_key)


@dataclass(frozen=True, slots=True)
class Found:
    """What the store's own search found: (node, cosine), the nearest first, and every edge in force between one of them and a
    visible neighbour, by id.
    """

    nodes: tuple[tuple[NodeId, float], ...]
    edges: tuple[EdgeId, ...]


class Neo4jGraphStore:
    """All people of one server. Safe for threads; a fork opens connections of its own; after ``close`` a call connects again.

    ``keys``: (user, key generation) → the person's data key of 32 bytes, from which the rotation of their vectors is drawn.
    ``newest``: the generation that a person who is made here begins with (1 where nobody says). Text goes through ``sealer``;
    so does the copy of each vector that is read back, which is therefore exact. The turned copy is for the server's search
    alone.

    Nothing connects before the first call; that one checks the schema and makes what is missing.

    Besides what the port says, every method raises:
        IllegalValue: the user id is not 32 hex digits.
        DependencyDown: the server does not answer within ``params.connect_s`` (a write: ``retry_s`` more).
        StoreBusy: somebody else held the person for longer than ``params.busy_s``.
        SchemaMismatch: a newer version made the database.
        Permanent: the server refuses us, is full, or failed inside.
    """

    def __init__(
        self,
        server: Neo4jServerParams,
        sealer: Sealer,
        *,
        keys: Callable[[UserId, int], bytes],
        params: Neo4jParams,
        newest: Callable[[UserId], int] | None = None,
        epochs: Callable[[], int] = new_epoch,
    ) -> None:
        self._server = Server(server, params=params)
        self._sealer = sealer
        self._keys = keys
        self._params = params
        self._newest = newest
        self._new_epoch = epochs
        self._known: tuple[tuple[int, int], ServerAbilities] | None = None

    @property
    def capabilities(self) -> GraphCapabilities:
        """``vector_search``: in an index, one person's alone; without it ``search`` looks at each of theirs. Asks once."""
        return GraphCapabilities(vector_search=self.abilities.filtered_search, per_person_file=False, fencing=True)

    @property
    def abilities(self) -> ServerAbilities:
        """The server's version and what it can do; its schema has been made sure of."""
        return self._ready()

    # -- GraphReader --

    def head(self, user: UserId, *, within_s: float | None = None) -> GraphHead:
        self._check(user, within_s=within_s)
        return self._server.read(partial(head_of, user=user), within_s=within_s).head

    def index(self, user: UserId, *, within_s: float | None = None) -> GraphIndex:
        self._check(user, within_s=within_s)

        def read(work: Work) -> tuple[GraphHead, list[Row], list[Row]]:
            if not work.rows(queries.LOCK, user=user):
                return NOBODY, [], []
            found = head_of(work, user).head
            return found, work.listed(queries.INDEX_NODES, user=user), work.listed(queries.INDEX_EDGES, user=user)

        head, nodes, edges = self._server.read_locked(read, within_s=within_s)
        return index_of_rows(head, nodes, edges, partial(self._sealer.opener, user))

    def nodes(self, user: UserId, ids: Sequence[NodeId], *, within_s: float | None = None) -> dict[NodeId, Node]:
        self._check(user, within_s=within_s)
        if not ids:
            return {}
        rows = self._server.read(
            lambda work: work.listed(queries.NODES_BY_ID, user=user, ids=list(set(ids))), within_s=within_s
        )
        return nodes_of(rows, self._sealer.opener(user)) if rows else {}

    def edges_among(self, user: UserId, ids: Sequence[NodeId]) -> tuple[Edge, ...]:
        self._check(user)
        if not ids:
            return ()
        rows = self._server.read(lambda work: work.listed(queries.EDGES_AMONG, user=user, ids=list(set(ids))))
        return tuple(edges_of(rows, self._sealer.opener(user)).values()) if rows else ()

    def load(self, user: UserId) -> StoredGraph:
        return self.take(user).stored

    def chains(self, user: UserId, *, edge_type: EdgeType, min_length: int, limit: int) -> tuple[tuple[NodeId, ...], ...]:
        self._check(user)
        ends = self._server.read(lambda work: work.listed(queries.chain_edges(edge_type), user=user))
        return chains([(source, target) for source, target in ends], min_length=min_length, limit=limit)

    # -- the store's own search --

    def search(self, user: UserId, vector: NDArray[np.float32], *, k: int) -> Found:
        """The ``k`` visible nodes nearest to a calibrated vector, and the edges of one step from them, in one statement.

        Raises:
            IllegalValue: ``k`` is below 1.
            FingerprintMismatch: the vector is of another dimension than the person's.
        """
        if k < 1:
            raise IllegalValue(f"a search for {k} nodes finds nothing; ask for at least 1")
        statement = queries.SEARCH_INDEX if self._check(user).filtered_search else queries.SEARCH_SCAN

        def read(work: Work) -> list[Row]:
            head = head_of(work, user).head
            if head.dimension is None:
                return []
            if vector.shape != (head.dimension,):
                raise FingerprintMismatch(
                    f"a search with a vector of shape {vector.shape} for person {user}, whose vectors have {head.dimension}"
                )
            turned = self._turner(user, head)(vector)
            return work.rows(statement, user=user, vector=turned, k=k)

        rows = self._server.read(read)
        # (1 + cos) / 2 is what the server calls similarity
        near = sorted(((node, 2.0 * score - 1.0) for node, score, _ in rows), key=lambda found: (-found[1], found[0]))
        return Found(tuple(near), tuple(sorted({edge for _, _, edges in rows for edge in edges})))

    # -- GraphWriter --

    def applied_keys(self, user: UserId, keys: Sequence[str]) -> frozenset[str]:
        self._check(user)
        if not keys:
            return frozenset()
        rows = self._server.read(lambda work: work.rows(queries.WRITE_KEYS, user=user, keys=list(keys)))
        return frozenset([key for key, _ in rows])

    def apply(
        self,
        user: UserId,
        change_sets: Sequence[ChangeSet],
        *,
        token: int,
        now: datetime,
        based_on: Revision | None = None,
    ) -> tuple[Applied, ...]:
        self._check(user)
        if any(change_set.key.user != user for change_set in change_sets):
            raise IllegalValue(f"a change set for another person was handed in for person {user}; apply it under its own")
        if not change_sets:
            return ()
        contents = [change_set.content_hash() for change_set in change_sets]

        def write(work: Work) -> tuple[Applied, ...]:
            found = self._take_hold(work, user, [str(change_set.key) for change_set in change_sets])
            head = found.head
            check_fence(head, token)
            check_unchanged(head, based_on, user)
            writer = self._writer(work, user, found, now=now)
            writer.watch([c for c, content in zip(change_sets, contents, strict=True) if not writer.seen(c, content)])
            revision = head.revision
            applied: list[Applied] = []
            for change_set, content in zip(change_sets, contents, strict=True):
                if writer.seen(change_set, content):
                    applied.append(Applied(change_set.key, revision, fresh=False))
                    continue
                revision = Revision(revision.epoch, revision.n + 1)
                dropped = writer.play(change_set, content=content, n=revision.n)
                applied.append(Applied(change_set.key, revision, fresh=True, dropped=dropped))
            _confirm(work, user, replace(head, revision=revision, fence=token), writer)
            return tuple(applied)

        return self._server.write(write)

    def set_fingerprint(self, user: UserId, *, fingerprint: str, dimension: int, token: int) -> None:
        self._check(user)
        if dimension < 1:
            raise IllegalValue(f"vectors need a dimension of at least 1, got {dimension}")

        def write(work: Work) -> None:
            found = self._take_hold(work, user)
            head = found.head
            check_fence(head, token)
            known, new = (head.fingerprint, head.dimension), (fingerprint, dimension)
            if known != new and work.rows(queries.ANY_VECTOR, user=user):
                raise FingerprintMismatch(f"person {user} has vectors of embedder {known}, not {new}; run reembed")
            set_head(work, user, replace(head, fingerprint=fingerprint, dimension=dimension, fence=token), found.outbox)

        self._server.write(write)

    def close(self) -> None:
        self._server.close()

    # -- GraphRebuilder --

    def rebuild(self, user: UserId, change_set: ChangeSet, *, token: int, now: datetime, based_on: Revision) -> Revision:
        self._check(user)
        if change_set.key.user != user:
            raise IllegalValue(f"a change set for another person was handed in for person {user}; apply it under its own")
        content = change_set.content_hash()

        def write(work: Work) -> Revision:
            found = self._take_hold(work, user, [str(change_set.key)])
            head = found.head
            check_fence(head, token)
            check_unchanged(head, based_on, user)
            writer = self._writer(work, user, found, now=now, empty=True)
            if writer.seen(change_set, content):
                return head.revision
            work.run(queries.CLEAR_MEMORIES, user=user)
            writer.watch([change_set])
            revision = Revision(self._new_epoch(), head.revision.n + 1)
            writer.play(change_set, content=content, n=revision.n)
            _confirm(work, user, replace(head, revision=revision, fence=token), writer)
            return revision

        return self._server.write(write, bulk=True)

    # -- NextNodeVectors --

    def wanting(self, user: UserId, *, fingerprint: str) -> tuple[NodeId, ...]:
        self._check(user)
        return self._server.read(partial(_lacking, user=user, fingerprint=fingerprint))

    def ahead(self, user: UserId) -> int:
        self._check(user)
        return int(self._server.read(lambda work: work.rows(queries.AHEAD, user=user))[0][0])

    def put_ahead(
        self,
        user: UserId,
        vectors: Mapping[NodeId, tuple[str, NDArray[np.float32]]],
        *,
        fingerprint: str,
        dimension: int,
        token: int,
    ) -> None:
        self._check(user)
        if not vectors:
            return
        if any(vector.shape != (dimension,) for _, vector in vectors.values()):
            raise IllegalValue(f"a vector made ahead for person {user} is not of the announced dimension {dimension}")

        def write(work: Work) -> None:
            found = self._take_hold(work, user)
            check_fence(found.head, token)
            person = self._person(user, replace(found.head, dimension=dimension))
            there = entities(work, user, vectors, person.opener())
            contents = {id_: node.content for id_, node in there.items() if isinstance(node, Node)}
            work.run(queries.DROP_OTHERS_AHEAD, user=user, fingerprint=fingerprint)
            kept = [(node, vector) for node, (content, vector) in vectors.items() if contents.get(node) == content]
            put_rows(work, queries.PUT_AHEAD, person, vector_rows(person, kept), fingerprint=fingerprint)
            set_head(work, user, replace(found.head, fence=token), found.outbox)

        self._server.write(write)

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
        self._check(user)

        def write(work: Work) -> bool:
            found = self._take_hold(work, user)
            head = found.head
            check_fence(head, token)
            if set(_lacking(work, user, fingerprint)) - without:
                return False
            work.run(queries.DROP_OTHERS_AHEAD, user=user, fingerprint=fingerprint)
            if head.fingerprint != fingerprint:
                work.run(queries.DROP_FOREIGN, user=user)
            work.run(queries.MOVE_AHEAD, user=user)
            row = {
                "id": found.outbox + 1,
                "write_key": str(key),
                "position": 0,
                "recorded_us": to_us(now),
                "recorded_offset": offset_minutes(now),
                "action": action_text(action, user),
            }
            revision = Revision(self._new_epoch(), head.revision.n + 1)
            serving = replace(head, revision=revision, fingerprint=fingerprint, dimension=dimension, fence=token)
            set_head(work, user, serving, found.outbox + 1, entries=[row])
            return True

        return self._server.write(write, bulk=True)

    # -- Outbox --

    def pending(self, user: UserId, *, limit: int) -> tuple[OutboxEntry, ...]:
        self._check(user)
        return outbox_entries(self._server.read(lambda work: work.rows(queries.PENDING, user=user, limit=limit)))

    def acknowledge(self, user: UserId, *, up_to: int) -> None:
        self._check(user)
        self._server.write(lambda work: work.run(queries.ACKNOWLEDGE, user=user, up_to=up_to))

    # -- GraphCarrier --

    def take(self, user: UserId) -> WholeGraph:
        self._check(user)
        head, rows = self._server.read_locked(partial(carrying.rows_of, user=user))
        return carrying.whole_of(head, rows, partial(self._sealer.opener, user))

    def fence(self, user: UserId, *, token: int) -> None:
        self._check(user)

        def write(work: Work) -> None:
            if work.rows(queries.LOCK, user=user):
                found = head_of(work, user)
                check_fence(found.head, token)
                set_head(work, user, replace(found.head, fence=token), found.outbox)

        self._server.write(write)

    def place(self, user: UserId, whole: WholeGraph, *, token: int, key_generation: int) -> Revision:
        self._check(user)

        def write(work: Work) -> Revision:
            found = self._take_hold(work, user)
            check_fence(found.head, token)
            carrying.clear(work, user)
            revision = Revision(self._new_epoch(), whole.revision.n)
            head = GraphHead(revision, key_generation, token, whole.fingerprint, whole.dimension)
            carrying.put(work, self._person(user, head), head, whole, outbox=found.outbox)
            return revision

        return self._server.write(write, bulk=True)

    def vacate(self, user: UserId, *, token: int) -> None:
        self._check(user)

        def write(work: Work) -> None:
            if not work.rows(queries.LOCK, user=user):
                return
            found = head_of(work, user)
            check_fence(found.head, token)
            carrying.clear(work, user)
            set_head(work, user, replace(NOBODY, key_generation=FIRST_KEY_GENERATION, fence=token), found.outbox)

        self._server.write(write, bulk=True)

    def erase(self, user: UserId) -> Mapping[str, int]:
        self._check(user)

        def write(work: Work) -> Mapping[str, int]:
            work.run(queries.LOCK, user=user)
            counts = carrying.counts(work, user)
            carrying.clear(work, user)
            work.run(queries.REMOVE_HEAD, user=user)
            return counts

        return self._server.write(write, bulk=True)

    def residue(self, user: UserId) -> Mapping[str, int]:
        self._check(user)
        return self._server.read(partial(carrying.counts, user=user))

    def people(self, *, after: UserId | None = None, limit: int = 1000) -> tuple[UserId, ...]:
        self._ready()
        rows = self._server.read(lambda work: work.rows(queries.PEOPLE, after=after or "", limit=limit))
        return tuple([UserId(user) for (user,) in rows])

    # -- below: how --

    def _check(self, user: UserId, *, within_s: float | None = None) -> ServerAbilities:
        check_user(user)
        return self._ready(within_s=within_s)

    def _ready(self, *, within_s: float | None = None) -> ServerAbilities:
        """The schema made sure of, once a driver. Who can do without knocks first: the schema is asked for with patience."""
        known = self._known
        if known is not None and known[0] == self._server.generation:
            return known[1]
        if within_s is not None:
            self._server.read(lambda work: work.rows(schema.KNOCK), within_s=within_s)
        able = schema.ensure(self._server)
        self._known = (self._server.generation, able)
        return able

    def _person(self, user: UserId, head: GraphHead) -> Person:
        return Person(
            user=user,
            seal=self._sealer.sealing(user),
            opener=partial(self._sealer.opener, user),
            turner=partial(self._turner, user, head),
            params=self._params,
        )

    def _turner(self, user: UserId, head: GraphHead) -> Turner:
        if head.dimension is None:
            raise FingerprintMismatch(f"person {user} has no embedder recorded; call set_fingerprint before storing vectors")
        return rotation(rotation_seed(self._keys(user, head.key_generation)), dimension=head.dimension).turn

    def _writer(self, work: Work, user: UserId, found: Head, *, now: datetime, empty: bool = False) -> Writer:
        return Writer(
            work,
            self._person(user, found.head),
            dimension=found.head.dimension,
            outbox=found.outbox,
            known_keys=found.keys,
            now=now,
            empty=empty,
        )

    def _take_hold(self, work: Work, user: UserId, keys: Sequence[str] = ()) -> Head:
        """The person's lock, and their head as nobody can change it until the transaction ends; made where there is none."""
        if not work.rows(queries.LOCK, user=user):
            generation = FIRST_KEY_GENERATION if self._newest is None else self._newest(user)
            work.run(queries.MAKE_HEAD, user=user, key_generation=generation)
            # somebody may have made it in between: then it is theirs, and ours from now on
            work.run(queries.LOCK, user=user)
        found = head_of(work, user, keys)
        if found.head.revision.epoch == NOBODY.revision.epoch:
            return replace(found, head=replace(found.head, revision=Revision(self._new_epoch(), found.head.revision.n)))
        return found


def _confirm(work: Work, user: UserId, head: GraphHead, writer: Writer) -> None:
    """What has been written counts from here on."""
    writer.write()
    set_head(work, user, head, writer.outbox, keys=writer.new_keys, entries=writer.new_entries)


def _lacking(work: Work, user: UserId, fingerprint: str) -> tuple[NodeId, ...]:
    serving = head_of(work, user).head.fingerprint == fingerprint
    rows = work.rows(queries.LACKING, user=user, fingerprint=fingerprint, serving=serving)
    return tuple([NodeId(node) for (node,) in rows])
