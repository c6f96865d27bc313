"""The ledger: who the people are, what was said, what was staged, who may write, and what was decided (DESIGN §3).

Role-split ports over one database. Everything a person said is sealed below this line; ids, roles, times and counts are in
clear.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.candidates import Candidate, Extraction
from memory_lib.domain.changes import Action
from memory_lib.domain.ids import ConversationId, MessageId, UserId
from memory_lib.domain.message import Message, MessageRef
from memory_lib.policies.model_budget import Spent


@dataclass(frozen=True, slots=True)
class Person:
    """``log_version`` rises with every new or edited message and every stored round of the person: caches compare it.

    ``fingerprint``: whose vectors the rounds are compared by, from the first one stored until a reembed ends; None: no vector
    yet.
    """

    user: UserId
    created_at: datetime
    log_version: int
    messages: int
    last_message_us: int | None
    last_message_offset: int | None
    fingerprint: str | None = None


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

    def unformed(self, *, code: str, after: UserId | None = None, limit: int = 1000) -> tuple[UserId, ...]:
        """Of everyone, those whose log has changed since ``mark_formed``, or who were formed by other ``code``."""
        ...

    def mark_formed(self, user: UserId, *, log_version: int, code: str) -> None:
        """All that the log held at this version is in the graph, formed by this code (a name, at most 64 characters)."""
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

    def former(self, user: UserId, *, conversation: ConversationId | None = None) -> tuple[MessageRef, ...]:
        """The places of edited messages under each of their former texts, in (event time, id, text version) order; opens no
        seal.
        """
        ...

    def former_texts(self, user: UserId, refs: Sequence[MessageRef]) -> dict[tuple[MessageId, str], Message]:
        """Messages as they stood under these text versions, by (id, text version)."""
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
        """Insert or replace by message id (stems and vector sealed); one transaction. ``fingerprint`` and ``dimension`` are
        those of the vectors; the first vectors say by whose the person is served.

        Raises FingerprintMismatch for vectors of another embedder than the person is served by.
        """
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
    """An extraction with the calibrated vectors of its candidates, (len(candidates), d) float32, or None where not embedded.

    ``asked``: (reasoner, version) that was asked, where somebody else answered (a model's unit that fell back to the offline
    rule): the unit is staged for the asked one, so that it is not asked again, and its nodes name who answered.
    """

    extraction: Extraction
    vectors: NDArray[np.float32] | None
    fingerprint: str | None
    asked: tuple[str, str] | None = None

    @property
    def staged_for(self) -> tuple[str, str]:
        """The (reasoner, version) it is found by."""
        return self.asked or (self.extraction.reasoner, self.extraction.version)


class Staging(Protocol):
    """Extractions between reading and forming."""

    def put(self, user: UserId, units: Sequence[StagedUnit]) -> None:
        """Sealed, keyed by (user, unit id) and the (reasoner, version) it is staged for; a unit staged before for the same
        reasoner is kept as it was.
        """
        ...

    def have(self, user: UserId, *, reasoner: str, version: str, among: Sequence[str] | None = None) -> frozenset[str]:
        """Unit ids staged for this reasoner and version, of all or ``among`` these; opens no seal."""
        ...

    def units(self, user: UserId, unit_ids: Sequence[str], *, reasoner: str, version: str) -> Iterator[StagedUnit]:
        """In the order asked for; unknown ids are left out."""
        ...

    def discard(self, user: UserId, unit_ids: Sequence[str]) -> None: ...


@dataclass(frozen=True, slots=True)
class Wanting:
    """What of a person lacks a vector of one embedder, in place or made ahead. ``rounds``: message id → round id; ``units``:
    staged units with candidates. ``ahead``: vectors made ahead that wait for the switch.
    """

    rounds: Mapping[MessageId, str]
    units: tuple[str, ...]
    ahead: int


class NextVectors(Protocol):
    """Vectors of the next embedder, made beside those that serve until all are there (``usecases/reembed``)."""

    def wanting(self, user: UserId, *, fingerprint: str, reasoner: str, version: str) -> Wanting:
        """Of units, those of this reasoner and version; opens no seal."""
        ...

    def put_rounds(
        self,
        user: UserId,
        vectors: Mapping[MessageId, tuple[str, NDArray[np.float32]]],
        *,
        fingerprint: str,
        dimension: int,
    ) -> None:
        """Message id → (round id, raw vector), made ahead, in one transaction; what was made for yet another embedder goes."""
        ...

    def put_units(
        self,
        user: UserId,
        vectors: Mapping[str, NDArray[np.float32]],
        *,
        reasoner: str,
        version: str,
        fingerprint: str,
        dimension: int,
    ) -> None:
        """Unit id → calibrated vectors (candidates, d), as ``put_rounds``."""
        ...

    def switch(
        self,
        user: UserId,
        *,
        fingerprint: str,
        dimension: int,
        log_version: int,
        reasoner: str,
        version: str,
        without: frozenset[str],
    ) -> bool:
        """Everything made ahead into its place, in one transaction; vectors of other embedders go, and the person is served by
        ``fingerprint`` from now on. False, and nothing happened, where the log is at another version than ``log_version`` or a
        unit that is not in ``without`` has no vectors.
        """
        ...


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

    def catch_up(self, lease: Lease, *, highest: int) -> Lease:
        """A store has seen the token ``highest`` though ``lease`` is the newest grant here: this ledger was put back from a
        backup. The lease has that token now, grants from now on are above it; where it is no longer ours nothing changes.
        """
        ...


@dataclass(frozen=True, slots=True)
class LoggedAction:
    """One entry of the action log, in the order it was logged."""

    seq: int
    write_key: str
    position: int
    recorded_at: datetime
    action: Action


@dataclass(frozen=True, slots=True)
class Residual:
    """A mention that became nothing: which unit's, its place among the candidates, the message, the candidate itself (with the
    span of its words), and why (a reason code). Kept for later passes.
    """

    unit: str
    place: int
    message: MessageId
    candidate: Candidate
    reason: str


class Residuals(Protocol):
    """Rejected mentions, sealed; they go with the person, and with the message they come from."""

    def replace(self, user: UserId, messages: Sequence[MessageId] | None, residuals: Sequence[Residual]) -> None:
        """What these messages left over, in place of what was kept of them; None: of all messages. One transaction."""
        ...

    def of(self, user: UserId, *, messages: Sequence[MessageId] | None = None) -> tuple[Residual, ...]:
        """In (unit, place) order, of all messages or these."""
        ...

    def forget(self, user: UserId, messages: Sequence[MessageId]) -> int:
        """How many went with these messages."""
        ...


class Decisions(Protocol):
    """Answers to questions about placements, sealed: who was asked once is never asked the same again."""

    def known(self, user: UserId, key: str) -> Mapping[str, Any] | None:
        """The answer kept under this key."""
        ...

    def keep(self, user: UserId, key: str, answer: Mapping[str, Any], *, judge: str) -> Mapping[str, Any]:
        """The answer that counts from now on: the one kept before, where there is one. ``judge``: who answered."""
        ...


class ActionLog(Protocol):
    """Decisions, append-only; ids, reason codes and numbers."""

    def append(self, user: UserId, entries: Sequence[tuple[str, int, datetime, Action]]) -> None:
        """(write key, position, recorded at, action); an entry seen before (same key and position) is kept as it was."""
        ...

    def entries(self, user: UserId, *, after: int = 0, limit: int = 1000) -> tuple[LoggedAction, ...]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """One question to a model and what it cost; no word of it. ``outcome``: ``model`` where its answer stood, else why the
    offline rule answered. ``requests``: sent in all; ``malformed``: answers outside their schema (or cut, empty, refused);
    ``rejected``: answers in their schema that a check did not let stand; ``left_out``: parts left out of the one that stood;
    ``first_try``: the first answer was in its schema.
    """

    job: str
    job_version: str
    model: str
    at: datetime
    outcome: str
    requests: int
    malformed: int
    rejected: int
    left_out: int
    first_try: bool
    prompt_tokens: int
    answer_tokens: int
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFigures:
    """Sums over the calls of one job. ``first_try``: questions whose first answer was in its schema."""

    calls: int
    by_model: int
    first_try: int
    requests: int
    malformed: int
    rejected: int
    prompt_tokens: int
    answer_tokens: int
    seconds: float


class ModelBook(Protocol):
    """What models were asked and what it cost; ids, names of jobs and numbers, in clear."""

    def record(self, user: UserId, call: ModelCall) -> None: ...

    def spent(self, *, since: datetime, user: UserId | None = None) -> Spent:
        """Requests and tokens from ``since`` on, of one person or of all."""
        ...

    def figures(self, *, since: datetime) -> Mapping[str, JobFigures]:
        """By job."""
        ...
