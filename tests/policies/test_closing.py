"""What ends what, decided on candidates alone: ends, opposite tastes, counts, corrections, and what is only proposed."""

from __future__ import annotations

from typing import Any

import pytest

from memory_lib.domain.candidates import Modality, NodeType, Topic, Update
from memory_lib.domain.node import Node
from memory_lib.policies.formation import FormationState, FormationUnit
from tests.policies.formed import formed, person, said, slot, unit


def ends(*units: FormationUnit) -> list[bool]:
    """Whether each statement is closed, in the order they were made."""
    state, _ = formed(*units)
    return [node.closure is not None for node in nodes(state)]


def nodes(state: FormationState) -> list[Node]:
    return [state.base(node) for node in state.node_ids if state.base(node).type is not NodeType.PERSON]


def links(state: FormationState) -> list[tuple[str, float]]:
    return [(state.edge(edge).rule, state.edge(edge).confidence) for edge in state.edge_ids]


def test_an_end_without_a_new_value_closes_the_property() -> None:
    assert ends(
        unit(1, said("I work at Corvex", slot=slot("employer", "Corvex"))),
        unit(2, said("I quit", update=Update(slots=("employer", "job")))),
    ) == [True, False]


def test_another_persons_end_closes_nothing_of_ones_own() -> None:
    assert ends(
        unit(1, person("Ann"), said("I work at Corvex", 20, slot=slot("employer", "Corvex"))),
        unit(2, person("Ann"), said("Ann quit", 20, about="person:Ann", update=Update(slots=("employer",)))),
    ) == [False, False]


@pytest.mark.parametrize(
    ("had", "word"), [("I have an old Skoda", "skoda"), ("У меня есть байдарка", "байдарка"), ("Я таксидермист", "таксидермия")]
)
def test_what_is_parted_with_is_had_no_longer(had: str, word: str) -> None:
    assert ends(unit(1, said(had)), unit(2, said("x y z", update=Update(ended=(word,))))) == [True, False]


def test_a_long_statement_that_only_mentions_the_thing_stays() -> None:
    long = "My uncle Robert taught me everything about carburettors and brakes in that Skoda during winter"
    assert ends(unit(1, said(long)), unit(2, said("Sold it", update=Update(ended=("skoda",))))) == [False, False]


def test_what_happened_is_not_undone_by_parting() -> None:
    bought = said("I bought a kayak", type=NodeType.EVENT, rule="event.clause/1")
    assert ends(unit(1, bought), unit(2, said("I sold the kayak", update=Update(ended=("kayak",))))) == [False, False]


def test_love_then_hate_of_one_dish_contradict_and_another_dish_does_not() -> None:
    assert ends(
        unit(1, said("I love olives", slot=slot("like", "olives", single=False))),
        unit(2, said("I love capers", slot=slot("like", "capers", single=False))),
        unit(3, said("I hate olives", slot=slot("dislike", "olives", single=False))),
    ) == [True, False, False]


@pytest.mark.parametrize(
    ("old", "new", "closes"),
    [
        ("I have three goats", "We have five goats", True),
        ("У меня три козы", "У нас теперь пять коз", True),
        ("My shop opens at nine", "My shop opens at ten", True),
        ("I have three goats", "I have two ducks", False),
        ("I have three goats", "I have another two goats", False),
        ("I used to have three goats", "I have two goats", False),
        ("The commute takes 40 minutes", "The pasta takes 12 minutes", False),
        ("Дорога занимает 40 минут", "Паста варится 12 минут", False),
        ("The match is on 8 May", "The match is on 9 May", False),
    ],
)
def test_another_number_of_the_same_things_closes_the_old_one(old: str, new: str, closes: bool) -> None:
    assert ends(unit(1, said(old)), unit(2, said(new))) == [closes, False]


def test_two_events_with_two_numbers_both_happened() -> None:
    ran: dict[str, Any] = {"type": NodeType.EVENT, "rule": "event.clause/1"}
    assert ends(unit(1, said("I ran 5 laps", **ran)), unit(2, said("I ran 8 laps", **ran))) == [False, False]


