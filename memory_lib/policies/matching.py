"""Is this the same statement? Guards that a cosine cannot see (DESIGN §3; TRAPS, Models: neither negation nor swapped roles).

Two statements are the same only if the words are, or if they are close *and* nothing that changes the meaning differs:
polarity, numbers, who it is about, kind, audience. Cosines are rounded before they meet a threshold, so that the order in
which a matrix was multiplied can never decide what a person is believed to have said.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from memory_lib.domain.candidates import Modality, NodeType, Slot

_WORD = re.compile(r"\w+", re.UNICODE)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")

COSINE_DIGITS = 4
_CORE_TOKENS = 24
"""Statements are sentences; of longer ones the beginning decides, so that looking stays cheap."""


UNSURE = frozenset(
    {
        Modality.HEDGED,
        Modality.PLANNED,
        Modality.WISHED,
        Modality.ORDERED,
        Modality.ASKED,
        Modality.CONDITIONAL,
        Modality.REPORTED,
        Modality.QUOTED,
        Modality.FICTIONAL,
        Modality.JOKING,
    }
)
"""Said this way, a statement proposes; it neither closes what was asserted nor is the same as it."""

_TURNS = frozenset(
    "not no never none nobody nothing without unless but if except instead than like used anymore no longer nor "
    "don doesn didn isn aren wasn weren won wouldn can cannot couldn shouldn t "
    "не ни нет никогда никто ничего без но если кроме вместо чем раньше больше уже бывший бывшая кажется хотя а".split()
)
"""Words that may turn a statement into another one when they are added to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchingParams:
    """When two statements may be one.

    ``attach_cosine``: calibrated cosine from which they may. ``ask_cosine``: from here on somebody may be asked.
    ``refine_cosine``: below it, words that contain others are not the same with more detail. ``core_words`` and
    ``core_share``: how many words the shorter one needs, in number and as a share of the longer one. ``event_days``: how far
    apart two tellings of one undated event may be dated. ``reject_confidence``: below it a candidate is kept aside;
    ``worth_importance``: from it a plain statement is kept whatever the judge of worth says of its round.
    """

    attach_cosine: float
    ask_cosine: float
    refine_cosine: float
    core_words: int
    core_share: float
    event_days: float
    reject_confidence: float
    worth_importance: float


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What of a statement must agree, computed once a statement: its plain words and its numbers."""

    words: str
    numbers: frozenset[str]


def plain_words(text: str) -> str:
    """Case, accents of ё, punctuation and spacing folded away: what is left when one only listens."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("ё", "е")
    return " ".join(_WORD.findall(folded))


def fingerprint(text: str) -> Fingerprint:
    """What of this statement must agree with another one."""
    return Fingerprint(plain_words(text), frozenset(_NUMBER.findall(text)))


def same_statement(one: Fingerprint, other: Fingerprint, *, cosine: float | None, params: MatchingParams) -> str | None:
    """The reason why the two are one statement, or None. Callers compare only candidates of equal kind, polarity, ``about`` and
    audience.
    """
    if one.words and one.words == other.words:
        return "same_words"
    if cosine is None or one.numbers != other.numbers:
        return None
    if round(cosine, COSINE_DIGITS) >= params.attach_cosine:
        return "close_meaning"
    return None


def mood(modality: Sequence[Modality]) -> tuple[str, ...]:
    """How a statement is meant, as far as it keeps it from being an assertion; () for one that is asserted."""
    return tuple(sorted(value.value for value in modality if value in UNSURE))


def detail_added(shorter: Fingerprint, longer: Fingerprint, *, params: MatchingParams) -> bool:
    """Whether ``longer`` says what ``shorter`` says, word after word, and adds to it without turning it round."""
    core, words = shorter.words.split(), longer.words.split()
    if len(core) < params.core_words or len(core) >= len(words) or len(core) < params.core_share * len(words):
        return False
    place = f" {longer.words} ".find(f" {shorter.words} ")
    if place < 0 or not shorter.numbers <= longer.numbers:
        return False
    start = longer.words[:place].count(" ")
    return _TURNS.isdisjoint([*words[:start], *words[start + len(core) :]])


def cores(words: str, *, params: MatchingParams) -> list[str]:
    """The runs of words inside ``words`` that could be its core, longest first; of a long text, only its first words count."""
    tokens = words.split()[:_CORE_TOKENS]
    least = max(params.core_words, -int(-params.core_share * len(tokens) // 1))
    return [
        " ".join(tokens[start : start + length])
        for length in range(len(tokens) - 1, least - 1, -1)
        for start in range(len(tokens) - length + 1)
    ]


def name_key(name: str) -> str:
    """A person's name as a key: plain words, so that "Марина" and "марина" meet."""
    return plain_words(name)


def slot_value(slot: Slot) -> str:
    """A slot's value as it is compared."""
    return plain_words(slot.value)


ATTACHABLE = frozenset({NodeType.FACT, NodeType.EVENT, NodeType.OPEN_LOOP, NodeType.EMOTIONAL_NOTE})
"""Kinds that attach by statement; persons attach by name and relation."""
