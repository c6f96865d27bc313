"""Create, attach, refine, reject: what becomes of a candidate beside its neighbours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from memory_lib.domain.candidates import Candidate, EdgeType, Modality, NodeType, Precision, Relation, Valence
from memory_lib.domain.message import Role
from memory_lib.domain.node import Flag, Node
from memory_lib.policies.formation import Decision, FormationState, FormationUnit, Neighbour, Verdict
from tests.policies.formed import KEY, NOW, PARAMS, formed, person, said, slot, unit


def log(outcomes: list) -> list[tuple[str, str]]:  # type: ignore[type-arg]
    return [(action.action, action.reason) for outcome in outcomes for action in outcome.actions]


def nodes(state: FormationState) -> list[Node]:
    return [state.base(node) for node in state.node_ids]


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("I drink coffee", "I drink coffee every morning"),
        ("Я пью кофе", "Я пью кофе каждое утро"),
        ("у меня аллергия", "у меня аллергия на арахис"),
    ],
)
def test_more_words_of_the_same_refine_the_node_and_are_kept_as_what_it_says(short: str, long: str) -> None:
    state, outcomes = formed(unit(1, said(short)), unit(2, said(long)), unit(3, said(short)))
    (node,) = nodes(state)[:1]
    assert log(outcomes)[:2] == [("create", "fact.clause/1"), ("refine", "more_detail")]
    assert node.content == long
    assert node.refined[0].before == {"content": short}
    assert len(node.proofs) == 2


@pytest.mark.parametrize(
    ("short", "other"),
    [
        ("I drink coffee", "I drink coffee no more"),
        ("I drink coffee", "I drink coffee but rarely now"),
        ("Я пью кофе", "Я пью кофе без сахара"),
        ("I eat meat", "If I eat meat I feel bad"),
        ("I run", "I run a company"),
        ("I have 2 cats", "I have 3 cats and 2 dogs"),
        ("I like tea", "I like green tea a lot in the long evenings of winter when it snows and I read old books"),
    ],
)
def test_what_turns_a_statement_round_or_is_too_far_from_it_is_another_one(short: str, other: str) -> None:
    state, _ = formed(unit(1, said(short)), unit(2, said(other)))
    assert [node.content for node in nodes(state)] == [short, other]


def test_a_far_meaning_keeps_words_inside_words_apart() -> None:
    apart = unit(2, said("I want to learn Spanish guitar"), vectors=[[0.5, 0.866]])
    state, _ = formed(unit(1, said("I want to learn Spanish"), vectors=[[1.0, 0.0]]), apart)
    assert len(state.node_ids) == 2
    near = unit(2, said("I want to learn Spanish this year"), vectors=[[0.8, 0.6]])
    state, _ = formed(unit(1, said("I want to learn Spanish"), vectors=[[1.0, 0.0]]), near)
    (node,) = state.node_ids
    vector = state.vector(node)
    assert vector is not None
    assert np.allclose(vector, [0.8, 0.6])


def test_a_stated_time_takes_the_place_of_the_messages_own_and_a_finer_one_of_a_coarser() -> None:
    vague = said("I work at A", slot=slot("employer", "A"))
    year = said("I work at A", slot=slot("employer", "A"), valid_from="2020-01-01T00:00:00+00:00", precision=Precision.YEAR)
    day = said("I work at A", slot=slot("employer", "A"), valid_from="2020-03-02T00:00:00+00:00")
    other = said("I work at A", slot=slot("employer", "A"), valid_from="2019-03-02T00:00:00+00:00")
    state, outcomes = formed(unit(1, vague), unit(2, year), unit(3, day), unit(4, other), unit(5, year))
    (node,) = nodes(state)
    assert (node.valid_from, node.precision) == ("2020-03-02T00:00:00+00:00", Precision.DAY)
    assert [action for action, _ in log(outcomes)] == ["create", "refine", "refine", "attach", "attach"]


def test_a_missing_end_a_due_date_and_attributes_are_taken_in_and_known_ones_stay() -> None:
    state, _ = formed(
        unit(1, said("I rent a flat in Riga", attributes={"floor": "3"})),
        unit(
            2,
            said(
                "I rent a flat in Riga",
                ends="2027-01-01T00:00:00+00:00",
                due="2026-06-01T00:00:00+00:00",
                attributes={"floor": "4", "rooms": "2"},
            ),
        ),
    )
    (node,) = nodes(state)
    assert (node.ends, node.due) == ("2027-01-01T00:00:00+00:00", "2026-06-01T00:00:00+00:00")
    assert node.attributes == {"floor": "3", "rooms": "2"}


def event(content: str, **more: object) -> Candidate:
    return said(content, type=NodeType.EVENT, rule="event.clause/1", **more)


def test_events_of_different_dates_are_different_events() -> None:
    first, second = "2026-05-04T00:00:00+00:00", "2026-06-09T00:00:00+00:00"
    exam = event("I had an exam yesterday", valid_from=first)
    state, _ = formed(unit(1, exam), unit(2, event("I had an exam yesterday", valid_from=second)), unit(3, exam))
    assert [len(node.proofs) for node in nodes(state)] == [2, 1]


def test_an_event_told_again_soon_is_refined_and_weeks_later_it_is_another_one() -> None:
    soon, later = event("I went to the park with Bob"), event("I went to the park with Ann")
    state, _ = formed(unit(1, event("I went to the park")), unit(2, soon), unit(20, later))
    assert [node.content for node in nodes(state)] == [soon.content, later.content]


def test_things_due_on_different_days_are_different_things() -> None:
    def due(day: str) -> Candidate:
        return said("I must pay the rent", type=NodeType.OPEN_LOOP, rule="loop/1", due=f"2026-{day}T00:00:00+00:00")

    state, _ = formed(unit(1, due("06-01")), unit(2, due("07-01")), unit(3, due("06-01")))
    assert [len(node.proofs) for node in nodes(state)] == [2, 1]


def test_an_assertion_never_attaches_to_a_guess() -> None:
    guess = said("I work at A", slot=slot("employer", "A"), modality=(Modality.HEDGED,))
    state, _ = formed(
        unit(1, said("I work at B", slot=slot("employer", "B"))),
        unit(2, guess),
        unit(3, said("I work at A", slot=slot("employer", "A"))),
    )
    old, maybe, new = nodes(state)
    assert old.closure is not None
    assert maybe.modality == (Modality.HEDGED,)
    assert len(new.proofs) == 1


@pytest.mark.parametrize("modality", [Modality.HEDGED, Modality.REPORTED])
def test_an_unsure_new_value_leaves_the_old_one_in_doubt_until_it_is_said_again(modality: Modality) -> None:
    sure = said("I live in Riga", slot=slot("home", "Riga"))
    doubt = said("maybe I live in Oslo", slot=slot("home", "Oslo"), modality=(modality,))
    state, outcomes = formed(unit(1, sure), unit(2, doubt))
    old, _ = nodes(state)
    assert (old.closure, old.flags) == (None, (Flag.DISPUTED,))
    assert [state.edge(e).type for e in state.edge_ids] == [EdgeType.CONTRADICTS]
    outcomes.append(state.step(unit(3, sure), now=NOW))
    assert nodes(state)[0].flags == ()
    assert ("settle", "said_again") in log(outcomes)


@pytest.mark.parametrize("modality", [Modality.PLANNED, Modality.WISHED, Modality.CONDITIONAL, Modality.FICTIONAL])
def test_a_plan_or_a_wish_puts_nothing_in_doubt(modality: Modality) -> None:
    state, _ = formed(
        unit(1, said("I live in Riga", slot=slot("home", "Riga"))),
        unit(2, said("I will live in Oslo", slot=slot("home", "Oslo"), modality=(modality,))),
    )
    assert nodes(state)[0].flags == ()


@pytest.mark.parametrize(
    ("candidate", "reason"), [(said("?!…"), "no_words"), (said("I like tea", confidence=0.2), "too_unsure")]
)
def test_what_can_become_nothing_is_rejected_and_kept_aside(candidate: Candidate, reason: str) -> None:
    state, outcomes = formed(unit(1, said("I like jam"), candidate))
    assert len(state.node_ids) == 1
    (rejected,) = outcomes[0].rejected
    assert (rejected.place, rejected.candidate, rejected.reason) == (1, candidate, reason)
    assert ("reject", reason) in log(outcomes)


def test_more_sources_make_surer_within_a_bound() -> None:
    state, _ = formed(*(unit(number, said("I like tea", confidence=0.8)) for number in range(1, 21)))
    (node,) = nodes(state)
    assert len(node.proofs) == 20
    assert 0.95 < node.confidence <= 0.99
    echoed, _ = formed(*(unit(number, said("I like tea", confidence=0.8), repeated=number > 1) for number in range(1, 21)))
    assert nodes(echoed)[0].confidence == 0.8
    partner = [
        unit(number, said("I like tea", about="person:N", confidence=0.8), role=Role.OTHER, speaker="N") for number in (1, 2, 3)
    ]
    heard, _ = formed(*partner)
    assert max(node.confidence for node in nodes(heard) if node.type is NodeType.FACT) == 0.8


def test_causes_never_go_round() -> None:
    def because(source: int, target: int) -> Relation:
        return Relation(source, target, EdgeType.CAUSED_BY, 0.9, 0, 3, "cause/1")

    a, b, c = event("I slept badly"), event("I worked late", start=30), event("I lost the job", start=60)
    state, outcomes = formed(
        unit(1, a, b, c, relations=(because(0, 1), because(1, 2))), unit(2, a, b, c, relations=(because(2, 0), because(0, 2)))
    )
    assert len(state.edge_ids) == 3
    assert ("skip", "cause_of_its_own_cause") in log(outcomes)


def test_every_decision_names_what_stood_before_and_after_and_who_decided() -> None:
    _, outcomes = formed(unit(1, said("I like tea")), unit(2, said("I like tea")))
    (created,), (attached,) = (outcome.actions for outcome in outcomes)
    assert (created.before, created.after) == ((), created.ids)
    assert (attached.before, attached.after) == (attached.ids, attached.ids)
    assert created.reasoner == "rules"
    assert created.version.startswith("formation/")


class Judge:
    """A scripted decider."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self.asked: list[tuple[str, list[str]]] = []

    def __call__(self, candidate: Candidate, neighbours: Sequence[Neighbour]) -> Decision | None:
        self.asked.append((candidate.content, [n.node.content for n in neighbours]))
        node = neighbours[0].node.id if self.verdict in (Verdict.ATTACH, Verdict.REFINE) else None
        return Decision(self.verdict, "judge/1", node)


