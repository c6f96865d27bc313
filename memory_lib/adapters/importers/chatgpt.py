"""A ChatGPT data export (``conversations.json``): a list of conversations, each a tree of messages with one current thread.

The tree is kept as an index (parent, time, place in the file) and the thread's messages are read again from their places, so
that one conversation of any length needs little memory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pydantic import ValidationError

from memory_lib.adapters.importers.byte_source import ByteSource
from memory_lib.adapters.importers.json_pieces import TOP_LEVEL, BrokenText, Path, Piece, pieces
from memory_lib.adapters.importers.json_value import NotJson, decode
from memory_lib.adapters.importers.limits import ImportLimits
from memory_lib.adapters.importers.report import ImportReport, Note, SkipReason
from memory_lib.adapters.importers.wire import ExactText, ForeignRecord, reason_of
from memory_lib.domain.bad_record import BadRecord
from memory_lib.domain.message import Role, SourceMessage
from memory_lib.domain.time import from_us, parse_instant, to_us
from memory_lib.errors import IllegalValue

CHATGPT_USER = "me"
CHATGPT_AGENT = "chatgpt"

_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}
_TEXT_TYPES = frozenset({"text", "multimodal_text"})
_STEP_US = 1_000
"""Messages of a thread stand at least this far apart, so that their order is the thread's."""
_LAST_SECOND = 253_402_300_799
"""9999-12-31T23:59:59 in Unix seconds, the last a datetime holds."""
_MARKER = re.compile("\ue200([^\ue200\ue201]*)\ue201")
_STRAY_MARKER = re.compile("[\ue200-\ue202]")


class _Author(ForeignRecord):
    role: ExactText


class _Content(ForeignRecord):
    content_type: ExactText
    parts: list[object] | None = None


class _Message(ForeignRecord):
    id: ExactText | None = None
    author: _Author
    content: _Content
    create_time: object = None
    weight: object = None
    recipient: ExactText | None = None
    metadata: dict[str, object] | None = None


