"""The numbers of what a new statement ends."""

from __future__ import annotations

from dataclasses import dataclass

from memory_lib.policies.stems import StemParams


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingParams:
    """Thresholds of closing, calibrated cosines and shares.

    ``count_cosine``: from which two counts of one unit are of one thing; ``correction_cosine``: from which a correction meets
    what has its slot or topic; ``propose_cosine``, ``propose_confidence``: from which a change is proposed, and how sure the
    edge is. ``overlap``: share of words from which statements with a swapped argument are one. ``near_s``: seconds within which
    a correction may mean what shares no word with it but what it denies. ``longest_ended``: words of a statement that one ended
    thing can end.
    """

    count_cosine: float
    correction_cosine: float
    propose_cosine: float
    propose_confidence: float
    overlap: float
    near_s: float
    longest_ended: int
    stems: StemParams
