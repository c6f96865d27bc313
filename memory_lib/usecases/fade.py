"""Archive what has faded (DESIGN §4: below 0.05, recoverable). Runs daily; missed, doubled or late runs end the same.

Weights are read, not rewritten: only nodes that cross the line are touched, and the act is dated with the crossing itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.changes import Action, Change, ChangeSet, PutNode, RecordAct, WriteKey
from memory_lib.domain.ids import IdKey, UserId
from memory_lib.domain.node import Node
from memory_lib.domain.time import from_us, to_us
from memory_lib.policies.active_clock import ActiveClock, ClockParams
from memory_lib.policies.archival import Archive, archival
from memory_lib.policies.as_of import acts_by_node
from memory_lib.policies.overlay import WeightParams, finished, stripped
from memory_lib.policies.weight_fold import faded_out_us, weight_at
from memory_lib.ports.clock import Clock
from memory_lib.ports.graph import GraphReader, GraphWriter
from memory_lib.ports.ledger import MessageLog
from memory_lib.ports.write_turn import WriteTurn

VERSION = "fade/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class FadeParams:
    """The numbers a fading weight is read with."""

    clock: ClockParams
    weight: WeightParams


@dataclass(frozen=True, slots=True)
class Faded:
    """How many nodes were looked at and archived."""

    looked_at: int
    archived: int


def fade(
    user: UserId,
    *,
    log: MessageLog,
    reader: GraphReader,
    writer: GraphWriter,
    write_turn: WriteTurn,
    id_key: IdKey,
    clock: Clock,
    params: FadeParams,
) -> Faded:
    """Archives every unpinned node whose weight has fallen below the line. Raises StoreBusy."""
    now = clock.now()
    active = ActiveClock(log.user_times(user), pause_us=params.clock.pause_us)
    with write_turn.hold(user) as turn:
        stored = reader.load(user)
        acts = acts_by_node(stored.acts)
        changes: list[Change] = []
        archived: list[str] = []
        for node in sorted(stored.nodes.values(), key=lambda n: n.id):
            at_us = _crossed(node, active, now_us=to_us(now), params=params)
            if at_us is None:
                continue
            theirs = acts.get(node.id, [])
            act = Act(
                id=id_key.hash("act", "archive", node.id, at_us),
                node=node.id,
                kind=ActKind.ARCHIVE,
                at=from_us(at_us),
                recorded_at=now,
                detail={"reason": "faded", "batch": f"fade-{node.id}-{at_us}"},
            )
            after = finished(stripped(node, theirs), [*theirs, act], clock=active, params=params.weight)
            if after.archived is not None:
                changes += [PutNode(after), RecordAct(act)]
                archived.append(node.id)
        if changes:
            key = WriteKey(user, "fade", id_key.hash("pass", *archived, to_us(now)), "archive", VERSION)
            action = Action("archive", "faded", tuple(archived), {"nodes": float(len(archived))})
            writer.apply(user, [ChangeSet(key, tuple(changes), (action,))], token=turn.token, now=now, based_on=stored.revision)
    return Faded(len(stored.nodes), len(archived))


def _crossed(node: Node, clock: ActiveClock, *, now_us: int, params: FadeParams) -> int | None:
    """When the node fell below the line, if it has."""
    if node.archived is not None or node.is_inference or not node.proofs:
        return None
    weight = weight_at(node.weight, decay=node.decay, clock=clock, now_us=now_us)
    if not isinstance(archival(weight, pinned=node.is_pinned, params=params.weight.decay), Archive):
        return None
    return faded_out_us(node.weight, decay=node.decay, clock=clock, params=params.weight.decay)
