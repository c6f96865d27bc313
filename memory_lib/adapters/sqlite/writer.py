"""Change sets applied in one open transaction; what they mean, ``ports.graph.GraphWriter.apply`` says (CONTRACTS, Writing)."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from memory_lib.adapters.sqlite import statements
from memory_lib.adapters.stored_graph.playing import EdgeChange, NodeChange, Watched, check_vector, named_by, played
from memory_lib.adapters.stored_graph.rows import (
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
from memory_lib.domain.canonical import canonical_json
from memory_lib.domain.changes import (
    ChangeSet,
    Dropped,
    ForgetNode,
    PutEdge,
    PutNode,
    RecordAct,
    RemoveEdge,
    RemoveNode,
)
from memory_lib.domain.ids import NodeId, UserId
from memory_lib.domain.node import Edge, Node, Proof
from memory_lib.domain.time import offset_minutes, to_us
from memory_lib.errors import WriteKeyConflict
from memory_lib.ports.graph import DropReason


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
        self._watched = Watched(user)

    def watch(self, change_sets: Sequence[ChangeSet]) -> None:
        """Fetch what the reads of these change sets name, once for all."""
        if named := named_by(change_sets):
            self._watched.watch(named, entities(self._connection, named, self._opener()))

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
        dropped = played(
            change_set.changes,
            watched=self._watched,
            rename=self._rename,
            change_node=self._change_node,
            change_edge=self._change_edge,
        )
        key = str(change_set.key)
        self._connection.execute(statements.PUT_WRITE_KEY, (key, content, n))
        for position, action in enumerate(change_set.actions):
            row = (key, position, self._now_us, self._now_offset, action_text(action, self._user))
            self._connection.execute(statements.PUT_ACTION, row)
        return dropped

    # -- names --

    def _rename(self, names: dict[NodeId, NodeId]) -> None:
        execute = self._connection.execute
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

    def _change_node(self, change: NodeChange) -> None:
        match change:
            case PutNode(node=node, vector=vector):
                self._connection.execute(statements.PUT_NODE, node_row(node, self._seal))
                self._connection.execute(statements.IS_LIVE_NAME, (node.id,))
                self._put_proofs(node.id, node.proofs)
                # it may say something else now
                self._connection.execute(statements.DROP_AHEAD, (node.id,))
                if vector is not None:
                    self._put_vector(node.id, vector)
                self._watched.became(node.id, node)
            case RemoveNode(node=removed) | ForgetNode(node=removed):
                self._connection.execute(statements.REMOVE_EDGE_PROOFS_OF_NODE, (removed,))
                self._connection.execute(statements.REMOVE_PROOFS, (removed,))
                self._connection.execute(statements.REMOVE_NODE, (removed,))
                self._watched.gone(removed)
                if isinstance(change, ForgetNode):
                    self._connection.execute(statements.FORGET_ACTS, (removed,))
                    self._connection.execute(statements.FORGET_NAMES, (removed,))
            case RecordAct(act=act):
                self._connection.execute(statements.PUT_ACT, act_row(act, self._live_name(act.node), self._seal))

    def _put_vector(self, node: NodeId, vector: bytes) -> None:
        check_vector(vector, dimension=self._dimension, user=self._user)
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

    def _change_edge(self, change: EdgeChange) -> str | None:
        match change:
            case PutEdge(edge=edge):
                if not (self._has_node(edge.source) and self._has_node(edge.target)):
                    return DropReason.MISSING_END
                self._connection.execute(statements.PUT_EDGE, edge_row(edge, self._seal))
                self._put_proofs(edge.id, edge.proofs)
                self._watched.became(edge.id, edge)
            case RemoveEdge(edge=removed):
                self._connection.execute(statements.REMOVE_PROOFS, (removed,))
                self._connection.execute(statements.REMOVE_EDGE, (removed,))
                self._watched.became(removed, None)
        return None

    def _has_node(self, node: NodeId) -> bool:
        return bool(self._connection.execute(statements.HAS_NODE, (node,)).fetchone()[0])
