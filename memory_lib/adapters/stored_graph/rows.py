"""Rows to values and back, and what is inside an envelope.

A row is (columns in clear …, sealed). A payload is JSON with sorted keys and no spaces, in UTF-8 where a lone surrogate keeps
its own three bytes: unlike JSON's escapes, two lone surrogates beside each other stay two.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final, TypeVar

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.candidates import SELF, EdgeType, Modality, NodeType, Precision, Slot, Span, Topic, Valence
from memory_lib.domain.changes import Action, action_fields, action_from_fields
from memory_lib.domain.ids import NodeId, UserId
from memory_lib.domain.node import Archived, Closure, Edge, Flag, Node, NodeState, Proof, ProofKind, Refinement, Weight
from memory_lib.domain.time import from_us, offset_minutes, to_us
from memory_lib.errors import IllegalValue, SchemaMismatch
from memory_lib.ports.graph import OutboxEntry

_T = TypeVar("_T")

Row = tuple[Any, ...]
Opener = Callable[[str, str, bytes], bytes]
"""(kind, record, envelope) -> payload, bound to one person."""
Seal = Callable[[str, str, bytes], bytes]
"""(kind, record, payload) -> envelope, bound to one person."""

PAYLOAD_VERSION: Final = 1
NODE_KIND: Final = "node"
EDGE_KIND: Final = "edge"
ACT_KIND: Final = "act"
VECTOR_KIND: Final = "vector"

EVERYBODY: Final = ("*",)

NODE_COLUMNS: Final = (
    "id, type, state, weight, weight_at_us, decay, confidence, importance, created_us, created_offset, last_us, last_offset, "
    "recorded_us, recorded_offset, retracted_us, retracted_offset, closed_us, closed_by, closed_recorded_us, "
    "closed_recorded_offset, archived_us, archived_offset, is_inference, is_pinned, private, flags, rule, reasoner, version, "
    "sealed"
)
EDGE_COLUMNS: Final = (
    "id, source, target, type, confidence, is_inferred, state, created_us, created_offset, recorded_us, recorded_offset, "
    "retracted_us, retracted_offset, closed_us, closed_by, closed_recorded_us, closed_recorded_offset, rule, reasoner, "
    "version, sealed"
)
PROOF_COLUMNS: Final = 'owner, place, message, start, "end", at_us, "offset", kind, weighed, reasoner, version'
ACT_COLUMNS: Final = "id, node, kind, at_us, at_offset, recorded_us, recorded_offset, sealed"

# a dictionary look-up costs a fifth of calling an enum class, and a person's load does it tens of thousands of times
_NODE_TYPE: Final = {t.value: t for t in NodeType}
_EDGE_TYPE: Final = {t.value: t for t in EdgeType}
_STATE: Final = {s.value: s for s in NodeState}
_VALENCE: Final = {v.value: v for v in Valence}
_TOPIC: Final = {t.value: t for t in Topic}
_MODALITY: Final = {m.value: m for m in Modality}
_PRECISION: Final = {p.value: p for p in Precision}
_FLAG: Final = {f.value: f for f in Flag}
_PROOF_KIND: Final = {k.value: k for k in ProofKind}
_ACT_KIND: Final = {k.value: k for k in ActKind}

_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
# without the search for white space round a document, which costs as much as reading a small one
_DECODE: Final = json.JSONDecoder().raw_decode

_PLAIN: Final = (Modality.ASSERTED,)
_OBSERVED: Final = "observed"

# what is recorded in one pass has few different instants, and making one costs as much as opening an envelope
_instant_of: Final = lru_cache(maxsize=8192)(from_us)


def payload(**fields: Any) -> bytes:
    """What is sealed. Fields that are None are left out: they have the default that version 1 gives them when read."""
    value = {name: field for name, field in fields.items() if field is not None}
    value["v"] = PAYLOAD_VERSION
    return _ENCODER.encode(value).encode("utf-8", "surrogatepass")


_NOTHING: Final = payload()


def opened(data: bytes) -> dict[str, Any]:
    """A payload's fields, without those that were left out.

    Raises:
        SchemaMismatch: it was sealed by a newer version.
    """
    if data == _NOTHING:
        return {}
    value: dict[str, Any] = _DECODE(data.decode("utf-8", "surrogatepass"))[0]
    if value["v"] != PAYLOAD_VERSION:
        raise SchemaMismatch(
            f"a sealed row has version {value['v']}, this program knows {PAYLOAD_VERSION}; install the newer release"
        )
    return value


def _unless(value: _T, default: _T) -> _T | None:
    return None if value == default else value


def _instant(instant: datetime | None) -> tuple[int | None, int | None]:
    return (None, None) if instant is None else (to_us(instant), offset_minutes(instant))


def _closure_columns(closure: Closure | None) -> tuple[int | None, str | None, int | None, int | None]:
    if closure is None:
        return (None, None, None, None)
    return (closure.at_us, closure.by_message, *_instant(closure.recorded_at))


# -- nodes --


def node_row(node: Node, seal: Seal) -> Row:
    """The node's row in the order of ``NODE_COLUMNS``; proofs and vector have rows of their own."""
    slot, archived = node.slot, node.archived
    sealed = payload(
        content=node.content,
        valence=_unless(node.valence.value, Valence.NEUTRAL.value),
        intensity=_unless(float(node.intensity), 0.0),
        stated=_unless(node.stated, True),  # noqa: FBT003 - the default's value
        topic=_unless(node.topic.value, Topic.OTHER.value),
        slot=None if slot is None else (slot.key, slot.value, slot.single),
        audience=_unless(node.audience, EVERYBODY),
        due=node.due,
        attributes=dict(node.attributes) or None,
        modality=None if node.modality == _PLAIN else [m.value for m in node.modality],
        polarity=_unless(node.polarity, True),  # noqa: FBT003 - the default's value
        holder=_unless(node.holder, SELF),
        about=_unless(node.about, SELF),
        about_name=node.about_name,
        origin=_unless(node.origin, _OBSERVED),
        language=node.language,
        valid_from=node.valid_from,
        precision=_unless(node.precision.value, Precision.DAY.value),
        ends=node.ends,
        valid_until=None if node.closure is None else node.closure.valid_until,
        archived=None if archived is None else (archived.reason, archived.batch),
        formed=dict(node.formed) or None,
        refined=[(r.message, r.at_us, dict(r.before)) for r in node.refined] or None,
    )
    return (
        node.id,
        node.type.value,
        node.state.value,
        float(node.weight.value),
        node.weight.at_us,
        float(node.decay),
        float(node.confidence),
        float(node.importance),
        *_instant(node.created_at),
        *_instant(node.last_reinforced_at),
        *_instant(node.recorded_at),
        *_instant(node.retracted_at),
        *_closure_columns(node.closure),
        *_instant(None if archived is None else archived.at),
        node.is_inference,
        node.is_pinned,
        node.audience != EVERYBODY,
        ",".join(flag.value for flag in node.flags),
        node.rule,
        node.reasoner,
        node.version,
        seal(NODE_KIND, node.id, sealed),
    )


