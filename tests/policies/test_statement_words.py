"""What of a statement's words can be compared: counts, weekdays, dates, marks."""

from __future__ import annotations

import pytest

from memory_lib.policies.statement_words import akin, counts_differ, statement_words, swapped
from memory_lib.policies.stems import Stemmer
from tests.policies.formed import CLOSING

STEMMER = Stemmer(CLOSING.stems)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("I have three cats", [3]),
        ("сорок шесть ульев", [46]),
        ("живёт сто двенадцать человек", [112]),
        ("twenty-one pupils and 4 desks", [4, 21]),
        ("был там дважды", [2]),
        ("третий этаж", []),
    ],
)
def test_numbers_are_read_in_figures_and_words(text: str, numbers: list[int]) -> None:
    assert sorted(statement_words(text, stemmer=STEMMER).numbers) == numbers


def test_a_number_counts_the_word_after_it() -> None:
    old, new = (statement_words(text, stemmer=STEMMER) for text in ("у меня три кошки", "теперь у нас пять кошек"))
    assert len(counts_differ(old, new)) == 1


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("эфир в среду", "эфир в четверг", True),
        ("on Monday", "on Monday at noon", False),
        ("8 августа", "18 августа", True),
        ("built in 1884", "built in 1834", True),
        ("a red door", "a blue door", False),
    ],
)
def test_one_of_a_kind_is_swapped_for_another(one: str, other: str, differ: bool) -> None:
    assert swapped(statement_words(one, stemmer=STEMMER), statement_words(other, stemmer=STEMMER)) is differ


@pytest.mark.parametrize(
    ("text", "adds", "former"),
    [
        ("another cat", True, False),
        ("ещё одна кошка", True, False),
        ("I used to row", False, True),
        ("раньше гребла", False, True),
    ],
)
def test_one_more_and_once_are_noticed(text: str, adds: bool, former: bool) -> None:
    words = statement_words(text, stemmer=STEMMER)
    assert (words.adds, words.former) == (adds, former)


def test_words_with_one_beginning_are_akin_and_short_ones_are_not() -> None:
    assert akin("таксидерм", "таксидермист")
    assert not akin("кот", "котел")
