"""Recorded acts: what a person or a pass did to a node, beside what was said (CONTRACTS, Time and weight).

Weight, pin and state are folds over mentions *and* acts, so a replay of the messages keeps every act.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from memory_lib.domain.ids import NodeId
from memory_lib.domain.time import to_us


class ActKind(StrEnum):
    """The kinds of act; what each does to a weight is said in ``policies.weight_fold``."""

    PIN = "pin"
    UNPIN = "unpin"
    WRONG = "wrong"
    SET = "set"
    ARCHIVE = "archive"
    UNDO = "undo"
    BOOST = "boost"
    DAMP = "damp"
    DOUBT = "doubt"


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """``at`` is the instant the act counts from. ``detail`` may hold what a person wrote (a corrected field): sealed at rest.

    ``BOOST`` adds ``detail['add']`` to the weight; ``DAMP`` multiplies it by ``detail['factor']``; ``UNDO`` names the batch or
    act it takes back in ``detail['undoes']``; ``DOUBT``: what a derived node rests on was corrected.
    """

    id: str
    node: NodeId
    kind: ActKind
    at: datetime
    recorded_at: datetime
    detail: Mapping[str, str] = field(default_factory=dict)

    @property
    def order(self) -> tuple[int, str]:
        return (to_us(self.at), self.id)