def node_from_row(row: Row, proofs: tuple[Proof, ...], open_: Opener) -> Node:
    """The node of a row in the order of ``NODE_COLUMNS``. Raises SealBroken."""
    (
        id_,
        type_,
        state,
        weight,
        weight_at_us,
        decay,
        confidence,
        importance,
        created_us,
        created_offset,
        last_us,
        last_offset,
        recorded_us,
        recorded_offset,
        retracted_us,
        retracted_offset,
        closed_us,
        closed_by,
        closed_recorded_us,
        closed_recorded_offset,
        archived_us,
        archived_offset,
        is_inference,
        is_pinned,
        _private,
        flags,
        rule,
        reasoner,
        version,
        sealed,
    ) = row
    inside = opened(open_(NODE_KIND, id_, sealed))
    get = inside.get
    slot, modality = get("slot"), get("modality")
    return Node(
        id=id_,
        type=_NODE_TYPE[type_],
        content=inside["content"],
        weight=Weight(weight, weight_at_us),
        decay=decay,
        created_at=_instant_of(created_us, created_offset),
        last_reinforced_at=_instant_of(last_us, last_offset),
        recorded_at=_instant_of(recorded_us, recorded_offset),
        retracted_at=None if retracted_us is None else _instant_of(retracted_us, retracted_offset),
        state=_STATE[state],
        confidence=confidence,
        importance=importance,
        valence=_VALENCE[get("valence", "neutral")],
        intensity=get("intensity", 0.0),
        stated=get("stated", True),
        topic=_TOPIC[get("topic", "other")],
        slot=None if slot is None else Slot(*slot),
        audience=tuple(get("audience", EVERYBODY)),
        flags=tuple([_FLAG[flag] for flag in flags.split(",")]) if flags else (),
        due=get("due"),
        attributes=get("attributes") or {},
        modality=_PLAIN if modality is None else tuple([_MODALITY[m] for m in modality]),
        polarity=get("polarity", True),
        holder=get("holder", SELF),
        about=get("about", SELF),
        about_name=get("about_name"),
        is_inference=bool(is_inference),
        is_pinned=bool(is_pinned),
        origin=get("origin", _OBSERVED),
        rule=rule,
        reasoner=reasoner,
        version=version,
        language=inside["language"],
        valid_from=get("valid_from"),
        precision=_PRECISION[get("precision", "day")],
        ends=get("ends"),
        closure=None
        if closed_us is None
        else Closure(inside["valid_until"], closed_by, closed_us, _instant_of(closed_recorded_us, closed_recorded_offset)),
        formed=get("formed") or {},
        refined=tuple([Refinement(*each) for each in get("refined") or ()]),
        archived=None if archived_us is None else Archived(_instant_of(archived_us, archived_offset), *inside["archived"]),
        proofs=proofs,
    )


