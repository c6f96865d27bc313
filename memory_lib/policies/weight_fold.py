"""The weight of a node: a pure fold over its mentions and recorded acts (CONTRACTS, Time and weight; DESIGN §4; seed §3.3).

Events are folded in (event time, id) order on the active clock. Neither the order in which messages were imported nor the
moment of any run takes part, so the same proofs, acts and messages give the same weight, bit by bit. Formation always folds
from all proofs; the stored weight is a cache to read from (``weight_at``), never a base to fold on: a late message moves the
clock under it.

What each event does:

===========  =========================================================================================================
mention      fades, then adds the step (``policies.reinforcement`` says which mentions weigh); revives an archived node
pin          weight 1, and the pinned coefficient from then on; revives an archived node
unpin        the coefficient of its kind again; the weight falls from where it stands
boost        adds ``detail['add']``, at most to 1; neither revives nor counts as a mention
damp         multiplies by ``detail['factor']``; nothing while pinned, a pin keeps the weight from falling
archive      out of the active graph, weight kept and fading; one of reason ``faded`` holds only if the weight had faded by then
undo         acts before it whose id or ``detail['batch']`` is its ``detail['undoes']`` never were; if undone, it does nothing
doubt        nothing: a derived node in doubt is a state, too
wrong, set   nothing: retracting is a state of its own, and whether a correction changes the kind of fading is the caller's
===========  =========================================================================================================
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.candidates import NodeType, Valence
from memory_lib.domain.node import Archived, Flag, Proof, ProofKind, Weight
from memory_lib.domain.time import DAY_US
from memory_lib.errors import IllegalValue
from memory_lib.policies.decay import FADED, DecayParams, coefficient, faded
from memory_lib.policies.reinforcement import ReinforcementParams, reinforced, weigh

if TYPE_CHECKING:
    from memory_lib.policies.active_clock import ActiveClock

_MARGIN_US = 1_000
"""A millisecond: rounding in the logarithm can't put the crossing before the instant it is true of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """What a node's history makes of it.

    ``weight`` is true of the last event that touched it; ``decay`` is the coefficient from there on.
    ``proofs`` are all proofs in event order with ``weighed`` set. ``flags`` are those that this fold decides
    (``OVER_LIMIT``); the node's other flags are not its business. ``archived`` is None where the node is in the active graph.
    """

    weight: Weight
    decay: float
    pinned: bool
    archived: Archived | None
    last_reinforced_us: int
    proofs: tuple[Proof, ...]
    flags: tuple[Flag, ...]


@dataclass(slots=True)
class _Standing:
    """The node as of the last event folded."""

    weight: float
    at_us: int
    last_reinforced_us: int
    pinned: bool = False
    archived: Archived | None = None


def fold_weight(  # noqa: PLR0913 -- the node's facts, its history and three records of numbers, all by name
    *,
    node_type: NodeType,
    valence: Valence,
    importance: float,
    proofs: Iterable[Proof],
    acts: Iterable[Act],
    clock: ActiveClock,
    creation_weight: float,
    decay: DecayParams,
    reinforcement: ReinforcementParams,
    created_us: int | None = None,
) -> Folded:
    """Folds one node's history. The order of ``proofs`` and ``acts`` does not matter; an act given twice counts once.

    ``valence`` and ``importance`` as at creation, or as a correction has them now. ``acts``: those of this node.
    ``created_us``: for nodes without a creating proof (derived ones); where there is one, its event time is the creation.
    Events dated before the creation (an act recorded before a late import moved things) count at the creation. For the state
    as of T, hand in only what is dated up to T.

    Raises:
        IllegalValue: neither a creating proof nor ``created_us``; or an act whose number is missing or outside 0..1.
    """
    weighing = weigh(proofs, params=reinforcement)
    created = next((proof.at_us for proof in weighing.proofs if proof.kind is ProofKind.CREATED), created_us)
    if created is None:
        raise IllegalValue("a node without a creating proof has no start to fold its weight from; give created_us")
    typed = coefficient(node_type, valence=valence, importance=importance, params=decay)
    standing = _Standing(weight=creation_weight, at_us=created, last_reinforced_us=created)
    events: list[tuple[tuple[int, str], Proof | Act]] = [
        ((proof.at_us, proof.span.message), proof) for proof in weighing.proofs if proof.weighed
    ]
    events += ((act.order, act) for act in standing_acts(acts) if act.kind not in (ActKind.WRONG, ActKind.SET, ActKind.DOUBT))
    for (event_us, _), event in sorted(events, key=lambda entry: entry[0]):
        at_us = max(event_us, standing.at_us)
        rate = decay.pinned if standing.pinned else typed
        standing.weight = faded(standing.weight, rate, clock.elapsed_days(standing.at_us, at_us))
        standing.at_us = at_us
        if isinstance(event, Proof):
            standing.weight = reinforced(standing.weight, params=reinforcement)
            standing.last_reinforced_us = at_us
            standing.archived = None
        else:
            _act(standing, event, decay)
    return Folded(
        weight=Weight(standing.weight, standing.at_us),
        decay=decay.pinned if standing.pinned else typed,
        pinned=standing.pinned,
        archived=standing.archived,
        last_reinforced_us=standing.last_reinforced_us,
        proofs=weighing.proofs,
        flags=(Flag.OVER_LIMIT,) if weighing.over_limit else (),
    )


def weight_at(weight: Weight, *, decay: float, clock: ActiveClock, now_us: int) -> float:
    """The stored weight, read at ``now_us``; as stored where ``now_us`` is earlier (a clock set back)."""
    return faded(weight.value, decay, clock.elapsed_days(weight.at_us, now_us))


def faded_out_us(weight: Weight, *, decay: float, clock: ActiveClock, params: DecayParams) -> int | None:
    """The instant by which the weight has fallen below ``removed_below``.

    None where the messages known so far don't carry it there. An archive by fading is dated with this, not with the moment of
    the run that noticed: runs missed, late, or under a wrong system clock then record the same act. At most a millisecond
    after the crossing itself.
    """
    if weight.value < params.removed_below:
        return weight.at_us
    if decay >= 1.0:
        return None
    days = math.log(params.removed_below / weight.value) / math.log(decay)
    return clock.instant_of(clock.active_us(weight.at_us) + math.ceil(days * DAY_US) + _MARGIN_US)


def standing_acts(acts: Iterable[Act]) -> list[Act]:
    """The acts that no later undo takes back, undos themselves left out, each once as first recorded, latest first."""
    unique: dict[str, Act] = {}
    for act in sorted(acts, key=lambda act: (act.recorded_at, act.order)):
        unique.setdefault(act.id, act)
    undone: set[str] = set()
    kept: list[Act] = []
    # an undo of the same instant comes after what it takes back, whatever the ids
    latest_first = sorted(
        unique.values(), key=lambda act: (act.order[0], act.kind is ActKind.UNDO, act.recorded_at), reverse=True
    )
    for act in latest_first:
        if act.id in undone or act.detail.get("batch") in undone:
            continue
        if act.kind is ActKind.UNDO:
            undone.add(_named(act, "undoes"))
        else:
            kept.append(act)
    return kept


def _act(standing: _Standing, act: Act, decay: DecayParams) -> None:
    match act.kind:
        case ActKind.PIN:
            standing.weight, standing.pinned, standing.archived = 1.0, True, None
        case ActKind.UNPIN:
            standing.pinned = False
        case ActKind.BOOST:
            standing.weight = min(standing.weight + _share(act, "add"), 1.0)
        case ActKind.DAMP:
            standing.weight *= 1.0 if standing.pinned else _share(act, "factor")
        case _:  # ARCHIVE, the one kind left
            reason = act.detail.get("reason", "archived")
            if reason != FADED or (standing.weight < decay.removed_below and not standing.pinned):
                standing.archived = Archived(at=act.at, reason=reason, batch=act.detail.get("batch", act.id))


def _named(act: Act, name: str) -> str:
    try:
        return act.detail[name]
    except KeyError:
        raise IllegalValue(f"act {act.id} ({act.kind}) lacks detail {name!r}; record it again with one") from None


def _share(act: Act, name: str) -> float:
    """A number in 0..1 out of an act's detail."""
    given = _named(act, name)
    try:
        number = float(given)
    except ValueError:
        number = math.nan
    if not 0.0 <= number <= 1.0:
        raise IllegalValue(f"act {act.id} ({act.kind}): detail {name!r} is not a number in 0..1; record it again with one")
    return number
