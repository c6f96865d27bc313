"""The project's own format: one message a line (docs/import-formats.md)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from pydantic import PlainValidator, ValidationError

from memory_lib.adapters.importers.byte_source import ByteSource, Line
from memory_lib.adapters.importers.json_value import NotJson, decode
from memory_lib.adapters.importers.wire import ExactText, Name, OwnRecord, reason_of
from memory_lib.domain.bad_record import BadRecord
from memory_lib.domain.message import Role, SourceMessage
from memory_lib.domain.time import parse_instant
from memory_lib.errors import IllegalValue, InvalidInput

REQUIRED = frozenset({"conversation", "id", "role", "text", "time"})
"""Fields of every record; ``user`` may be left to the caller."""


def _role(value: object) -> Role:
    try:
        return Role(str(value))
    except ValueError:
        raise ValueError(f"must be one of {', '.join(Role)}") from None


def _instant(value: object) -> datetime:
    rule = "must be ISO 8601 with an offset, like 2026-05-01T09:00:00+03:00"
    if not isinstance(value, str):
        raise ValueError(rule)  # noqa: TRY004 (pydantic collects ValueError only)
    try:
        instant = parse_instant(value)
        instant.astimezone(UTC)  # year 1 east of Greenwich has no UTC, and stores keep UTC
    except (IllegalValue, OverflowError):
        raise ValueError(rule) from None
    return instant


def _zone(value: object) -> str | None:
    if value is None:
        return None
    try:
        return ZoneInfo(value).key if isinstance(value, str) and value else _no_zone()
    except (LookupError, ValueError, OSError):
        return _no_zone()


def _no_zone() -> str:
    raise ValueError("must be an IANA time zone, like Europe/Moscow")


class JsonlRecord(OwnRecord):
    """One line. All strings; the optional ones may be null or left out."""

    user: Name | None = None
    conversation: Name
    id: Name
    role: Annotated[Role, PlainValidator(_role)]
    text: ExactText
    time: Annotated[datetime, PlainValidator(_instant)]
    speaker: ExactText | None = None
    agent: ExactText | None = None
    channel: ExactText | None = None
    session: Name | None = None
    parent: Name | None = None
    zone: Annotated[str | None, PlainValidator(_zone)] = None
    caption: ExactText | None = None


def read_jsonl(source: ByteSource, *, user: str | None) -> Iterator[SourceMessage | BadRecord]:
    """Messages in file order. ``user`` is given to records that name none; records of other users stay theirs."""
    for line in source.lines():
        yield _message(line, user)


def _message(line: Line, user: str | None) -> SourceMessage | BadRecord:
    place = f"line {line.number}"
    if line.cut:
        return BadRecord(place, "is longer than one record may be; split the text", line.raw)
    try:
        record = JsonlRecord.model_validate(decode(line.raw, unique_keys=True))
    except NotJson as error:
        return BadRecord(place, error.reason, line.raw)
    except ValidationError as error:
        return BadRecord(place, reason_of(error, JsonlRecord), line.raw)
    owner = user if record.user is None else record.user
    if owner is None:
        return BadRecord(place, "field 'user' is missing; add it or import with --user", line.raw)
    return _source_message(record, owner)


def record_from(fields: Mapping[str, object], *, user: str) -> SourceMessage:
    """One message of ``user`` handed in from Python: the fields of a line, ``time`` also as an aware datetime.

    Raises:
        InvalidInput: a field is missing, unknown or has a wrong value, or ``user`` is named and is somebody else.
    """
    time = fields.get("time")
    given = {**fields, "time": time.isoformat()} if isinstance(time, datetime) else dict(fields)
    try:
        record = JsonlRecord.model_validate(given)
    except ValidationError as error:
        raise InvalidInput(f"a message cannot be taken in: {reason_of(error, JsonlRecord)}") from None
    if record.user not in {None, user}:
        raise InvalidInput("a message cannot be taken in: field 'user' names another person; add it under that person")
    return _source_message(record, user)


def _source_message(record: JsonlRecord, owner: str) -> SourceMessage:
    return SourceMessage(
        user=owner,
        conversation=record.conversation,
        id=record.id,
        role=record.role,
        text=record.text,
        time=record.time,
        speaker=record.speaker,
        agent=record.agent,
        channel=record.channel,
        session=record.session,
        parent=record.parent,
        zone=record.zone,
        caption=record.caption,
    )