# -- edges --


def edge_row(edge: Edge, seal: Seal) -> Row:
    """The edge's row in the order of ``EDGE_COLUMNS``; proofs have rows of their own."""
    edge_id = edge.id
    sealed = payload(
        audience=_unless(edge.audience, EVERYBODY),
        valid_from=edge.valid_from,
        valid_until=None if edge.closure is None else edge.closure.valid_until,
    )
    return (
        edge_id,
        edge.source,
        edge.target,
        edge.type.value,
        float(edge.confidence),
        edge.is_inferred,
        edge.state.value,
        *_instant(edge.created_at),
        *_instant(edge.recorded_at),
        *_instant(edge.retracted_at),
        *_closure_columns(edge.closure),
        edge.rule,
        edge.reasoner,
        edge.version,
        seal(EDGE_KIND, edge_id, sealed),
    )


def edge_from_row(row: Row, proofs: tuple[Proof, ...], open_: Opener) -> Edge:
    """The edge of a row in the order of ``EDGE_COLUMNS``. Raises SealBroken."""
    (
        id_,
        source,
        target,
        type_,
        confidence,
        is_inferred,
        state,
        created_us,
        created_offset,
        recorded_us,
        recorded_offset,
        retracted_us,
        retracted_offset,
        closed_us,
        closed_by,
        closed_recorded_us,
        closed_recorded_offset,
        rule,
        reasoner,
        version,
        sealed,
    ) = row
    inside = opened(open_(EDGE_KIND, id_, sealed))
    get = inside.get
    return Edge(
        source=source,
        target=target,
        type=_EDGE_TYPE[type_],
        confidence=confidence,
        is_inferred=bool(is_inferred),
        created_at=_instant_of(created_us, created_offset),
        recorded_at=_instant_of(recorded_us, recorded_offset),
        retracted_at=None if retracted_us is None else _instant_of(retracted_us, retracted_offset),
        state=_STATE[state],
        audience=tuple(get("audience", EVERYBODY)),
        rule=rule,
        reasoner=reasoner,
        version=version,
        valid_from=get("valid_from"),
        closure=None
        if closed_us is None
        else Closure(inside["valid_until"], closed_by, closed_us, _instant_of(closed_recorded_us, closed_recorded_offset)),
        proofs=proofs,
    )


