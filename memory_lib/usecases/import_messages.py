"""Take a stream of messages in: good ones to the ledger a batch at a time, bad ones to quarantine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from memory_lib.domain.bad_record import BadRecord
from memory_lib.domain.ids import IdKey, UserId
from memory_lib.domain.message import Message, SourceMessage
from memory_lib.ports.clock import Clock
from memory_lib.ports.ledger import MessageLog, People
from memory_lib.ports.quarantine import RecordQuarantine


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportParams:
    """A transaction has at most ``batch`` messages, and none more once they have ``characters``: what memory an import takes is
    this much, whatever the sizes of the file and of its messages.
    """

    batch: int
    characters: int


@dataclass(frozen=True, slots=True)
class Imported:
    """``people``: whom the messages belong to, in order of first appearance. ``bad``: (place, reason) of the first records that
    could not be used; ``bad_count`` counts them all.
    """

    new: int
    edited: int
    same: int
    people: tuple[UserId, ...]
    bad_count: int
    bad: tuple[tuple[str, str], ...]


_BAD_SHOWN = 20


def import_messages(
    records: Iterable[SourceMessage | BadRecord],
    *,
    source: str,
    people: People,
    log: MessageLog,
    quarantine: RecordQuarantine,
    id_key: IdKey,
    clock: Clock,
    params: ImportParams,
) -> Imported:
    """Everything good that was read is on disk when this returns; taken in again, it changes nothing.

    ``source`` names where the records come from (a file's name), for the quarantine. Whom a record that cannot be used speaks
    of nobody knows, so it counts as everybody's whom its source brings; that is noted before a message of theirs is on record.

    Raises:
        StoreBusy: the ledger stayed locked; batches before are kept, the same call may be repeated.
    """
    stream = iter(records)
    users: dict[str, UserId] = {}
    new = edited = same = bad_count = 0
    bad: list[tuple[str, str]] = []
    attributed: set[UserId] = set()
    any_bad = quarantine.holds(source)
    while batch := _next_batch(stream, params):
        now = clock.now()
        by_person: dict[str, list[Message]] = {}
        for external in dict.fromkeys(record.user for record in batch if isinstance(record, SourceMessage)):
            if external not in users:
                users[external] = people.ensure(external, now=now)
        any_bad = any_bad or any(isinstance(record, BadRecord) for record in batch)
        if any_bad and (theirs_too := set(users.values()) - attributed):
            quarantine.attribute(source, sorted(theirs_too), now=now)
            attributed |= theirs_too
        for record in batch:
            if isinstance(record, BadRecord):
                quarantine.add(record.place, record.reason, record.raw, source=source, now=now)
                bad_count += 1
                if len(bad) < _BAD_SHOWN:
                    bad.append((record.place, record.reason))
            else:
                by_person.setdefault(record.user, []).append(record.identified(id_key))
        for external, theirs in by_person.items():
            done = log.append(users[external], theirs, now=now)
            new, edited, same = new + done.new, edited + done.edited, same + done.same
    return Imported(new, edited, same, tuple(users.values()), bad_count, tuple(bad))


def _next_batch(stream: Iterator[SourceMessage | BadRecord], params: ImportParams) -> list[SourceMessage | BadRecord]:
    batch: list[SourceMessage | BadRecord] = []
    size = 0
    while len(batch) < params.batch and size < params.characters:
        record = next(stream, None)
        if record is None:
            break
        batch.append(record)
        size += len(record.raw if isinstance(record, BadRecord) else record.text)
    return batch
