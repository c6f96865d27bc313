"""Forms of names, and two names said to be one person's."""

from __future__ import annotations

import pytest

from memory_lib.reasoning.people.person_equations import equations
from memory_lib.reasoning.words.name_forms import full_names, is_given_name

from .conftest import Extract
from .test_kinds_of_statement import names


@pytest.mark.parametrize(
    ("form", "gender", "fulls"),
    [
        ("Женька", "n", ("Евгений", "Евгения")),
        ("Женька", "f", ("Евгения",)),
        ("лёха", "m", ("Алексей",)),
        ("Peggy", "n", ("Margaret",)),
        ("Sandy", "n", ("Alexander", "Alexandra")),
        ("Перфоратор", "n", ()),
    ],
)
def test_a_form_stands_for_its_full_names(form: str, gender: str, fulls: tuple[str, ...]) -> None:
    assert full_names(form, gender=gender) == fulls


def test_a_full_name_is_a_form_of_itself() -> None:
    assert full_names("Екатерина") == ("Екатерина",)
    assert is_given_name("robert")
    assert not is_given_name("table")


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("Peggy, that is my sister, would love it.", (("Peggy", "sister"),)),
        ("Lisl is Elisabeth, same person.", (("Lisl", "Elisabeth"),)),
        ("Zadie got in! Zed, I mean.", (("Zadie", "Zed"),)),
        ("We all call her Maka.", ((None, "Maka"),)),
        ("Все зовут её Мака.", ((None, "Мака"),)),
        ("Алексей его звать, но мы привыкли иначе.", ((None, "Алексей"),)),
        ("Женя, она же Евгения, опять звонила.", (("Женя", "Евгения"),)),
        ("Nora met Dora and Zora.", ()),
        ("Петя и Маша пришли.", ()),
    ],
)
def test_words_that_make_two_names_one(text: str, pairs: tuple[tuple[str | None, str], ...]) -> None:
    assert equations(text) == pairs


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("my sister-in-law Greta plays the organ", {"Greta"}),
        ("Моя золовка Инга играет на органе.", {"Инга"}),
        ("My piano tuner's name is Bas.", {"Bas"}),
        ("Ivor from the foundry wants me to read it.", {"Ivor"}),
        ("Gearbox arrived!", set()),
        ("с лёхой мы чиним старый мотоцикл", {"Лёха"}),
        ("Everyone here calls me Sprocket.", set()),
    ],
)
def test_people_are_found_by_role_and_by_name(extract: Extract, text: str, people: set[str]) -> None:
    assert names(extract(text)) == people
