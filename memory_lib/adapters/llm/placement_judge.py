"""A model's opinion about placements that words and vectors leave open, through the job *place*.

Off unless ``model.places`` is set: answers are kept and each question is asked once, but it is asked while the person is being
written for, so a slow model makes a busy person's new messages wait.
"""

from __future__ import annotations

from collections.abc import Sequence

from memory_lib.domain.candidates import Candidate
from memory_lib.domain.ids import UserId
from memory_lib.domain.node import Node
from memory_lib.policies.formation import Decision, Neighbour, Verdict
from memory_lib.ports.thinker import Thinker
from memory_lib.reasoning.jobs import place_candidate
from memory_lib.reasoning.jobs.job import OFFLINE
from memory_lib.reasoning.jobs.statement_pair import Statement
from memory_lib.reasoning.prose.reply_language import language_of


class ModelPlacementJudge:
    """Implements ``ports.placement_judge.PlacementJudge``. Where the rule answered for the model there is no opinion: formation
    has looked by rule already.
    """

    def __init__(self, thinker: Thinker, *, params: place_candidate.Params) -> None:
        self._thinker = thinker
        self._params = params

    @property
    def name(self) -> str:
        return self._thinker.name

    @property
    def version(self) -> str:
        return place_candidate.VERSION

    def judge(self, user: UserId, candidate: Candidate, neighbours: Sequence[Neighbour]) -> Decision | None:
        nearest = sorted(neighbours, key=lambda near: -(near.cosine or 0.0))[: place_candidate.NEIGHBOURS]
        inputs = place_candidate.Inputs(
            candidate=_statement(candidate),
            neighbours=tuple(place_candidate.Neighbour(_statement(near.node), near.cosine) for near in nearest),
            language=language_of(candidate.content),
            params=self._params,
        )
        thought = self._thinker.think(place_candidate.JOB, inputs, user=user)
        if thought.reasoner == OFFLINE:
            return None
        found = thought.value
        node = None if found.neighbour is None else nearest[found.neighbour].node.id
        return Decision(Verdict(found.action.value), f"{self.name}/{found.because}", node)


def _statement(said: Candidate | Node) -> Statement:
    slot = said.slot
    return Statement(
        text=said.content,
        type=said.type,
        # neighbours are of the candidate's own subject; only whether that is the person matters
        about="self",
        polarity=said.polarity,
        slot_key=None if slot is None else slot.key,
        slot_value=None if slot is None else slot.value,
        slot_single=slot is not None and slot.single,
        date=(said.valid_from or "")[:10],
    )
