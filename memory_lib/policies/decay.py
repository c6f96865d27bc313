"""Fading: w · c^days, with a coefficient a day for each kind of memory (DESIGN §4, the decay table; seed §3.3).

The weight is stored with the instant it was true of and faded on read, so a missed run, a rerun or a clock change alters
nothing. Days are active days (``policies.active_clock``), 24 hours each, never calendar days.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.candidates import NodeType, Valence
from memory_lib.errors import IllegalValue

FADED = "faded"
"""The reason of an archive that fading alone decided."""


class DecayMode(StrEnum):
    """The ablation of seed §7: a coefficient for each kind, one for all, or no forgetting."""

    TYPED = "typed"
    UNIFORM = "uniform"
    OFF = "off"


_COEFFICIENTS = (
    "emotional_negative",
    "emotional_positive",
    "emotional_neutral",
    "fact",
    "event",
    "event_significant",
    "person",
    "open_loop",
    "hypothesis",
    "pinned",
    "uniform",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DecayParams:
    """Coefficients a day in (0, 1]. ``significant_above``: importance at creation above which an event is a significant one.

    ``uniform`` serves mode ``uniform`` only. ``removed_below``: a weight under it is out of the active graph.
    """

    mode: DecayMode
    emotional_negative: float
    emotional_positive: float
    emotional_neutral: float
    fact: float
    event: float
    event_significant: float
    significant_above: float
    person: float
    open_loop: float
    hypothesis: float
    pinned: float
    uniform: float
    removed_below: float

    def __post_init__(self) -> None:
        for name in _COEFFICIENTS:
            if not 0.0 < getattr(self, name) <= 1.0:
                raise IllegalValue(f"decay coefficient {name} is outside (0, 1]; correct the setting")
        if not 0.0 < self.removed_below < 1.0:
            raise IllegalValue("decay: removed_below is outside (0, 1); correct the setting")


def coefficient(node_type: NodeType, *, valence: Valence, importance: float, params: DecayParams) -> float:
    """What is left after one active day of a weight of 1, for a node that is not pinned.

    ``importance`` is the one given at creation: what becomes important later is pinned or mentioned, it is not reclassified.
    """
    if params.mode is DecayMode.OFF:
        return 1.0
    if params.mode is DecayMode.UNIFORM:
        return params.uniform
    emotional = {
        Valence.NEGATIVE: params.emotional_negative,
        Valence.POSITIVE: params.emotional_positive,
        Valence.NEUTRAL: params.emotional_neutral,
    }
    typed = {
        NodeType.EMOTIONAL_NOTE: emotional[valence],
        NodeType.FACT: params.fact,
        NodeType.EVENT: params.event_significant if importance > params.significant_above else params.event,
        NodeType.PERSON: params.person,
        NodeType.OPEN_LOOP: params.open_loop,
        NodeType.HYPOTHESIS: params.hypothesis,
    }
    return typed[node_type]


def faded(weight: float, coefficient: float, days: float) -> float:
    """``weight · coefficient^days``; negative days count as none, so the result lies in 0..weight."""
    left: float = coefficient ** max(days, 0.0)
    return weight * left


def faded_many(weight: NDArray[np.float64], coefficient: NDArray[np.float64], days: NDArray[np.float64]) -> NDArray[np.float64]:
    """``faded`` element by element."""
    faded_weight: NDArray[np.float64] = weight * np.power(coefficient, np.maximum(days, 0.0))
    return faded_weight


def coefficients_on_read(stored: NDArray[np.float64], *, pinned: NDArray[np.bool_], params: DecayParams) -> NDArray[np.float64]:
    """The coefficients to read stored weights with: as stored, or what the ablation puts in their place.

    An ablation on read changes how weights fall from the last recorded event on; what they were by then was formed before.
    """
    if params.mode is DecayMode.TYPED:
        return stored
    return np.where(pinned, params.pinned, 1.0 if params.mode is DecayMode.OFF else params.uniform)
