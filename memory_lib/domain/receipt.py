"""What an operation on a person did, or would do: ids, codes and numbers, fit for an artifact and for keeping."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from memory_lib.domain.canonical import canonical_json
from memory_lib.domain.ids import UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """``operation``: its name (``erase``, ``forget`` …). ``applied`` False: a dry run; ``counts`` and ``ids`` say what would
    change, and nothing has.

    ``user`` is None where the receipt outlives the person (an erasure). ``counts``: part → what → how many (a part is a store,
    or a kind of thing). ``ids``: exactly what was or would be touched, by kind. ``batch``: what ``undo`` takes, None where the
    operation cannot be taken back. ``notes``: codes of what the reader should know (``key_backups_7_days``). ``refused``: why
    nothing could be done, as a code; None normally. ``signature`` and ``key``: hex of Ed25519 over ``signed_bytes`` and of the
    public key, "" where unsigned.
    """

    operation: str
    applied: bool
    at: datetime
    user: UserId | None
    counts: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    ids: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    batch: str | None = None
    notes: tuple[str, ...] = ()
    refused: str | None = None
    id: str = ""
    signature: str = ""
    key: str = ""

    def record(self) -> dict[str, Any]:
        """As JSON values; what a signature covers is this without ``signature``."""
        return {
            "id": self.id,
            "operation": self.operation,
            "applied": self.applied,
            "at": self.at.isoformat(),
            "user": self.user,
            "counts": {part: dict(each) for part, each in self.counts.items()},
            "ids": {kind: list(each) for kind, each in self.ids.items()},
            "seconds": dict(self.seconds),
            "batch": self.batch,
            "notes": list(self.notes),
            "refused": self.refused,
            "signature": self.signature,
            "key": self.key,
        }

    def signed_bytes(self) -> bytes:
        """The canonical JSON of the record without its signature: what a signature covers."""
        return canonical_json({name: value for name, value in self.record().items() if name != "signature"})
