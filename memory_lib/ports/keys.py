"""Keys and seals: one 256-bit data key a person, wrapped at rest; destroying it erases the person everywhere (DESIGN §3)."""

from __future__ import annotations

from collections.abc import Callable
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

    def open(self, user: UserId) -> DataKey:
        """Raises KeyMissing where it was destroyed or never made."""
        ...

    def exists(self, user: UserId) -> bool:
        """Cheap: whether the key is still there. What keeps opened keys asks before using one, so an erase elsewhere counts."""
        ...

    def destroy(self, user: UserId) -> None:
        """Erases the wrapped key (overwritten, unlinked, directory synced)."""
        ...

    def reserve(self, user: UserId, seals: int) -> None:
        """Count ``seals`` more uses of the key *before* they happen, durably. Raises KeyExhausted at 2^32 (CONTRACTS)."""
        ...

    def deployment_key(self, purpose: str) -> bytes:
        """32 bytes derived (HKDF) from the deployment's secret for one purpose (``quarantine``, ``external-id`` …)."""
        ...


class Sealer(Protocol):
    """AES-256-GCM envelopes, one a row. AAD = (user, kind, id, envelope version): a row moved elsewhere does not open."""

    def seal(self, user: UserId, kind: str, record: str, payload: bytes) -> bytes: ...

    def open(self, user: UserId, kind: str, record: str, envelope: bytes) -> bytes:
        """Raises SealBroken (altered, moved, or of another person), KeyMissing (erased)."""
        ...

    def sealing(self, user: UserId) -> Callable[[str, str, bytes], bytes]:
        """(kind, record, payload) → envelope: ``seal`` for many records of one person; for one piece of work, never kept."""
        ...

    def opener(self, user: UserId) -> Callable[[str, str, bytes], bytes]:
        """(kind, record, envelope) → payload: ``open`` for many records of one person; for one piece of work, never kept."""
        ...
