"""Change sets applied in one open transaction; what they mean, ``ports.graph.GraphWriter.apply`` says (CONTRACTS, Writing).

What they rest on is fetched once, they are played through in memory, and what came of it is written in a few statements of many
rows: a round trip a change would take longer than a write lease may be held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_lib.adapters.neo4j import queries
from memory_lib.adapters.neo4j.params import Neo4jParams
from memory_lib.adapters.neo4j.rows import (
    Parameters,
    act_parameters,
    edge_parameters,
    edge_places,
    edges_of,
    node_parameters,
    nodes_of,
)
from memory_lib.adapters.neo4j.server import Work
from memory_lib.adapters.stored_graph.playing import EdgeChange, NodeChange, Watched, check_vector, named_by, played
from memory_lib.adapters.stored_graph.rows import VECTOR_KIND, Opener, Seal, action_text
from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.changes import (
    ChangeSet,
    Dropped,
    ForgetNode,
    PutEdge,
    PutNode,
    RecordAct,
    RemoveEdge,
    RemoveNode,
    RenameNode,
)
from memory_lib.domain.ids import NodeId, UserId
from memory_lib.domain.node import Edge, Node
from memory_lib.domain.time import offset_minutes, to_us
from memory_lib.errors import WriteKeyConflict
from memory_lib.ports.graph import DropReason

_ROW_BYTES = 600
"""About what a row takes beside its text and vector: only to cut batches."""
_FLOAT_BYTES = 9
_TURNED_AT_ONCE = 512
"""Vectors turned at a time."""

Turner = Callable[[NDArray[np.float32]], NDArray[np.float32]]
"""Calibrated float32 rows (n, d), turned by the person's own rotation."""


@dataclass(frozen=True, slots=True)
class Person:
    """Whose transaction it is, and how things of theirs are sealed, opened and turned."""

    user: UserId
    seal: Seal
    opener: Callable[[], Opener]
    turner: Callable[[], Turner]
    params: Neo4jParams


class _Batch(list[Parameters]):
    """Rows that don't spell themselves out: the driver asks every parameter for its text, for a log that nobody keeps. That
    took a quarter of our time in writing a whole person.
    """

    def __repr__(self) -> str:
        return f"<{len(self)} rows>"


def put_rows(work: Work, statement: str, person: Person, rows: Iterable[Parameters], **constants: Any) -> None:
    """``rows`` through ``statement``, in batches of the size that the settings say; ``constants``: its other parameters."""
    batch = _Batch()
    size = 0
    for row in rows:
        batch.append(row)
        size += _ROW_BYTES + sum(_bytes_of(value) for value in row.values())
        if len(batch) >= person.params.batch_rows or size >= person.params.batch_bytes:
            work.run(statement, user=person.user, rows=batch, **constants)
            batch, size = _Batch(), 0
    if batch:
        work.run(statement, user=person.user, rows=batch, **constants)


def vector_rows(person: Person, vectors: Sequence[tuple[str, NDArray[np.float32]]]) -> Iterator[Parameters]:
    """(node, calibrated vector) as what ``PUT_NODES`` and ``PUT_AHEAD`` take: sealed as it is, and turned to be searched."""
    for start in range(0, len(vectors), _TURNED_AT_ONCE):
        some = vectors[start : start + _TURNED_AT_ONCE]
        turned = person.turner()(np.stack([vector for _, vector in some]).astype(np.float32, copy=False))
        for (node, vector), row in zip(some, turned, strict=True):
            sealed = person.seal(VECTOR_KIND, node, vector.astype("<f4", copy=False).tobytes())
            yield {"id": node, "new_vector": sealed, "new_embedding": row}


def put_nodes(
    work: Work, person: Person, nodes: Sequence[Parameters], vectors: Sequence[tuple[NodeId, NDArray[np.float32]]]
) -> None:
    """Nodes as ``node_parameters`` gives them, with the vectors that some of them bring."""
    bring = dict(vectors)
    turned = vector_rows(person, [(row["id"], bring[row["id"]]) for row in nodes if row["id"] in bring])
    put_rows(work, queries.PUT_NODES, person, (row | next(turned) if row["id"] in bring else row for row in nodes))


def put_edges(work: Work, person: Person, edges: Iterable[tuple[EdgeType, Parameters]], *, first: bool) -> None:
    """Edges between nodes that are there, a type at a time: it is part of the statement. ``first``: there are none yet."""
    by_type: dict[EdgeType, list[Parameters]] = {}
    for kind, row in edges:
        by_type.setdefault(kind, []).append(row)
    for kind, rows in by_type.items():
        put_rows(work, queries.make_edges(kind) if first else queries.put_edges(kind), person, rows)


