"""The numbers of keys and seals."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyringParams:
    """``seals_a_key``: a key seals no more than so often. ``rotate_at``: seals after which a key is worn out and due for a
    rotation. ``seals_reserved``: how many a sealer books at a time. ``opened_keys``: opened keys kept in memory, and
    ``opened_s`` for how long. ``checked_s``: how long a piece of sealing goes on before it looks whether the key has been
    rotated or destroyed.
    """

    seals_a_key: int
    rotate_at: int
    seals_reserved: int
    opened_keys: int
    opened_s: float
    checked_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PassphraseParams:
    """Argon2id: memory in KiB, passes, lanes. Kept in the file that is made, so a change here leaves older files readable."""

    memory_kib: int
    passes: int
    lanes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class KmsParams:
    """AWS KMS. ``key_id``: id, ARN or alias of the key that wraps; None: keys are wrapped by this machine's own secret.
    ``endpoint``, ``region``: None takes what the environment of the AWS SDK says. ``attempts``: tries of one call, the first
    included.
    """

    key_id: str | None
    endpoint: str | None
    region: str | None
    connect_s: float
    read_s: float
    attempts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FileSealParams:
    """``level`` of zstd. ``content_bytes``: a file that would unpack to more is refused before it is unpacked."""

    level: int
    content_bytes: int
