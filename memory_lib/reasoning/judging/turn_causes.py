"""Which earlier turn an emotional turn answers to: the rule of what is near, told, and of one colour (pure; OFFLINE, Causes).

What people feel in a conversation comes mostly from the turn before, from what opened the dialogue, or from a telling two turns
back in the same colour. Short questions cause little. Nothing here is certain: the best known models reach 58 % F1, so an edge
carries a confidence of at most 0.6, and only ``sure`` ones are worth writing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCauseParams:
    """``question_words``: a question shorter than this causes nothing. ``opener``: turns within which the dialogue's first may
    be the cause. ``told_words``: of a turn two back. ``colour``: |p(positive) - p(negative)| from which a turn is coloured.
    ``agree``: product of two colours from which they agree; ``oppose``: below which they oppose each other. ``characters``: of
    a turn that is surely a cause. Confidences of the three kinds of guess.
    """

    question_words: int
    opener: int
    told_words: int
    colour: float
    agree: float
    oppose: float
    characters: int
    sure: float
    likely: float
    possible: float


TURN_CAUSES = TurnCauseParams(
    question_words=8,  # ours: a short question asks, a long one tells
    opener=3,  # OFFLINE §1, the rule with the opener
    told_words=8,
    colour=0.3,  # OFFLINE §1, |VADER| > .3
    agree=0.1,  # ours: the square of the colour, rounded
    oppose=-0.1,
    characters=30,  # ours: a full sentence; OFFLINE §1 has 40 without the other conditions
    sure=0.6,  # OFFLINE, Recommended composition: at most .6
    likely=0.5,  # the share that is right on development data, rounded down; the next too
    possible=0.4,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpokenTurn:
    """A turn and its signed colour, p(positive) - p(negative), in -1..1; 0 where unknown."""

    text: str
    colour: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnCause:
    """``place``: of the cause in ``before``. ``rule``: which one spoke. ``sure``: worth an edge by itself."""

    place: int
    confidence: float
    rule: str
    sure: bool


def turn_causes(
    turn: SpokenTurn, before: Sequence[SpokenTurn], *, opens: bool, params: TurnCauseParams = TURN_CAUSES
) -> tuple[TurnCause, ...]:
    """Likely causes of an emotional turn among those before it, in the order of ``before`` (oldest first).

    Args:
        opens: whether ``before[0]`` opened the dialogue.
    """
    found: list[TurnCause] = []
    for place, candidate in enumerate(before):
        distance = len(before) - place
        asks = candidate.text.rstrip().endswith("?")
        words = len(candidate.text.split())
        product = candidate.colour * turn.colour
        if distance == 1 and not (asks and words < params.question_words):
            sure = (
                not asks
                and len(candidate.text) > params.characters
                and abs(candidate.colour) > params.colour
                and product >= params.oppose
            )
            confidence = params.sure if sure else params.likely
            rule = "caused_by.coloured_turn_before/1" if sure else "caused_by.turn_before/1"
            found.append(TurnCause(place=place, confidence=confidence, rule=rule, sure=sure))
        elif opens and place == 0 and distance <= params.opener:
            found.append(TurnCause(place=place, confidence=params.possible, rule="caused_by.opener/1", sure=False))
        elif distance == 2 and not asks and words >= params.told_words and product > params.agree:
            found.append(TurnCause(place=place, confidence=params.possible, rule="caused_by.same_colour/1", sure=False))
    return tuple(found)
