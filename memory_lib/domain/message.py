"""What was said: messages, their text versions, and the roles people play in them (CONTRACTS, People, ids, words)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory_lib.domain.ids import ConversationId, IdKey, MessageId, SessionId
from memory_lib.domain.time import offset_minutes, to_us
from memory_lib.errors import IllegalValue


class Role(StrEnum):
    """Who speaks. Only ``user`` is evidence about the person; an assistant's words never are."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Message:
    """One message of one person's history; the truth everything else is derived from. Text is stored as given, never cut.

    ``time`` is the event time with its offset; ``session`` is the given session name's id or None (then sessions are cut by
    silence); ``source_id`` and ``conversation_name`` are the words of the source, sealed at rest like the text.
    """

    id: MessageId
    conversation: ConversationId
    conversation_name: str
    source_id: str
    role: Role
    text: str
    time: datetime
    text_version: str
    speaker: str | None = None
    agent: str | None = None
    channel: str | None = None
    session: SessionId | None = None
    session_name: str | None = None
    parent: str | None = None
    zone: str | None = None
    caption: str | None = None

    def __post_init__(self) -> None:
        if self.time.tzinfo is None:
            raise IllegalValue(f"message {self.id} has a time without an offset; give ISO 8601 with an offset")

    @property
    def at_us(self) -> int:
        return to_us(self.time)

    @property
    def offset(self) -> int:
        return offset_minutes(self.time)

    @property
    def order(self) -> tuple[int, str]:
        """The total order of events: (event time, id)."""
        return (self.at_us, self.id)


@dataclass(frozen=True, slots=True)
class SourceMessage:
    """A message as an importer or a caller hands it in: the source's own names, no ids yet.

    ``user`` is the external name of the person the message belongs to.
    """

    user: str
    conversation: str
    id: str
    role: Role
    text: str
    time: datetime
    speaker: str | None = None
    agent: str | None = None
    channel: str | None = None
    session: str | None = None
    parent: str | None = None
    zone: str | None = None
    caption: str | None = None

    def identified(self, key: IdKey) -> Message:
        """The same message under this deployment's ids."""
        conversation = key.conversation(self.conversation)
        return Message(
            id=key.message(conversation, self.id),
            conversation=conversation,
            conversation_name=self.conversation,
            source_id=self.id,
            role=self.role,
            text=self.text,
            time=self.time,
            text_version=key.text_version(self.text),
            speaker=self.speaker,
            agent=self.agent,
            channel=self.channel,
            session=None if self.session is None else key.session(conversation, self.session),
            session_name=self.session,
            parent=self.parent,
            zone=self.zone,
            caption=self.caption,
        )


@dataclass(frozen=True, slots=True)
class MessageRef:
    """A message's place without its words: what a store gives without opening a seal."""

    id: MessageId
    conversation: ConversationId
    session: SessionId | None
    role: Role
    at_us: int
    offset: int
    text_version: str

    @property
    def order(self) -> tuple[int, str]:
        return (self.at_us, self.id)


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of formation: one message with up to four predecessors of its session, oldest first (CONTRACTS).

    ``id`` is the hash of these message ids and text versions: an edit or a late message makes new units.
    """

    id: str
    message: Message
    before: tuple[Message, ...]


def unit_id(key: IdKey, refs: Sequence[MessageRef]) -> str:
    """``refs``: predecessors oldest first, the unit's own message last."""
    return key.hash("unit", *(part for ref in refs for part in (ref.id, ref.text_version)))
