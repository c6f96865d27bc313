"""The count of an import: what was kept, what was bad, what was left out and why. Numbers and fixed words only."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum


class SkipReason(StrEnum):
    """Why something that is no error was left out."""

    SERVICE_LINE = "service line"
    NO_TEXT = "no text"
    HIDDEN = "hidden"
    NOT_TEXT = "content that is not text"
    SYSTEM_OR_TOOL = "system or tool message"
    FOR_A_TOOL = "assistant's call of a tool"
    ABANDONED_BRANCH = "abandoned branch"
    DO_NOT_REMEMBER = "conversation marked do not remember"
    DUPLICATE_TURN = "turn already in the pool"
    OTHER_PERSON = "other person's copy"
    FOREIGN_FILE = "file of another kind in the folder"


class Note(StrEnum):
    """What was changed or assumed on the way in."""

    PART_DROPPED = "non-text part dropped"
    MARKERS_REMOVED = "message with citation markers removed"
    TIME_FILLED = "missing time taken from the message before or the conversation"
    TIME_MOVED = "time moved forward to keep the order"
    OFFSET_UNKNOWN = "time without an offset read as UTC"
    FORWARDED = "forwarded message kept as another's words"
    BROKEN_OFF = "file ended early or stopped being JSON"


@dataclass(slots=True)
class ImportReport:
    """A running count that the reader adds to while its messages are taken; complete once the iterator is exhausted."""

    format: str = ""
    kept: int = 0
    bad: int = 0
    skipped: Counter[SkipReason] = field(default_factory=Counter)
    notes: Counter[Note] = field(default_factory=Counter)

    def skip(self, reason: SkipReason, count: int = 1) -> None:
        if count:
            self.skipped[reason] += count

    def note(self, note: Note, count: int = 1) -> None:
        if count:
            self.notes[note] += count

    def as_dict(self) -> dict[str, object]:
        """For ``--json``: ``{format, kept, bad, skipped: {reason: n}, notes: {note: n}}``."""
        return {
            "format": self.format,
            "kept": self.kept,
            "bad": self.bad,
            "skipped": {str(reason): count for reason, count in sorted(self.skipped.items())},
            "notes": {str(note): count for note, count in sorted(self.notes.items())},
        }
