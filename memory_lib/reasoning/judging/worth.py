"""Whether a round is worth remembering: the learnt judge over hand features (pure; OFFLINE, Worth remembering).

A round is a turn and the turn before it, as recall has it; its worth is that of its last turn, read beside what it answers. The
judge drops only what is surely nothing of the person's; what is dropped stays in the messages and is found by its words.
"""

from __future__ import annotations

import math

from memory_lib.reasoning.judging.heads import WorthModel
from memory_lib.reasoning.judging.worth_features import worth_features


def worth_share(text: str, *, before: str, model: WorthModel) -> float:
    """0 to 1; from 0.5 the round is kept, so one limit serves whatever model is shipped.

    Args:
        before: the turn before, whoever spoke; empty where there is none.
    """
    score = model.score(worth_features(text, before=before)) - model.threshold
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, score))))


VERSION = "worth/1"
KEPT_FROM = 0.5
"""The share from which a round is kept."""


def is_worth_keeping(text: str, *, before: str, model: WorthModel) -> bool:
    """Whether the round is kept."""
    return worth_share(text, before=before, model=model) >= KEPT_FROM
