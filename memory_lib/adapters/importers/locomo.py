"""LoCoMo: a list of conversations of two people, each imported once for either person (CONTRACTS, Who is the user)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime

from pydantic import ValidationError

from memory_lib.adapters.importers.byte_source import ByteSource
from memory_lib.adapters.importers.json_pieces import TOP_LEVEL, BrokenText, Path, Piece, pieces
from memory_lib.adapters.importers.json_value import NotJson, decode, encode
from memory_lib.adapters.importers.limits import ImportLimits
from memory_lib.adapters.importers.report import ImportReport, Note, SkipReason
from memory_lib.adapters.importers.session_date import turn_step
from memory_lib.adapters.importers.wire import ExactText, ForeignRecord, Name, reason_of
from memory_lib.domain.bad_record import BadRecord
from memory_lib.domain.message import Role, SourceMessage

_SESSION = re.compile(r"session_(\d+)", re.ASCII)
_DATE = re.compile(
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2}) (?P<half>am|pm) on (?P<day>\d{1,2}) (?P<month>[a-z]+),? (?P<year>\d{4})", re.ASCII
)
_MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip


class _Turn(ForeignRecord):
    speaker: Name
    dia_id: Name
    text: ExactText
    blip_caption: ExactText | None = None


class _Speakers(ForeignRecord):
    speaker_a: Name
    speaker_b: Name


class _Sample(ForeignRecord):
    sample_id: Name
    conversation: dict[str, object]


def locomo_user(sample_id: str, speaker: str) -> str:
    """The external user name of one person of one conversation."""
    return f"{sample_id}:{speaker}"


def session_instant(text: str) -> datetime:
    """A session's date, like "1:56 pm on 8 May, 2023", read as UTC: the data names no zone.

    Raises:
        ValueError: written in another way.
    """
    found = _DATE.fullmatch(text.strip().lower())
    if found is None or found["month"] not in _MONTHS or not 1 <= int(found["hour"]) <= 12:
        raise ValueError
    hour = int(found["hour"]) % 12 + (12 if found["half"] == "pm" else 0)
    month = _MONTHS.index(found["month"]) + 1
    return datetime(int(found["year"]), month, int(found["day"]), hour, int(found["minute"]), tzinfo=UTC)


def read_locomo(
    source: ByteSource, *, user: str | None, first_person_only: bool, report: ImportReport, limits: ImportLimits
) -> Iterator[SourceMessage | BadRecord]:
    """All turns for ``speaker_a``, then all for ``speaker_b``, conversation by conversation.

    Own turns have role ``user``, the partner's ``other``; conversation = ``sample_id``, session = ``session_N``, source id =
    ``dia_id``, caption = ``blip_caption``. ``user`` ("<sample_id>:<speaker>") keeps that person's copy only,
    ``first_person_only`` each ``speaker_a``'s.
    """
    try:
        for piece in pieces(source, enters=_is_list, limits=limits):
            if not piece.closed:
                yield from _sample(piece, user, report, limits, first_person_only=first_person_only)
    except BrokenText as broken:
        report.note(Note.BROKEN_OFF)
        yield BadRecord(f"samples[{broken.path[0]}]" if broken.path else TOP_LEVEL, broken.reason, b"")


def _is_list(path: Path) -> bool:
    return not path


def _sample(
    piece: Piece, user: str | None, report: ImportReport, limits: ImportLimits, *, first_person_only: bool
) -> Iterator[SourceMessage | BadRecord]:
    place = f"samples[{piece.position}]"
    if piece.oversized:
        yield BadRecord(place, "is larger than one record may be", piece.raw)
        return
    try:
        sample = _Sample.model_validate(decode(piece.raw, lenient=True))
        speakers = _Speakers.model_validate(sample.conversation)
    except NotJson as error:
        yield BadRecord(place, error.reason, piece.raw)
        return
    except ValidationError as error:
        yield BadRecord(place, reason_of(error, _Sample), piece.raw)
        return
    people = (speakers.speaker_a, speakers.speaker_b)
    turns: list[tuple[_Turn, str, datetime]] = []
    for item in _turns(sample.conversation, place, people, limits):
        if isinstance(item, BadRecord):
            yield item
        else:
            turns.append(item)
    for person in people:
        owner = locomo_user(sample.sample_id, person)
        if (user is not None and owner != user) or (first_person_only and person != speakers.speaker_a):
            report.skip(SkipReason.OTHER_PERSON, len(turns))
            continue
        for turn, session, at in turns:
            yield SourceMessage(
                user=owner,
                conversation=sample.sample_id,
                id=turn.dia_id,
                role=Role.USER if turn.speaker == person else Role.OTHER,
                text=turn.text,
                time=at,
                speaker=turn.speaker,
                session=session,
                caption=turn.blip_caption,
            )


def _turns(
    conversation: dict[str, object], place: str, people: tuple[str, str], limits: ImportLimits
) -> Iterator[tuple[_Turn, str, datetime] | BadRecord]:
    sessions = sorted((int(found[1]), key) for key in conversation if (found := _SESSION.fullmatch(key)))
    starts: dict[str, datetime] = {}
    for _, name in sessions:
        try:
            starts[name] = session_instant(str(conversation.get(f"{name}_date_time")))
        except ValueError:
            reason = f"field '{name}_date_time' must be a date like 1:56 pm on 8 May, 2023"
            yield BadRecord(f"{place}.{name}", reason, encode(conversation[name]))
    for _, name in sessions:
        listed = conversation[name]
        if name not in starts:
            continue
        if not isinstance(listed, list):
            yield BadRecord(f"{place}.{name}", "must be a JSON array of turns", encode(listed))
            continue
        start = starts[name]
        step = turn_step(start, turns=len(listed), starts=starts.values(), seconds=limits.turn_seconds)
        for index, value in enumerate(listed):
            try:
                turn = _Turn.model_validate(value)
            except ValidationError as error:
                yield BadRecord(f"{place}.{name}[{index}]", reason_of(error, _Turn), encode(value))
                continue
            if turn.speaker in people:
                yield turn, name, start + index * step
            else:
                reason = "field 'speaker' must be the conversation's speaker_a or speaker_b"
                yield BadRecord(f"{place}.{name}[{index}]", reason, encode(value))
