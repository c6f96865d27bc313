"""Change sets applied in one open transaction; what they mean, ``ports.graph.GraphWriter.apply`` says (CONTRACTS, Writing)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime

from memory_lib.adapters.graph_rows import (
    VECTOR_KIND,
    Opener,
    Row,
    Seal,
    act_row,
    action_text,
    edge_from_row,
    edge_row,
    node_from_row,
    node_row,
    proof_rows,
    proofs_by_owner,
)
from memory_lib.adapters.sqlite import statements
from memory_lib.domain.canonical import canonical_json
from memory_lib.domain.changes import (
    Change,
    ChangeSet,
    Dropped,
    ForgetNode,
    PutEdge,
    PutNode,
    Read,
    RecordAct,
    RemoveEdge,
    RemoveNode,
    RenameNode,
    field_value,
)
from memory_lib.domain.ids import NodeId, UserId
from memory_lib.domain.node import Edge, Node, Proof
from memory_lib.domain.time import offset_minutes, to_us
from memory_lib.errors import FingerprintMismatch, IllegalValue, WriteKeyConflict
from memory_lib.ports.graph import DropReason

FLOAT32_BYTES = 4

Entity = Node | Edge | None


def listed(ids: Iterable[str]) -> str:
    """Ids as the one parameter of a statement."""
    return canonical_json(list(ids)).decode("ascii")


def entities(connection: sqlite3.Connection, ids: Iterable[str], open_: Opener) -> dict[str, Node | Edge]:
    """The nodes and edges by these ids, opened, with their proofs."""
    wanted = listed(ids)
    node_rows = connection.execute(statements.NODES_BY_ID, (wanted,)).fetchall()
    edge_rows = connection.execute(statements.EDGES_BY_ID, (wanted,)).fetchall()
    proofs = proofs_by_owner(connection.execute(statements.PROOFS_OF, (wanted,)))
    found: dict[str, Node | Edge] = {row[0]: node_from_row(row, proofs.get(row[0], ()), open_) for row in node_rows}
    found.update({row[0]: edge_from_row(row, proofs.get(row[0], ()), open_) for row in edge_rows})
    return found


class Writer:
    """One transaction's writing for one person. ``dimension``: of the person's vectors, None where no embedder is known yet."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        *,
        user: UserId,
        seal: Seal,
        opener: Callable[[], Opener],
        dimension: int | None,
        now: datetime,
    ) -> None:
        self._connection = connection
        self._user = user
        self._seal = seal
        self._opener = opener
        self._dimension = dimension
        self._now_us, self._now_offset = to_us(now), offset_minutes(now)
        # what reads are compared with: entities that some read of this call names, as they are now
        self._current: dict[str, Entity] = {}
        # the same as they were before the change set at hand, where it has touched them
        self._before: dict[str, Entity] = {}

    def watch(self, change_sets: Sequence[ChangeSet]) -> None:
        """Fetch what the reads of these change sets name, once for all."""
        named = {read.entity for change_set in change_sets for change in change_set.changes for read in change.reads}
        if named:
            found = entities(self._connection, named, self._opener())
            self._current = {entity: found.get(entity) for entity in named}

    def seen(self, change_set: ChangeSet, content: str) -> bool:
        """Whether this key has been applied.

        Raises:
            WriteKeyConflict: it has, with other content.
        """
        key = str(change_set.key)
        known = self._connection.execute(statements.WRITE_KEY, (key,)).fetchone()
        if known is not None and known[0] != content:
            raise WriteKeyConflict(key)
        return known is not None

    def write(self, change_set: ChangeSet, *, content: str, n: int) -> tuple[Dropped, ...]:
        """Make the changes and record the key at revision ``n`` and the actions; what was dropped, by index."""
        self._before = {}
        dropped = [Dropped(index, reason) for index, reason in self._outcomes(change_set.changes) if reason is not None]
        key = str(change_set.key)
        self._connection.execute(statements.PUT_WRITE_KEY, (key, content, n))
        for position, action in enumerate(change_set.actions):
            row = (key, position, self._now_us, self._now_offset, action_text(action, self._user))
            self._connection.execute(statements.PUT_ACTION, row)
        return tuple(sorted(dropped, key=lambda drop: drop.index))

    def _outcomes(self, changes: Sequence[Change]) -> Iterator[tuple[int, str | None]]:
        edges: list[tuple[int, PutEdge | RemoveEdge]] = []
        rest: list[tuple[int, PutNode | RemoveNode | ForgetNode | RecordAct]] = []
        names: dict[NodeId, NodeId] = {}
        for index, change in enumerate(changes):
            match change:
                case RenameNode(old=old, new=new):
                    reason = self._stale(change)
                    if reason is None and names.setdefault(old, new) != new:
                        reason = DropReason.RENAMED_TWICE
                    yield index, reason
                case PutEdge() | RemoveEdge():
                    edges.append((index, change))
                case PutNode() | RemoveNode() | ForgetNode() | RecordAct():
                    rest.append((index, change))
        self._rename(names)
        for index, other in rest:
            reason = self._stale(other)
            if reason is None:
                self._change_node(other)
            yield index, reason
        for index, edge_change in edges:
            reason = self._stale(edge_change)
            if reason is None:
                reason = self._change_edge(edge_change)
            yield index, reason

    def _stale(self, change: Change) -> str | None:
        return None if all(self._holds(read) for read in change.reads) else DropReason.READ_CHANGED

    def _holds(self, read: Read) -> bool:
        current = self._current[read.entity]
        try:
            if field_value(current, read.field) == read.value:
                return True
            return read.entity in self._before and field_value(self._before[read.entity], read.field) == read.value
        except KeyError:
            raise IllegalValue(
                f"a change of person {self._user} says it read field {read.field!r}, which its entity does not have"
            ) from None

    def _became(self, entity: str, value: Entity) -> None:
        if entity in self._current:
            self._before.setdefault(entity, self._current[entity])
            self._current[entity] = value

    # -- names --

    def _rename(self, names: dict[NodeId, NodeId]) -> None:
        execute = self._connection.execute
        names = {old: new for old, new in names.items() if old != new}
        acts = {old: execute(statements.ACTS_OF, (old,)).fetchall() for old in names}
        followers = {old: execute("SELECT old FROM rename WHERE new = ?", (old,)).fetchall() for old in names}
        for old, new in names.items():
            self._connection.executemany(statements.MOVE_ACT, [(new, act) for (act,) in acts[old]])
            self._connection.executemany(statements.PUT_RENAME, [(follower, new) for (follower,) in followers[old]])
            execute(statements.PUT_RENAME, (old, new))
        for new in set(names.values()):
            execute(statements.IS_LIVE_NAME, (new,))

    def _live_name(self, node: NodeId) -> NodeId:
        renamed = self._connection.execute(statements.RENAMED, (node,)).fetchone()
        return node if renamed is None else NodeId(renamed[0])

    # -- nodes, acts --

    def _change_node(self, change: PutNode | RemoveNode | ForgetNode | RecordAct) -> None:
        match change:
            case PutNode(node=node, vector=vector):
                self._connection.execute(statements.PUT_NODE, node_row(node, self._seal))
                self._connection.execute(statements.IS_LIVE_NAME, (node.id,))
                self._put_proofs(node.id, node.proofs)
                # it may say something else now
                self._connection.execute(statements.DROP_AHEAD, (node.id,))
                if vector is not None:
                    self._put_vector(node.id, vector)
                self._became(node.id, node)
            case RemoveNode(node=removed) | ForgetNode(node=removed):
                self._connection.execute(statements.REMOVE_EDGE_PROOFS_OF_NODE, (removed,))
                self._connection.execute(statements.REMOVE_PROOFS, (removed,))
                self._connection.execute(statements.REMOVE_NODE, (removed,))
                self._became(removed, None)
                for entity, value in list(self._current.items()):
                    if isinstance(value, Edge) and removed in (value.source, value.target):
                        self._became(entity, None)
                if isinstance(change, ForgetNode):
                    self._connection.execute(statements.FORGET_ACTS, (removed,))
                    self._connection.execute(statements.FORGET_NAMES, (removed,))
            case RecordAct(act=act):
                self._connection.execute(statements.PUT_ACT, act_row(act, self._live_name(act.node), self._seal))

    def _put_vector(self, node: NodeId, vector: bytes) -> None:
        if self._dimension is None:
            raise FingerprintMismatch(
                f"person {self._user} has no embedder recorded; call set_fingerprint before storing vectors"
            )
        if len(vector) != FLOAT32_BYTES * self._dimension:
            raise FingerprintMismatch(
                f"a vector of {len(vector)} bytes for person {self._user}, whose vectors have {self._dimension} float32 each"
            )
        self._connection.execute(statements.PUT_VECTOR, (node, self._seal(VECTOR_KIND, node, vector)))

    def _put_proofs(self, owner: str, proofs: Sequence[Proof]) -> None:
        stored: list[Row] = self._connection.execute(statements.OWN_PROOFS, (owner,)).fetchall()
        rows = proof_rows(owner, proofs)
        # mostly one proof is added to many that stay
        changed = [row for place, row in enumerate(rows) if place >= len(stored) or stored[place] != row]
        self._connection.executemany(statements.PUT_PROOF, changed)
        if len(stored) > len(rows):
            self._connection.execute(statements.CUT_PROOFS, (owner, len(rows)))

    # -- edges --

    def _change_edge(self, change: PutEdge | RemoveEdge) -> str | None:
        match change:
            case PutEdge(edge=edge):
                if not (self._has_node(edge.source) and self._has_node(edge.target)):
                    return DropReason.MISSING_END
                self._connection.execute(statements.PUT_EDGE, edge_row(edge, self._seal))
                self._put_proofs(edge.id, edge.proofs)
                self._became(edge.id, edge)
            case RemoveEdge(edge=removed):
                self._connection.execute(statements.REMOVE_PROOFS, (removed,))
                self._connection.execute(statements.REMOVE_EDGE, (removed,))
                self._became(removed, None)
        return None

    def _has_node(self, node: NodeId) -> bool:
        return bool(self._connection.execute(statements.HAS_NODE, (node,)).fetchone()[0])
