"""Records that an import could not use, kept sealed for a while so that somebody can look (CONTRACTS, Sealing and keys).

One append-only file a UTC day under ``root/quarantine``; one frame a record, written by one append and synced::

    0   4  magic "SIQ1" (the version is its last character)
    4   4  length of what follows, big-endian
    8   16 record id
    24  8  time, microseconds since 1970
    32  4  length of the description
    36  …  description (place, reason, source) and then the raw record, each nonce + AES-256-GCM under the quarantine key;
           AAD = magic, id, time, which of the two

Between them stand frames that say whom a source (a file's name) has brought something of::

    0   4  magic "SIQP"
    4   4  length of what follows, big-endian
    8   16 keyed hash of the source
    24  8  time, microseconds since 1970
    32  …  a keyed hash of 16 bytes for each person

Whom a record speaks of nobody can tell, so with any of these people all records of the source go, and records of sources that
nobody is noted for (from before such frames) go with whoever is erased first.

A frame cut off by a crash is never written behind: the next record starts another file of that day.
"""

from __future__ import annotations

import fcntl
import hmac
import json
import os
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from memory_lib.adapters.durable_files import OWNER_FILE, TEMPORARY, make_folder, rewritten, sync
from memory_lib.domain.ids import UserId
from memory_lib.domain.time import from_us, to_us
from memory_lib.errors import InvalidInput, SealBroken
from memory_lib.ports.keys import Keyring

MAGIC = b"SIQ1"
PEOPLE_MAGIC = b"SIQP"
HEADER_BYTES = 36
PEOPLE_HEADER_BYTES = 32
TAG_BYTES = 16
NONCE_BYTES = 12
SUFFIX = ".sealed"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuarantineParams:
    """``keep_days``: a record is gone after that."""

    keep_days: float


@dataclass(frozen=True, slots=True)
class QuarantinedRecord:
    """A bad record without its bytes. ``source``: the name of the file it stood in, ``place``: where in it."""

    id: str
    time: datetime
    place: str
    reason: str
    source: str


@dataclass(frozen=True, slots=True)
class _Frame:
    id: str
    at_us: int
    start: int
    end: int
    described: int


@dataclass(frozen=True, slots=True)
class _PeopleFrame:
    source: bytes
    at_us: int
    start: int
    end: int
    tags: frozenset[bytes]


@dataclass(slots=True)
class _DayFile:
    """What is known of one file: valid while its inode and size are these."""

    inode: int
    size: int
    whole: bool
    frames: dict[str, _Frame] = field(default_factory=dict)
    people: list[_PeopleFrame] = field(default_factory=list)


