"""The graph store as plainly as it can be said: dictionaries. What the contract's words mean, to compare backends with."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from memory_lib.domain.acts import Act
from memory_lib.domain.changes import (
    Action,
    Change,
    ChangeSet,
    Dropped,
    PutEdge,
    PutNode,
    Read,
    RecordAct,
    RemoveEdge,
    RemoveNode,
    RenameNode,
    field_value,
)
from memory_lib.domain.node import Edge, Node
from memory_lib.errors import LeaseLost, WriteKeyConflict
from memory_lib.ports.graph import DropReason


@dataclass
class Model:
    """One person. ``apply`` answers (fresh, dropped, n) for each change set."""

    nodes: dict[str, Node] = field(default_factory=dict)
    edges: dict[str, Edge] = field(default_factory=dict)
    vectors: dict[str, bytes] = field(default_factory=dict)
    acts: dict[str, Act] = field(default_factory=dict)
    renames: dict[str, str] = field(default_factory=dict)
    keys: dict[str, str] = field(default_factory=dict)
    actions: list[tuple[str, int, Action]] = field(default_factory=list)
    n: int = 0
    fence: int = 0

    def copy(self) -> Model:
        return Model(
            dict(self.nodes),
            dict(self.edges),
            dict(self.vectors),
            dict(self.acts),
            dict(self.renames),
            dict(self.keys),
            list(self.actions),
            self.n,
            self.fence,
        )

    def apply(self, change_sets: list[ChangeSet], *, token: int) -> list[tuple[bool, tuple[Dropped, ...], int]]:
        if token < self.fence:
            raise LeaseLost(token=token, highest=self.fence)
        after = self.copy()
        after.fence = token
        answers = [after.apply_one(change_set) for change_set in change_sets]
        self.__dict__ = after.__dict__
        return answers

    def apply_one(self, change_set: ChangeSet) -> tuple[bool, tuple[Dropped, ...], int]:
        key, content = str(change_set.key), change_set.content_hash()
        if key in self.keys:
            if self.keys[key] != content:
                raise WriteKeyConflict(key)
            return False, (), self.n
        self.keys[key] = content
        self.n += 1
        before = self.copy()
        mapping: dict[str, str] = {}
        reasons: dict[int, DropReason | None] = {}
        # renames, then nodes and acts, then edges: each in its own order
        for kinds in ((RenameNode,), (PutNode, RemoveNode, RecordAct), (PutEdge, RemoveEdge)):
            for index, change in enumerate(change_set.changes):
                if isinstance(change, kinds):
                    stale = not all(self.holds(read, before) for read in change.reads)
                    reasons[index] = DropReason.READ_CHANGED if stale else self.change(change, mapping)
            if kinds == (RenameNode,):
                self.rename({old: new for old, new in mapping.items() if old != new})
        self.actions += [(key, place, action) for place, action in enumerate(change_set.actions)]
        return True, tuple(Dropped(index, reason) for index, reason in sorted(reasons.items()) if reason is not None), self.n

    def change(self, change: Change, mapping: dict[str, str]) -> DropReason | None:
        match change:
            case RenameNode(old=old, new=new):
                return None if mapping.setdefault(old, new) == new else DropReason.RENAMED_TWICE
            case PutNode(node=node, vector=vector):
                self.nodes[node.id] = node
                self.renames.pop(node.id, None)
                if vector is not None:
                    self.vectors[node.id] = vector
            case RemoveNode(node=gone):
                self.nodes.pop(gone, None)
                self.vectors.pop(gone, None)
                self.edges = {i: e for i, e in self.edges.items() if gone not in (e.source, e.target)}
            case RecordAct(act=act):
                self.acts.setdefault(act.id, replace(act, node=self.renames.get(act.node, act.node)))
            case RemoveEdge(edge=cut):
                self.edges.pop(cut, None)
            case PutEdge(edge=edge):
                if not {edge.source, edge.target} <= self.nodes.keys():
                    return DropReason.MISSING_END
                self.edges[edge.id] = edge
        return None

    def holds(self, read: Read, before: Model) -> bool:
        return read.value in (field_value(state.entity(read.entity), read.field) for state in (before, self))

    def entity(self, name: str) -> Node | Edge | None:
        return self.nodes.get(name) or self.edges.get(name)

    def rename(self, mapping: dict[str, str]) -> None:
        self.acts = {i: replace(a, node=mapping.get(a.node, a.node)) for i, a in self.acts.items()}
        self.renames = {old: mapping.get(new, new) for old, new in self.renames.items()} | mapping
        for new in mapping.values():
            self.renames.pop(new, None)
