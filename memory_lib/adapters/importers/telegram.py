"""A Telegram Desktop export (``result.json``): one chat, or an account with ``chats.list`` and ``left_chats.list``.

Read twice: first to learn who speaks in which chat (the export does not say who the user is, or says it late), then to hand
the messages on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from pydantic import Field, ValidationError

from memory_lib.adapters.importers.byte_source import ByteSource
from memory_lib.adapters.importers.json_pieces import TOP_LEVEL, BrokenText, Path, Piece, pieces
from memory_lib.adapters.importers.json_value import NotJson, decode
from memory_lib.adapters.importers.limits import ImportLimits
from memory_lib.adapters.importers.report import ImportReport, Note, SkipReason
from memory_lib.adapters.importers.wire import ExactText, ForeignRecord, reason_of
from memory_lib.domain.bad_record import BadRecord
from memory_lib.domain.message import Role, SourceMessage
from memory_lib.domain.time import from_us, to_us
from memory_lib.errors import AmbiguousOwner, UnreadableFile

TELEGRAM_USER = "me"

_LISTS = frozenset({"chats", "left_chats"})
_TWO_SIDED = frozenset({"personal_chat", "bot_chat"})
_PEERS = {"personal_chat": "user", "bot_chat": "user", "saved_messages": "user", "private_group": "chat"}
"""Kinds of peer as Telegram numbers them; everything else (supergroups, channels) is a ``channel``."""
_OFFSETS = range(-12 * 60, 14 * 60 + 1, 15)
"""Offsets from UTC that exist, in minutes."""
_LISTED_AUTHORS = 8


class _Message(ForeignRecord):
    id: int
    date: ExactText | None = None
    date_unixtime: int | None = None
    name: ExactText | None = Field(default=None, alias="from")
    from_id: object = None
    text: object = None
    text_entities: object = None
    reply_to_message_id: int | None = None
    reply_to_peer_id: object = None
    forwarded_from: ExactText | None = None
    forwarded_from_id: object = None


@dataclass(slots=True)
class _Chat:
    """What the first reading learns of one chat."""

    id: int | None = None
    type: str = ""
    name: str | None = None
    authors: Counter[str] = field(default_factory=Counter)
    names: dict[str, set[str]] = field(default_factory=dict)
    topics: set[int] = field(default_factory=set)

    @property
    def conversation(self) -> str:
        """Stable across exports: the kind of peer and its number, never the title."""
        return f"telegram:{_PEERS.get(self.type, 'channel')}{self.id}"


@dataclass(slots=True)
class _Survey:
    """What the first reading learns of the export. ``account`` = the author id of the account it was made from."""

    chats: dict[Path, _Chat] = field(default_factory=dict)
    account: str | None = None


@dataclass(slots=True)
class _Clock:
    """Telegram counts seconds; messages of one second are kept in order by a microsecond each."""

    second: int | None = None
    position: int = 0

    def stamp(self, at_us: int) -> int:
        second = at_us // 1_000_000
        self.position = self.position + 1 if second == self.second else 0
        self.second = second
        return at_us + self.position


def read_telegram(
    source: ByteSource, *, user: str | None, me: str | None, report: ImportReport, limits: ImportLimits
) -> Iterator[SourceMessage | BadRecord]:
    """Messages with text, chat by chat: own ones as ``user``, a bot's in its own chat as ``assistant``, others as ``other``.

    Conversation = kind and id of the chat, source id = the message's number, parent = the one it replies to.

    Raises:
        AmbiguousOwner: neither ``me`` (an author's id or exact name) nor the export says who the user is.
        UnreadableFile: an export of one chat without the chat's id.
    """
    survey = _survey(source, limits)
    owner = _owner(survey, me)
    own_names = {name for chat in survey.chats.values() for name in chat.names.get(owner or "", ())}
    if () in survey.chats and survey.chats[()].id is None:
        raise UnreadableFile("the chat in this file has no field 'id' to match a later export by; export it again")
    source.rewind()
    clocks: dict[Path, _Clock] = {}
    nameless: set[Path] = set()
    prefix: Path = ()
    try:
        for piece in pieces(source, enters=_is_structure, limits=limits):
            if len(piece.path) < 2 or piece.path[-2] != "messages" or piece.closed:
                continue
            prefix = piece.path[:-2]
            chat = survey.chats.get(prefix, _Chat())
            if chat.id is None:
                if prefix not in nameless:
                    nameless.add(prefix)
                    yield BadRecord(_place(prefix), "the chat's field 'id' is missing or no whole number", b"")
                continue
            yield from _message(piece, chat, owner, own_names, user, clocks.setdefault(prefix, _Clock()), report)
    except BrokenText as broken:
        report.note(Note.BROKEN_OFF)
        yield BadRecord(_place(broken.path) or TOP_LEVEL, broken.reason, b"")


def _is_structure(path: Path) -> bool:
    if not path or path == ("messages",):
        return True
    if path[0] not in _LISTS:
        return False
    return len(path) == 1 or (path[1] == "list" and (len(path) <= 3 or path[3:] == ("messages",)))


def _place(path: Path) -> str:
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif part in _LISTS or part in {"list", "messages"}:
            text += f".{part}" if text else part
    return text


def _survey(source: ByteSource, limits: ImportLimits) -> _Survey:
    survey = _Survey()
    try:
        for piece in pieces(source, enters=_is_structure, limits=limits):
            if not piece.path or piece.closed or piece.oversized:
                continue
            if piece.path == ("personal_information",):
                survey.account = _account(piece)
            elif len(piece.path) >= 2 and piece.path[-2] == "messages":
                _note_author(survey.chats.setdefault(piece.path[:-2], _Chat()), piece)
            elif len(piece.path) in {1, 4} and piece.path[-1] in {"id", "type", "name"}:
                _note_header(survey.chats.setdefault(piece.path[:-1], _Chat()), piece)
    except BrokenText:
        pass  # the second reading comes to the same place and reports it
    if any(prefix for prefix in survey.chats):
        survey.chats.pop((), None)
    return survey


def _value(piece: Piece) -> object:
    try:
        return decode(piece.raw, lenient=True)
    except NotJson:
        return None


def _account(piece: Piece) -> str | None:
    value = _value(piece)
    return _author_id(value.get("user_id")) if isinstance(value, dict) else None


def _note_header(chat: _Chat, piece: Piece) -> None:
    value = _value(piece)
    if piece.path[-1] == "id":
        chat.id = value if isinstance(value, int) and not isinstance(value, bool) else None
    elif isinstance(value, str):
        if piece.path[-1] == "type":
            chat.type = value
        else:
            chat.name = value


def _note_author(chat: _Chat, piece: Piece) -> None:
    value = _value(piece)
    if not isinstance(value, dict):
        return
    if value.get("type") != "message":
        if value.get("action") == "topic_created" and isinstance(value.get("id"), int):
            chat.topics.add(value["id"])
        return
    author = _author_id(value.get("from_id"))
    if author is None:
        return
    chat.authors[author] += 1
    if isinstance(value.get("from"), str):
        chat.names.setdefault(author, set()).add(value["from"])


def _author_id(value: object) -> str | None:
    """Ids like "user123"; old exports write the bare number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"user{value}"
    return value if isinstance(value, str) and value else None


def _owner(survey: _Survey, me: str | None) -> str | None:
    """The author id of the user; None where the user wrote nothing in the one chat there is."""
    authors: Counter[str] = Counter()
    for chat in survey.chats.values():
        authors.update(chat.authors)
    if me is not None:
        ids = {author for author in authors if author in {me, f"user{me}"}}
        if survey.account in {me, f"user{me}"}:
            return survey.account
        ids = ids or {author for chat in survey.chats.values() for author, names in chat.names.items() if me in names}
        if len(ids) == 1:
            return ids.pop()
        problem = "several authors of this export have that name" if ids else "no author of this export is the --me given"
        raise AmbiguousOwner(f"{problem}; {_remedy(authors, only=ids)}")
    if survey.account is not None:
        return survey.account
    deduced = {person for chat in survey.chats.values() if (person := _by_partner(chat)) is not None}
    if len(deduced) == 1:
        return deduced.pop()
    if not deduced and survey.chats and all(_partner(chat) is not None for chat in survey.chats.values()):
        return None
    if not authors:
        return None
    raise AmbiguousOwner(f"the export does not say which of its authors is you; {_remedy(authors, only=set())}")


def _remedy(authors: Counter[str], *, only: set[str]) -> str:
    listed = [(author, count) for author, count in authors.most_common() if not only or author in only]
    shown = ", ".join(f"{author} ({count} messages)" for author, count in listed[:_LISTED_AUTHORS])
    more = f" and {len(listed) - _LISTED_AUTHORS} more" if len(listed) > _LISTED_AUTHORS else ""
    return f"pass --me with your name as it stands in the export or with your id, one of: {shown}{more}"


def _partner(chat: _Chat) -> str | None:
    """In a chat of two the export's own name and id are the partner's."""
    if chat.type not in _TWO_SIDED:
        return None
    if f"user{chat.id}" in chat.authors:
        return f"user{chat.id}"
    named = {author for author, names in chat.names.items() if chat.name is not None and chat.name in names}
    return named.pop() if len(named) == 1 else None


def _by_partner(chat: _Chat) -> str | None:
    if chat.type == "saved_messages":
        return next(iter(chat.authors)) if len(chat.authors) == 1 else None
    partner = _partner(chat)
    others = set(chat.authors) - {partner}
    if chat.type in _TWO_SIDED and len(others) == 1 and (partner is not None or chat.id is not None):
        return others.pop()
    return None


def _message(
    piece: Piece, chat: _Chat, owner: str | None, own_names: set[str], user: str | None, clock: _Clock, report: ImportReport
) -> Iterator[SourceMessage | BadRecord]:
    try:
        message = _read(piece, report)
        if message is None:
            return
        text = _text(message.text if message.text is not None else message.text_entities)
        at = _instant(message, report)
    except _Faulty as fault:
        yield BadRecord(_place(piece.path), fault.reason, piece.raw)
        return
    stamped = from_us(clock.stamp(to_us(at)), offset=_minutes(at))
    if not text.strip():
        report.skip(SkipReason.NO_TEXT)
        return
    role, speaker = _voice(message, owner, chat)
    forwarded = "forwarded_from" in message.model_fields_set or message.forwarded_from_id is not None
    if forwarded and not _own_words(message, owner, own_names):
        report.note(Note.FORWARDED)
        role, speaker = Role.OTHER, message.forwarded_from
    yield SourceMessage(
        user=user or TELEGRAM_USER,
        conversation=chat.conversation,
        id=str(message.id),
        role=role,
        text=text,
        time=stamped,
        speaker=speaker,
        parent=_parent(message, chat),
    )


class _Faulty(Exception):
    def __init__(self, reason: str) -> None:
        self.reason = reason
        super().__init__(reason)


def _read(piece: Piece, report: ImportReport) -> _Message | None:
    """One message; None for a service line."""
    if piece.oversized:
        raise _Faulty("is larger than one record may be")
    try:
        value = decode(piece.raw, lenient=True)
        if isinstance(value, dict) and value.get("type") != "message":
            report.skip(SkipReason.SERVICE_LINE)
            return None
        return _Message.model_validate(value)
    except NotJson as error:
        raise _Faulty(error.reason) from None
    except ValidationError as error:
        raise _Faulty(reason_of(error, _Message)) from None


def _voice(message: _Message, owner: str | None, chat: _Chat) -> tuple[Role, str | None]:
    if owner is not None and _author_id(message.from_id) == owner:
        return Role.USER, message.name
    return (Role.ASSISTANT if chat.type == "bot_chat" else Role.OTHER), message.name


def _own_words(message: _Message, owner: str | None, own_names: set[str]) -> bool:
    """Forwarded from the user's own earlier message."""
    origin = _author_id(message.forwarded_from_id)
    return (origin == owner and owner is not None) if origin is not None else message.forwarded_from in own_names


def _parent(message: _Message, chat: _Chat) -> str | None:
    """The message replied to; replies into another chat and the opening line of a forum topic are none of this conversation."""
    replied = message.reply_to_message_id
    return None if replied is None or message.reply_to_peer_id is not None or replied in chat.topics else str(replied)


def _text(value: object) -> str:
    if value is None:
        return ""
    parts = [
        part.get("text", "") if isinstance(part, dict) else part for part in (value if isinstance(value, list) else [value])
    ]
    texts = [part for part in parts if isinstance(part, str)]
    if len(texts) != len(parts):
        raise _Faulty("field 'text' must be a string or an array of strings and entities")
    return "".join(texts)


def _instant(message: _Message, report: ImportReport) -> datetime:
    """``date`` is the exporting computer's clock, ``date_unixtime`` the instant: their difference is the offset."""
    local: datetime | None = None
    try:
        local = None if message.date is None else datetime.fromisoformat(message.date)
        _ = local if local is None or local.tzinfo is None else local.astimezone(UTC)
        moment = None if message.date_unixtime is None else datetime.fromtimestamp(message.date_unixtime, UTC)
    except (ValueError, OverflowError, OSError):
        raise _Faulty("field 'date' must be a time like 2026-05-01T09:00:00, 'date_unixtime' its Unix seconds") from None
    if local is not None and local.tzinfo is not None:
        return local
    if moment is not None and local is not None:
        minutes = (local.replace(tzinfo=UTC) - moment) / timedelta(minutes=1)
        if minutes in _OFFSETS:
            return from_us(to_us(moment), int(minutes))
    known = moment or local
    if known is None:
        raise _Faulty("field 'date' is missing")
    report.note(Note.OFFSET_UNKNOWN)
    return known.replace(tzinfo=UTC)


def _minutes(at: datetime) -> int:
    offset = at.utcoffset()
    return 0 if offset is None else round(offset / timedelta(minutes=1))