class Quarantine:
    """Bad records under ``root/quarantine``. Safe between threads and processes; the folder is made with the first record."""

    def __init__(self, root: Path, keyring: Keyring, *, params: QuarantineParams) -> None:
        self._folder = root / "quarantine"
        self._keyring = keyring
        self._params = params
        self._thread = threading.Lock()
        self._known: dict[Path, _DayFile] = {}

    def add(self, place: str, reason: str, raw: bytes, *, source: str, now: datetime) -> str:
        """Keep a record; returns its id. Durable once it returns. The same bytes from the same place are kept once."""
        key = self._keyring.deployment_key("quarantine")
        record_id = _record_id(self._keyring.deployment_key("quarantine-id"), source, place, raw)
        at_us = to_us(now)
        described = _seal(key, record_id, at_us, b"description", _pack([place, reason, source]))
        body = (
            bytes.fromhex(record_id)
            + at_us.to_bytes(8, "big", signed=True)
            + len(described).to_bytes(4, "big")
            + described
            + _seal(key, record_id, at_us, b"raw", raw)
        )
        frame = MAGIC + len(body).to_bytes(4, "big") + body
        make_folder(self._folder)
        with self._locked():
            self._look()
            if not any(record_id in known.frames for known in self._known.values()):
                _append(self._writable(now), frame)
        return record_id

    def holds(self, source: str) -> bool:
        """Opens the descriptions; there are as many as records."""
        with self._locked():
            self._look()
            return any(source == each for each in self._sources().values())

    def attribute(self, source: str, users: Sequence[UserId], *, now: datetime) -> None:
        """A day's second note of the same people is none."""
        tag_of = self._tagger()
        name, at_us = tag_of("source", source), to_us(now)
        make_folder(self._folder)
        with self._locked():
            self._look()
            path = self._writable(now)
            known = self._known.get(path)
            noted = {tag for each in (known.people if known else ()) if each.source == name for tag in each.tags}
            tags = [tag for tag in (tag_of("person", user) for user in users) if tag not in noted]
            if tags:
                body = name + at_us.to_bytes(8, "big", signed=True) + b"".join(tags)
                _append(path, PEOPLE_MAGIC + len(body).to_bytes(4, "big") + body)

    def erase(self, user: UserId) -> Mapping[str, int]:
        """Every record of a source that brought something of the person (``records``) or of which nobody is known
        (``unattributed``), and the notes that say so (``notes``). As ``PersonStore.erase``.
        """
        tag = self._tagger()("person", user)
        gone = {"records": 0, "unattributed": 0, "notes": 0}
        with self._locked():
            # whoever rewrote a file and was killed left its frames; under the lock nobody is at it
            for half in self._folder.glob(f"*{SUFFIX}.*{TEMPORARY}"):
                half.unlink(missing_ok=True)
            self._look()
            theirs, unattributed = self._theirs(tag)
            for path, known in list(self._known.items()):
                ours = {ident for ident in known.frames if ident in theirs}
                nobodys = {ident for ident in known.frames if ident in unattributed}
                notes = [each for each in known.people if tag in each.tags]
                # what is behind a frame that was cut off cannot be told apart: it goes with the rewriting
                if ours or nobodys or notes:
                    self._keep(path, set(known.frames) - ours - nobodys, people=[p for p in known.people if p not in notes])
                    gone["records"] += len(ours)
                    gone["unattributed"] += len(nobodys)
                    gone["notes"] += len(notes)
        return {kind: count for kind, count in gone.items() if count}

    def residue(self, user: UserId) -> Mapping[str, int]:
        """What is noted as the person's."""
        if not self._folder.is_dir():
            return {}
        tag = self._tagger()("person", user)
        with self._locked():
            self._look()
            notes = sum(tag in each.tags for known in self._known.values() for each in known.people)
            found = {"records": len(self._theirs(tag)[0]) if notes else 0, "notes": notes}
        return {kind: count for kind, count in found.items() if count}

    def _theirs(self, tag: bytes) -> tuple[set[str], set[str]]:
        """Ids of the records of sources that the person is noted for, and of those that nobody is noted for."""
        tag_of = self._tagger()
        notes = [each for known in self._known.values() for each in known.people]
        theirs = {each.source for each in notes if tag in each.tags}
        anybodys = {each.source for each in notes}
        names = {ident: None if source is None else tag_of("source", source) for ident, source in self._sources().items()}
        return (
            {ident for ident, name in names.items() if name in theirs},
            {ident for ident, name in names.items() if name not in anybodys},
        )

    def _sources(self) -> dict[str, str | None]:
        """Record id → its source; None of one that does not open."""
        key = self._keyring.deployment_key("quarantine")
        found: dict[str, str | None] = {}
        for path, known in self._known.items():
            with path.open("rb") as file:
                for frame in known.frames.values():
                    try:
                        found[frame.id] = _description(key, frame, file)[2]
                    except SealBroken:
                        found[frame.id] = None
        return found

    def _tagger(self) -> Callable[[str, str], bytes]:
        key = self._keyring.deployment_key("quarantine-people")
        return lambda kind, name: hmac.digest(key, f"{kind}\0{name}".encode("utf-8", "surrogatepass"), "sha256")[:TAG_BYTES]

    def records(self, *, now: datetime) -> tuple[QuarantinedRecord, ...]:
        """What is kept, oldest first, without the raw bytes. Raises SealBroken for an altered file."""
        key = self._keyring.deployment_key("quarantine")
        kept: list[QuarantinedRecord] = []
        with self._locked():
            self._look()
            for path, known in self._known.items():
                with path.open("rb") as file:
                    for frame in known.frames.values():
                        if frame.at_us > self._expired_us(now):
                            place, reason, source = _description(key, frame, file)
                            kept.append(QuarantinedRecord(frame.id, from_us(frame.at_us), place, reason, source))
        return tuple(sorted(kept, key=lambda record: record.time))

    def open(self, record_id: str) -> bytes:
        """The raw bytes. Raises InvalidInput for an unknown id, SealBroken for an altered file."""
        key = self._keyring.deployment_key("quarantine")
        with self._locked():
            path, frame = self._find(record_id)
            with path.open("rb") as file:
                file.seek(frame.start + HEADER_BYTES + frame.described)
                return _open(key, frame, b"raw", file.read(frame.end - file.tell()))

    def remove(self, record_id: str) -> None:
        """Raises InvalidInput for an unknown id."""
        with self._locked():
            path, _ = self._find(record_id)
            self._keep(path, {name for name in self._known[path].frames if name != record_id})

    def expire(self, *, now: datetime) -> int:
        """Remove what is older than ``keep_days``; returns how many records went."""
        gone = 0
        with self._locked():
            self._look()
            for path, known in list(self._known.items()):
                young = {frame.id for frame in known.frames.values() if frame.at_us > self._expired_us(now)}
                people = [each for each in known.people if each.at_us > self._expired_us(now)]
                nothing_left = not young and not people and self._day_is_over(path, now)
                if len(young) < len(known.frames) or len(people) < len(known.people) or nothing_left:
                    gone += len(known.frames) - len(young)
                    self._keep(path, young, people=people)
        return gone

    def _expired_us(self, now: datetime) -> int:
        return to_us(now - timedelta(days=self._params.keep_days))

    def _day_is_over(self, path: Path, now: datetime) -> bool:
        """Whether even a frame cut off in this file would have expired."""
        day = datetime.strptime(path.name[:10], "%Y-%m-%d").replace(tzinfo=UTC)
        return day + timedelta(days=1 + self._params.keep_days) <= now

    def _find(self, record_id: str) -> tuple[Path, _Frame]:
        self._look()
        for path, known in self._known.items():
            if record_id in known.frames:
                return path, known.frames[record_id]
        raise InvalidInput("no quarantined record by this id; it was removed or has expired")

    def _writable(self, now: datetime) -> Path:
        """The first file of the day whose last frame is whole."""
        day = now.astimezone(UTC).strftime("%Y-%m-%d")
        number = 1
        while True:
            path = self._folder / f"{day}.{number}{SUFFIX}"
            known = self._known.get(path)
            if known is None or known.whole:
                return path
            number += 1

    def _keep(self, path: Path, ids: set[str], *, people: Sequence[_PeopleFrame] | None = None) -> None:
        """Rewrite a file with these frames only (``people`` None: all notes of people); without any, it goes."""
        known = self._known[path]
        people = known.people if people is None else people
        if ids or people:
            with path.open("rb") as source, rewritten(path) as target:
                kept: list[_Frame | _PeopleFrame] = [*people, *(frame for frame in known.frames.values() if frame.id in ids)]
                for each in sorted(kept, key=lambda frame: frame.start):
                    source.seek(each.start)
                    target.write(source.read(each.end - each.start))
        else:
            path.unlink(missing_ok=True)
        sync(self._folder)

    def _look(self) -> None:
        """Bring what is known of the files up to date; headers are read, no seal is opened."""
        present: dict[Path, _DayFile] = {}
        for path in sorted(self._folder.glob(f"*{SUFFIX}")) if self._folder.is_dir() else ():
            found = path.stat()
            known = self._known.get(path)
            if known is None or (known.inode, known.size) != (found.st_ino, found.st_size):
                known = _walk(path)
            present[path] = known
        self._known = present

    @contextmanager
    def _locked(self) -> Iterator[None]:
        if not self._folder.is_dir():
            with self._thread:
                yield
            return
        with self._thread:
            descriptor = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT, OWNER_FILE)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX)
                yield
            finally:
                os.close(descriptor)


