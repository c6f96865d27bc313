"""Start over without losing anything: pinned memories and the last days stay, the rest is archived under one batch, which
``undo`` takes back (CONTRACTS, Writing: Archived).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.changes import Action, Change, ChangeSet, PutNode, RecordAct, WriteKey
from memory_lib.domain.ids import IdKey, NodeId, UserId
from memory_lib.domain.node import Node
from memory_lib.domain.time import to_us
from memory_lib.policies.active_clock import ActiveClock, ClockParams
from memory_lib.policies.as_of import acts_by_node
from memory_lib.policies.overlay import WeightParams, relaid
from memory_lib.ports.graph import GraphReader, GraphWriter
from memory_lib.ports.ledger import MessageLog
from memory_lib.ports.write_turn import WriteTurn

VERSION = "reset/1"
REASON = "reset"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResetParams:
    """``kept_days``: what was said within so many days before now stays. The rest: what a weight is folded with."""

    kept_days: float
    clock: ClockParams
    weight: WeightParams


@dataclass(frozen=True, slots=True)
class Reset:
    """``archived``: which nodes; ``batch``: what ``undo`` takes, None where nothing was (or is to be) archived."""

    archived: tuple[NodeId, ...]
    kept: int
    batch: str | None


def resets(node: Node, *, since_us: int) -> bool:
    """Whether a reset archives the node."""
    if node.archived is not None or node.is_pinned:
        return False
    said = [proof.at_us for proof in node.surviving] or [to_us(node.created_at), to_us(node.last_reinforced_at)]
    return max(said) < since_us


def soft_reset(
    user: UserId,
    *,
    apply: bool,
    log: MessageLog,
    reader: GraphReader,
    writer: GraphWriter,
    write_turn: WriteTurn,
    id_key: IdKey,
    now: datetime,
    params: ResetParams,
) -> Reset:
    """Archives, or (``apply`` False) lists what would be.

    Raises StoreBusy, LeaseLost, StaleRead: nothing was kept, ask again.
    """
    since_us = to_us(now - timedelta(days=params.kept_days))
    if not apply:
        nodes = reader.load(user).nodes
        listed = tuple(sorted(ident for ident, node in nodes.items() if resets(node, since_us=since_us)))
        return Reset(listed, len(nodes) - len(listed), None)
    clock = ActiveClock(log.user_times(user), pause_us=params.clock.pause_us)
    batch = id_key.hash("batch", REASON, user, to_us(now))
    with write_turn.hold(user, renewing=True) as turn:
        stored = reader.load(user)
        acts = acts_by_node(stored.acts)
        changes: list[Change] = []
        archived: list[NodeId] = []
        for ident, node in sorted(stored.nodes.items()):
            if not resets(node, since_us=since_us):
                continue
            theirs = acts.get(ident, [])
            act = Act(
                id=id_key.hash("act", REASON, ident, batch),
                node=ident,
                kind=ActKind.ARCHIVE,
                at=now,
                recorded_at=now,
                detail={"reason": REASON, "batch": batch},
            )
            after = relaid(node, theirs, [*theirs, act], clock=clock, params=params.weight)
            changes += [PutNode(after), RecordAct(act)]
            archived.append(ident)
        if not archived:
            return Reset((), len(stored.nodes), None)
        key = WriteKey(user, REASON, batch, "archive", VERSION)
        action = Action("archive", REASON, tuple(archived), before=tuple(archived), after=tuple(archived), version=VERSION)
        writer.apply(user, [ChangeSet(key, tuple(changes), (action,))], token=turn.token, now=now, based_on=stored.revision)
    return Reset(tuple(archived), len(stored.nodes) - len(archived), batch)