def node_types(values: Iterable[str]) -> tuple[NodeType, ...]:
    """The column ``type`` of nodes."""
    return tuple([_NODE_TYPE[value] for value in values])


def edge_types(values: Iterable[str]) -> tuple[EdgeType, ...]:
    """The column ``type`` of edges."""
    return tuple([_EDGE_TYPE[value] for value in values])


# -- proofs --


def proof_rows(owner: str, proofs: Sequence[Proof]) -> list[Row]:
    """Rows in the order of ``PROOF_COLUMNS``."""
    return [
        (
            owner,
            place,
            proof.span.message,
            proof.span.start,
            proof.span.end,
            proof.at_us,
            proof.offset,
            proof.kind.value,
            int(proof.weighed),
            proof.reasoner,
            proof.version,
        )
        for place, proof in enumerate(proofs)
    ]


def proofs_by_owner(rows: Iterable[Row]) -> dict[str, tuple[Proof, ...]]:
    """Rows in the order of ``PROOF_COLUMNS``, sorted by (owner, place), as each owner's proofs."""
    found: dict[str, tuple[Proof, ...]] = {}
    last: str | None = None
    run: list[Proof] = []
    for owner, _place, message, start, end, at_us, offset, kind, weighed, reasoner, version in rows:
        if owner != last:
            if last is not None:
                found[last] = tuple(run)
            last, run = owner, []
        run.append(Proof(Span(message, start, end), at_us, offset, _PROOF_KIND[kind], bool(weighed), reasoner, version))
    if last is not None:
        found[last] = tuple(run)
    return found


# -- acts --


def act_row(act: Act, node: NodeId, seal: Seal) -> Row:
    """The act's row in the order of ``ACT_COLUMNS``, recorded on ``node``."""
    sealed = payload(detail=dict(act.detail) or None)
    return (act.id, node, act.kind.value, *_instant(act.at), *_instant(act.recorded_at), seal(ACT_KIND, act.id, sealed))


def act_from_row(row: Row, open_: Opener) -> Act:
    """The act of a row in the order of ``ACT_COLUMNS``. Raises SealBroken."""
    id_, node, kind, at_us, at_offset, recorded_us, recorded_offset, sealed = row
    return Act(
        id=id_,
        node=node,
        kind=_ACT_KIND[kind],
        at=_instant_of(at_us, at_offset),
        recorded_at=_instant_of(recorded_us, recorded_offset),
        detail=opened(open_(ACT_KIND, id_, sealed)).get("detail") or {},
    )


# -- outbox --

_CODE_LENGTH: Final = 200


def action_text(action: Action, user: UserId) -> str:
    """An action as JSON in clear. Reason codes and ids have no space and no letter outside ASCII: anything else may be words.

    Raises:
        IllegalValue: a code, id or name that could be something a person said, or a number that is none.
    """
    thinker = (code for code in (action.reasoner, action.version) if code)
    for code in (action.action, action.reason, *action.ids, *action.numbers, *action.before, *action.after, *thinker):
        if not (code.isascii() and code.isprintable() and " " not in code and len(code) <= _CODE_LENGTH):
            raise IllegalValue(
                f"an action for person {user} holds something that is no code and no id; the action log is kept in clear"
            )
    try:
        return _ENCODER.encode(action_fields(action))
    except ValueError:
        raise IllegalValue(f"an action for person {user} holds a number that is not finite") from None


def action_from_text(text: str) -> Action:
    """What ``action_text`` wrote."""
    return action_from_fields(json.loads(text))


def outbox_entries(rows: Iterable[Row]) -> tuple[OutboxEntry, ...]:
    """(number, write key, position, recorded in µs, its offset, action), in their order."""
    return tuple(
        [
            OutboxEntry(seq, key, position, from_us(recorded_us, offset), action_from_text(action))
            for seq, key, position, recorded_us, offset, action in rows
        ]
    )
