"""What was formed from messages, with what people and passes did to it laid over (CONTRACTS, Time and weight; Writing).

``finished`` and ``stripped`` are each other's inverse as far as formation is concerned: formation works on stripped nodes,
stores hold finished ones, so corrections, pins and archiving never change what later messages attach to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.candidates import Modality, Topic, Valence
from memory_lib.domain.ids import MessageId
from memory_lib.domain.node import Closure, Flag, Node, NodeState
from memory_lib.domain.time import from_us, to_us
from memory_lib.errors import IllegalValue, UnknownSetting
from memory_lib.policies.active_clock import ActiveClock
from memory_lib.policies.decay import DecayParams
from memory_lib.policies.reinforcement import ReinforcementParams
from memory_lib.policies.trust import state_of
from memory_lib.policies.weight_fold import fold_weight, standing_acts


@dataclass(frozen=True, slots=True, kw_only=True)
class WeightParams:
    """All that a node's weight depends on beside its history. ``creation``: the weight of a new observed node."""

    creation: float
    decay: DecayParams
    reinforcement: ReinforcementParams


FORMED = frozenset({Flag.DISPUTED})
"""Flags that formation sets; the others are decided here."""

DOUBTED = "disputed"
"""In ``Node.formed``: whether a node in doubt by an act was in dispute without it."""

CORRECTABLE: Mapping[str, str] = {
    "content": "free text",
    "topic": " | ".join(topic.value for topic in Topic),
    "valence": " | ".join(valence.value for valence in Valence),
    "importance": "a number from 0 to 1",
    "due": "an ISO 8601 time with an offset, or nothing",
    "valid_from": "an ISO 8601 time with an offset",
    "ends": "an ISO 8601 time with an offset, or nothing",
    "about_name": "free text",
    "about": "self | others | the id of a person's node",
    "modality": "one or more, with commas: " + " | ".join(modality.value for modality in Modality),
    "slot": "the value of the property that the node states; only where it states one",
    "intensity": "a number from 0 to 1",
    "valid_until": "an ISO 8601 time with an offset, or nothing",
}
"""The fields a person may set, and what each allows."""


def field_text(node: Node, field: str) -> str:
    """A correctable field as text; absent is the empty text."""
    if field not in CORRECTABLE:
        raise UnknownSetting(f"{field!r} cannot be set; fields: {', '.join(CORRECTABLE)}")
    match field:
        case "modality":
            return ",".join(modality.value for modality in node.modality)
        case "slot":
            return "" if node.slot is None else node.slot.value
        case "valid_until":
            return _closure_text(node.closure)
        case _:
            value = getattr(node, field)
            return "" if value is None else str(value)


def with_field(node: Node, field: str, value: str) -> Node:  # noqa: C901, PLR0911, PLR0912 - one case a field
    """The node with one field set.

    Raises:
        UnknownSetting: no such field, or a value it does not allow.
    """
    try:
        match field:
            case "content" if value.strip():
                return replace(node, content=value)
            case "topic":
                return replace(node, topic=Topic(value))
            case "valence":
                return replace(node, valence=Valence(value))
            case "importance":
                return replace(node, importance=float(value))
            case "due":
                return replace(node, due=_instant_text(value))
            case "valid_from" if value:
                return replace(node, valid_from=_instant_text(value))
            case "ends":
                return replace(node, ends=_instant_text(value))
            case "about_name":
                return replace(node, about_name=value or None)
            case "about" if value:
                return replace(node, about=value)
            case "modality":
                return replace(node, modality=tuple(Modality(name.strip()) for name in value.split(",")))
            case "slot" if value.strip() and node.slot is not None:
                return replace(node, slot=replace(node.slot, value=value))
            case "intensity":
                return replace(node, intensity=float(value))
            case "valid_until":
                return replace(node, closure=_closure_of(value))
    except (ValueError, IllegalValue):
        raise UnknownSetting(f"{field} does not allow that value; allowed: {CORRECTABLE[field]}") from None
    if field not in CORRECTABLE:
        raise UnknownSetting(f"{field!r} cannot be set; fields: {', '.join(CORRECTABLE)}")
    raise UnknownSetting(f"{field} may not be empty; allowed: {CORRECTABLE[field]}")


def _closure_text(closure: Closure | None) -> str:
    """A closing by a message names it too, so that it can be put back; one by the person is its time alone."""
    if closure is None:
        return ""
    if not closure.by_message:
        return closure.valid_until
    return " ".join((closure.valid_until, closure.by_message, str(closure.at_us), closure.recorded_at.isoformat()))