@pytest.mark.parametrize(
    ("verdict", "count"), [(Verdict.ATTACH, 1), (Verdict.REFINE, 1), (Verdict.CREATE, 2), (Verdict.REJECT, 1)]
)
def test_a_decider_is_asked_where_it_is_open_and_only_there(verdict: Verdict, count: int) -> None:
    judge = Judge(verdict)
    state = FormationState(key=KEY, params=PARAMS)
    for each in (
        unit(1, said("I like tea"), vectors=[[1.0, 0.0]]),
        unit(2, said("Tea is what I drink"), vectors=[[0.8, 0.6]]),  # near, not the same
        unit(3, said("I own a car"), vectors=[[0.0, 1.0]]),  # far
        unit(4, said("I like tea"), vectors=[[1.0, 0.0]]),  # the same words
    ):
        state.step(each, now=NOW, decider=judge)
    assert ("Tea is what I drink", ["I like tea"]) in judge.asked
    assert all(content != "I like tea" for content, _ in judge.asked)
    assert len([n for n in nodes(state) if "ea" in n.content]) == count


def test_a_deciders_answer_that_names_nothing_known_is_no_answer() -> None:
    def lost(candidate: Candidate, neighbours: Sequence[Neighbour]) -> Decision | None:
        return Decision(Verdict.ATTACH, "judge/1", None)

    state = FormationState(key=KEY, params=PARAMS)
    state.step(unit(1, said("I like tea"), vectors=[[1.0, 0.0]]), now=NOW, decider=lost)
    state.step(unit(2, said("Tea is what I drink"), vectors=[[0.8, 0.6]]), now=NOW, decider=lost)
    assert len(state.node_ids) == 2


