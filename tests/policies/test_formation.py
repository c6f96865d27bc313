"""Create, attach, close, link: what is decided for a candidate, in event order."""

from __future__ import annotations

import random

import pytest

from memory_lib.domain.acts import ActKind
from memory_lib.domain.candidates import OTHERS, EdgeType, Modality, NodeType, Relation
from memory_lib.domain.canonical import graph_hash
from memory_lib.domain.ids import MessageId
from memory_lib.domain.message import Role
from memory_lib.errors import IllegalValue
from memory_lib.policies.formation import FormationState, FormationUnit
from tests.policies.formed import KEY, NOW, PARAMS, formed, person, said, slot, unit


def decisions(outcomes: list) -> list[tuple[str, str]]:  # type: ignore[type-arg]
    return [(action.action, action.reason) for outcome in outcomes for action in outcome.actions]


def test_what_is_new_is_created_and_what_is_said_again_attaches() -> None:
    state, outcomes = formed(unit(1, said("I like tea")), unit(2, said("I LIKE tea!")))
    assert decisions(outcomes) == [("create", "fact.clause/1"), ("attach", "same_words")]
    (node,) = state.node_ids
    assert [proof.weighed for proof in state.base(node).proofs] == [False, True]


def test_a_denial_is_another_statement() -> None:
    state, _ = formed(unit(1, said("I like tea")), unit(2, said("I like tea", polarity=False)))
    assert len(state.node_ids) == 2


def test_close_vectors_attach_and_far_ones_do_not() -> None:
    state, outcomes = formed(
        unit(1, said("I like tea"), vectors=[[1.0, 0.0]]),
        unit(2, said("Tea is my drink"), vectors=[[0.999, 0.04]]),
        unit(3, said("I own a car"), vectors=[[0.0, 1.0]]),
    )
    assert decisions(outcomes)[1] == ("attach", "close_meaning")
    assert len(state.node_ids) == 2


def test_audiences_never_meet() -> None:
    state, _ = formed(unit(1, said("I like tea")), unit(2, said("I like tea"), audience=("doctor",)))
    assert {state.base(n).audience for n in state.node_ids} == {("*",), ("doctor",)}


def test_a_new_value_closes_the_old_and_contradicts_it() -> None:
    state, _ = formed(
        unit(1, said("I work at A", slot=slot("employer", "A"))), unit(2, said("I work at B", slot=slot("employer", "B")))
    )
    old, new = state.node_ids
    assert state.base(old).closure is not None
    assert state.base(new).closure is None
    assert state.edge_ids == (f"{new}.contradicts.{old}",)


def test_going_back_to_an_old_value_is_a_new_node() -> None:
    state, _ = formed(
        *(unit(i, said(f"I work at {v}", slot=slot("employer", v))) for i, v in enumerate(["A", "B", "A"], start=1))
    )
    assert [state.base(n).closure is None for n in state.node_ids] == [False, False, True]


@pytest.mark.parametrize(
    "modality", [Modality.HEDGED, Modality.PLANNED, Modality.CONDITIONAL, Modality.REPORTED, Modality.JOKING]
)
def test_a_value_that_is_not_asserted_closes_nothing(modality: Modality) -> None:
    state, _ = formed(
        unit(1, said("I work at A", slot=slot("employer", "A"))),
        unit(2, said("maybe at B", slot=slot("employer", "B"), modality=(modality,))),
    )
    assert all(state.base(n).closure is None for n in state.node_ids)


def test_a_slot_of_many_values_closes_none_and_a_denied_value_ends_its_own() -> None:
    state, _ = formed(
        unit(1, said("I have a cat", slot=slot("pet", "cat", single=False))),
        unit(2, said("I have a dog", slot=slot("pet", "dog", single=False))),
        unit(3, said("I have no cat any more", slot=slot("pet", "cat", single=False), polarity=False)),
    )
    cat, dog, no_cat = state.node_ids
    assert state.base(cat).closure is not None
    assert state.base(dog).closure is None
    assert state.base(no_cat).closure is None


def test_what_was_true_once_does_not_close_what_is_true_now() -> None:
    state, _ = formed(
        unit(1, said("I work at A", slot=slot("employer", "A"))),
        unit(2, said("I worked at B", slot=slot("employer", "B"), attributes={"tense": "past"})),
    )
    assert all(state.base(n).closure is None for n in state.node_ids)


