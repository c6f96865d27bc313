"""The model's opinion about a placement: which neighbour it means, and none where the rule had to answer."""

from __future__ import annotations

from typing import Any

import pytest

from memory_lib.adapters.llm.placement_judge import ModelPlacementJudge
from memory_lib.domain.ids import UserId
from memory_lib.policies.formation import Decision, Neighbour, Verdict
from memory_lib.reasoning.jobs import place_candidate
from memory_lib.reasoning.jobs.job import OFFLINE, Thought
from memory_lib.settings import Settings
from tests.policies.formed import formed, said, unit

PARAMS = Settings.model_fields["jobs"].default.place
USER = UserId("0" * 32)


class Scripted:
    """A thinker double that gives one answer through the job's own check."""

    name = "small"

    def __init__(self, action: str, neighbour: int) -> None:
        self.answer = place_candidate.Answer(action=place_candidate.Action(action), neighbour=neighbour)

    def think(self, job: Any, inputs: Any, **_: Any) -> Any:
        checked = job.check(self.answer, inputs)
        if checked.value is None:
            return Thought(value=job.offline(inputs), reasoner=OFFLINE, version=job.version, fallback="bad_answer")
        return Thought(value=checked.value, reasoner=self.name, version=job.version)


@pytest.fixture
def neighbours() -> list[Neighbour]:
    state, _ = formed(unit(1, said("I play the cello")), unit(2, said("I sing in a choir")))
    cello, choir = (state.base(node) for node in state.node_ids)
    return [Neighbour(cello, 0.6, same_words=False, contained=False), Neighbour(choir, 0.8, same_words=False, contained=False)]


def _judged(action: str, neighbour: int, neighbours: list[Neighbour]) -> Decision | None:
    judge = ModelPlacementJudge(Scripted(action, neighbour), params=PARAMS)
    return judge.judge(USER, said("I sing in the church choir"), neighbours)


def test_the_neighbour_is_counted_from_the_nearest(neighbours: list[Neighbour]) -> None:
    assert _judged("attach", 1, neighbours) == Decision(Verdict.ATTACH, "small/model", neighbours[1].node.id)
    assert _judged("refine", 2, neighbours) == Decision(Verdict.REFINE, "small/model", neighbours[0].node.id)


@pytest.mark.parametrize("action", ["create", "reject"])
def test_a_new_or_an_empty_statement_names_nobody(neighbours: list[Neighbour], action: str) -> None:
    assert _judged(action, 0, neighbours) == Decision(Verdict(action), "small/model")


def test_an_id_out_of_range_is_no_opinion(neighbours: list[Neighbour]) -> None:
    assert _judged("attach", 8, neighbours) is None
