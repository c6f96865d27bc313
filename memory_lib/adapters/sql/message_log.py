"""What was said, append-only: places in clear, words sealed, every text version kept (CONTRACTS, Edits)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Select, and_, bindparam, func, select

from memory_lib.adapters.sql.engine import Database, chunks
from memory_lib.adapters.sql.payload import pack, unpack
from memory_lib.adapters.sql.people import lock_person
from memory_lib.adapters.sql.tables import message_versions, messages, people, placements
from memory_lib.domain.ids import ConversationId, MessageId, SessionId, UserId
from memory_lib.domain.message import Message, MessageRef, Role
from memory_lib.domain.time import from_us, to_us
from memory_lib.ports.keys import Sealer
from memory_lib.ports.ledger import Appended

KIND = "message"

WORDS = ("conversation_name", "source_id", "text", "speaker", "agent", "channel", "session_name", "parent", "zone", "caption")
"""The sealed fields of a message."""

ROLES = {role.value: role for role in Role}

SEEN = select(message_versions.c.message_id, message_versions.c.text_version).where(
    message_versions.c.user_id == bindparam("user"), message_versions.c.message_id.in_(bindparam("ids", expanding=True))
)
REFS = (
    select(
        messages.c.message_id,
        messages.c.conversation,
        messages.c.session,
        messages.c.role,
        messages.c.at_us,
        messages.c.at_offset,
        messages.c.text_version,
    )
    .where(messages.c.user_id == bindparam("user"))
    .order_by(messages.c.at_us, messages.c.message_id)
)
REFS_OF_CONVERSATION = REFS.where(messages.c.conversation == bindparam("conversation"))
CURRENT = (
    select(
        messages.c.message_id,
        messages.c.conversation,
        messages.c.session,
        messages.c.role,
        messages.c.at_us,
        messages.c.at_offset,
        messages.c.text_version,
        message_versions.c.sealed,
    )
    .join(
        message_versions,
        and_(
            message_versions.c.user_id == messages.c.user_id,
            message_versions.c.message_id == messages.c.message_id,
            message_versions.c.text_version == messages.c.text_version,
        ),
    )
    .where(messages.c.user_id == bindparam("user"), messages.c.message_id.in_(bindparam("ids", expanding=True)))
)
FORMER = (
    select(
        messages.c.message_id,
        messages.c.conversation,
        messages.c.session,
        messages.c.role,
        messages.c.at_us,
        messages.c.at_offset,
        message_versions.c.text_version,
    )
    .join(
        message_versions,
        and_(
            message_versions.c.user_id == messages.c.user_id,
            message_versions.c.message_id == messages.c.message_id,
            message_versions.c.text_version != messages.c.text_version,
        ),
    )
    .where(messages.c.user_id == bindparam("user"), message_versions.c.forgotten.is_(None))
    .order_by(messages.c.at_us, messages.c.message_id, message_versions.c.text_version)
)
FORMER_OF_CONVERSATION = FORMER.where(messages.c.conversation == bindparam("conversation"))
FORMER_TEXTS = FORMER.add_columns(message_versions.c.sealed).where(messages.c.message_id.in_(bindparam("ids", expanding=True)))
CONVERSATIONS = (
    select(messages.c.conversation).where(messages.c.user_id == bindparam("user")).distinct().order_by(messages.c.conversation)
)
USER_TIMES = (
    select(messages.c.at_us)
    .where(messages.c.user_id == bindparam("user"), messages.c.role == Role.USER.value)
    .order_by(messages.c.at_us)
)
NEWEST = (
    select(messages.c.at_us, messages.c.at_offset)
    .where(messages.c.user_id == bindparam("user"))
    .order_by(messages.c.at_us.desc(), messages.c.message_id.desc())
    .limit(1)
)
NEWEST_OWN = USER_TIMES.order_by(None).with_only_columns(func.max(messages.c.at_us))
COUNT = (
    people.update()
    .where(people.c.user_id == bindparam("user"))
    .values(
        log_version=people.c.log_version + 1,
        messages=people.c.messages + bindparam("new"),
        last_message_us=bindparam("last_us"),
        last_message_offset=bindparam("last_offset"),
        last_own_us=bindparam("own_us"),
    )
)
WROTE = placements.update().where(placements.c.user_id == bindparam("user")).values(last_us=bindparam("own_us"))


class SqlMessageLog:
    """Implements ``ports.ledger.MessageLog``."""

    def __init__(self, database: Database, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer
        upsert = database.insert(messages)
        columns = ("conversation", "session", "role", "at_us", "at_offset", "text_version")
        self._upsert = upsert.on_conflict_do_update(
            index_elements=[messages.c.user_id, messages.c.message_id],
            set_={name: upsert.excluded[name] for name in columns},
        )

    def append(self, user: UserId, batch: Sequence[Message], *, now: datetime) -> Appended:
        recorded_us = to_us(now)
        with self._database.write() as connection:
            lock_person(connection, user)
            seen: dict[str, set[str]] = {}
            for ids in chunks([message.id for message in batch], self._database.params.chunk):
                for message_id, version in connection.execute(SEEN, {"user": user, "ids": ids}):
                    seen.setdefault(message_id, set()).add(version)
            current: dict[str, dict[str, Any]] = {}
            versions: list[dict[str, Any]] = []
            new = 0
            seal = self._sealer.sealing(user)
            for message in batch:
                known = seen.get(message.id)
                if known is None:
                    new += 1
                    known = seen[message.id] = set()
                elif message.text_version in known:
                    continue
                known.add(message.text_version)
                current[message.id] = _place(user, message)
                versions.append(
                    {
                        "user_id": user,
                        "message_id": message.id,
                        "text_version": message.text_version,
                        "recorded_us": recorded_us,
                        "sealed": seal(KIND, f"{message.id}/{message.text_version}", pack(_words(message))),
                    }
                )
            if versions:
                connection.execute(self._upsert, list(current.values()))
                connection.execute(message_versions.insert(), versions)
                last_us, last_offset = connection.execute(NEWEST, {"user": user}).one()
                own_us = connection.execute(NEWEST_OWN, {"user": user}).scalar_one()
                last = {"last_us": last_us, "last_offset": last_offset, "own_us": own_us}
                connection.execute(COUNT, {"user": user, "new": new, **last})
                if own_us is not None:
                    connection.execute(WROTE, {"user": user, "own_us": own_us})
        return Appended(new=new, edited=len(versions) - new, same=len(batch) - len(versions))

    def refs(self, user: UserId, *, conversation: ConversationId | None = None) -> tuple[MessageRef, ...]:
        return self._places(REFS if conversation is None else REFS_OF_CONVERSATION, user, conversation)

    def former(self, user: UserId, *, conversation: ConversationId | None = None) -> tuple[MessageRef, ...]:
        return self._places(FORMER if conversation is None else FORMER_OF_CONVERSATION, user, conversation)

    def former_texts(self, user: UserId, refs: Sequence[MessageRef]) -> dict[tuple[MessageId, str], Message]:
        wanted = {(ref.id, ref.text_version) for ref in refs}
        rows: list[Any] = []
        with self._database.read() as connection:
            for part in chunks(sorted({ident for ident, _ in wanted}), self._database.params.chunk):
                rows.extend(connection.execute(FORMER_TEXTS, {"user": user, "ids": part}))
        asked = [row for row in rows if (row.message_id, row.text_version) in wanted]
        return {(message.id, message.text_version): message for message in self._opened(user, asked)}

    def _places(self, statement: Select[Any], user: UserId, conversation: ConversationId | None) -> tuple[MessageRef, ...]:
        values = {"user": user} if conversation is None else {"user": user, "conversation": conversation}
        with self._database.read() as connection:
            rows = connection.execute(statement, values).all()
        return tuple(
            MessageRef(message_id, name, session, ROLES[role], at_us, offset, version)
            for message_id, name, session, role, at_us, offset, version in rows
        )

    def messages(self, user: UserId, ids: Iterable[MessageId]) -> dict[MessageId, Message]:
        rows: list[Any] = []
        with self._database.read() as connection:
            for part in chunks(list(dict.fromkeys(ids)), self._database.params.chunk):
                rows.extend(connection.execute(CURRENT, {"user": user, "ids": part}))
        return {message.id: message for message in self._opened(user, rows)}

    def conversations(self, user: UserId) -> tuple[ConversationId, ...]:
        with self._database.read() as connection:
            return tuple(ConversationId(name) for name in connection.execute(CONVERSATIONS, {"user": user}).scalars())

    def user_times(self, user: UserId) -> NDArray[np.int64]:
        with self._database.read() as connection:
            times = connection.execute(USER_TIMES, {"user": user}).scalars().all()
        return np.array(times, dtype=np.int64)

    def _opened(self, user: UserId, rows: Sequence[Any]) -> Iterator[Message]:
        if not rows:
            return
        opened = self._sealer.opener(user)
        for message_id, conversation, session, role, at_us, offset, version, sealed in rows:
            yield Message(
                id=MessageId(message_id),
                conversation=ConversationId(conversation),
                session=None if session is None else SessionId(session),
                role=ROLES[role],
                time=from_us(at_us, offset),
                text_version=version,
                **unpack(opened(KIND, f"{message_id}/{version}", sealed)),
            )


def _place(user: UserId, message: Message) -> dict[str, Any]:
    return {
        "user_id": user,
        "message_id": message.id,
        "conversation": message.conversation,
        "session": message.session,
        "role": message.role.value,
        "at_us": message.at_us,
        "at_offset": message.offset,
        "text_version": message.text_version,
    }


def _words(message: Message) -> dict[str, str]:
    words = ((name, getattr(message, name)) for name in WORDS)
    return {name: value for name, value in words if value is not None}
