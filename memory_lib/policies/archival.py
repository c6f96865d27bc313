"""Out of the active graph below 0.05, recoverable (DESIGN §4; seed §3.3). Nothing is deleted here: archived is a state."""

from __future__ import annotations

from dataclasses import dataclass

from memory_lib.policies.decay import FADED, DecayParams


@dataclass(frozen=True, slots=True)
class Keep:
    """Stays in the active graph. ``reason``: ``pinned`` or ``heavy_enough``."""

    reason: str


@dataclass(frozen=True, slots=True)
class Archive:
    """Leaves the active graph. ``reason``: ``faded``."""

    reason: str


def archival(weight_now: float, *, pinned: bool, params: DecayParams) -> Keep | Archive:
    """What becomes of a node that weighs ``weight_now`` at this instant (``weight_fold.weight_at``)."""
    if pinned:
        return Keep("pinned")
    if weight_now < params.removed_below:
        return Archive(FADED)
    return Keep("heavy_enough")
