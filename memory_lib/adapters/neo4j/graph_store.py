"""``ports.graph.GraphStore`` on Neo4j: many people in one database, each one's things under their ``user_id`` (ADR 0010).

Every write of a person takes the lock of their head first, so writers of one person are serial and those of two never meet.
Neo4j shows readers a transaction while it is being committed; who reads the whole of a person therefore takes the same lock, in
a transaction that is taken back. Other reads are routed to readers and take none.

Words are opened after the transaction is over, so a large read keeps nobody waiting for longer than its rows take to fetch.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from operator import itemgetter
from typing import Final

import numpy as np
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from numpy.typing import NDArray

from memory_lib.adapters.graph_rows import (
    VECTOR_KIND,
    Opener,
    act_from_row,
    action_from_text,
    action_text,
    edge_types,
    node_types,
)
from memory_lib.adapters.neo4j import queries, schema
from memory_lib.adapters.neo4j.params import Neo4jParams, Neo4jServerParams
from memory_lib.adapters.neo4j.rows import (
    Parameters,
    act_parameters,
    edge_ends,
    edge_parameters,
    edges_of,
    node_column,
    node_parameters,
    nodes_of,
    unpacked,
)
from memory_lib.adapters.neo4j.schema import ServerAbilities
from memory_lib.adapters.neo4j.server import Row, Server, Work
from memory_lib.adapters.neo4j.writer import (
    FLOAT32_BYTES,
    Person,
    Turner,
    Writer,
    entities,
    put_edges,
    put_nodes,
    put_rows,
    vector_rows,
)
from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.changes import Action, Applied, ChangeSet, Revision, WriteKey
from memory_lib.domain.ids import EdgeId, NodeId, UserId
from memory_lib.domain.node import Edge, Node
from memory_lib.domain.time import from_us, offset_minutes, to_us
from memory_lib.errors import FingerprintMismatch, IllegalValue, LeaseLost, StaleRead
from memory_lib.policies.chains import chains
from memory_lib.policies.graph_index import GraphIndex
from memory_lib.policies.vector_rotation import SEED_BYTES, rotation
from memory_lib.ports.graph import AppliedKey, GraphCapabilities, GraphHead, OutboxEntry, StoredGraph, WholeGraph
from memory_lib.ports.keys import Sealer

NOBODY: Final = GraphHead(revision=Revision(0, 0), key_generation=0, fence=0, fingerprint=None, dimension=None)
"""How a person without a head reads."""
FIRST_KEY_GENERATION: Final = 1

_USER_ID: Final = re.compile(r"[0-9a-f]{32}")
_EPOCH_CHANCE_BITS: Final = 20
_ROTATION_INFO: Final = b"selfimprint/vectors"


def new_epoch() -> int:
    """A number that the person never had before: seconds since 1970, then 20 random bits; below 2^53, so exact in JSON."""
    return (int(time.time()) << _EPOCH_CHANCE_BITS) | secrets.randbits(_EPOCH_CHANCE_BITS)


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


@dataclass(frozen=True, slots=True)
class _Head:
    """The port's head, the highest outbox number given out, and which of the keys asked for have been applied, with what."""

    head: GraphHead
    outbox: int
    keys: Mapping[str, str]


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
        return self._server.read(partial(_head, user=user), within_s=within_s).head

    def index(self, user: UserId, *, within_s: float | None = None) -> GraphIndex:
        self._check(user, within_s=within_s)

        def read(work: Work) -> tuple[GraphHead, list[Row], list[Row]]:
            if not work.rows(queries.LOCK, user=user):
                return NOBODY, [], []
            found = _head(work, user).head
            return found, work.listed(queries.INDEX_NODES, user=user), work.listed(queries.INDEX_EDGES, user=user)

        head, nodes, edges = self._server.read_locked(read, within_s=within_s)
        return _index(head, nodes, edges, partial(self._sealer.opener, user))

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
            head = _head(work, user).head
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
            _check_fence(head, token)
            _check_unchanged(head, based_on, user)
            writer = Writer(
                work,
                self._person(user, head),
                dimension=head.dimension,
                outbox=found.outbox,
                known_keys=found.keys,
                now=now,
            )
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
            writer.write()
            _set_head(
                work,
                user,
                replace(head, revision=revision, fence=token),
                writer.outbox,
                keys=writer.new_keys,
                entries=writer.new_entries,
            )
            return tuple(applied)

        return self._server.write(write)

    def set_fingerprint(self, user: UserId, *, fingerprint: str, dimension: int, token: int) -> None:
        self._check(user)
        if dimension < 1:
            raise IllegalValue(f"vectors need a dimension of at least 1, got {dimension}")

        def write(work: Work) -> None:
            found = self._take_hold(work, user)
            head = found.head
            _check_fence(head, token)
            known, new = (head.fingerprint, head.dimension), (fingerprint, dimension)
            if known != new and work.rows(queries.ANY_VECTOR, user=user):
                raise FingerprintMismatch(f"person {user} has vectors of embedder {known}, not {new}; run reembed")
            _set_head(work, user, replace(head, fingerprint=fingerprint, dimension=dimension, fence=token), found.outbox)

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
            _check_fence(head, token)
            _check_unchanged(head, based_on, user)
            writer = Writer(
                work,
                self._person(user, head),
                dimension=head.dimension,
                outbox=found.outbox,
                known_keys=found.keys,
                now=now,
                empty=True,
            )
            if writer.seen(change_set, content):
                return head.revision
            work.run(queries.CLEAR_MEMORIES, user=user)
            writer.watch([change_set])
            revision = Revision(self._new_epoch(), head.revision.n + 1)
            writer.play(change_set, content=content, n=revision.n)
            writer.write()
            _set_head(
                work,
                user,
                replace(head, revision=revision, fence=token),
                writer.outbox,
                keys=writer.new_keys,
                entries=writer.new_entries,
            )
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
            _check_fence(found.head, token)
            person = self._person(user, replace(found.head, dimension=dimension))
            there = entities(work, user, vectors, person.opener())
            contents = {id_: node.content for id_, node in there.items() if isinstance(node, Node)}
            work.run(queries.DROP_OTHERS_AHEAD, user=user, fingerprint=fingerprint)
            kept = [(node, vector) for node, (content, vector) in vectors.items() if contents.get(node) == content]
            put_rows(work, queries.PUT_AHEAD, person, vector_rows(person, kept), fingerprint=fingerprint)
            _set_head(work, user, replace(found.head, fence=token), found.outbox)

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
            _check_fence(head, token)
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
            _set_head(work, user, serving, found.outbox + 1, entries=[row])
            return True

        return self._server.write(write, bulk=True)

    # -- Outbox --

    def pending(self, user: UserId, *, limit: int) -> tuple[OutboxEntry, ...]:
        self._check(user)
        return _entries(self._server.read(lambda work: work.rows(queries.PENDING, user=user, limit=limit)))

    def acknowledge(self, user: UserId, *, up_to: int) -> None:
        self._check(user)
        self._server.write(lambda work: work.run(queries.ACKNOWLEDGE, user=user, up_to=up_to))

    # -- GraphCarrier --

    def take(self, user: UserId) -> WholeGraph:
        self._check(user)

        def read(work: Work) -> tuple[GraphHead, list[list[Row]]]:
            if not work.rows(queries.LOCK, user=user):
                return NOBODY, [[] for _ in range(6)]
            found = _head(work, user).head
            lists = [work.listed(each, user=user) for each in (queries.NODES, queries.EDGES, queries.ALL_WRITE_KEYS)]
            rows = [work.rows(each, user=user) for each in (queries.ACTS, queries.RENAMES)]
            return found, [*lists, *rows, work.rows(queries.PENDING, user=user, limit=_ALL)]

        head, (nodes, edges, keys, acts, renames, waiting) = self._server.read_locked(read)
        # an erased person's missing key is not looked up where there is nothing to open
        open_ = self._sealer.opener(user) if nodes or acts else _no_opener
        vectors = sorted((row[0], row[-1]) for row in nodes if row[-1] is not None)
        matrix = _matrix(vectors, head.dimension or 0, open_)
        return WholeGraph(
            revision=head.revision,
            fingerprint=head.fingerprint,
            dimension=head.dimension,
            nodes=nodes_of([row[:-1] for row in nodes], open_),
            edges=edges_of(edges, open_),
            acts=tuple([act_from_row(row, open_) for row in acts]),
            renames=dict(renames),
            vectors={node: vector for (node, _), vector in zip(vectors, matrix, strict=True)},
            write_keys=tuple([AppliedKey(*row) for row in sorted(keys, key=itemgetter(2, 0))]),
            outbox=_entries(waiting),
        )

    def fence(self, user: UserId, *, token: int) -> None:
        self._check(user)

        def write(work: Work) -> None:
            if work.rows(queries.LOCK, user=user):
                found = _head(work, user)
                _check_fence(found.head, token)
                _set_head(work, user, replace(found.head, fence=token), found.outbox)

        self._server.write(write)

    def place(self, user: UserId, whole: WholeGraph, *, token: int, key_generation: int) -> Revision:
        self._check(user)

        def write(work: Work) -> Revision:
            found = self._take_hold(work, user)
            _check_fence(found.head, token)
            _clear(work, user)
            revision = Revision(self._new_epoch(), whole.revision.n)
            head = GraphHead(revision, key_generation, token, whole.fingerprint, whole.dimension)
            person = self._person(user, head)
            seal = person.seal
            nodes = [node_parameters(node, seal) for node in whole.nodes.values()]
            put_nodes(work, person, nodes, list(whole.vectors.items()))
            put_edges(work, person, [(edge.type, edge_parameters(edge, seal)) for edge in whole.edges.values()], first=True)
            put_rows(work, queries.PUT_ACTS, person, [act_parameters(act, act.node, seal) for act in whole.acts])
            put_rows(work, queries.PUT_RENAMES, person, [{"id": old, "new": new} for old, new in whole.renames.items()])
            keys = [{"id": each.key, "content": each.content, "n": each.n} for each in whole.write_keys]
            waiting = [
                {
                    "id": seq,
                    "write_key": entry.write_key,
                    "position": entry.position,
                    "recorded_us": to_us(entry.recorded_at),
                    "recorded_offset": offset_minutes(entry.recorded_at),
                    "action": action_text(entry.action, user),
                }
                for seq, entry in enumerate(whole.outbox, found.outbox + 1)
            ]
            _set_head(work, user, head, found.outbox + len(waiting), keys=keys, entries=waiting)
            return revision

        return self._server.write(write, bulk=True)

    def vacate(self, user: UserId, *, token: int) -> None:
        self._check(user)

        def write(work: Work) -> None:
            if not work.rows(queries.LOCK, user=user):
                return
            found = _head(work, user)
            _check_fence(found.head, token)
            _clear(work, user)
            _set_head(work, user, replace(NOBODY, key_generation=FIRST_KEY_GENERATION, fence=token), found.outbox)

        self._server.write(write, bulk=True)

    def erase(self, user: UserId) -> Mapping[str, int]:
        self._check(user)

        def write(work: Work) -> Mapping[str, int]:
            work.run(queries.LOCK, user=user)
            counts = _counts(work, user)
            _clear(work, user)
            work.run(queries.REMOVE_HEAD, user=user)
            return counts

        return self._server.write(write, bulk=True)

    def residue(self, user: UserId) -> Mapping[str, int]:
        self._check(user)
        return self._server.read(partial(_counts, user=user))

    def people(self, *, after: UserId | None = None, limit: int = 1000) -> tuple[UserId, ...]:
        self._ready()
        rows = self._server.read(lambda work: work.rows(queries.PEOPLE, after=after or "", limit=limit))
        return tuple([UserId(user) for (user,) in rows])

    # -- below: how --

    def _check(self, user: UserId, *, within_s: float | None = None) -> ServerAbilities:
        if not _USER_ID.fullmatch(user):
            raise IllegalValue("an internal user id is 32 hex digits; look the person up in the ledger first")
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

    def _take_hold(self, work: Work, user: UserId, keys: Sequence[str] = ()) -> _Head:
        """The person's lock, and their head as nobody can change it until the transaction ends; made where there is none."""
        if not work.rows(queries.LOCK, user=user):
            generation = FIRST_KEY_GENERATION if self._newest is None else self._newest(user)
            work.run(queries.MAKE_HEAD, user=user, key_generation=generation)
            # somebody may have made it in between: then it is theirs, and ours from now on
            work.run(queries.LOCK, user=user)
        found = _head(work, user, keys)
        if found.head.revision.epoch == NOBODY.revision.epoch:
            return replace(found, head=replace(found.head, revision=Revision(self._new_epoch(), found.head.revision.n)))
        return found