@pytest.mark.parametrize("bad", [[0.0, 0.0], [float("nan"), 1.0], [1.0, 0.0, 0.0], [float("inf"), 0.0]])
def test_a_null_broken_or_wrong_size_vector_among_good_ones_hurts_nobody(bad: list[float]) -> None:
    state, _ = formed(
        unit(1, said("I like tea"), vectors=[[1.0, 0.0]]),
        unit(2, said("I own a car"), vectors=[bad]),
        unit(3, said("Tea is my drink"), vectors=[[0.999, 0.04]]),
        unit(4, said("I own a car"), vectors=[[0.0, 1.0]]),
    )
    assert [len(node.proofs) for node in nodes(state)] == [2, 2]


def _random_units(seed: int) -> list[FormationUnit]:
    chance = np.random.default_rng(seed)
    texts = ["I drink coffee", "I drink coffee every morning", "I drink coffee every morning at home", "I like tea", "maybe"]
    units = []
    for number in range(1, 25):
        content = str(chance.choice(texts))
        start = None if chance.random() < 0.5 else f"2026-0{chance.integers(1, 7)}-01T00:00:00+00:00"
        candidate = said(
            content,
            type=NodeType.EVENT if chance.random() < 0.4 else NodeType.FACT,
            valid_from=start,
            precision=Precision.MONTH if chance.random() < 0.5 else Precision.DAY,
            valence=Valence.NEUTRAL,
            modality=(Modality.HEDGED,) if chance.random() < 0.2 else (Modality.ASSERTED,),
            slot=slot("home", str(chance.choice(list("AB")))) if chance.random() < 0.3 else None,
            attributes={str(chance.choice(list("xy"))): "1"},
        )
        angle = chance.random() * 1.2
        vectors = [[np.cos(angle), np.sin(angle)]] if chance.random() < 0.8 else None
        units.append(unit(number, candidate, person("Ann", 90), vectors=None if vectors is None else [*vectors, [1.0, 1.0]]))
    return units