def test_a_person_is_met_again_by_name_and_kept_apart_by_relation() -> None:
    state, outcomes = formed(
        unit(1, person("Oleg", relation="colleague")),
        unit(2, person("oleg")),
        unit(3, person("Oleg", relation="brother")),
    )
    assert [action for action, _ in decisions(outcomes)] == ["create", "attach", "create"]
    assert len(state.node_ids) == 2


def test_a_later_mention_adds_what_was_missing_of_a_person() -> None:
    state, _ = formed(unit(1, person("Kate")), unit(2, person("Kate", relation="sister")))
    (node,) = state.node_ids
    assert state.base(node).attributes == {"name": "Kate", "relation": "sister"}


def test_a_fact_about_a_person_names_the_node_and_an_unknown_one_is_others() -> None:
    state, _ = formed(
        unit(1, person("Kate"), said("Kate lives in Riga", 10, about="person:Kate")),
        unit(2, said("Bob lives in Oslo", about="person:Bob")),
    )
    kate = next(n for n in state.node_ids if state.base(n).type is NodeType.PERSON)
    facts = {state.base(n).content: state.base(n) for n in state.node_ids if state.base(n).type is NodeType.FACT}
    assert facts["Kate lives in Riga"].about == kate
    assert (facts["Bob lives in Oslo"].about, facts["Bob lives in Oslo"].about_name) == (OTHERS, "Bob")


def test_a_partner_in_the_chat_becomes_a_person_by_their_first_words() -> None:
    state, _ = formed(
        unit(1, said("I live in Riga", about="person:Nora", holder="person:Nora"), role=Role.OTHER, speaker="Nora"),
        unit(2, said("I love cats", about="person:Nora", holder="person:Nora"), role=Role.OTHER, speaker="Nora"),
    )
    nora = [n for n in state.node_ids if state.base(n).type is NodeType.PERSON]
    assert len(nora) == 1
    assert all(state.base(n).about == nora[0] for n in state.node_ids if n != nora[0])


def test_only_the_persons_own_words_weigh_and_repeats_do_not() -> None:
    state, _ = formed(
        unit(1, said("I like tea", about="person:Nora"), role=Role.OTHER, speaker="Nora"),
        unit(2, said("I like tea", about="person:Nora"), role=Role.OTHER, speaker="Nora"),
        unit(3, said("I like tea")),
        unit(4, said("I like tea"), repeated=True),
        unit(5, said("I like tea")),
    )
    mine = next(n for n in state.node_ids if state.base(n).about == "self" and state.base(n).type is NodeType.FACT)
    hers = next(n for n in state.node_ids if state.base(n).about != "self" and state.base(n).type is NodeType.FACT)
    assert [p.weighed for p in state.base(mine).proofs] == [False, False, True]
    assert [p.weighed for p in state.base(hers).proofs] == [False, False]


def test_one_message_mentions_a_node_once() -> None:
    state, outcomes = formed(unit(1, said("I like tea")), unit(2, said("I like tea"), said("I like tea", 40)))
    (node,) = state.node_ids
    assert [p.weighed for p in state.base(node).proofs] == [False, True, False]
    assert decisions(outcomes)[-1] == ("attach", "same_words")


def test_relations_join_candidates_and_earlier_messages() -> None:
    cause = Relation(0, MessageId(f"{1:032x}"), EdgeType.CAUSED_BY, 0.6, 0, 4, "cause.previous_turn/1")
    inside = Relation(0, 1, EdgeType.ASSOCIATED_WITH, 0.9, 0, 4, "person.clause/1")
    state, _ = formed(
        unit(1, person("Bob"), said("Bob yelled", 20, type=NodeType.EVENT, rule="event.clause/1")),
        unit(2, said("I am sad", type=NodeType.EMOTIONAL_NOTE, rule="note/1"), person("Bob", 30), relations=(cause, inside)),
    )
    edges = {state.edge(e).type: state.edge(e) for e in state.edge_ids}
    assert state.base(edges[EdgeType.CAUSED_BY].target).type is NodeType.EVENT
    assert state.base(edges[EdgeType.ASSOCIATED_WITH].target).type is NodeType.PERSON