_ALL: Final = 2**31


def _head(work: Work, user: UserId, keys: Sequence[str] = ()) -> _Head:
    rows = work.rows(queries.HEAD_AND_KEYS, user=user, keys=list(keys)) if keys else work.rows(queries.HEAD, user=user)
    if not rows:
        return _Head(NOBODY, 0, {})
    ((epoch, n, key_generation, fence, fingerprint, dimension, outbox, *known),) = rows
    head = GraphHead(Revision(epoch, n), key_generation, fence, fingerprint, dimension)
    return _Head(head, outbox, {key: content for key, content in (known[0] if known else ()) if key is not None})


def _set_head(
    work: Work,
    user: UserId,
    head: GraphHead,
    outbox: int,
    *,
    keys: Sequence[Parameters] = (),
    entries: Sequence[Parameters] = (),
) -> None:
    work.run(
        queries.SET_HEAD,
        user=user,
        epoch=head.revision.epoch,
        n=head.revision.n,
        key_generation=head.key_generation,
        fence=head.fence,
        fingerprint=head.fingerprint,
        dimension=head.dimension,
        outbox=outbox,
        keys=list(keys),
        entries=list(entries),
    )


def _check_fence(head: GraphHead, token: int) -> None:
    if token < head.fence:
        raise LeaseLost(token=token, highest=head.fence)