def _closure_of(text: str) -> Closure | None:
    valid_until, *by_message = text.split() if text else ("",)
    if not valid_until:
        return None
    if by_message:
        message, at_us, recorded_at = by_message
        return Closure(valid_until, MessageId(message), int(at_us), datetime.fromisoformat(recorded_at))
    instant = datetime.fromisoformat(valid_until)
    if instant.tzinfo is None:
        raise ValueError(valid_until)
    return Closure(instant.isoformat(), MessageId(""), to_us(instant), instant)


def _instant_text(value: str) -> str | None:
    if not value:
        return None
    instant = datetime.fromisoformat(value)
    if instant.tzinfo is None:
        raise ValueError(value)
    return instant.isoformat()


def stripped(node: Node, acts: Sequence[Act]) -> Node:
    """The node as messages alone say it: corrections taken back, archive and retraction lifted. ``acts``: this node's own."""
    for act in [a for a in standing_acts(acts) if a.kind is ActKind.SET]:
        said = node.formed.get(act.detail["field"], act.detail["was"])
        node = _set_leniently(node, act.detail["field"], said)
    flags = tuple(flag for flag in node.flags if flag in FORMED)
    if DOUBTED in node.formed:
        others = tuple(flag for flag in flags if flag is not Flag.DISPUTED)
        flags = (*others, Flag.DISPUTED) if node.formed[DOUBTED] else others
    return replace(node, archived=None, state=NodeState.STABLE, retracted_at=None, is_pinned=False, flags=flags, formed={})


def finished(base: Node, acts: Sequence[Act], *, clock: ActiveClock, params: WeightParams) -> Node:
    """The node as it is stored: weight, pin, archive and corrections folded over it. ``acts``: this node's own, any order."""
    node = base
    held = standing_acts(acts)[::-1]
    formed: dict[str, str] = {}
    for act in held:
        if act.kind is ActKind.SET:
            formed[act.detail["field"]] = field_text(base, act.detail["field"])
            node = _set_leniently(node, act.detail["field"], act.detail["value"])
    flags = base.flags
    if any(act.kind is ActKind.DOUBT for act in held):
        formed[DOUBTED] = "yes" if Flag.DISPUTED in flags else ""
        flags = tuple(dict.fromkeys((*flags, Flag.DISPUTED)))
    folded = fold_weight(
        node_type=base.type,
        valence=base.valence,
        importance=base.importance,
        proofs=base.proofs,
        acts=acts,
        clock=clock,
        creation_weight=params.creation,
        decay=params.decay,
        reinforcement=params.reinforcement,
        created_us=None if base.surviving else to_us(base.created_at),
    )
    after = replace(
        node,
        weight=folded.weight,
        decay=folded.decay,
        is_pinned=folded.pinned,
        proofs=folded.proofs,
        flags=(*flags, *folded.flags),
        last_reinforced_at=from_us(folded.last_reinforced_us, _offset_at(base, folded.last_reinforced_us)),
        retracted_at=_retracted(base, held),
        formed=formed,
    )
    state = NodeState.ARCHIVED if folded.archived is not None else state_of(after)
    confidence = after.confidence if base.surviving or not base.proofs else 0.0
    return replace(after, archived=folded.archived, state=state, confidence=confidence)


def relaid(node: Node, acts: Sequence[Act], then: Sequence[Act], *, clock: ActiveClock, params: WeightParams) -> Node:
    """The stored ``node``, finished under ``acts``, as it is under ``then``.

    A derived node keeps its weight where no pin has a say: it did not begin with the weight of an observed one.
    """
    after = finished(stripped(node, acts), then, clock=clock, params=params)
    if node.proofs or node.is_pinned or after.is_pinned:
        return after
    return replace(after, weight=node.weight, decay=node.decay, last_reinforced_at=node.last_reinforced_at)


def _set_leniently(node: Node, field: str, value: str) -> Node:
    """Recorded corrections were valid when they were made; what an older version allowed and this one does not is left as it
    is.
    """
    try:
        return with_field(node, field, value)
    except UnknownSetting:
        return node


def _offset_at(node: Node, at_us: int) -> int:
    return next((p.offset for p in reversed(node.proofs) if p.at_us == at_us), node.proofs[0].offset if node.proofs else 0)


def _retracted(node: Node, acts: Sequence[Act]) -> datetime | None:
    """Marked wrong, and not said again since: saying it again later is evidence newer than the mark."""
    wrong = [a for a in acts if a.kind is ActKind.WRONG]
    if not wrong:
        return None
    last = max(wrong, key=lambda a: a.order)
    said_again = any((p.at_us, p.span.message) > last.order and p.weighed for p in node.proofs)
    return None if said_again else last.recorded_at
