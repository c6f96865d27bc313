"""Somebody's answers about placements, each asked once and kept (CONTRACTS: a rerun never asks a model twice).

An answer is kept under what was asked (the words of the candidate and of its neighbours), not under ids, so a replay, a rebuild
or another home with the same ledger gets the same answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memory_lib.domain.candidates import Candidate
from memory_lib.domain.canonical import canonical_json
from memory_lib.domain.ids import IdKey, UserId
from memory_lib.domain.node import Node
from memory_lib.policies.formation import Decider, Decision, Neighbour, Verdict
from memory_lib.ports.ledger import Decisions
from memory_lib.ports.placement_judge import PlacementJudge


def kept_judge(user: UserId, judge: PlacementJudge, *, decisions: Decisions, id_key: IdKey) -> Decider:
    """The judge's answers, from what is kept where it has answered before."""
    asked_by = f"{judge.name}/{judge.version}"

    def decide(candidate: Candidate, neighbours: Sequence[Neighbour]) -> Decision | None:
        question = [_candidate_words(candidate), [_node_words(n.node) for n in neighbours]]
        key = id_key.hash("placement", asked_by, canonical_json(question).decode("ascii"))
        answer = decisions.known(user, key)
        if answer is None:
            answer = decisions.keep(user, key, _record(judge.judge(user, candidate, neighbours), neighbours), judge=asked_by)
        return _decision(answer, neighbours)

    return decide


def _candidate_words(candidate: Candidate) -> list[Any]:
    slot = candidate.slot
    said = [candidate.type.value, candidate.content, None if slot is None else [slot.key, slot.value]]
    return [*said, [m.value for m in candidate.modality], candidate.polarity, candidate.valid_from, candidate.due]


def _node_words(node: Node) -> list[Any]:
    slot = node.slot
    said = [node.type.value, node.content, None if slot is None else [slot.key, slot.value]]
    return [*said, [m.value for m in node.modality], node.polarity, node.valid_from, node.due]


def _record(decision: Decision | None, neighbours: Sequence[Neighbour]) -> Mapping[str, Any]:
    """The answer with the node as its place among the neighbours."""
    if decision is None:
        return {"verdict": None}
    places = [neighbour.node.id for neighbour in neighbours]
    place = places.index(decision.node) if decision.node in places else None
    return {"verdict": decision.verdict.value, "reason": decision.reason, "place": place}


def _decision(answer: Mapping[str, Any], neighbours: Sequence[Neighbour]) -> Decision | None:
    if answer["verdict"] is None:
        return None
    place = answer["place"]
    node = None if place is None or not 0 <= place < len(neighbours) else neighbours[place].node.id
    return Decision(Verdict(answer["verdict"]), answer["reason"], node)
