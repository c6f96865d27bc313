"""LongMemEval: chats of one invented person with an assistant, in two published shapes, pooled over one file or a folder."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Literal

from pydantic import ValidationError

from memory_lib.adapters.importers.byte_source import ByteSource
from memory_lib.adapters.importers.json_pieces import TOP_LEVEL, BrokenText, Path, pieces
from memory_lib.adapters.importers.json_value import NotJson, decode, encode
from memory_lib.adapters.importers.limits import ImportLimits
from memory_lib.adapters.importers.report import ImportReport, Note, SkipReason
from memory_lib.adapters.importers.wire import ExactText, ForeignRecord, Name, reason_of
from memory_lib.domain.bad_record import BadRecord
from memory_lib.domain.message import Role, SourceMessage

LONGMEMEVAL_USER = "longmemeval"
LONGMEMEVAL_CONVERSATION = "longmemeval"
"""One conversation for the whole pool, so that a turn has one id whatever files it is found in."""


class _Turn(ForeignRecord):
    role: Literal["user", "assistant"]
    content: ExactText


class _EvidenceSession(ForeignRecord):
    date: ExactText
    turns: list[object]


class _Evidence(ForeignRecord):
    question_id: Name
    evidence_sessions: list[object]


class _Haystack(ForeignRecord):
    question_id: Name
    haystack_dates: list[ExactText]
    haystack_session_ids: list[Name]
    haystack_sessions: list[list[object]]


def longmemeval_turn_id(role: str, content: str) -> str:
    """The source id of a turn: 32 hex digits of BLAKE2b over its role and exact content.

    An evaluation maps a question to its evidence with it: for each turn of ``evidence_sessions`` (or each gold turn of the
    haystack) ``longmemeval_turn_id(turn["role"], turn["content"])`` is the ``source_id`` of the message in the store, whichever
    file it came from, since equal turns are one message of conversation ``LONGMEMEVAL_CONVERSATION``.
    """
    return hashlib.blake2b(f"{role}\0{content}".encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


def session_instant(text: str) -> datetime:
    """A session's date, like "2023/05/20 (Sat) 02:21", read as UTC; the name of the weekday is not used.

    Raises:
        ValueError: written in another way.
    """
    day, _, clock = text.strip().split(" ")
    return datetime.strptime(f"{day} {clock}", "%Y/%m/%d %H:%M").replace(tzinfo=UTC)


def read_longmemeval(
    source: ByteSource,
    *,
    by_line: bool,
    user: str | None,
    seen: set[str],
    prefix: str,
    report: ImportReport,
    limits: ImportLimits,
) -> Iterator[SourceMessage | BadRecord]:
    """The turns of one file that the pool does not hold yet (``seen``: their ids; added to). ``prefix`` opens each place.

    ``by_line``: one record a line; otherwise a JSON array of records. Evidence sessions, whose neighbours are unknown, are a
    session of their own each ("<question_id>#<n>"); a haystack session keeps its id.
    """
    records = _lines(source, prefix) if by_line else _array(source, prefix, report, limits)
    for place, value, raw in records:
        if isinstance(value, str):
            yield BadRecord(place, value, raw)
            continue
        for item in _turns(place, value, raw, limits):
            if isinstance(item, BadRecord):
                yield item
                continue
            turn, session, at = item
            turn_id = longmemeval_turn_id(turn.role, turn.content)
            if turn_id in seen:
                report.skip(SkipReason.DUPLICATE_TURN)
                continue
            seen.add(turn_id)
            yield SourceMessage(
                user=user or LONGMEMEVAL_USER,
                conversation=LONGMEMEVAL_CONVERSATION,
                id=turn_id,
                role=Role(turn.role),
                text=turn.content,
                time=at,
                session=session,
            )


_Record = tuple[str, dict[str, object] | str, bytes]
"""Place, the record or why it is none, its bytes."""


def _lines(source: ByteSource, prefix: str) -> Iterator[_Record]:
    for line in source.lines():
        yield f"{prefix}line {line.number}", _object(line.raw, oversized=line.cut), line.raw


def _array(source: ByteSource, prefix: str, report: ImportReport, limits: ImportLimits) -> Iterator[_Record]:
    try:
        for piece in pieces(source, enters=_is_list, limits=limits):
            if not piece.closed:
                yield f"{prefix}records[{piece.position}]", _object(piece.raw, oversized=piece.oversized), piece.raw
    except BrokenText as broken:
        report.note(Note.BROKEN_OFF)
        yield prefix + (f"records[{broken.path[0]}]" if broken.path else TOP_LEVEL), broken.reason, b""


def _is_list(path: Path) -> bool:
    return not path


def _object(raw: bytes, *, oversized: bool) -> dict[str, object] | str:
    if oversized:
        return "is larger than one record may be"
    try:
        value = decode(raw, lenient=True)
    except NotJson as error:
        return error.reason
    return value if isinstance(value, dict) else "must be a JSON object"


def _turns(
    place: str, record: dict[str, object], raw: bytes, limits: ImportLimits
) -> Iterator[tuple[_Turn, str, datetime] | BadRecord]:
    model: type[_Haystack | _Evidence] = _Haystack if "haystack_sessions" in record else _Evidence
    try:
        found = model.model_validate(record)
    except ValidationError as error:
        yield BadRecord(place, reason_of(error, model), raw)
        return
    if isinstance(found, _Haystack):
        lengths = {len(found.haystack_sessions), len(found.haystack_dates), len(found.haystack_session_ids)}
        if len(lengths) != 1:
            reason = "fields 'haystack_sessions', 'haystack_dates' and 'haystack_session_ids' must be equally long"
            yield BadRecord(place, reason, raw)
            return
        listed = zip(found.haystack_session_ids, found.haystack_dates, found.haystack_sessions, strict=True)
        for index, (name, date, turns) in enumerate(listed):
            yield from _session(f"{place}.haystack_sessions[{index}]", name, date, turns, limits)
        return
    for index, value in enumerate(found.evidence_sessions):
        inner = f"{place}.evidence_sessions[{index}]"
        try:
            session = _EvidenceSession.model_validate(value)
        except ValidationError as error:
            yield BadRecord(inner, reason_of(error, _EvidenceSession), encode(value))
            continue
        yield from _session(inner, f"{found.question_id}#{index + 1}", session.date, session.turns, limits)


def _session(
    place: str, name: str, date: str, turns: list[object], limits: ImportLimits
) -> Iterator[tuple[_Turn, str, datetime] | BadRecord]:
    try:
        start = session_instant(date)
    except ValueError:
        yield BadRecord(place, "its date must be written like 2023/05/20 (Sat) 02:21", encode(turns))
        return
    for index, value in enumerate(turns):
        try:
            turn = _Turn.model_validate(value)
        except ValidationError as error:
            yield BadRecord(f"{place}[{index}]", reason_of(error, _Turn), encode(value))
            continue
        yield turn, name, start + timedelta(seconds=index * limits.turn_seconds)
