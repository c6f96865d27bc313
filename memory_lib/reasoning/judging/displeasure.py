"""Whether a turn is unhappy with the assistant's work, puts it right, or asks again (pure).

Rules make the event; the learnt head only makes a rule surer: in real chat, where three turns in a hundred are displeased, it
drowns in neutral questions (OFFLINE, Displeasure).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.syntax import Language
from memory_lib.reasoning.judging.heads import LinearHead
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.words.displeasure_cues import CUES, CueKind


@dataclass(frozen=True, slots=True, kw_only=True)
class DispleasureParams:
    """Confidences: of a rule alone, of one the head agrees with, of one it denies. ``agrees``, ``denies``: the head's share of
    "displeased" from and to which it does. ``characters``: what of a turn is looked at.
    """

    by_rule: float
    agreed: float
    denied: float
    agrees: float
    denies: float
    characters: int


DISPLEASURE = DispleasureParams(
    by_rule=0.7,  # OFFLINE §4: rules on real chat, P 70
    agreed=0.85,
    denied=0.6,
    agrees=0.5,
    denies=0.1,
    characters=1_000,  # ours: longer turns tell or paste something
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DispleasureCue:
    """``rule``: which one spoke. ``start``/``end``: the sentence, code points of the turn."""

    kind: CueKind
    confidence: float
    rule: str
    start: int
    end: int


def displeasure_cue(
    text: str,
    *,
    language: Language,
    reply: str = "",
    head: LinearHead | None = None,
    vector: NDArray[np.float32] | None = None,
    params: DispleasureParams = DISPLEASURE,
) -> DispleasureCue | None:
    """The first cue of the turn, a displeased or correcting one before "I ask again"; None where there is none.

    The caller makes sure that the assistant has said something before: without an answer nothing can displease.

    Args:
        reply: what the assistant said last; after a question, "no, it's …" only answers.
    """
    asked = reply.rstrip(" \"'»”)*_").endswith("?")
    folded = fold(text[: params.characters])
    found: list[DispleasureCue] = []
    for sentence in _SENTENCE.finditer(folded):
        words = len(sentence.group().split())
        for cue in CUES[language]:
            if cue.answers and asked:
                continue
            if words <= cue.longest and cue.pattern.search(sentence.group().strip()):
                confidence = _confidence(head, vector, params)
                found.append(
                    DispleasureCue(
                        kind=cue.kind, confidence=confidence, rule=cue.name, start=sentence.start(), end=sentence.end()
                    )
                )
                break
    events = [cue for cue in found if cue.kind is not CueKind.ASKS_AGAIN]
    return next(iter(events or found), None)


_SENTENCE = re.compile(r"[^.!?…\n]+[.!?…]*")


def _confidence(head: LinearHead | None, vector: NDArray[np.float32] | None, params: DispleasureParams) -> float:
    if head is None or vector is None:
        return params.by_rule
    share = head.probability("displeased", vector)
    if share >= params.agrees:
        return params.agreed
    return params.denied if share <= params.denies else params.by_rule
