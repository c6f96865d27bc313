"""Verbatim rounds as the assistant is given them, and dated quotes as people are shown them (DESIGN §4, Recall).

The words stay as they are and may run over lines; each line carries a prefix, so that none of them can stand where the frame's
own lines stand. What would imitate the frame or a chat template loses its angle bracket.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory_lib.reasoning.prose import prose_dates
from memory_lib.reasoning.prose.prose_templates import FRAME_TAG, PROSE, ROUNDS_TAG
from memory_lib.reasoning.prose.quoting import HIDDEN, Language, cut, one_line, quote

_BREAKS = re.compile("\r\n|[\n\v\f\r\x1c-\x1f\x85\u2028\u2029]")
_CONTROLS = re.compile(f"[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f{HIDDEN}]")
_SURROGATES = re.compile("[\ud800-\udfff]")
_IMITATION = re.compile(
    rf"[<\uff1c\ufe64](?=\s*/?\s*(?:{FRAME_TAG}|{ROUNDS_TAG}|system|assistant|user|tool|\|))", re.IGNORECASE
)

PREFIX = "| "


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundsParams:
    """``max_rounds`` rounds and ``max_chars`` characters at most, the frame included.

    A rest shorter than ``min_chars`` is not worth a cut round.
    """

    max_rounds: int
    max_chars: int
    min_chars: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundMessage:
    """One message of a round: who spoke (a role, and the name where one is known), when, and the stored words."""

    role: str
    text: str
    time: datetime
    speaker: str | None = None


@dataclass(frozen=True, slots=True)
class RoundText:
    """A round's messages in their order. ``cut``: whoever made it has left something out."""

    messages: tuple[RoundMessage, ...]
    cut: bool = False


@dataclass(frozen=True, slots=True)
class RoundsText:
    """``text`` is "" where there are no rounds. ``bodies``: each told round's own lines, in the given order."""

    text: str
    bodies: tuple[str, ...]


def render_rounds(rounds: Sequence[RoundText], *, language: Language, params: RoundsParams) -> RoundsText:
    """Rounds in the order given, each under its date, inside one frame; a round that was cut says so."""
    prose = PROSE[language]
    left = params.max_chars - len(prose.rounds_opening) - len(prose.rounds_closing) - 1
    bodies: list[str] = []
    for told in rounds[: params.max_rounds]:
        if not told.messages:
            continue
        body = _body(told, language=language)
        if len(body) + 1 > left:
            if left < params.min_chars:
                break
            note = "\n" + prose.rounds_cut
            body = body.removesuffix(note)
            body = body[: left - 1 - len(note) - 1].rstrip() + "…" + note
        bodies.append(body)
        left -= len(body) + 1
    if not bodies:
        return RoundsText("", ())
    return RoundsText("\n".join((prose.rounds_opening, *bodies, prose.rounds_closing)), tuple(bodies))


def describe_sources(sources: Iterable[tuple[datetime, str]], *, language: Language, quote_chars: int) -> tuple[str, ...]:
    """One dated quote a source, oldest first: "12 May 2026: “…”"."""
    ordered = sorted(sources, key=lambda source: (source[0].timestamp(), source[1]))
    return tuple(
        f"{prose_dates.day(time, language=language)}: {quote(words, limit=quote_chars, language=language)}"
        for time, words in ordered
    )


def _body(told: RoundText, *, language: Language) -> str:
    prose = PROSE[language]
    lines: list[str] = []
    shown = None
    for message in told.messages:
        when = f"{prose_dates.day(message.time, language=language)}, {message.time:%H:%M}"
        if shown is None or when.rsplit(",", 1)[0] != shown.rsplit(",", 1)[0]:
            lines.append(when)
        shown = when
        role = prose.roles.get(message.role, prose.roles["other"])
        # a name is told only of third persons: the roles say who the others are
        name = cut(one_line((message.speaker or "")[:200]), 40).replace(":", "") if message.role == "other" else ""
        first, *rest = _verbatim(message.text).split("\n")
        lines.append(f"{PREFIX}{name or role}: {first}")
        lines += [f"{PREFIX}  {line}" for line in rest]
    if told.cut:
        lines.append(prose.rounds_cut)
    return "\n".join(lines)


def _verbatim(text: str) -> str:
    """Give the words as they were, without what is invisible, with the line feed as the only line break."""
    text = _BREAKS.sub("\n", text)
    if not text.isascii() or not text.isprintable():
        text = _SURROGATES.sub("\ufffd", _CONTROLS.sub("", text))
    return _IMITATION.sub("‹", text)
