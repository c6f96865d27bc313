"""From any text to sentences of bounded length with true places.

Sentences are found by ``razdel`` where it is installed, else by a regular expression.
"""

# ruff: noqa: PLC0415 - nothing loads before the first sentence
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from memory_lib.domain.syntax import Language
from memory_lib.reasoning.prose.reply_language import CYRILLIC_SHARE, cyrillic_share, language_of

MAX_SENTENCE_CHARACTERS = 600
"""Arc scores are quadratic in a sentence's tokens; a longer run is cut at its last comma or space."""
MIN_KNOWN_SCRIPT_SHARE = 0.5
"""A sentence mostly in another script (Arabic, Chinese) is not handed to parsers that never saw it."""

_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]")
_QUOTES = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u00a0": " ", "\u2028": "\n", "\u2029": "\n", "\x85": "\n"}
)
_LINE = re.compile(r"[^\r\n]+")
_PLAIN_SENTENCE = re.compile(r"[^.!?…]*[.!?…]+[\"»”)]*|[^.!?…]+")
_UNFINISHED = re.compile(r"\b(?:mr|mrs|ms|dr|st|vs|e\.g|i\.e|a\.m|p\.m|jr|sr|etc|approx|no)\.$", re.IGNORECASE)
# People who write without capitals still end their sentences; razdel waits for a capital.
# The run of marks is possessive: a thousand "!" must not be tried a thousand times.
_ENDED = re.compile(r"(?<=[^\W\d_]{3})\.(?=\s+[^\W\d_])|(?<![!?…])[!?…]++[)\"»”]*+(?=\s)|(?<=[^\W\d_]{2})\.{2,}+(?=\s)")
_NO_END = re.compile(r"\b(?:руб|тыс|млн|млрд|стр|рис|гор|обл|просп|mrs|approx|etc|dept|ave)\.$", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Segment:
    """A sentence's words and where they begin in the text."""

    start: int
    text: str
    language: Language


def printable(text: str) -> str:
    """The text with the same length, in which what parsers choke on (NUL, surrogates, direction marks) is a space."""
    return _UNPRINTABLE.sub(" ", text.translate(_QUOTES))


@cache
def razdel() -> Any | None:
    """The library, or None where it is not installed."""
    try:
        import razdel as library
    except ImportError:
        return None
    return library


def segments(text: str) -> Iterator[Segment]:
    """Sentences of ``text`` (already ``printable``) in either language, in order; others are left out."""
    whole = language_of(text)
    for line in _LINE.finditer(text):
        for start, end in _sentences(line.group()):
            for left, right in _bounded(line.group(), start, end):
                piece = line.group()[left:right]
                share = cyrillic_share(piece)
                if not _is_known_script(piece):
                    continue
                language: Language = whole
                if share is not None:
                    language = "ru" if share >= CYRILLIC_SHARE else "en"
                elif not any(letter.isdigit() for letter in piece):
                    continue
                yield Segment(line.start() + left, piece, language)


def _is_known_script(piece: str) -> bool:
    letters = _LETTER.findall(piece)
    known = sum(1 for letter in letters if letter < "\u0530")
    return known >= MIN_KNOWN_SCRIPT_SHARE * len(letters)


def _sentences(line: str) -> Iterator[tuple[int, int]]:
    library = razdel()
    if library is None:
        found = [(match.start(), match.end()) for match in _PLAIN_SENTENCE.finditer(line)]
    else:
        found = [(piece.start, piece.stop) for piece in library.sentenize(line)]
    pending: int | None = None
    for start, end in found:
        begin = start if pending is None else pending
        if _UNFINISHED.search(line, max(begin, end - 12), end) and end < len(line):
            pending = begin
            continue
        pending = None
        left, right = begin, end
        while left < right and line[left].isspace():
            left += 1
        while right > left and line[right - 1].isspace():
            right -= 1
        if left < right:
            yield from _ended(line, left, right)
    if pending is not None and line[pending:].strip():
        yield pending, len(line.rstrip())


def _ended(line: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _ENDED.finditer(line, start, end):
        if _NO_END.search(line, max(start, match.end() - 8), match.end()) or _UNFINISHED.search(
            line, max(start, match.end() - 8), match.end()
        ):
            continue
        yield start, match.end()
        start = match.end()
        while start < end and line[start].isspace():
            start += 1
    if start < end:
        yield start, end


def _bounded(line: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while end - start > MAX_SENTENCE_CHARACTERS:
        limit = start + MAX_SENTENCE_CHARACTERS
        cut = max(line.rfind(", ", start, limit), line.rfind("; ", start, limit))
        if cut <= start + MAX_SENTENCE_CHARACTERS // 2:
            cut = line.rfind(" ", start, limit)
        if cut <= start:
            cut = limit - 1
        yield start, cut + 1
        start = cut + 1
    if start < end and line[start:end].strip():
        yield start, end