def _check_unchanged(head: GraphHead, based_on: Revision | None, user: UserId) -> None:
    if based_on is None or based_on == head.revision:
        return
    # who read nobody may write where nothing was written yet
    if based_on != NOBODY.revision or head.revision.n != NOBODY.revision.n:
        raise StaleRead(f"person {user} was written by somebody else since this write was prepared; read again and retry")


def _lacking(work: Work, user: UserId, fingerprint: str) -> tuple[NodeId, ...]:
    serving = _head(work, user).head.fingerprint == fingerprint
    rows = work.rows(queries.LACKING, user=user, fingerprint=fingerprint, serving=serving)
    return tuple([NodeId(node) for (node,) in rows])


def _clear(work: Work, user: UserId) -> None:
    """Everything of the person but the head."""
    work.run(queries.CLEAR_MEMORIES, user=user)
    for label in queries.STANDING_ALONE:
        work.run(queries.clear(label), user=user)


_KINDS: Final = {"acts": "Act", "renames": "FormerName", "write_keys": "WriteKey", "outbox": "OutboxEntry"}


def _counts(work: Work, user: UserId) -> dict[str, int]:
    """What is kept, kinds with none left out; ``head``, or ``fence`` where nothing else is kept."""
    found = _head(work, user).head
    ((nodes, vectors, ahead, node_proofs),) = work.rows(queries.COUNT_MEMORIES, user=user)
    ((edges, edge_proofs),) = work.rows(queries.COUNT_EDGES, user=user)
    counted = {
        "proofs": node_proofs + edge_proofs,
        "edges": edges,
        "vectors": vectors,
        "next_vectors": ahead,
        "nodes": nodes,
        **{kind: work.rows(queries.count(label), user=user)[0][0] for kind, label in _KINDS.items()},
    }
    kept = {kind: int(count) for kind, count in counted.items() if count}
    if found is NOBODY:
        return kept
    return {**kept, "head": 1} if kept or found.revision.n else {"fence": 1}


