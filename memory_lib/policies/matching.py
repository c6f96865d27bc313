"""Is this the same statement? Guards that a cosine cannot see (DESIGN §3; TRAPS, Models: neither negation nor swapped roles).

Two statements are the same only if the words are, or if they are close *and* nothing that changes the meaning differs:
polarity, numbers, who it is about, kind, audience. Cosines are rounded before they meet a threshold, so that the order in
which a matrix was multiplied can never decide what a person is believed to have said.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from memory_lib.domain.candidates import NodeType

_WORD = re.compile(r"\w+", re.UNICODE)
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")

COSINE_DIGITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchingParams:
    """``attach_cosine``: calibrated cosine from which two statements may be one."""

    attach_cosine: float


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


def name_key(name: str) -> str:
    """A person's name as a key: plain words, so that "Марина" and "марина" meet."""
    return plain_words(name)


ATTACHABLE = frozenset({NodeType.FACT, NodeType.EVENT, NodeType.OPEN_LOOP, NodeType.EMOTIONAL_NOTE})
"""Kinds that attach by statement; persons attach by name and relation."""
