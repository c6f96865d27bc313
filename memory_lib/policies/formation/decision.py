"""What may become of a candidate, as values: create, attach, refine or reject, with the reason and the node meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from memory_lib.domain.candidates import Candidate
from memory_lib.domain.ids import NodeId
from memory_lib.domain.node import Node


class Verdict(StrEnum):
    """``REFINE`` is an attach whose words say more than those known: the node takes the detail in. ``REJECT``: kept with the
    residuals, for later passes.
    """

    CREATE = "create"
    ATTACH = "attach"
    REFINE = "refine"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Decision:
    """``reason``: a code for the log. ``node``: what to attach to or refine; else None. ``numbers``: what it rested on."""

    verdict: Verdict
    reason: str
    node: NodeId | None = None
    numbers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A known statement near a candidate. ``cosine``: calibrated, None where either has no vector; ``contained``: its words
    stand in the candidate's, one after the other.
    """

    node: Node
    cosine: float | None
    same_words: bool
    contained: bool


Decider = Callable[[Candidate, Sequence[Neighbour]], Decision | None]
"""Asked where words and vectors leave it open; None: no opinion. Must give the same answer to the same question for good (a
model's answers are kept, see ``usecases.judge_placements``), or a replay would form another graph.
"""