def _walk(path: Path) -> _DayFile:
    """The whole frames of a file, up to the first that is cut off."""
    with path.open("rb") as file:
        status = os.fstat(file.fileno())
        known = _DayFile(inode=status.st_ino, size=status.st_size, whole=False)
        start = 0
        while start < status.st_size:
            file.seek(start)
            header = file.read(HEADER_BYTES)
            end = start + 8 + int.from_bytes(header[4:8], "big")
            if header[:4] == PEOPLE_MAGIC and end - start >= PEOPLE_HEADER_BYTES and end <= status.st_size:
                file.seek(start + PEOPLE_HEADER_BYTES)
                tags = file.read(end - file.tell())
                known.people.append(
                    _PeopleFrame(
                        source=header[8:24],
                        at_us=int.from_bytes(header[24:32], "big", signed=True),
                        start=start,
                        end=end,
                        tags=frozenset(tags[place : place + TAG_BYTES] for place in range(0, len(tags), TAG_BYTES)),
                    )
                )
                start = end
                continue
            if len(header) < HEADER_BYTES or header[:4] != MAGIC or end > status.st_size:
                return known
            described = int.from_bytes(header[32:36], "big")
            at_us = int.from_bytes(header[24:32], "big", signed=True)
            frame = _Frame(id=header[8:24].hex(), at_us=at_us, start=start, end=end, described=described)
            known.frames[frame.id] = frame
            start = end
        known.whole = True
        return known


