"""Words covered letter by letter, so that every other place of a message keeps its number (CONTRACTS, Writing: Archived)."""

from __future__ import annotations

import re
from collections.abc import Iterable

COVER = "█"
"""What stands where a letter was."""

_COVERED = re.compile(rf"{COVER}+")
_LETTER = re.compile(r"[^\W_]")


def covered(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """``text`` with everything but line ends inside ``spans`` (start, end) covered; places outside it are no error."""
    letters = list(text)
    for start, end in spans:
        for place in range(max(0, start), min(end, len(letters))):
            if letters[place] not in "\r\n":
                letters[place] = COVER
    return "".join(letters)


def uncovered(text: str) -> str:
    """What is left to read: each run of covers is one "…"; "" where no word is left. A text without covers is itself."""
    if COVER not in text:
        return text
    left = _COVERED.sub("…", text)
    return left.strip() if _LETTER.search(left) else ""
