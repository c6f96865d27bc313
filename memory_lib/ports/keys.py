"""Keys and seals: one 256-bit data key a person, wrapped at rest; destroying it erases the person everywhere (DESIGN §3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from memory_lib.domain.ids import IdKey, UserId


@dataclass(frozen=True, slots=True, repr=False)
class DataKey:
    """A person's opened data key. It never prints itself."""

    user: UserId
    generation: int
    key: bytes


class Keyring(Protocol):
    """Where keys are kept; the deployment's own and one a person."""

    @property
    def id_key(self) -> IdKey:
        """The deployment's id key, made on first use, never rotated."""
        ...

    def external_id_tag(self, external: str) -> str:
        """HMAC of an external id under a deployment key: finds a person without storing the name in clear."""
        ...

    def create(self, user: UserId) -> DataKey:
        """The person's data key, made and wrapped if there is none yet; two processes creating at once get the same key."""
        ...

    def open(self, user: UserId, generation: int | None = None) -> DataKey:
        """The newest, or the one of a generation that is still kept. Raises KeyMissing where it was destroyed or never made."""
        ...

    def exists(self, user: UserId) -> bool:
        """Cheap: whether the key is still there. What keeps opened keys asks before using one, so an erase elsewhere counts."""
        ...

    def destroy(self, user: UserId) -> None:
        """Erases the wrapped keys of every generation (overwritten, unlinked, directory synced)."""
        ...

    def reserve(self, user: UserId, seals: int, *, generation: int | None = None) -> None:
        """Count ``seals`` more uses of the newest key, or the one of a generation still kept, *before* they happen, durably.

        Raises KeyExhausted at 2^32 (CONTRACTS), KeyMissing.
        """
        ...

    def deployment_key(self, purpose: str) -> bytes:
        """32 bytes derived (HKDF) from the deployment's secret for one purpose (``quarantine``, ``external-id`` …)."""
        ...


class KeyRotation(Protocol):
    """Generations of a person's key: a new one is made, everything is sealed anew, the old one is destroyed last."""

    def generation(self, user: UserId) -> int:
        """The newest generation: what is sealed from now on. Cheap (asked before each piece of sealing). Raises KeyMissing."""
        ...

    def generations(self, user: UserId) -> tuple[int, ...]:
        """Those that open, ascending; more than one while a rotation is under way."""
        ...

    def begin(self, user: UserId) -> int:
        """A new generation beside the present one; while one is under way, that one. Durable on return."""
        ...

    def finish(self, user: UserId) -> int:
        """Destroys every generation but the newest; how many. Harmless where there is one."""
        ...

    def outworn(self, user: UserId) -> bool:
        """Whether the newest key has sealed so often that it is due for a rotation, well before the end. Raises KeyMissing."""
        ...


class FileSealer(Protocol):
    """Sealed files: zstd, then AES-256-GCM under a key of the file's own (HKDF); AAD = user, path, generation."""

    def seal_file(self, user: UserId, path: str, generation: int, content: bytes) -> bytes: ...

    def open_file(self, user: UserId, path: str, generation: int, sealed: bytes) -> bytes:
        """Raises SealBroken, naming the path: altered, cut, moved, of another person or generation; KeyMissing (erased)."""
        ...

    def outdated(self, user: UserId, sealed: bytes) -> bool:
        """Whether it names an older key or form than ``seal_file`` would use now; opens nothing. Raises KeyMissing (erased)."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Tombstone:
    """That somebody was erased; ``mark`` is a keyed hash of the internal id and leads nowhere without it.

    ``stage``: how far the erasure has come (a code of ``usecases.erase``); ``at_us``: microseconds since 1970. ``counts``: what
    has gone so far, part → what → how many, so that a resumed erasure's receipt is whole.
    """

    mark: str
    at_us: int
    stage: str
    counts: Mapping[str, Mapping[str, int]]


class Tombstones(Protocol):
    """Kept beside the keys, never in the ledger: whatever backup is restored, these are newer."""

    def mark(self, user: UserId) -> str:
        """The keyed hash a tombstone has for this person."""
        ...

    def put(self, tombstone: Tombstone) -> None:
        """Made, or brought to a further stage; durable on return."""
        ...

    def of(self, user: UserId) -> Tombstone | None: ...

    def state(self) -> str:
        """A short text that changes whenever a tombstone is added: what a ledger compares at open. Cheap."""
        ...

    def buried(self, users: Iterable[UserId]) -> tuple[UserId, ...]:
        """Those among ``users`` who were erased."""
        ...


class Signer(Protocol):
    """Ed25519 under the deployment's signing key."""

    @property
    def public_key(self) -> bytes: ...

    def sign(self, message: bytes) -> bytes: ...


class Sealer(Protocol):
    """AES-256-GCM envelopes, one a row. AAD = (user, kind, id, envelope version): a row moved elsewhere does not open."""

    def seal(self, user: UserId, kind: str, record: str, payload: bytes) -> bytes: ...

    def open(self, user: UserId, kind: str, record: str, envelope: bytes) -> bytes:
        """Raises SealBroken (altered, moved, or of another person), KeyMissing (erased)."""
        ...

    def forget(self, user: UserId) -> None:
        """Drop what is kept of the person's keys from memory."""
        ...

    def sealing(self, user: UserId) -> Callable[[str, str, bytes], bytes]:
        """(kind, record, payload) → envelope: ``seal`` for many records of one person; for one piece of work, never kept."""
        ...

    def opener(self, user: UserId) -> Callable[[str, str, bytes], bytes]:
        """(kind, record, envelope) → payload: ``open`` for many records of one person; for one piece of work, never kept."""
        ...
