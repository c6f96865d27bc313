"""Numbers written as words."""

from __future__ import annotations

import pytest

from memory_lib.domain.number_words import number_of


@pytest.mark.parametrize(
    ("said", "number"),
    [
        ("39", 39),
        ("тридцать девять", 39),
        ("thirty-nine", 39),
        ("сорок", 40),
        ("сто двенадцать", 112),
        ("четырёх", 4),
        ("two three", None),
        ("дом", None),
        ("", None),
    ],
)
def test_a_number_is_its_words_and_all_of_them(said: str, number: int | None) -> None:
    assert number_of(said) == number
