"""Another person's property never becomes the speaker's."""

from __future__ import annotations

import pytest

from memory_lib.domain.candidates import Modality, NodeType
from tests.reasoning.conftest import Extract


@pytest.mark.parametrize(
    ("text", "stem"),
    [
        ("My apprentice keeps ferrets.", "ferrets"),
        ("Three of my pupils are deaf.", "deaf"),
        ("My dentist's husband races pigeons.", "pigeons"),
        ("The bloke next door snores.", "snores"),
        ("Her uncle gambles.", "gambles"),
        ("They're teetotal, my in-laws.", "teetotal"),
        ("Мой подмастерье держит хорьков.", "хорьков"),
        ("Двое моих учеников глухие.", "глухие"),
        ("У тестя подагра.", "подагра"),
        ("Свёкор у меня охотник.", "охотник"),
        ("Сестра начальника заикается.", "заикается"),
        ("Соседка разводит фиалки. Ругается с дворником.", "Ругается"),
        ("Дяде пятьдесят девять, а мне тридцать.", "пятьдесят"),
    ],
)
def test_it_is_told_of_them(extract: Extract, text: str, stem: str) -> None:
    told = [c for c in extract(text).candidates if stem in c.content and c.type is not NodeType.PERSON]
    assert all(candidate.about != "self" for candidate in told)


@pytest.mark.parametrize(
    ("text", "stem"),
    [
        ("My brother and I run a mill.", "mill"),
        ("I have a son.", "son"),
        ("Мы с братом держим мельницу.", "мельницу"),
        ("У меня родилась дочка.", "дочка"),
        ("Меня зовут Кира.", "Кира"),
        ("Левша, сам чиню часы.", "чиню"),
        ("Пенсионер я, рыбачу.", "Пенсионер"),
    ],
)
def test_what_is_the_speakers_stays_theirs(extract: Extract, text: str, stem: str) -> None:
    assert any(stem in c.content and c.about == "self" for c in extract(text).candidates)


@pytest.mark.parametrize(
    ("text", "stem"),
    [
        ("My aunt says I'm stingy.", "stingy"),
        ("According to my dentist I grind my teeth.", "grind"),
        ("I heard that the mill is closing.", "mill"),
        ("Тётя говорит, я жадный.", "жадный"),
        ("Тренер уверяет, что я лентяй.", "лентяй"),
        ("Врач сказал, что у меня гастрит.", "гастрит"),
    ],
)
def test_what_others_claim_is_reported(extract: Extract, text: str, stem: str) -> None:
    told = [c for c in extract(text).candidates if stem in c.content and c.type is not NodeType.PERSON]
    assert told
    assert all(Modality.REPORTED in candidate.modality for candidate in told)
    assert all(candidate.holder != "self" for candidate in told)


@pytest.mark.parametrize(
    ("text", "stem"),
    [("As a beekeeper I need a suit, which one?", "beekeeper"), ("Мне, как пасечнику, какой костюм взять?", "пасечнику")],
)
def test_a_role_named_in_a_question_is_kept(extract: Extract, text: str, stem: str) -> None:
    assert any(stem in c.content and c.about == "self" and c.modality == (Modality.ASSERTED,) for c in extract(text).candidates)
