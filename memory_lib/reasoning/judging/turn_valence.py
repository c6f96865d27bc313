"""How a turn is coloured: the learnt head over its vector, or own word lists where nothing can be embedded (pure).

The head is trained on English only and works in Russian, negation included; the word lists know what they list. Neither says
whose feeling it is: who writes an emotional note also asks for the first person and for no request (``is_worth_a_note``).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.candidates import Valence
from memory_lib.domain.syntax import Parse
from memory_lib.reasoning.judging.heads import LinearHead
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.words.feeling_words import EVALUATIONS, FEELINGS
from memory_lib.reasoning.words.valence_words import COLOURED, DENIALS, STRONGER


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnValenceParams:
    """``note_margin``: |p(positive) - p(negative)| from which a colour is worth a note (OFFLINE, Valence). ``window``: words
    before a coloured word in which a denial turns it. ``least``: sum of coloured words from which a turn is coloured.
    """

    note_margin: float
    window: int
    least: float


TURN_VALENCE = TurnValenceParams(
    note_margin=0.5,  # OFFLINE §2
    window=3,  # OFFLINE §2, the lexicon's negation window
    least=0.3,  # VADER's cut on -1..1 in OFFLINE §2
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnValence:
    """``scores``: a share 0..1 for each valence. ``intensity`` 0..1: distance of positive from negative, 0 for neutral.

    ``confidence``: the share of the valence. ``rule``: who spoke.
    """

    valence: Valence
    intensity: float
    confidence: float
    scores: Mapping[Valence, float]
    rule: str


def valence_by_head(vector: NDArray[np.float32], *, head: LinearHead) -> TurnValence:
    """What the head says of one calibrated vector.

    Raises:
        IllegalValue: the vector is of another width.
    """
    shares = head.probabilities(vector)
    scores = {Valence(kind): float(share) for kind, share in zip(head.classes, shares, strict=True)}
    valence = max(scores, key=lambda kind: scores[kind])
    distance = abs(scores[Valence.POSITIVE] - scores[Valence.NEGATIVE])
    return TurnValence(
        valence=valence,
        intensity=0.0 if valence is Valence.NEUTRAL else round(distance, 3),
        confidence=scores[valence],
        scores=scores,
        rule="valence.head/1",
    )


def valence_by_words(text: str, *, parse: Parse | None = None, params: TurnValenceParams = TURN_VALENCE) -> TurnValence:
    """What coloured words say, a denial within ``params.window`` words before one turning it. Lemmas come from ``parse``."""
    total, strongest = 0.0, 0.0
    words = _words(text, parse)
    for place, (word, lemma) in enumerate(words):
        value = _value(word, lemma)
        if value == 0.0:
            continue
        before = [each for each, _ in words[max(0, place - params.window) : place]]
        if any(each in DENIALS or each.endswith("n't") for each in before):
            value *= -0.5
        elif before and before[-1] in STRONGER:
            value *= 1.25
        total += value
        strongest = max(strongest, min(1.0, abs(value)))
    if abs(total) < params.least:
        scores = {Valence.NEUTRAL: 0.6, Valence.POSITIVE: 0.2, Valence.NEGATIVE: 0.2}
        return TurnValence(valence=Valence.NEUTRAL, intensity=0.0, confidence=0.6, scores=scores, rule="valence.words/1")
    valence, other = (Valence.POSITIVE, Valence.NEGATIVE) if total > 0 else (Valence.NEGATIVE, Valence.POSITIVE)
    return TurnValence(
        valence=valence,
        intensity=round(strongest, 3),
        confidence=0.6,
        scores={valence: 0.6, Valence.NEUTRAL: 0.3, other: 0.1},
        rule="valence.words/1",
    )


def turn_valence(
    text: str,
    *,
    head: LinearHead | None,
    vector: NDArray[np.float32] | None,
    parse: Parse | None = None,
    params: TurnValenceParams = TURN_VALENCE,
) -> TurnValence:
    """By the head where there is one and a vector, else by words."""
    if head is not None and vector is not None:
        return valence_by_head(vector, head=head)
    return valence_by_words(text, parse=parse, params=params)


def is_worth_a_note(found: TurnValence, *, first_person: bool, request: bool, params: TurnValenceParams = TURN_VALENCE) -> bool:
    """Whether an emotional note may rest on it: clearly coloured, said of oneself, and no request (OFFLINE, Valence)."""
    distance = abs(found.scores[Valence.POSITIVE] - found.scores[Valence.NEGATIVE])
    return found.valence is not Valence.NEUTRAL and distance > params.note_margin and first_person and not request


_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")


def _words(text: str, parse: Parse | None) -> list[tuple[str, str]]:
    if parse is None or not parse.sentences:
        return [(word, word) for word in _WORD.findall(fold(text))]
    return [
        (fold(token.text), fold(token.lemma))
        for sentence in parse.sentences
        for token in sentence.tokens
        if any(letter.isalpha() for letter in token.text)
    ]


def _value(word: str, lemma: str) -> float:
    """The form before its lemma: the parsers take "рада" for a noun."""
    for each in (word, lemma):
        for table in (COLOURED, FEELINGS, EVALUATIONS):
            if each in table:
                return table[each]
    return 0.0