def _append(path: Path, frame: bytes) -> None:
    fresh = not path.exists()
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, OWNER_FILE)
    try:
        left = memoryview(frame)
        while left:
            left = left[os.write(descriptor, left) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if fresh:
        sync(path.parent)


def _record_id(key: bytes, source: str, place: str, raw: bytes) -> str:
    parts = (source.encode("utf-8", "surrogatepass"), place.encode("utf-8", "surrogatepass"), raw)
    return hmac.digest(key, b"".join(len(part).to_bytes(8, "big") + part for part in parts), "sha256")[:16].hex()


def _aad(record_id: str, at_us: int, part: bytes) -> bytes:
    return MAGIC + bytes.fromhex(record_id) + at_us.to_bytes(8, "big", signed=True) + part


def _seal(key: bytes, record_id: str, at_us: int, part: bytes, payload: bytes) -> bytes:
    nonce = os.urandom(NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, payload, _aad(record_id, at_us, part))


def _open(key: bytes, frame: _Frame, part: bytes, envelope: bytes) -> bytes:
    try:
        return AESGCM(key).decrypt(envelope[:NONCE_BYTES], envelope[NONCE_BYTES:], _aad(frame.id, frame.at_us, part))
    except (InvalidTag, ValueError):
        raise SealBroken(f"quarantined record {frame.id} does not open: altered, or of another deployment key") from None


def _description(key: bytes, frame: _Frame, file: IO[bytes]) -> tuple[str, str, str]:
    """Place, reason and source."""
    file.seek(frame.start + HEADER_BYTES)
    described = _open(key, frame, b"description", file.read(frame.described))
    place, reason, source = json.loads(described.decode("utf-8", "surrogatepass"))
    return place, reason, source


def _pack(value: list[str]) -> bytes:
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
