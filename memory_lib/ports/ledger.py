"""The ledger: who the people are, what was said, what was staged, who may write, and what was decided (DESIGN §3).

Role-split ports over one database. Everything a person said is sealed below this line; ids, roles, times and counts are in
clear.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.candidates import Extraction
from memory_lib.domain.changes import Action
from memory_lib.domain.ids import ConversationId, MessageId, UserId
from memory_lib.domain.message import Message, MessageRef


@dataclass(frozen=True, slots=True)
class Person:
    """``log_version`` rises with every new or edited message and every stored round of the person: caches compare it."""

    user: UserId
    created_at: datetime
    log_version: int
    messages: int
    last_message_us: int | None
    last_message_offset: int | None


class People(Protocol):
    """Who is known here."""

    def ensure(self, external: str, *, now: datetime) -> UserId:
        """The person known by this external id, made if new (with a data key); two processes get the same id."""
        ...

    def find(self, external: str) -> UserId | None: ...

    def external(self, user: UserId) -> str:
        """The external id, opened. Raises UnknownUser."""
        ...

    def person(self, user: UserId) -> Person:
        """One indexed read. Raises UnknownUser."""
        ...

    def everyone(self, *, after: UserId | None = None, limit: int = 1000) -> tuple[UserId, ...]:
        """Internal ids in order, a page at a time."""
        ...


@dataclass(frozen=True, slots=True)
class Appended:
    """How many messages were new, edited (same id, new text), or known already."""

    new: int
    edited: int
    same: int


class MessageLog(Protocol):
    """What was said; append-only, the truth everything else is derived from."""

    def append(self, user: UserId, messages: Sequence[Message], *, now: datetime) -> Appended:
        """One transaction, idempotent by message id. A text version seen before for that id is nothing new; a new text is a
        new version and the former one is kept.
        """
        ...

    def refs(self, user: UserId, *, conversation: ConversationId | None = None) -> tuple[MessageRef, ...]:
        """Every message's place in (event time, id) order; opens no seal."""
        ...

    def messages(self, user: UserId, ids: Iterable[MessageId]) -> dict[MessageId, Message]:
        """These messages, opened, current text; unknown ids are left out."""
        ...

    def conversations(self, user: UserId) -> tuple[ConversationId, ...]: ...

    def user_times(self, user: UserId) -> NDArray[np.int64]:
        """Event times (µs) of the person's own (role ``user``) messages, ascending: what the active clock counts."""
        ...


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A turn as the rounds arm needs it. ``round_id`` names the exact texts behind the vector; ``vector`` None = not embedded
    yet (or by another embedder).
    """

    message: MessageId
    round_id: str
    stems: tuple[str, ...]
    speaker: str | None
    vector: NDArray[np.float32] | None


class RoundStore(Protocol):
    """The rounds arm of every message: stems, speaker, vector."""

    def put(self, user: UserId, rounds: Sequence[StoredRound], *, fingerprint: str | None, dimension: int | None) -> None:
        """Insert or replace by message id (stems and vector sealed); one transaction."""
        ...

    def have(
        self, user: UserId, *, fingerprint: str | None, among: Sequence[MessageId] | None = None
    ) -> Mapping[MessageId, tuple[str, bool]]:
        """Message id → (round id, has a vector of this fingerprint), of all messages or ``among`` these; opens no seal."""
        ...

    def load(self, user: UserId, *, fingerprint: str | None) -> tuple[StoredRound, ...]:
        """All of the person's rounds, opened; a vector of another fingerprint is None."""
        ...


@dataclass(frozen=True, slots=True)
class StagedUnit:
    """An extraction with the calibrated vectors of its candidates, (len(candidates), d) float32, or None where not embedded."""

    extraction: Extraction
    vectors: NDArray[np.float32] | None
    fingerprint: str | None


class Staging(Protocol):
    """Extractions between reading and forming."""

    def put(self, user: UserId, units: Sequence[StagedUnit]) -> None:
        """Sealed, keyed by (user, unit id, reasoner, version); a unit staged before by the same reasoner is kept as it was."""
        ...

    def have(self, user: UserId, *, reasoner: str, version: str, among: Sequence[str] | None = None) -> frozenset[str]:
        """Unit ids staged by this reasoner and version, of all or ``among`` these; opens no seal."""
        ...

    def units(self, user: UserId, unit_ids: Sequence[str], *, reasoner: str, version: str) -> Iterator[StagedUnit]:
        """In the order asked for; unknown ids are left out."""
        ...

    def discard(self, user: UserId, unit_ids: Sequence[str]) -> None: ...


@dataclass(frozen=True, slots=True)
class Lease:
    """A granted right to write (or to run a pass). ``token`` rises with every grant of this (user, kind)."""

    user: UserId
    kind: str
    token: int
    holder: str
    expires_at: datetime


class Leases(Protocol):
    """Who may write, and who runs a pass."""

    def acquire(self, user: UserId, kind: str, *, holder: str, ttl_s: float, now: datetime) -> Lease | None:
        """A lease, or None while another holder's is running. One taken "in the future" (a clock set back) counts as
        expired.
        """
        ...

    def renew(self, lease: Lease, *, ttl_s: float, now: datetime) -> Lease:
        """Raises LeaseLost where somebody else has it by now."""
        ...

    def release(self, lease: Lease) -> None:
        """Harmless where it is no longer ours."""
        ...


@dataclass(frozen=True, slots=True)
class LoggedAction:
    """One entry of the action log, in the order it was logged."""

    seq: int
    write_key: str
    position: int
    recorded_at: datetime
    action: Action


class ActionLog(Protocol):
    """Decisions, append-only; ids, reason codes and numbers."""

    def append(self, user: UserId, entries: Sequence[tuple[str, int, datetime, Action]]) -> None:
        """(write key, position, recorded at, action); an entry seen before (same key and position) is kept as it was."""
        ...

    def entries(self, user: UserId, *, after: int = 0, limit: int = 1000) -> tuple[LoggedAction, ...]: ...