def entities(work: Work, user: UserId, ids: Iterable[str], open_: Opener) -> dict[str, Node | Edge]:
    """The nodes and edges by these ids, opened, with their proofs."""
    wanted = list(ids)
    nodes = nodes_of(work.listed(queries.NODES_BY_ID, user=user, ids=wanted), open_)
    places = edge_places(wanted)
    edges = edges_of(work.listed(queries.EDGES_BY_ID, user=user, rows=places), open_) if places else {}
    return dict([*nodes.items(), *edges.items()])


class Writer:
    """One transaction's writing for one person. ``dimension``: of the person's vectors, None where no embedder is known yet.
    ``outbox``: the highest number given out so far. ``known_keys``: of those that will be asked for, the ones that have been
    applied, with the content each came with. ``empty``: nodes and edges have been cleared away in this transaction.
    """

    def __init__(
        self,
        work: Work,
        person: Person,
        *,
        dimension: int | None,
        outbox: int,
        known_keys: Mapping[str, str],
        now: datetime,
        empty: bool = False,
    ) -> None:
        self._work = work
        self._person = person
        self._dimension = dimension
        self._now_us, self._now_offset = to_us(now), offset_minutes(now)
        self._empty = empty
        self.outbox = outbox
        self._keys = dict(known_keys)
        self._watched = Watched(person.user)
        # ends that edges of this call name, and whether they are there
        self._there: set[NodeId] = set()
        self._renames: dict[NodeId, NodeId] = {}
        self._stored_renames: dict[NodeId, NodeId] = {}
        # acts that this call may touch → the node each is on
        self._acts: dict[str, NodeId] = {}
        self._stored_acts: dict[str, NodeId] = {}
        # what is to be written
        self._new_acts: dict[str, Parameters] = {}
        self._forgotten: set[NodeId] = set()
        self._put_nodes: dict[NodeId, Parameters] = {}
        self._put_vectors: dict[NodeId, NDArray[np.float32]] = {}
        self._removed_nodes: set[NodeId] = set()
        self._put_edges: dict[str, tuple[EdgeType, Parameters]] = {}
        self._removed_edges: set[str] = set()
        self.new_keys: list[Parameters] = []
        self.new_entries: list[Parameters] = []

    # -- before: what the change sets rest on --

    def watch(self, change_sets: Sequence[ChangeSet]) -> None:
        """Fetch what these change sets read, point at, rename and act on, once for all."""
        changes = [change for change_set in change_sets for change in change_set.changes]
        if named := named_by(change_sets):
            found = {} if self._empty else entities(self._work, self._person.user, named, self._person.opener())
            self._watched.watch(named, found)
        ends = {end for change in changes if isinstance(change, PutEdge) for end in (change.edge.source, change.edge.target)}
        if ends and not self._empty:
            self._there = {row[0] for row in self._work.rows(queries.EXISTING, user=self._person.user, ids=list(ends))}
        olds = {change.old for change in changes if isinstance(change, RenameNode)}
        acts = {change.act.id for change in changes if isinstance(change, RecordAct)}
        followed = {change.node.id for change in changes if isinstance(change, PutNode)}
        followed |= {change.act.node for change in changes if isinstance(change, RecordAct)}
        if olds:
            # who follows a name that is renamed once more is found from the other side
            self._stored_renames = dict(self._work.rows(queries.RENAMES, user=self._person.user))
        elif followed:
            self._stored_renames = dict(self._work.rows(queries.RENAMES_OF, user=self._person.user, ids=list(followed)))
        self._renames = dict(self._stored_renames)
        if olds or acts:
            touched = self._work.rows(queries.ACTS_TOUCHED, user=self._person.user, nodes=list(olds), ids=list(acts))
            self._stored_acts = dict(touched)
            self._acts = dict(touched)

    def seen(self, change_set: ChangeSet, content: str) -> bool:
        """Whether this key has been applied.

        Raises:
            WriteKeyConflict: it has, with other content.
        """
        key = str(change_set.key)
        known = self._keys.get(key)
        if known is not None and known != content:
            raise WriteKeyConflict(key)
        return known is not None

    # -- playing through --

    def play(self, change_set: ChangeSet, *, content: str, n: int) -> tuple[Dropped, ...]:
        """Make the changes and record the key at revision ``n`` and the actions; what was dropped, by index."""
        dropped = played(
            change_set.changes,
            watched=self._watched,
            rename=self._rename,
            change_node=self._change_node,
            change_edge=self._change_edge,
        )
        key = str(change_set.key)
        self._keys[key] = content
        self.new_keys.append({"id": key, "content": content, "n": n})
        for position, action in enumerate(change_set.actions):
            self.outbox += 1
            self.new_entries.append(
                {
                    "id": self.outbox,
                    "write_key": key,
                    "position": position,
                    "recorded_us": self._now_us,
                    "recorded_offset": self._now_offset,
                    "action": action_text(action, self._person.user),
                }
            )
        return dropped

    def _rename(self, names: dict[NodeId, NodeId]) -> None:
        self._acts = {act: names.get(node, node) for act, node in self._acts.items()}
        self._renames = {old: names.get(new, new) for old, new in self._renames.items()} | names
        for new in names.values():
            self._renames.pop(new, None)

    def _change_node(self, change: NodeChange) -> None:
        match change:
            case PutNode(node=node, vector=vector):
                self._put_nodes[node.id] = node_parameters(node, self._person.seal)
                self._there.add(node.id)
                self._renames.pop(node.id, None)
                if vector is not None:
                    self._put_vector(node.id, vector)
                self._watched.became(node.id, node)
            case RemoveNode(node=removed) | ForgetNode(node=removed):
                if isinstance(change, ForgetNode):
                    self._forgotten.add(removed)
                self._put_nodes.pop(removed, None)
                self._put_vectors.pop(removed, None)
                self._there.discard(removed)
                self._removed_nodes.add(removed)
                self._put_edges = {
                    edge: (kind, row)
                    for edge, (kind, row) in self._put_edges.items()
                    if removed not in (row["source"], row["target"])
                }
                self._watched.gone(removed)
            case RecordAct(act=act):
                if act.id not in self._acts:
                    node_id = self._renames.get(act.node, act.node)
                    self._acts[act.id] = node_id
                    self._new_acts[act.id] = act_parameters(act, node_id, self._person.seal)

    def _put_vector(self, node: NodeId, vector: bytes) -> None:
        check_vector(vector, dimension=self._dimension, user=self._person.user)
        self._put_vectors[node] = np.frombuffer(vector, dtype="<f4")

    def _change_edge(self, change: EdgeChange) -> str | None:
        match change:
            case PutEdge(edge=edge):
                if not {edge.source, edge.target} <= self._there:
                    return DropReason.MISSING_END
                self._put_edges[edge.id] = (edge.type, edge_parameters(edge, self._person.seal))
                self._watched.became(edge.id, edge)
            case RemoveEdge(edge=removed):
                self._put_edges.pop(removed, None)
                self._removed_edges.add(removed)
                self._watched.became(removed, None)
        return None

    # -- after --

    def write(self) -> None:
        """What came of it, into the transaction: what goes first, then what comes. ``new_keys`` and ``new_entries`` are left to
        the statement that sets the head.
        """
        work, person = self._work, self._person
        if not self._empty:
            put_rows(work, queries.REMOVE_NODES, person, [{"id": node} for node in self._removed_nodes])
        put_nodes(work, person, list(self._put_nodes.values()), list(self._put_vectors.items()))
        if not self._empty:
            put_rows(work, queries.REMOVE_EDGES, person, edge_places(self._removed_edges))
        put_edges(work, person, self._put_edges.values(), first=self._empty)
        self._write_names()

    def _write_names(self) -> None:
        work, person = self._work, self._person
        new = [{**row, "node": self._acts[act]} for act, row in self._new_acts.items()]
        put_rows(work, queries.PUT_ACTS, person, new)
        moved = [{"id": act, "node": self._acts[act]} for act, node in self._stored_acts.items() if self._acts[act] != node]
        put_rows(work, queries.MOVE_ACTS, person, moved)
        gone = [old for old in self._stored_renames if old not in self._renames]
        if gone:
            work.run(queries.REMOVE_RENAMES, user=person.user, ids=gone)
        put_rows(
            work,
            queries.PUT_RENAMES,
            person,
            [{"id": old, "new": name} for old, name in self._renames.items() if self._stored_renames.get(old) != name],
        )
        if self._forgotten:
            work.run(queries.FORGET_ACTS, user=person.user, ids=sorted(self._forgotten))
            work.run(queries.FORGET_NAMES, user=person.user, ids=sorted(self._forgotten))


def _bytes_of(value: object) -> int:
    match value:
        case bytes() | str():
            return len(value)
        case np.ndarray():
            return _FLOAT_BYTES * value.size
    return 0