def test_a_count_that_goes_on_closes_the_one_before() -> None:
    went: dict[str, Any] = {"type": NodeType.EVENT, "rule": "event.clause/1"}
    old, new = "I've been on 4 runs so far this month", "I've been on 5 runs so far this month"
    assert ends(unit(1, said(old, **went)), unit(2, said(new, **went))) == [True, False]


@pytest.mark.parametrize(
    ("old", "new", "update"),
    [
        ("My viola is from 1884", "It is from 1834", Update(denied=("1884",), corrects=True)),
        ("Моя репетиция в среду", "Репетиция в пятницу", Update(corrects=True)),
        ("I take the bus to Cork", "I take the bus to Kerry", Update(corrects=True)),
        ("Бабушка из Вологды", "из Архангельска", Update(corrects=True)),
    ],
)
def test_a_correction_closes_what_it_puts_right(old: str, new: str, update: Update) -> None:
    units = (unit(1, said(old), minutes=0), unit(2, said(new, update=update), minutes=3))
    state, outcomes = formed(*units)
    assert [node.closure is not None for node in nodes(state)] == [True, False]
    assert ("close", "corrected") in [(action.action, action.reason) for action in outcomes[1].actions]


def test_a_correction_leaves_what_is_only_near() -> None:
    tea, bread = said("I like tea", topic=Topic.FOOD), said("I bake bread", topic=Topic.FOOD)
    fixed = said("The recital is at six", topic=Topic.HOBBIES, update=Update(corrects=True))
    units = (unit(1, tea, minutes=0), unit(2, bread, minutes=1), unit(3, fixed, minutes=2))
    assert ends(*units) == [False, False, False]


@pytest.mark.parametrize(
    ("cosine", "topic", "closes"), [(0.7, Topic.HOME, True), (0.55, Topic.HOME, False), (0.7, Topic.FOOD, False)]
)
def test_a_correction_in_other_words_needs_nearness_and_one_topic(cosine: float, topic: Topic, closes: bool) -> None:
    old = said("Our kitchen faces the yard", topic=Topic.HOME)
    new = said("Windows look onto the street side", topic=topic, update=Update(corrects=True))
    beside = (1.0 - cosine**2) ** 0.5
    units = (
        unit(1, old, vectors=[[1.0, 0.0]], minutes=0),
        unit(2, new, vectors=[[cosine, beside]], minutes=60 * 24),
    )
    assert ends(*units) == [closes, False]


def test_a_plan_put_right_is_the_plan_from_now_on() -> None:
    planned: dict[str, Any] = {"type": NodeType.EVENT, "modality": (Modality.PLANNED,)}
    assert ends(
        unit(1, said("The wedding is on 8 August", **planned), minutes=0),
        unit(2, said("The wedding is on 18 July", update=Update(denied=("8", "august"), corrects=True), **planned), minutes=2),
    ) == [True, False]


def test_one_more_value_ends_none() -> None:
    assert ends(
        unit(1, said("I work at Corvex", slot=slot("employer", "Corvex"))),
        unit(2, said("I also work at Tallow", slot=slot("employer", "Tallow"), update=Update(adds=True))),
    ) == [False, False]


def test_a_change_that_comes_near_is_proposed_and_closes_nothing() -> None:
    state, _ = formed(
        unit(1, said("Mornings are for the allotment"), vectors=[[1.0, 0.0]]),
        unit(2, said("These days I paint instead"), vectors=[[0.0, 1.0]]),
        unit(3, said("Now I only paint after dark", update=Update(changes=True)), vectors=[[0.9, 0.4359]]),
    )
    assert [node.closure for node in nodes(state)] == [None, None, None]
    assert links(state) == [("update.near/1", 0.35)]


def test_nothing_is_proposed_without_vectors_or_below_the_threshold() -> None:
    changed = said("Now I only paint after dark", update=Update(changes=True))
    state, _ = formed(unit(1, said("Mornings are for the allotment")), unit(2, changed))
    assert links(state) == []
    state, _ = formed(
        unit(1, said("Mornings are for the allotment"), vectors=[[1.0, 0.0]]), unit(2, changed, vectors=[[0.4, 0.9165]])
    )
    assert links(state) == []