class _Node(ForeignRecord):
    parent: ExactText | None = None
    message: _Message | None = None


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a node stands in the tree and in the file. ``at`` = its own time in microseconds, if it has one."""

    parent: str | None
    start: int
    end: int
    at: int | None
    speaks: bool
    readable: bool


@dataclass(frozen=True, slots=True)
class _Fault:
    place: str
    reason: str
    start: int
    end: int


@dataclass(slots=True)
class _Conversation:
    """What is known of the conversation being read."""

    fields: dict[str, object] = field(default_factory=dict)
    nodes: dict[str, _Place] = field(default_factory=dict)
    faults: list[_Fault] = field(default_factory=list)


def read_chatgpt(
    source: ByteSource, *, user: str | None, report: ImportReport, limits: ImportLimits
) -> Iterator[SourceMessage | BadRecord]:
    """The current thread of each conversation, oldest message first; conversation = its id, source id = the message's.

    Only text of the person and the assistant comes in. A missing time is the message's before it or the conversation's.
    """
    conversation = _Conversation()
    index = 0
    try:
        for piece in pieces(source, enters=_is_structure, limits=limits):
            if not piece.path:
                continue
            index = int(piece.path[0])
            if len(piece.path) == 3:
                _take_node(conversation, piece, f"conversations[{index}].mapping[{piece.position}]")
            elif len(piece.path) == 2:
                _take_field(conversation, piece, f"conversations[{index}]", limits)
            elif piece.closed:
                yield from _thread(conversation, f"conversations[{index}]", source, user, report, limits)
                conversation = _Conversation()
                index += 1
            else:
                yield BadRecord(f"conversations[{index}]", "must be a JSON object", piece.raw)
    except BrokenText as broken:
        report.note(Note.BROKEN_OFF)
        yield BadRecord(f"conversations[{broken.path[0]}]" if broken.path else TOP_LEVEL, broken.reason, b"")


def _is_structure(path: Path) -> bool:
    return len(path) < 2 or (len(path) == 2 and path[1] == "mapping")


def _take_field(conversation: _Conversation, piece: Piece, place: str, limits: ImportLimits) -> None:
    name = str(piece.path[1])
    if name == "mapping":
        if not piece.closed:
            conversation.faults.append(_Fault(place, "field 'mapping' must be a JSON object", piece.start, _end(piece)))
        return
    if piece.end - piece.start > limits.kept_of_oversized or name not in _FIELDS:
        return
    try:
        conversation.fields[name] = decode(piece.raw, lenient=True)
    except NotJson as error:
        conversation.faults.append(_Fault(place, f"field '{name}' is {error.reason}", piece.start, piece.end))


_FIELDS = frozenset({"id", "conversation_id", "create_time", "update_time", "current_node", "is_do_not_remember"})


def _end(piece: Piece) -> int:
    return piece.start + len(piece.raw)


def _take_node(conversation: _Conversation, piece: Piece, place: str) -> None:
    key = str(piece.path[2])
    reason = ""
    node: _Node | None = None
    if piece.oversized:
        reason = "is larger than one record may be"
    else:
        try:
            node = _Node.model_validate(decode(piece.raw, lenient=True))
        except NotJson as error:
            reason = error.reason
        except ValidationError as error:
            reason = reason_of(error, _Node)
    if node is None:
        conversation.faults.append(_Fault(place, reason, piece.start, _end(piece)))
        parent = None if piece.oversized else _parent_anyway(piece.raw)
        conversation.nodes[key] = _Place(parent, piece.start, piece.end, None, speaks=False, readable=False)
        return
    message = node.message
    at = None if message is None else _microseconds(message.create_time)
    conversation.nodes[key] = _Place(node.parent, piece.start, piece.end, at, speaks=message is not None, readable=True)


def _parent_anyway(raw: bytes) -> str | None:
    """The parent of a node that is otherwise unreadable, so that the thread above it is not lost with it."""
    try:
        value = decode(raw.decode("utf-8", "replace").encode(), lenient=True)
    except NotJson:
        return None
    parent = value.get("parent") if isinstance(value, dict) else None
    return parent if isinstance(parent, str) else None


def _microseconds(value: object) -> int | None:
    """Unix seconds (or an ISO 8601 instant) as microseconds; None for anything else."""
    if isinstance(value, str):
        try:
            return to_us(parse_instant(value))
        except IllegalValue:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _LAST_SECOND:
        return None
    return round(value * 1_000_000)


def _thread(
    conversation: _Conversation, place: str, source: ByteSource, user: str | None, report: ImportReport, limits: ImportLimits
) -> Iterator[SourceMessage | BadRecord]:
    fields = conversation.fields
    if fields.get("is_do_not_remember") is True:
        report.skip(SkipReason.DO_NOT_REMEMBER)
        return
    for fault in conversation.faults:
        end = min(fault.end, fault.start + limits.record_bytes)
        yield BadRecord(fault.place, fault.reason, source.at(fault.start, end))
    name = fields.get("conversation_id") or fields.get("id")
    if not isinstance(name, str):
        yield BadRecord(place, "field 'id' is missing or not a string", b"")
        return
    path = _path_to_current(conversation)
    spoken = sum(1 for node in conversation.nodes.values() if node.speaks)
    report.skip(SkipReason.ABANDONED_BRANCH, spoken - sum(1 for key in path if conversation.nodes[key].speaks))
    before = _microseconds(fields.get("create_time"))
    if before is None:
        before = _microseconds(fields.get("update_time"))
    last: int | None = None
    parent: str | None = None
    for key in path:
        node = conversation.nodes[key]
        if not node.readable or not node.speaks:
            continue
        raw = source.at(node.start, node.end)
        message = _Node.model_validate(decode(raw, lenient=True)).message
        text = None if message is None else _text(message, report)
        at = node.at if node.at is not None else before
        if at is None and text is not None:
            yield BadRecord(place, "field 'create_time' is missing here, in the messages before and in the conversation", raw)
            continue
        before = at
        if message is None or text is None or at is None:
            continue
        report.note(Note.TIME_FILLED, int(node.at is None))
        if last is not None and at < last + _STEP_US:
            report.note(Note.TIME_MOVED)
            at = last + _STEP_US
        last = at
        message_id = message.id or key
        yield SourceMessage(
            user=user or CHATGPT_USER,
            conversation=name,
            id=message_id,
            role=_ROLES[message.author.role],
            text=text,
            time=from_us(at),
            agent=CHATGPT_AGENT,
            parent=parent,
        )
        parent = message_id


def _path_to_current(conversation: _Conversation) -> list[str]:
    """Keys from the root to ``current_node``, or to the newest leaf where an old export names none."""
    nodes = conversation.nodes
    current = conversation.fields.get("current_node")
    if not isinstance(current, str) or current not in nodes:
        parents = {node.parent for node in nodes.values()}
        leaves = [(nodes[key].at or 0, position, key) for position, key in enumerate(nodes) if key not in parents]
        current = max(leaves)[2] if leaves else None
    path: dict[str, None] = {}
    while current is not None and current in nodes and current not in path:
        path[current] = None
        current = nodes[current].parent
    return list(reversed(path))


def _text(message: _Message, report: ImportReport) -> str | None:
    """What was said, or None where it is no evidence (the reason is counted)."""
    metadata = message.metadata or {}
    skip: SkipReason | None = None
    if message.author.role not in _ROLES:
        skip = SkipReason.SYSTEM_OR_TOOL
    elif _is_zero(message.weight) or metadata.get("is_visually_hidden_from_conversation") is True:
        skip = SkipReason.HIDDEN
    elif message.content.content_type not in _TEXT_TYPES:
        skip = SkipReason.NOT_TEXT
    elif message.author.role == "assistant" and message.recipient not in {None, "all"}:
        skip = SkipReason.FOR_A_TOOL
    if skip is not None:
        report.skip(skip)
        return None
    parts = message.content.parts or []
    texts = [text for part in parts if (text := _part_text(part)) is not None]
    report.note(Note.PART_DROPPED, len(parts) - len(texts))
    text = "\n".join(part for part in texts if part)
    plain = _without_markers(text)
    report.note(Note.MARKERS_REMOVED, int(plain != text))
    if not plain.strip():
        report.skip(SkipReason.NO_TEXT)
        return None
    return plain


def _is_zero(weight: object) -> bool:
    return isinstance(weight, int | float) and not isinstance(weight, bool) and weight == 0


def _part_text(part: object) -> str | None:
    """A string part, or the words of a spoken one."""
    if isinstance(part, str):
        return part
    if isinstance(part, dict) and part.get("content_type") == "audio_transcription" and isinstance(part.get("text"), str):
        return str(part["text"])
    return None


def _without_markers(text: str) -> str:
    """Citation markers (U+E200 … U+E201, fields parted by U+E202) go; an ``entity`` marker leaves the name it wraps."""
    return _STRAY_MARKER.sub("", _MARKER.sub(_shown, text)) if "\ue200" in text or _STRAY_MARKER.search(text) else text


def _shown(marker: re.Match[str]) -> str:
    kind, _, rest = marker[1].partition("\ue202")
    if kind != "entity":
        return ""
    try:
        entity = json.loads(rest)
    except ValueError:
        return ""
    return entity[1] if isinstance(entity, list) and len(entity) > 1 and isinstance(entity[1], str) else ""
