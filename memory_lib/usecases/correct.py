"""The person corrects a memory: pin, unpin, mark wrong, set a field (seed §5, Explicit control). Recorded as acts, never
overwritten.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import datetime

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.candidates import OTHERS, SELF, NodeType
from memory_lib.domain.canonical import canonical_json
from memory_lib.domain.changes import Action, Change, ChangeSet, PutEdge, PutNode, RecordAct, WriteKey
from memory_lib.domain.ids import IdKey, NodeId, UserId
from memory_lib.domain.node import Node, NodeState
from memory_lib.domain.time import to_us
from memory_lib.errors import UnknownNode, UnknownSetting
from memory_lib.policies.active_clock import ActiveClock, ClockParams
from memory_lib.policies.as_of import acts_by_node
from memory_lib.policies.derived import puts_in_doubt, resting_on
from memory_lib.policies.overlay import WeightParams, field_text, relaid, with_field
from memory_lib.policies.weight_fold import standing_acts
from memory_lib.ports.embedder import Embedder, calibrated_bytes
from memory_lib.ports.graph import GraphReader, GraphWriter, StoredGraph
from memory_lib.ports.ledger import MessageLog
from memory_lib.ports.write_turn import WriteTurn

VERSION = "correct/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectParams:
    """The numbers a corrected weight is folded with."""

    clock: ClockParams
    weight: WeightParams


@dataclass(frozen=True, slots=True)
class Corrected:
    """``batch``: what ``undo`` takes; None where nothing changed."""

    node: Node
    batch: str | None


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
) -> Corrected:
    """The node as it is after the correction, and what takes it back. Asking for what is so already (pin a pinned node)
    changes nothing.

    What was derived from a node that is wrong or says something else now is disputed from then on.

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
        people = {ident for ident, each in stored.nodes.items() if each.type is NodeType.PERSON}
        detail = _detail(known, kind, field, value, people=people)
        if detail is None or _is_so(known, theirs, kind):
            return Corrected(known, None)
        act = Act(
            id=id_key.hash("act", kind.value, node, to_us(now), canonical_json(dict(detail)).decode("ascii")),
            node=node,
            kind=kind,
            at=now,
            recorded_at=now,
            detail=detail,
        )
        clock = ActiveClock(log.user_times(user), pause_us=params.clock.pause_us)
        after = relaid(known, theirs, [*theirs, act], clock=clock, params=params.weight)
        reworded = known.content != after.content and node in stored.vectors
        changes: list[Change] = [
            PutNode(after, calibrated_bytes(embedder, after.content) if reworded else None),
            RecordAct(act),
        ]
        actions = [Action(kind.value, "by_the_person", (node,))]
        doubted = _doubted(act, stored, id_key=id_key, clock=clock, params=params) if puts_in_doubt(act) else []
        if doubted:
            changes += doubted
            ids = tuple(c.node.id if isinstance(c, PutNode) else c.edge.id for c in doubted if not isinstance(c, RecordAct))
            actions.append(Action("dispute", "rests_on_corrected", ids))
        key = WriteKey(user, "correct", act.id, kind.value, VERSION)
        change_set = ChangeSet(key, tuple(changes), tuple(actions))
        writer.apply(user, [change_set], token=turn.token, now=now, based_on=stored.revision)
        return Corrected(after, act.id)


def _doubted(
    act: Act, stored: StoredGraph, *, id_key: IdKey, clock: ActiveClock, params: CorrectParams
) -> list[PutNode | RecordAct | PutEdge]:
    """What was derived from the corrected node is in doubt, until it is derived anew or the correction is undone."""
    derived, edges = resting_on([act.node], stored.nodes, list(stored.edges.values()))
    by_node = acts_by_node(stored.acts)
    changes: list[PutNode | RecordAct | PutEdge] = []
    for ident in derived:
        doubt = Act(
            id=id_key.hash("act", ActKind.DOUBT.value, ident, act.id),
            node=ident,
            kind=ActKind.DOUBT,
            at=act.at,
            recorded_at=act.recorded_at,
            detail={"batch": act.id, "because": act.node},
        )
        theirs = by_node.get(ident, [])
        after = relaid(stored.nodes[ident], theirs, [*theirs, doubt], clock=clock, params=params.weight)
        changes += [PutNode(after), RecordAct(doubt)]
    changes += [PutEdge(replace(edge, state=NodeState.DISPUTED)) for edge in edges if edge.state is NodeState.STABLE]
    return changes


def _detail(
    node: Node, kind: ActKind, field: str | None, value: str | None, *, people: AbstractSet[str]
) -> Mapping[str, str] | None:
    """The act's detail; None where the field has that value already."""
    if kind is not ActKind.SET:
        return {}
    if field is None or value is None:
        raise UnknownSetting("setting a field takes FIELD=VALUE, like --set topic=work")
    if field == "about" and value not in (SELF, OTHERS) and value not in people:
        raise UnknownSetting("about takes self, others, or the id of a person's node; selfimprint show lists them")
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
