"""The person corrects a memory: pin, unpin, mark wrong, set a field (seed §5, Explicit control). Recorded as acts, never
overwritten.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.canonical import canonical_json
from memory_lib.domain.changes import Action, Change, ChangeSet, PutNode, RecordAct, WriteKey
from memory_lib.domain.ids import IdKey, NodeId, UserId
from memory_lib.domain.node import Node
from memory_lib.domain.time import to_us
from memory_lib.errors import DependencyDown, UnknownNode, UnknownSetting
from memory_lib.policies.active_clock import ActiveClock, ClockParams
from memory_lib.policies.as_of import acts_by_node
from memory_lib.policies.overlay import WeightParams, field_text, finished, stripped, with_field
from memory_lib.policies.weight_fold import standing_acts
from memory_lib.ports.embedder import Embedder, calibrated
from memory_lib.ports.graph import GraphReader, GraphWriter, StoredGraph
from memory_lib.ports.ledger import MessageLog
from memory_lib.ports.write_turn import WriteTurn

VERSION = "correct/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectParams:
    """The numbers a corrected weight is folded with."""

    clock: ClockParams
    weight: WeightParams


def correct(
    user: UserId,
    node: NodeId,
    kind: ActKind,
    *,
    field: str | None = None,
    value: str | None = None,
    log: MessageLog,
    reader: GraphReader,
    writer: GraphWriter,
    write_turn: WriteTurn,
    embedder: Embedder,
    id_key: IdKey,
    now: datetime,
    params: CorrectParams,
) -> Node:
    """The node as it is after the correction. Asking for what is so already (pin a pinned node) changes nothing.

    Raises:
        UnknownNode: no such node of this person.
        UnknownSetting: ``set`` with a field or value that is not allowed.
        StoreBusy: the person is being written for longer than we wait.
        LeaseLost, StaleRead: another writer was quicker than our lease lasts; nothing was kept, ask again.
    """
    with write_turn.hold(user) as turn:
        stored = reader.load(user)
        node = stored.renames.get(node, node)
        known = stored.nodes.get(node)
        if known is None:
            raise UnknownNode(f"node {node} is not in this person's memory; selfimprint show lists the ids")
        theirs = acts_by_node(stored.acts).get(node, [])
        detail = _detail(known, kind, field, value)
        if detail is None or _is_so(known, theirs, kind):
            return known
        act = Act(
            id=id_key.hash("act", kind.value, node, to_us(now), canonical_json(dict(detail)).decode("ascii")),
            node=node,
            kind=kind,
            at=now,
            recorded_at=now,
            detail=detail,
        )
        clock = ActiveClock(log.user_times(user), pause_us=params.clock.pause_us)
        after = finished(stripped(known, theirs), [*theirs, act], clock=clock, params=params.weight)
        changes: list[Change] = [PutNode(after, _vector(known, after, embedder, stored)), RecordAct(act)]
        key = WriteKey(user, "correct", act.id, kind.value, VERSION)
        action = Action(kind.value, "by_the_person", (node,))
        writer.apply(user, [ChangeSet(key, tuple(changes), (action,))], token=turn.token, now=now, based_on=stored.revision)
        return after


def _detail(node: Node, kind: ActKind, field: str | None, value: str | None) -> Mapping[str, str] | None:
    """The act's detail; None where the field has that value already."""
    if kind is not ActKind.SET:
        return {}
    if field is None or value is None:
        raise UnknownSetting("setting a field takes FIELD=VALUE, like --set topic=work")
    was = field_text(node, field)
    given = field_text(with_field(node, field, value), field)
    return None if was == given else {"field": field, "value": value, "was": was}


def _is_so(node: Node, acts: list[Act], kind: ActKind) -> bool:
    match kind:
        case ActKind.PIN:
            return node.is_pinned
        case ActKind.UNPIN:
            return not node.is_pinned
        case ActKind.WRONG:
            return node.retracted_at is not None and any(a.kind is ActKind.WRONG for a in standing_acts(acts))
        case _:
            return False


def _vector(before: Node, after: Node, embedder: Embedder, stored: StoredGraph) -> bytes | None:
    """A new content needs a new vector; where the embedder is away the old one stays."""
    if before.content == after.content or after.id not in stored.vectors:
        return None
    try:
        vector = calibrated(embedder.embed([after.content]), embedder.mean)[0]
    except DependencyDown:
        return None
    return bytes(vector.tobytes())
