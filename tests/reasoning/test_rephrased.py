"""The same asked again: near in meaning, unless the words show that something else is asked."""

from __future__ import annotations

import pytest

from memory_lib.reasoning.judging.rephrased import asks_something_else, repeated_turn
from memory_lib.settings import Settings

REPHRASED = Settings().detectors.rephrased
NEAR = REPHRASED.cosine + 0.05


@pytest.mark.parametrize(
    ("earlier", "again"),
    [
        ("Как вырастить базилик дома?", "Посоветуй, что делать, чтобы базилик рос на окне"),
        ("How do I grow basil at home?", "I want basil on my windowsill, any advice?"),
        ("Сколько варить рис?", "Рис варится сколько минут?"),
    ],
)
def test_a_near_turn_in_other_words_repeats(earlier, again):
    assert repeated_turn(again, earlier=[earlier], cosines=[NEAR], params=REPHRASED) == 0


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("Какой чай лучше пить утром?", "Какой чай лучше пить вечером?"),
        ("How long do I boil rice?", "How long do I boil red lentils?"),
        ("Какой расход у этой машины?", "Какой клиренс у этой машины?"),
        ("Рецепт на 4 порции борща", "Рецепт на 12 порций борща"),
        ("Где купить палатку?", "А где купить спальник для палатки?"),
        ("What is a good tent?", "And what about a good sleeping bag for the tent?"),
    ],
)
def test_a_swapped_word_number_or_a_further_question_asks_something_else(earlier, later):
    assert asks_something_else(later, earlier, params=REPHRASED)
    assert repeated_turn(later, earlier=[earlier], cosines=[NEAR], params=REPHRASED) is None


def test_a_far_turn_repeats_nothing_and_only_the_last_ones_are_looked_at():
    again = "I want basil on my windowsill, any advice?"
    assert (
        repeated_turn(again, earlier=["How do I grow basil at home?"], cosines=[REPHRASED.cosine - 0.01], params=REPHRASED)
        is None
    )
    turns = ["Thanks", "Ok", "Fine", "How do I grow basil at home?"]
    assert repeated_turn(again, earlier=turns, cosines=[0.0, 0.1, 0.0, 0.9], params=REPHRASED) is None
    assert repeated_turn(again, earlier=turns[1:], cosines=[0.1, 0.0, 0.9], params=REPHRASED) == 2


def test_a_long_turn_tells_something_new():
    long = "I want basil on my windowsill, " + "and here is a lot more about it " * 5
    assert repeated_turn(long, earlier=["How do I grow basil at home?"], cosines=[0.95], params=REPHRASED) is None
