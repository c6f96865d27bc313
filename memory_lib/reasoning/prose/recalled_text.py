"""Our own words coming back: what recall handed out, recognised in a message, says nothing new of the person (CONTRACTS).

An assistant's prompt, a quoted answer or a pasted export may carry our context into a message. Recognised are, in both
languages: whole frames with or without their end, a frame's opening sentence alone, single lines by the head or template they
begin with, lines of verbatim rounds, and the JSON form of a context. Structure decides, never likeness to what a person once
said: who says the same again in own words is heard again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from memory_lib.reasoning.prose.prose_templates import FRAME_TAG, PROSE, ROUNDS_TAG, Prose, Told
from memory_lib.reasoning.prose.quoting import MARKS

_OPENING_MARKS = "".join({mark.opening for mark in MARKS.values()}) + '"„'
_LINE_START = r"^[ \t>*•\d.)#–—-]*"
"""A line may be quoted, listed or numbered by whoever hands it on."""
_NAME = r"[^\n:]{1,80}?"
_TAG = re.compile(rf"<({FRAME_TAG}|{ROUNDS_TAG})\s*>", re.IGNORECASE)
_ROUND_LINE = re.compile(_LINE_START + r"\|[ ]")
_DATE_LINE = re.compile(_LINE_START + r"\d{1,2} [^\W\d_]+ \d{4}, \d\d:\d\d\s*$")
_JSON_KEYS = ("rounds_text", "context", "lines")


def _sentence(prose: Prose) -> tuple[str, str]:
    """The fixed beginnings of the two frames' first sentences."""
    opening = prose.opening.split("\n", 1)[1].split("{today}", 1)[0].strip()
    return opening, prose.rounds_opening.split("\n", 1)[1].split(":", 1)[0].strip()


def _beginning(template: str) -> str:
    """A template as the pattern of how its line begins: up to its first quotation."""
    head = template.split("{links}", 1)[0].split("{now}", 1)[0].split("{first}", 1)[0].split("{text}", 1)[0]
    parts = re.split(r"\{[a-z]+\}", head)
    return _NAME.join(re.escape(part) for part in parts)


def _heads(prose: Prose) -> Iterator[str]:
    quotation = rf"[{re.escape(_OPENING_MARKS)}]"
    for told, head in prose.heads.items():
        # people stand under their head by name and date, everything else is quoted
        yield re.escape(head) + (r": [^\n]*\(\d" if told is Told.PEOPLE else rf":\s*{quotation}")
    yield _beginning(prose.about) + rf":\s*{quotation}"
    for template in (prose.person_links, prose.person_said, prose.update, prose.contradiction, prose.trigger, prose.question):
        yield _beginning(template) + quotation
    yield _beginning(prose.hint)


_OURS = re.compile(
    _LINE_START + "(?:" + "|".join(dict.fromkeys(head for prose in PROSE.values() for head in _heads(prose))) + ")"
)
_OPENINGS = tuple(sentence for prose in PROSE.values() for sentence in _sentence(prose))
_CUTS = frozenset(prose.rounds_cut for prose in PROSE.values())
_ROLES = re.compile(
    _LINE_START + r"\| (?:" + "|".join(re.escape(role) for prose in PROSE.values() for role in prose.roles.values()) + "): "
)


def _literals(prose: Prose) -> Iterator[str]:
    """Words without which nothing of ours is there: plain searches, which cost next to nothing."""
    yield from (f"{head}:" for head in prose.heads.values())
    templates = (prose.about, prose.person_links, prose.person_said, prose.update, prose.contradiction, prose.trigger)
    for template in (*templates, prose.question, prose.hint):
        yield max(re.split(r"\{[a-z]+\}", template), key=len).strip(" .")


_SIGNS = (
    "| ",
    f"<{FRAME_TAG}",
    f"<{ROUNDS_TAG}",
    f'"{_JSON_KEYS[0]}"',
    *_OPENINGS,
    *dict.fromkeys(literal for prose in PROSE.values() for literal in _literals(prose)),
)


def without_recalled(text: str) -> str:
    """``text`` with what recall handed out blanked, code point for code point: every place keeps its number."""
    if not any(sign in text for sign in _SIGNS):
        return text
    hidden = [*_frames(text), *_json_forms(text), *_lines(text)]
    if not hidden:
        return text
    blanked = list(text)
    for start, end in hidden:
        for place in range(start, end):
            if blanked[place] != "\n":
                blanked[place] = " "
    return "".join(blanked)


def _frames(text: str) -> Iterator[tuple[int, int]]:
    """From a frame's tag to its end; where the end is missing, to the next empty line, if the frame's own sentence follows."""
    place = 0
    while (tag := _TAG.search(text, place)) is not None:
        end = re.compile(rf"<\s*/\s*{tag[1]}\s*>", re.IGNORECASE).search(text, tag.end())
        if end is not None:
            yield tag.start(), end.end()
            place = end.end()
            continue
        rest = text[tag.end() : tag.end() + 200]
        if any(sentence in rest for sentence in _OPENINGS):
            blank = re.compile(r"\n[ \t]*\n").search(text, tag.end())
            yield tag.start(), len(text) if blank is None else blank.start()
        place = tag.end()


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Single lines of ours: prose by its head, a frame's opening sentence, rounds by their bars and dates."""
    start = 0
    in_rounds = False
    lines = text.split("\n")
    for number, line in enumerate(lines):
        ours = _OURS.match(line) is not None or any(sentence in line for sentence in _OPENINGS)
        follows = lines[number + 1] if number + 1 < len(lines) else ""
        if _DATE_LINE.match(line) and _ROUND_LINE.match(follows):
            ours = in_rounds = True
        elif _ROUND_LINE.match(line):
            in_rounds = in_rounds or _ROLES.match(line) is not None
            ours = ours or in_rounds
        elif in_rounds:
            ours = ours or line.strip() in _CUTS
            in_rounds = False
        if ours:
            yield start, start + len(line)
        start += len(line) + 1


def _json_forms(text: str) -> Iterator[tuple[int, int]]:
    """A context as JSON, whoever pasted it."""
    if f'"{_JSON_KEYS[0]}"' not in text:
        return
    decoder = json.JSONDecoder()
    place = text.find("{")
    while place >= 0:
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place = text.find("{", place + 1)
            continue
        if isinstance(value, dict) and all(key in value for key in _JSON_KEYS):
            yield place, end
        place = text.find("{", end)