def _entries(rows: Sequence[Row]) -> tuple[OutboxEntry, ...]:
    return tuple(
        [
            OutboxEntry(seq, key, position, from_us(recorded_us, offset), action_from_text(action))
            for seq, key, position, recorded_us, offset, action in rows
        ]
    )


def _no_opener(kind: str, record: str, envelope: bytes) -> bytes:  # noqa: ARG001 - the shape of an opener
    """Stands where nothing is to be opened."""
    return b""


def _matrix(rows: Sequence[tuple[str, bytes]], dimension: int, open_: Opener) -> NDArray[np.float32]:
    """(node, sealed vector) as a read-only float32 matrix in their order."""
    opened = [open_(VECTOR_KIND, node, sealed) for node, sealed in rows]
    if set(map(len, opened)) - {FLOAT32_BYTES * dimension}:
        raise FingerprintMismatch(f"a stored vector is not of the recorded dimension {dimension}; run reembed")
    return np.frombuffer(b"".join(opened), dtype=np.float32).reshape(len(rows), dimension)


def _index(head: GraphHead, nodes: list[Row], edges: list[Row], opener: Callable[[], Opener]) -> GraphIndex:
    nodes = sorted(nodes, key=lambda row: row[0])
    ids = tuple([row[0] for row in nodes])
    columns = unpacked([row[1] for row in nodes])
    column = partial(node_column, columns)
    place = dict(zip(ids, range(len(ids)), strict=True))
    has_vector = np.array([row[3] is not None for row in nodes], dtype=np.bool_)
    known = [(row[0], row[3]) for row in nodes if row[3] is not None]
    matrix = _matrix(known, head.dimension or 0, opener() if known else _no_opener)
    if len(known) < len(ids):
        rows, matrix = matrix, np.zeros((len(ids), matrix.shape[1]), dtype=np.float32)
        matrix[has_vector] = rows
    ends = [edge_ends(row[0]) for row in sorted(edges)]
    confidence = [row[1] for row in sorted(edges)]
    return GraphIndex(
        revision=head.revision,
        fingerprint=head.fingerprint,
        ids=ids,
        types=node_types(column("type")),
        weight=np.array(column("weight"), dtype=np.float64),
        weight_at_us=np.array(column("weight_at_us"), dtype=np.int64),
        decay=np.array(column("decay"), dtype=np.float64),
        created_us=np.array(column("created_us"), dtype=np.int64),
        last_us=np.array(column("last_us"), dtype=np.int64),
        visible=np.array([row[2] for row in nodes], dtype=np.bool_),
        closed=np.array([closed is not None for closed in column("closed_us")], dtype=np.bool_),
        pinned=np.array(column("is_pinned"), dtype=np.bool_),
        private=np.array(column("private"), dtype=np.bool_),
        has_vector=has_vector,
        vectors=matrix,
        edge_source=np.array([place[NodeId(source)] for source, _, _ in ends], dtype=np.int32),
        edge_target=np.array([place[NodeId(target)] for _, _, target in ends], dtype=np.int32),
        edge_type=edge_types([kind for _, kind, _ in ends]),
        edge_confidence=np.array(confidence, dtype=np.float64),
    )