def test_an_answer_is_the_cause_of_the_feeling_told_before() -> None:
    answer = Relation(MessageId(f"{1:032x}"), 0, EdgeType.CAUSED_BY, 0.6, 0, 4, "caused_by.answer/1")
    state, _ = formed(
        unit(1, said("I sat at home"), said("I am sad", 20, type=NodeType.EMOTIONAL_NOTE, rule="note/1")),
        unit(2, said("Bob yelled", type=NodeType.EVENT, rule="event.clause/1"), relations=(answer,)),
    )
    (edge,) = (state.edge(e) for e in state.edge_ids)
    assert (state.base(edge.source).type, state.base(edge.target).type) == (NodeType.EMOTIONAL_NOTE, NodeType.EVENT)


def test_a_relation_between_two_earlier_messages_is_refused() -> None:
    with pytest.raises(IllegalValue):
        Relation(MessageId("a" * 32), MessageId("b" * 32), EdgeType.CAUSED_BY, 0.6, 0, 4, "r/1")


def test_a_relation_without_two_ends_is_left_out_and_says_so() -> None:
    lost = Relation(0, MessageId("f" * 32), EdgeType.CAUSED_BY, 0.6, 0, 4, "cause.previous_turn/1")
    itself = Relation(0, 0, EdgeType.CAUSED_BY, 0.6, 0, 4, "cause/1")
    state, outcomes = formed(unit(1, said("I am sad"), relations=(lost, itself)))
    assert state.edge_ids == ()
    assert decisions(outcomes).count(("skip", "relation_without_two_ends")) == 2


def test_the_same_relation_again_is_one_edge_with_two_proofs() -> None:
    link = Relation(1, 0, EdgeType.ASSOCIATED_WITH, 0.8, 0, 3, "person.clause/1")
    surer = Relation(1, 0, EdgeType.ASSOCIATED_WITH, 0.9, 0, 3, "person.clause/1")
    state, _ = formed(
        unit(1, person("Bob"), said("Bob yelled", 20), relations=(link,)),
        unit(2, person("Bob"), said("Bob yelled", 20), relations=(surer,)),
    )
    (edge,) = state.edge_ids
    assert state.edge(edge).confidence == 0.9
    assert len(state.edge(edge).proofs) == 2


def test_remember_that_pins_by_the_messages_own_time() -> None:
    _, outcomes = formed(unit(1, said("I am allergic to nuts", pinned=True)))
    (act,) = outcomes[0].acts
    assert act.kind is ActKind.PIN
    assert act.at.isoformat() == "2026-05-02T09:00:00+00:00"


def _random_units(chance: random.Random) -> list[FormationUnit]:
    units = []
    for number in range(1, 30):
        candidates = []
        for place in range(chance.randint(0, 3)):
            start = place * 40
            match chance.randint(0, 3):
                case 0:
                    candidates.append(person(chance.choice(["Ann", "Bob"]), start, **chance.choice([{}, {"relation": "boss"}])))
                case 1:
                    value = chance.choice("ABC")
                    candidates.append(said(f"at {value}", start, slot=slot("employer", value), polarity=chance.random() < 0.8))
                case _:
                    candidates.append(
                        said(chance.choice(["tea", "cat", "run"]), start, about=chance.choice(["self", "person:Ann"]))
                    )
        relations = ()
        if len(candidates) > 1:
            target = chance.choice([1, MessageId(f"{chance.randint(1, number):032x}")])
            relations = (Relation(0, target, chance.choice(list(EdgeType)), 0.7, 0, 2, "r/1"),)
        units.append(unit(number, *candidates, relations=relations, role=chance.choice([Role.USER, Role.OTHER]), speaker="Ann"))
    return units


@pytest.mark.parametrize("seed", range(20))
def test_a_state_rebuilt_from_the_graph_goes_on_as_one_carried_along(seed: int) -> None:
    units = _random_units(random.Random(seed))
    carried, _ = formed(*units)
    rebuilt = FormationState(key=KEY, params=PARAMS)
    for each in units:
        rebuilt = FormationState.from_graph(
            [rebuilt.base(n) for n in rebuilt.node_ids],
            [rebuilt.edge(e) for e in rebuilt.edge_ids],
            {},
            key=KEY,
            params=PARAMS,
        )
        rebuilt.step(each, now=NOW)

    def hashed(state: FormationState) -> str:
        return graph_hash([state.base(n) for n in state.node_ids], [state.edge(e) for e in state.edge_ids])

    assert hashed(rebuilt) == hashed(carried)