@pytest.mark.parametrize("seed", range(15))
def test_refined_nodes_are_carried_along_as_they_are_rebuilt(seed: int) -> None:
    units = _random_units(seed)
    carried, _ = formed(*units)
    rebuilt = FormationState(key=KEY, params=PARAMS)
    for each in units:
        kept = {n: v for n in rebuilt.node_ids if (v := rebuilt.vector(n)) is not None}
        rebuilt = FormationState.from_graph(
            nodes(rebuilt), [rebuilt.edge(e) for e in rebuilt.edge_ids], kept, key=KEY, params=PARAMS
        )
        rebuilt.step(each, now=NOW)
    assert {n.id: n for n in nodes(rebuilt)} == {n.id: n for n in nodes(carried)}
    for node in carried.node_ids:
        one, other = carried.vector(node), rebuilt.vector(node)
        assert (one is None) == (other is None)
        assert one is None or other is None or np.array_equal(one, other)


def test_what_is_plain_in_a_round_not_worth_it_is_kept_aside_and_a_property_is_not() -> None:
    chatter = unit(1, said("the weather is grey"), said("I work at A", 30, slot=slot("employer", "A")))
    state, (outcome,) = formed(replace(chatter, extraction=replace(chatter.extraction, worth=False)))
    assert [state.base(node).content for node in state.node_ids] == ["I work at A"]
    assert [(rejected.candidate.content, rejected.reason) for rejected in outcome.rejected] == [
        ("the weather is grey", "not_worth")
    ]
