"""Take back what one batch did to a graph: a reset, a correction, a fading (CONTRACTS, Writing: Archived)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.changes import Action, Change, ChangeSet, PutEdge, PutNode, RecordAct, WriteKey
from memory_lib.domain.ids import EdgeId, IdKey, NodeId, UserId
from memory_lib.domain.node import NodeState
from memory_lib.domain.time import to_us
from memory_lib.errors import InvalidInput, UnknownSetting
from memory_lib.policies.active_clock import ActiveClock, ClockParams
from memory_lib.policies.as_of import acts_by_node
from memory_lib.policies.derived import stands_well
from memory_lib.policies.overlay import WeightParams, relaid
from memory_lib.policies.weight_fold import standing_acts
from memory_lib.ports.embedder import Embedder, calibrated_bytes
from memory_lib.ports.graph import GraphReader, GraphWriter
from memory_lib.ports.ledger import MessageLog
from memory_lib.ports.write_turn import WriteTurn

VERSION = "undo/1"
KIND = "undo"


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoParams:
    """``days``: how long a batch can be taken back. The rest: what a weight is folded with."""

    days: float
    clock: ClockParams
    weight: WeightParams


@dataclass(frozen=True, slots=True)
class Undone:
    """The nodes and edges that are as they were; ``batch``: of the undo itself, None where there was nothing left to undo."""

    nodes: tuple[NodeId, ...]
    edges: tuple[EdgeId, ...]
    batch: str | None


def undo(
    user: UserId,
    batch: str,
    *,
    apply: bool = True,
    log: MessageLog,
    reader: GraphReader,
    writer: GraphWriter,
    write_turn: WriteTurn,
    embedder: Embedder,
    id_key: IdKey,
    now: datetime,
    params: UndoParams,
) -> Undone:
    """Every act of the batch never was; asked twice, it is once. ``apply`` False: only which nodes it is about.

    Raises:
        UnknownSetting: nothing of this person was done under that batch.
        InvalidInput: it was done too long ago.
        StoreBusy, LeaseLost, StaleRead: nothing was kept, ask again.
    """
    with write_turn.hold(user, renewing=True) as turn:
        stored = reader.load(user)
        done = [act for act in stored.acts if batch in (act.id, act.detail.get("batch"))]
        if not done:
            raise UnknownSetting(f"nothing of this person was done under batch {batch}; selfimprint show --json names batches")
        oldest = min(act.recorded_at for act in done)
        if now - oldest > timedelta(days=params.days):
            raise InvalidInput(f"batch {batch} is of {oldest.date()}, more than {params.days:g} days ago; it stays as it is")
        acts = acts_by_node(stored.acts)
        of_batch = {act.id for act in done}
        touched = sorted({act.node for act in done if act.node in stored.nodes and _stands(acts[act.node], of_batch)})
        if not touched or not apply:
            return Undone(tuple(touched), (), None)
        clock = ActiveClock(log.user_times(user), pause_us=params.clock.pause_us)
        own = id_key.hash("batch", KIND, batch, to_us(now))
        changes: list[Change] = []
        for ident in touched:
            node = stored.nodes[ident]
            act = Act(
                id=id_key.hash("act", KIND, ident, own),
                node=ident,
                kind=ActKind.UNDO,
                at=now,
                recorded_at=now,
                detail={"undoes": batch, "batch": own},
            )
            theirs = acts[ident]
            after = relaid(node, theirs, [*theirs, act], clock=clock, params=params.weight)
            reworded = after.content != node.content and ident in stored.vectors
            changes += [PutNode(after, calibrated_bytes(embedder, after.content) if reworded else None), RecordAct(act)]
            acts[ident] = [*theirs, act]
        edges = [
            replace(edge, state=NodeState.STABLE)
            for edge in stored.edges.values()
            if edge.is_inferred
            and edge.state is NodeState.DISPUTED
            and (edge.source in touched or edge.target in touched)
            and stands_well(edge, acts)
        ]
        changes += [PutEdge(edge) for edge in edges]
        key = WriteKey(user, KIND, own, "undo", VERSION)
        ids = (*touched, *(edge.id for edge in edges))
        action = Action(KIND, "asked_for", ids, before=ids, after=ids, version=VERSION)
        writer.apply(user, [ChangeSet(key, tuple(changes), (action,))], token=turn.token, now=now, based_on=stored.revision)
    return Undone(tuple(touched), tuple(edge.id for edge in edges), own)


def _stands(acts: list[Act], of_batch: set[str]) -> bool:
    """Whether something of the batch still counts; an undo counts while no later one takes it back."""
    standing = {act.id for act in standing_acts(acts)}
    if standing & of_batch:
        return True
    undos = [act for act in acts if act.kind is ActKind.UNDO and act.id in of_batch]
    later = {act.detail["undoes"] for act in acts if act.kind is ActKind.UNDO}
    return any(act.id not in later and act.detail.get("batch") not in later for act in undos)
