"""The numbers of everything that looks at a turn or a pair of sentences without making nodes, a record each."""

from __future__ import annotations

from dataclasses import dataclass

from memory_lib.reasoning.judging.displeasure import DispleasureParams
from memory_lib.reasoning.judging.rephrased import RephrasedParams
from memory_lib.reasoning.judging.statement_change import ChangeParams
from memory_lib.reasoning.judging.turn_causes import TurnCauseParams
from memory_lib.reasoning.judging.turn_valence import TurnValenceParams


@dataclass(frozen=True, slots=True, kw_only=True)
class DetectorParams:
    """Handed to the functions of the modules they are named after."""

    valence: TurnValenceParams
    displeasure: DispleasureParams
    rephrased: RephrasedParams
    change: ChangeParams
    causes: TurnCauseParams
