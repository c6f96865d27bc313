"""Everything that is kept of a person, gathered for one file that they can read and that another home can take in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory_lib.domain.canonical import graph_hash
from memory_lib.domain.ids import IdKey, UserId
from memory_lib.domain.message import Message, Role
from memory_lib.domain.shapes import message_shape
from memory_lib.ports.graph import WholeGraph
from memory_lib.ports.ledger import MessageLog, People
from memory_lib.ports.person_archive import ArchivedPerson, ReadablePerson
from memory_lib.ports.person_rows import PersonRows
from memory_lib.reasoning.prose.person_page import person_page
from memory_lib.reasoning.prose.reply_language import language_of

OPERATION = "export"
ID_KEY_CHECK = "export id key"

LEFT_OUT = frozenset({"leases", "placements"})
"""Tables that speak of this installation's own work and not of the person."""

_LANGUAGE_CHARACTERS = 20_000
"""Of the person's last words, enough to tell their language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """``counts``: ``messages``, ``nodes``, ``edges``, ``archive``: rows a table."""

    person: ArchivedPerson
    readable: ReadablePerson
    counts: Mapping[str, Mapping[str, int]]


def export_user(
    user: UserId,
    *,
    people: People,
    log: MessageLog,
    rows: PersonRows,
    whole: WholeGraph,
    memory: Mapping[str, Any],
    id_key: IdKey,
    now: datetime,
) -> Exported:
    """``whole``: the person's graph, taken from wherever it lives; ``memory``: the same as ``show`` gives it.

    Raises:
        UnknownUser: no such person.
        KeyMissing, SealBroken: what is kept does not open.
    """
    external = people.external(user)
    said = _said(user, log)
    dump = {table: kept for table, kept in rows.dump(user).items() if table not in LEFT_OUT}
    person = ArchivedPerson(
        user=user,
        external=external,
        id_key=id_key.hash(ID_KEY_CHECK),
        at=now,
        graph_hash=graph_hash(whole.nodes.values(), whole.edges.values()),
        whole=whole,
        rows=dump,
    )
    readable = ReadablePerson(
        messages=[message_shape(message, user=external) for message in said],
        memory=memory,
        page=person_page(
            memory,
            messages=len(said),
            first=said[0].time.isoformat() if said else None,
            last=said[-1].time.isoformat() if said else None,
            at=now.isoformat(),
            language=_language(said),
        ),
    )
    counts = {
        "readable": {"messages": len(said), "nodes": len(memory["nodes"]), "edges": len(memory["edges"])},
        "graph": {"nodes": len(whole.nodes), "edges": len(whole.edges), "acts": len(whole.acts), "vectors": len(whole.vectors)},
        "ledger": {table: len(kept) for table, kept in dump.items() if kept},
    }
    return Exported(person=person, readable=readable, counts=counts)


def _said(user: UserId, log: MessageLog) -> list[Message]:
    refs = log.refs(user)
    opened = log.messages(user, [ref.id for ref in refs])
    return [opened[ref.id] for ref in refs if ref.id in opened]


def _language(said: Sequence[Message]) -> Any:
    """Of the person's own last words; who never said anything is spoken to in the language of what they were told."""
    own = [message.text for message in said if message.role is Role.USER] or [message.text for message in said]
    words, size = [], 0
    for text in reversed(own):
        words.append(text)
        size += len(text)
        if size > _LANGUAGE_CHARACTERS:
            break
    return language_of("\n".join(words))
