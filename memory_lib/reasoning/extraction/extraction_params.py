"""The numbers of the offline extraction."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionParams:
    """Numbers of the offline extraction. Confidences of what is said lie in 0.9..1.0 (DESIGN §4), lower where it is hedged.

    ``confidence_previous_turn``: at most so sure is an emotional turn without a stated cause of the turn before it
    (``turn_causes``). ``overlap``: share of content words that makes two statements the same one.
    ``english_day_first``: English figures such as 3/4 are the 3rd of April; Russian ones always are read so.
    """

    confidence_stated: float
    confidence_implied: float
    confidence_planned: float
    confidence_wished: float
    confidence_judged: float
    confidence_reported: float
    confidence_hedged: float
    confidence_unreal: float
    confidence_relation: float
    confidence_adjacent: float
    confidence_previous_turn: float
    importance_significant: float
    importance_profile: float
    importance_dated: float
    importance_plain: float
    importance_minor: float
    overlap: float
    answer_tokens: int
    max_candidates: int
    english_day_first: bool
