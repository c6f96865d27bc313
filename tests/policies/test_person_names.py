"""Who may be one person: forms of a name, relations, and what sets namesakes apart."""

from __future__ import annotations

import pytest

from memory_lib.policies.person_names import lookup_keys, may_be_one, merged, person_names


def _who(name: str, **attributes: str) -> dict[str, str]:
    return {"name": name, **attributes}


def _one(first: dict[str, str], second: dict[str, str]) -> bool:
    a, b = person_names(first, first["name"]), person_names(second, second["name"])
    assert may_be_one(a, b) is may_be_one(b, a)
    return may_be_one(a, b)


ANNA = "Анна"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (_who("Аня", full_name=ANNA), _who("Анна Петровна", full_name=ANNA)),
        (_who("аня", full_name=ANNA), _who("Аня", full_name=ANNA)),
        (_who("Bob", full_name="Robert"), _who("Robert Hale", full_name="Robert")),
        (_who("Professor Nakagawa"), _who("Hisako Nakagawa")),
        (_who("Саша", full_name="Александр / Александра", gender="f"), _who("Александра", full_name="Александра", gender="f")),
        (_who("Peggy", full_name="Margaret", tie="sister", relation="sister"), _who("Margaret", full_name="Margaret")),
        (_who("boss", tie="boss", relation="boss"), _who("Gloria", tie="boss", relation="manager")),
        (_who("мама", tie="mother", relation="мама"), _who("мать", tie="mother", relation="мать")),
        (_who("Maria", qualifier="from work"), _who("Maria", qualifier="from work who sings")),
        (_who("Max"), _who("Max", tie="friend", relation="friend")),
    ],
)
def test_these_may_be_one(first: dict[str, str], second: dict[str, str]) -> None:
    assert _one(first, second)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (_who("Анна Петровна", full_name=ANNA), _who("Анна Сергеевна", full_name=ANNA)),
        (_who("Аня", full_name=ANNA), _who("Аля", full_name="Александра")),
        (_who("Maria", qualifier="from work"), _who("Maria", tie="cousin", relation="cousin")),
        (_who("Марат", qualifier="с шиномонтажа"), _who("Марат", qualifier="из хора")),
        (_who("Oleg", relation="colleague", tie="colleague"), _who("Oleg", relation="brother", tie="brother")),
        (_who("Sandy", full_name="Alexander", gender="m"), _who("Alexandra", full_name="Alexandra", gender="f")),
        (_who("friend", tie="friend", relation="friend"), _who("Bob", tie="friend", relation="friend")),
        (_who("Кафе 7"), _who("Дом 7")),
        (_who("Nora"), _who("Dora")),
    ],
)
def test_these_stay_apart(first: dict[str, str], second: dict[str, str]) -> None:
    assert not _one(first, second)


def test_somebody_without_a_name_gets_one_and_further_names_become_aliases() -> None:
    boss = merged(_who("boss", tie="boss", relation="boss"), _who("Gloria", tie="boss"), content="Gloria")
    assert boss["name"] == "Gloria"
    assert "aliases" not in boss
    again = merged(boss, _who("Gloria Hale", relation="manager"), content="Gloria Hale")
    assert (again["name"], again["aliases"], again["relation"]) == ("Gloria", "Gloria Hale", "boss")
    assert merged(again, _who("gloria hale"), content="gloria hale") == again


def test_a_form_that_may_mean_two_names_is_narrowed_by_the_other_one() -> None:
    either = _who("Саша", full_name="Александр / Александра")
    assert merged(either, _who("Александра", full_name="Александра"), content="Александра")["full_name"] == "Александра"


def test_a_person_is_filed_under_every_name_and_the_tie() -> None:
    keys = lookup_keys(_who("Анна Петровна", full_name=ANNA, tie="boss", relation="начальница", aliases="Нюра"), "")
    assert {"анна петровна", "анна", "петровна", "нюра", "начальница", "tie:boss"} <= set(keys)


def test_two_case_forms_of_a_rare_name_may_be_one() -> None:
    assert may_be_one(person_names({"name": "Нурия", "gender": "f"}, ""), person_names({"name": "Нурии", "gender": "f"}, ""))
    assert not may_be_one(person_names({"name": "Ратмир"}, ""), person_names({"name": "Радмила"}, ""))


def test_names_of_the_tables_are_not_compared_by_their_stem() -> None:
    one, other = {"name": "Александр", "full_name": "Александр"}, {"name": "Александра", "full_name": "Александра"}
    assert not may_be_one(person_names(one, ""), person_names(other, ""))


def test_a_doctor_and_a_grandchild_with_forms_of_one_name_are_two() -> None:
    doctor = _who("Анна Петровна", full_name=ANNA, tie="role", relation="врач")
    granddaughter = _who("Аня", full_name=ANNA, tie="grandchild", relation="внучка")
    assert not _one(doctor, granddaughter)
    assert _one(doctor, {**granddaughter, "name": "Анна Петровна"})
