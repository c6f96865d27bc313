"""Quantities with their units, and what a newer sentence does to an older one."""

from __future__ import annotations

import pytest

from memory_lib.reasoning.judging.quantities import quantities
from memory_lib.reasoning.judging.statement_change import ChangeVerdict, Said, quantities_conflict, statement_change
from memory_lib.settings import Settings

STATEMENT_CHANGE = Settings().detectors.change
NEAR = STATEMENT_CHANGE.closes + 0.1


def verdict(old: str, new: str, *, cosine: float = NEAR, change: float | None = None) -> str:
    return statement_change(
        Said(text=old, slots={}), Said(text=new, slots={}), cosine=cosine, change=change, params=STATEMENT_CHANGE
    ).verdict.value


@pytest.mark.parametrize(
    ("one", "other", "conflict"),
    [
        ("I run twice a week", "I run three times a week now", True),
        ("My best time is 27:12", "My best time is 25:50", True),
        ("I'm on page 120 of the novel", "I'm on page 180 of the novel", True),
        ("I'm on page 120 of the novel", "The novel has 400 pages", False),
        ("У меня 17 книг на полке", "На полке у меня уже 25 книг", True),
        ("Я хожу в зал два раза в неделю", "Я хожу в зал три раза в неделю", True),
        ("I have two cats", "I have two cats and a garden", False),
        ("I have two cats", "I have three bikes", False),
        ("I was born in 1990", "I moved in 2015", False),
        ("I practise an hour each day", "I practise two hours each day", True),
    ],
)
def test_two_values_of_one_unit_conflict(one, other, conflict):
    assert quantities_conflict(quantities(one), quantities(other)) is conflict


def test_another_quantity_of_the_person_closes_where_the_two_are_near():
    assert verdict("I run twice a week", "I run four times a week") == "closes"
    assert verdict("Я бегаю два раза в неделю", "Я бегаю четыре раза в неделю") == "closes"
    assert verdict("I run twice a week", "I run four times a week", cosine=STATEMENT_CHANGE.proposes) == "proposes"
    assert verdict("I run twice a week", "I run four times a week", cosine=0.2) == "nothing"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("He runs twice a week", "He runs four times a week"),
        ("I run twice a week", "I used to run four times a week"),
        ("I run twice a week", "Should I run four times a week?"),
    ],
)
def test_others_the_past_and_questions_close_nothing(old, new):
    assert verdict(old, new) == "nothing"


def test_two_things_with_names_of_their_own_and_prices_paid_are_no_update():
    assert verdict("I finished 12 courses on Coursera", "I finished 8 courses on Udemy") != "closes"
    assert verdict("My bag cost me $120", "My other bag cost me $20") != "closes"


def test_a_single_valued_property_closes():
    old, new = (
        Said(text="I work at Nokia", slots={"employer": "Nokia"}),
        Said(text="I work at Bosch", slots={"employer": "Bosch"}),
    )
    assert statement_change(old, new, cosine=NEAR, params=STATEMENT_CHANGE).verdict is ChangeVerdict.CLOSES
    assert statement_change(old, new, cosine=0.1, params=STATEMENT_CHANGE).verdict is ChangeVerdict.PROPOSES
    assert statement_change(old, old, cosine=NEAR, params=STATEMENT_CHANGE).verdict is ChangeVerdict.NOTHING


def test_a_word_of_change_or_the_head_only_proposes():
    assert verdict("I play the violin", "I switched my violin for a cello") == "proposes"
    assert verdict("Я играю на скрипке", "Я теперь играю на виолончели") == "proposes"
    assert verdict("I play the violin", "My cello is my only love", change=0.95) == "proposes"
    assert verdict("I play the violin", "I play the violin badly") == "nothing"
