"""Other people with whom a clause opens: quantities, kin left out, named neighbours, who has it, what somebody is called."""

from __future__ import annotations

import pytest

from memory_lib.domain.candidates import NodeType
from tests.reasoning.conftest import Extract


@pytest.mark.parametrize(
    ("text", "stem"),
    [
        ("A lot of women my age do yoga.", "yoga"),
        ("Half my cohort has eczema.", "eczema"),
        ("Loads of lads at my gym take creatine.", "creatine"),
        ("Nobody in our house eats meat.", "meat"),
        ("Everyone on my floor vapes.", "vapes"),
        ("My eldest plays the oboe.", "oboe"),
        ("My other half sells boats.", "boats"),
        ("The little one is teething again.", "teething"),
        ("My oldest is terrified of wasps.", "terrified"),
        ("Vic next door was just fined.", "fined"),
        ("Moira at work is on a juice diet.", "juice"),
        ("The latex allergy is my cousin's.", "latex"),
        ("It's my uncle who collects stamps.", "stamps"),
        ("The one with gout is my father.", "gout"),
        ("У нас в деревне почти все держат коз.", "коз"),
        ("Каждый пятый у нас болеет за «Спартак».", "Спартак"),
        ("Никто из моих соседей не водит грузовик.", "грузовик"),
        ("У нас на кафедре у всех гастрит.", "гастрит"),
        ("Младшему шесть, старшей десять.", "шесть"),
        ("У старшей температура тридцать восемь.", "температура"),
        ("Внучке двенадцать.", "двенадцать"),
        ("Тёще надо сменить паспорт до осени, у меня-то он свежий.", "сменить"),
        ("Аллергия на мёд — у свекрови.", "Аллергия"),
        ("Подагра у дяди, не у меня.", "Подагра"),
        ("Моя половина торгует лодками.", "лодками"),
        ("Мой ненавидит ждать.", "ждать"),
        ("Водит у нас бабушка.", "Водит"),
        ("У меня сестра боится ос.", "боится"),
        ("Мои все уехали в лагерь.", "уехали"),
    ],
)
def test_it_is_told_of_them(extract: Extract, text: str, stem: str) -> None:
    told = [c for c in extract(text).candidates if stem in c.content and c.type is not NodeType.PERSON]
    assert told
    assert all(candidate.about != "self" for candidate in told)


@pytest.mark.parametrize(
    ("text", "stem"),
    [
        ("Someone stole my scooter.", "scooter"),
        ("Half my wages go on rent.", "rent"),
        ("Two of my toes are broken.", "toes"),
        ("They call me Bex at work.", "Bex"),
        ("Nobody at work remembered my birthday.", "birthday"),
        ("I'm proud of my eldest.", "proud"),
        ("У меня трое детей.", "трое"),
        ("Все мои книги на даче.", "книги"),
        ("Кто-то угнал мой самокат.", "самокат"),
        ("Мой дом сгорел.", "дом"),
        ("Каждое утро пью кефир.", "кефир"),
        ("Мы все в цеху курим.", "курим"),
        ("Меня бесит начальник.", "бесит"),
    ],
)
def test_what_is_the_speakers_stays_theirs(extract: Extract, text: str, stem: str) -> None:
    assert any(stem in c.content and c.about == "self" for c in extract(text).candidates)


@pytest.mark.parametrize(
    ("text", "name", "about"),
    [
        ("My daughter Winifred is ten, we call her Birdie.", "Birdie", "person:Winifred"),
        ("Мою тётку все зовут Мака.", "Мака", "person:Мака"),
        ("Звонила тётя Зоя, она у нас Зайка.", "Зайка", "person:Зоя"),
    ],
)
def test_a_naming_clause_is_about_the_one_named(extract: Extract, text: str, name: str, about: str) -> None:
    told = [c for c in extract(text).candidates if name in c.content and c.type is not NodeType.PERSON]
    assert [candidate.about for candidate in told] == [about]


@pytest.mark.parametrize(
    "text", ["По паспорту я Евдокия, но все зовут Дуся.", "It says Edwina on my passport but I go by Teddy."]
)
def test_the_speakers_own_other_name_is_nobody_else(extract: Extract, text: str) -> None:
    assert not [c for c in extract(text).candidates if c.type is NodeType.PERSON]


def test_a_rare_name_is_listed_as_the_tables_know_it(extract: Extract) -> None:
    people = [c for c in extract("Обещал Ваде помочь с ремонтом.").candidates if c.type is NodeType.PERSON]
    assert [c.attributes["name"] for c in people] == ["Вадя"]
