"""A record of an export that cannot be imported; the rest of the file goes in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BadRecord:
    """``place`` finds it in the file ("line 17", "conversations[3].mapping[7]"). ``reason`` names the field and what it allows,
    never its value, so it may be logged. ``raw`` are the record's bytes as they stood (of an oversized record its beginning;
    of a part of a larger record that part as JSON): they hold what a person said and belong in the sealed quarantine only, so
    ``repr`` leaves them out.
    """

    place: str
    reason: str
    raw: bytes

    def __repr__(self) -> str:
        return f"BadRecord(place={self.place!r}, reason={self.reason!r}, raw=<{len(self.raw)} bytes>)"
