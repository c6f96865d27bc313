"""How a person's words are put inside our prose: as they were said, and unable to act as anything but a quote.

A remembered text may hold anything: line breaks, headings, code fences, closing tags, invisible characters, instructions to a
model. Quoted here it stays on one line between one pair of quotation marks of the asked language, which no character of it can
close (DESIGN §4, Recall: framed as a record and not as instructions).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

Language = Literal["ru", "en"]

HIDDEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e"
    "\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Characters that show nothing or turn the writing direction; text can be smuggled in them. ZWJ, ZWNJ and the emoji variation
selector stay: emoji, Persian and Indic words need them."""

_BREAKS = re.compile("[\t\n\v\f\r\x1c-\x1f\x85\u2028\u2029]+")
_CONTROLS = re.compile(f"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f{HIDDEN}]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_SPACES = re.compile(r"\s{2,}")
_SPECIAL = re.compile('[<>\uff1c\uff1e\ufe64\ufe65`\uff40"\uff02«»“”„‟\\[|]|#|[=*_~-]{3}|\\s\\s')
_HEADING = re.compile(r"(?:(?<=\s)|^)#{1,6}(?=\s|$)")
_RULES = re.compile(r"([#=*_~-])\1{2,}")
_CHAT_TAGS = re.compile(r"\[\s*(/?\s*(?:INST|SYS|SYSTEM|ASSISTANT|USER|TOOL)[A-Z_ ]*)\]", re.IGNORECASE)
_WORD = re.compile(r"[^\W_]")
_MARKS = re.compile('["\uff02«»“”„‟]')
_TWINS = str.maketrans(
    {"<": "‹", ">": "›", "\uff1c": "‹", "\uff1e": "›", "\ufe64": "‹", "\ufe65": "›", "`": "'", "\uff40": "'", "|": "¦"}
)
_OPENS_AFTER = frozenset(" \u00a0([{‹—–-/,:;")
_LOOSE_END = " \u00a0,.;:—–-(\u200c\u200d\ufe0f"
_PLAIN_NAME = re.compile(r"[^\W\d_][^\W\d_'’-]*(?:[ '’-][^\W\d_]+){0,2}")


@dataclass(frozen=True, slots=True)
class QuoteMarks:
    """Outer and inner quotation marks of a language."""

    opening: str
    closing: str
    inner_opening: str
    inner_closing: str


MARKS: dict[Language, QuoteMarks] = {"ru": QuoteMarks("«", "»", "„", "“"), "en": QuoteMarks("“", "”", "‘", "’")}


def one_line(text: str) -> str:
    """Give ``text`` on one line without controls, hidden characters, headings, fences, rules, tags.

    Layout only: no word and no quotation mark is changed. Angle brackets, backticks and bars become
    look-alikes, a lone surrogate becomes U+FFFD.
    """
    if not text.isprintable():
        text = _SURROGATES.sub("\ufffd", text)
        text = _CONTROLS.sub("", _BREAKS.sub(" ", text))
    if _SPECIAL.search(text):
        text = _CHAT_TAGS.sub(r"(\1)", _RULES.sub("—", _HEADING.sub("", text.translate(_TWINS))))
        text = _SPACES.sub(" ", text)
    return text.strip()


def is_readable(text: str) -> bool:
    """Whether a quote of ``text`` would show anything (a letter, a digit, an emoji), not only marks and blanks."""
    return _WORD.search(text) is not None or bool(one_line(text).strip(" .;:,…—"))


def cut(text: str, limit: int) -> str:
    """At most ``limit`` characters, at a word's end where one is near, with an ellipsis in place of what is missing."""
    if len(text) <= limit:
        return text
    end = limit - 1
    space = text.rfind(" ", end * 2 // 3, end + 1)
    if space > 0:
        end = space
    else:
        # never between a letter and its accent, or inside one emoji
        while end > 1 and (unicodedata.combining(text[end]) or text[end] in "\u200d\ufe0f" or text[end - 1] == "\u200d"):
            end -= 1
    return text[:end].rstrip(_LOOSE_END) + "…"


def quote(text: str, *, limit: int, language: Language) -> str:
    """``text`` as a quotation of at most ``limit`` characters (and its marks); "" when nothing readable is in it.

    Marks inside become the language's inner ones and are closed again when the cut took their end, so that the outer pair
    is the only one of its kind. A final full stop is left to the sentence around.
    """
    marks = MARKS[language]
    # twice the limit is enough to cut from, whatever the cleaning takes away; a stored message may be a megabyte
    words = cut(one_line(text[: 2 * limit + 200]), limit).rstrip(" .;:,")
    if not words:
        return ""
    if _MARKS.search(words) or marks.closing in words:
        words = _nest(words, marks)
    return f"{marks.opening}{words}{marks.closing}"


def _nest(words: str, marks: QuoteMarks) -> str:
    depth = 0

    def inner(found: re.Match[str]) -> str:
        nonlocal depth
        place = found.start()
        if place == 0 or words[place - 1] in _OPENS_AFTER:
            depth += 1
            return marks.inner_opening
        if depth:
            depth -= 1
            return marks.inner_closing
        return "″"

    return _MARKS.sub(inner, words) + marks.inner_closing * depth


def name_or_quote(name: str, *, language: Language) -> str:
    """A person's name as it stands when it can be nothing but a name (up to three capitalised words), else quoted."""
    words = one_line(name[:200])
    if len(words) <= 40 and _PLAIN_NAME.fullmatch(words) and all(part[:1].isupper() for part in words.split(" ")):
        return words
    return quote(name, limit=40, language=language)
