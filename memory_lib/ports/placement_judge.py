"""Who may be asked about a placement that words and vectors leave open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from memory_lib.domain.candidates import Candidate
from memory_lib.domain.ids import UserId
from memory_lib.policies.formation.decision import Decision, Neighbour


class PlacementJudge(Protocol):
    """``name`` and ``version`` are part of what an answer is kept under; a new version is asked again."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str: ...

    def judge(self, user: UserId, candidate: Candidate, neighbours: Sequence[Neighbour]) -> Decision | None:
        """Create, attach to or refine one of ``neighbours``, or reject; None: no opinion. Raises nothing."""
        ...
