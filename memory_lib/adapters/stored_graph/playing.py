"""A change set played through: in which order, and where each change counts, whichever store keeps what comes of it (CONTRACTS,
Writing; ``ports.graph.GraphWriter.apply``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from memory_lib.adapters.stored_graph.columns import FLOAT32_BYTES
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
from memory_lib.domain.node import Edge, Node
from memory_lib.errors import FingerprintMismatch, IllegalValue
from memory_lib.ports.graph import DropReason

Entity = Node | Edge | None
NodeChange = PutNode | RemoveNode | ForgetNode | RecordAct
EdgeChange = PutEdge | RemoveEdge


def named_by(change_sets: Iterable[ChangeSet]) -> set[str]:
    """The entities that reads of these change sets name."""
    return {read.entity for change_set in change_sets for change in change_set.changes for read in change.reads}


class Watched:
    """What reads are compared with: the entities that they name, as they are now, and where the change set at hand has touched
    them, as they were before it.
    """

    def __init__(self, user: UserId) -> None:
        self._user = user
        self._current: dict[str, Entity] = {}
        self._before: dict[str, Entity] = {}

    def watch(self, named: Iterable[str], found: Mapping[str, Node | Edge]) -> None:
        """From now on these, as they were ``found``."""
        self._current = {entity: found.get(entity) for entity in named}

    def begin(self) -> None:
        """Another change set: what the former one did counts as how things were."""
        self._before = {}

    def became(self, entity: str, value: Entity) -> None:
        """``value`` None: it is gone."""
        if entity in self._current:
            self._before.setdefault(entity, self._current[entity])
            self._current[entity] = value

    def gone(self, node: NodeId) -> None:
        """A node, and with it the edges at it."""
        self.became(node, None)
        for entity, value in list(self._current.items()):
            if isinstance(value, Edge) and node in (value.source, value.target):
                self.became(entity, None)

    def stale(self, change: Change) -> str | None:
        """Why the change does not count, or None. Raises IllegalValue for a field that the entity does not have."""
        return None if all(self._holds(read) for read in change.reads) else DropReason.READ_CHANGED

    def _holds(self, read: Read) -> bool:
        try:
            if field_value(self._current.get(read.entity), read.field) == read.value:
                return True
            return read.entity in self._before and field_value(self._before[read.entity], read.field) == read.value
        except KeyError:
            raise IllegalValue(
                f"a change of person {self._user} says it read field {read.field!r}, which its entity does not have"
            ) from None


def played(
    changes: Sequence[Change],
    *,
    watched: Watched,
    rename: Callable[[dict[NodeId, NodeId]], None],
    change_node: Callable[[NodeChange], None],
    change_edge: Callable[[EdgeChange], str | None],
) -> tuple[Dropped, ...]:
    """Names first and all at once, then nodes and acts, then edges, each only where what it read still holds; what was dropped,
    by index.
    """
    watched.begin()
    outcomes = _outcomes(changes, watched, rename, change_node, change_edge)
    dropped = [Dropped(index, reason) for index, reason in outcomes if reason is not None]
    return tuple(sorted(dropped, key=lambda drop: drop.index))


def _outcomes(
    changes: Sequence[Change],
    watched: Watched,
    rename: Callable[[dict[NodeId, NodeId]], None],
    change_node: Callable[[NodeChange], None],
    change_edge: Callable[[EdgeChange], str | None],
) -> Iterator[tuple[int, str | None]]:
    edges: list[tuple[int, EdgeChange]] = []
    rest: list[tuple[int, NodeChange]] = []
    names: dict[NodeId, NodeId] = {}
    for index, change in enumerate(changes):
        match change:
            case RenameNode(old=old, new=new):
                reason = watched.stale(change)
                if reason is None and names.setdefault(old, new) != new:
                    reason = DropReason.RENAMED_TWICE
                yield index, reason
            case PutEdge() | RemoveEdge():
                edges.append((index, change))
            case PutNode() | RemoveNode() | ForgetNode() | RecordAct():
                rest.append((index, change))
    rename({old: new for old, new in names.items() if old != new})
    for index, other in rest:
        reason = watched.stale(other)
        if reason is None:
            change_node(other)
        yield index, reason
    for index, edge_change in edges:
        yield index, watched.stale(edge_change) or change_edge(edge_change)


def check_vector(vector: bytes, *, dimension: int | None, user: UserId) -> None:
    """Raises FingerprintMismatch where it is none of the person's."""
    if dimension is None:
        raise FingerprintMismatch(f"person {user} has no embedder recorded; call set_fingerprint before storing vectors")
    if len(vector) != FLOAT32_BYTES * dimension:
        raise FingerprintMismatch(
            f"a vector of {len(vector)} bytes for person {user}, whose vectors have {dimension} float32 each"
        )
