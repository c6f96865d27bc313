"""Change sets: everything a use case may do to a graph, as data (DESIGN §3 Writes; CONTRACTS, Writing).

One change set is one transaction under one write key. Applying it twice is applying it once; the same key with other content is
a ``WriteKeyConflict``. A change names the fields it read: where one has changed since, that change is dropped with a reason and
the rest applies.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory_lib.domain.acts import Act
from memory_lib.domain.canonical import canonical_json, edge_record, node_record
from memory_lib.domain.ids import EdgeId, NodeId, UserId
from memory_lib.domain.node import Edge, Node


@dataclass(frozen=True, slots=True, order=True)
class Revision:
    """(epoch, n): n rises with each change set; epoch changes on erase, restore, move, rebuild, and never repeats."""

    epoch: int
    n: int


@dataclass(frozen=True, slots=True)
class WriteKey:
    """What makes a write the same write (CONTRACTS). ``unit`` is a unit id or a pass id."""

    user: UserId
    kind: str
    unit: str
    operation: str
    code_version: str

    def __str__(self) -> str:
        return f"{self.user}/{self.kind}/{self.unit}/{self.operation}/{self.code_version}"


ABSENT = "absent"
"""What ``Read.value`` says of an entity that was not there."""


@dataclass(frozen=True, slots=True)
class Read:
    """A field that a decision rested on. ``value`` is its canonical JSON as text (see ``field_value``), or ``ABSENT``."""

    entity: str
    field: str
    value: str


@dataclass(frozen=True, slots=True)
class PutNode:
    """Create the node or replace its fields by id. ``vector``: raw float32 bytes (calibrated), or None to keep what is
    stored.
    """

    node: Node
    vector: bytes | None = None
    reads: tuple[Read, ...] = ()


@dataclass(frozen=True, slots=True)
class PutEdge:
    """Create the edge or replace its fields; both ends must exist once the change set is applied, else it is dropped."""

    edge: Edge
    reads: tuple[Read, ...] = ()


@dataclass(frozen=True, slots=True)
class RemoveNode:
    """Delete a node, its vector, proofs and edges (a replay that no longer makes it, or forgetting)."""

    node: NodeId
    reads: tuple[Read, ...] = ()


@dataclass(frozen=True, slots=True)
class RemoveEdge:
    """Delete an edge and its proofs."""

    edge: EdgeId
    reads: tuple[Read, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordAct:
    """Append an act; an act by the same id is kept as it was."""

    act: Act
    reads: tuple[Read, ...] = ()


@dataclass(frozen=True, slots=True)
class ForgetNode:
    """As ``RemoveNode``, and nothing of it stays: acts on it and on its former names, and names that lead to it, go too."""

    node: NodeId
    reads: tuple[Read, ...] = ()


@dataclass(frozen=True, slots=True)
class RenameNode:
    """A replay changed a node's first proof: acts and everything that refers to ``old`` follow to ``new`` (CONTRACTS, Ids)."""

    old: NodeId
    new: NodeId
    reads: tuple[Read, ...] = ()


Change = PutNode | PutEdge | RemoveNode | RemoveEdge | RecordAct | ForgetNode | RenameNode


@dataclass(frozen=True, slots=True)
class Action:
    """One line of the append-only action log: a decision, its reason code, and the ids it touched. No words of a person.

    ``before``: of ``ids``, those that stood before it; ``after``: those that stand after it (a created node is in ``after``
    only, a removed one in ``before`` only, a renamed one is its old id before and its new one after). ``reasoner`` and
    ``version``: who thought, "" where nobody did (a clock, a person's own act). ``version`` may be of code ("formation/2").
    """

    action: str
    reason: str
    ids: tuple[str, ...]
    numbers: Mapping[str, float] = field(default_factory=dict)
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    reasoner: str = ""
    version: str = ""


def action_fields(action: Action) -> list[Any]:
    """The action as JSON values; what is empty at the end is left out."""
    fields = [action.action, action.reason, list(action.ids), dict(action.numbers)]
    more = [list(action.before), list(action.after), action.reasoner, action.version]
    return [*fields, *more] if any(more) else fields


def action_from_fields(fields: Sequence[Any]) -> Action:
    """What ``action_fields`` gave, an older version's shorter list included."""
    name, reason, ids, numbers, *more = fields
    before, after, reasoner, version = more or ((), (), "", "")
    return Action(name, reason, tuple(ids), numbers, tuple(before), tuple(after), reasoner, version)


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """``actions`` travel in the same transaction to the store's outbox, from where the ledger's action log takes them."""

    key: WriteKey
    changes: tuple[Change, ...]
    actions: tuple[Action, ...] = ()

    def content_hash(self) -> str:
        """Names the content, without recorded times, vectors and cached weights: equal decisions hash equally."""
        return hashlib.sha256(canonical_json([_change_record(change) for change in self.changes])).hexdigest()


@dataclass(frozen=True, slots=True)
class Dropped:
    """A change that was not made, by its place in the change set, and why."""

    index: int
    reason: str


@dataclass(frozen=True, slots=True)
class Applied:
    """What became of one change set. ``fresh`` False: the key had been applied before, nothing was done."""

    key: WriteKey
    revision: Revision
    fresh: bool
    dropped: tuple[Dropped, ...] = ()


def field_value(entity: Node | Edge | None, name: str) -> str:
    """The canonical JSON of one field, as ``Read.value`` states it; ``ABSENT`` where there is no such entity."""
    if entity is None:
        return ABSENT
    record = node_record(entity) if isinstance(entity, Node) else edge_record(entity)
    return canonical_json(record[name]).decode("ascii")


def _change_record(change: Change) -> list[Any]:  # noqa: PLR0911 - one a kind of change
    match change:
        case PutNode(node=node):
            return ["put_node", node_record(node)]
        case PutEdge(edge=edge):
            return ["put_edge", edge_record(edge)]
        case RemoveNode(node=removed):
            return ["remove_node", removed]
        case RemoveEdge(edge=removed_edge):
            return ["remove_edge", removed_edge]
        case ForgetNode(node=forgotten):
            return ["forget_node", forgotten]
        case RecordAct(act=act):
            return ["act", act.id, act.node, act.kind.value, act.at.isoformat(), dict(act.detail)]
        case RenameNode(old=old, new=new):
            return ["rename", old, new]
