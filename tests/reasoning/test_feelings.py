"""Feelings: whose, which way, and whether they were said or only shown."""

from __future__ import annotations

import pytest

from memory_lib.domain.candidates import Candidate, NodeType, Valence
from tests.reasoning.conftest import Extract


def notes(extract: Extract, text: str) -> list[Candidate]:
    return [candidate for candidate in extract(text).candidates if candidate.type is NodeType.EMOTIONAL_NOTE]


@pytest.mark.parametrize(
    ("text", "valence"),
    [
        ("Мне стыдно перед мамой.", Valence.NEGATIVE),
        ("Тревожно мне как-то перед этой поездкой.", Valence.NEGATIVE),
        ("Меня бесит этот шум за стеной.", Valence.NEGATIVE),
        ("Терпение лопнуло, хватит.", Valence.NEGATIVE),
        ("Обидно, что забыли.", Valence.NEGATIVE),
        ("Я не рада этому назначению.", Valence.NEGATIVE),
        ("Больше не боюсь собак.", Valence.POSITIVE),
        ("Горжусь своей командой.", Valence.POSITIVE),
        ("Камень с души!", Valence.POSITIVE),
        ("Никогда ещё не была так счастлива.", Valence.POSITIVE),
        ("I feel so guilty about missing her recital.", Valence.NEGATIVE),
        ("This commute drives me up the wall.", Valence.NEGATIVE),
        ("Dreading the dentist tomorrow.", Valence.NEGATIVE),
        ("I'm not exactly thrilled about the new rota.", Valence.NEGATIVE),
        ("The silence in the house gets to me.", Valence.NEGATIVE),
        ("I'm not worried any more.", Valence.POSITIVE),
        ("What a relief!", Valence.POSITIVE),
        ("I couldn't be prouder of her.", Valence.POSITIVE),
        ("It made me happy to see them together.", Valence.POSITIVE),
    ],
)
def test_a_named_feeling_is_stated_and_goes_the_way_its_clause_says(extract: Extract, text: str, valence: Valence) -> None:
    note, *_ = notes(extract, text)
    assert (note.valence, note.stated, note.about) == (valence, True, "self")


@pytest.mark.parametrize(
    ("text", "valence"),
    [
        ("Проплакала весь вечер на кухне.", Valence.NEGATIVE),
        ("Не могу уснуть третью ночь.", Valence.NEGATIVE),
        ("Сердце колотится, не могу открыть письмо.", Valence.NEGATIVE),
        ("Хлопнул дверью и ушёл.", Valence.NEGATIVE),
        ("Стояла у окна с комом в горле.", Valence.NEGATIVE),
        ("Танцевала по кухне с поварёшкой.", Valence.POSITIVE),
        ("Плакала от счастья на вокзале.", Valence.POSITIVE),
        ("I sat in the car and sobbed.", Valence.NEGATIVE),
        ("My stomach is in knots.", Valence.NEGATIVE),
        ("I lay awake till four.", Valence.NEGATIVE),
        ("I couldn't stop crying.", Valence.NEGATIVE),
        ("I skipped down the street singing.", Valence.POSITIVE),
        ("I cried happy tears at the airport.", Valence.POSITIVE),
    ],
)
def test_a_feeling_that_is_only_shown_is_not_stated(extract: Extract, text: str, valence: Valence) -> None:
    note = next(note for note in notes(extract, text) if not note.stated)
    assert (note.valence, note.about) == (valence, "self")


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Лена очень расстроена из-за оценок.", "person:Лена"),
        ("Жена злится, что я забыл про годовщину.", "person:жена"),
        ("Tom was furious about the parking fine.", "person:Tom"),
        ("My brother is terrified of spiders.", "person:brother"),
    ],
)
def test_the_feeling_of_another_is_about_that_person(extract: Extract, text: str, about: str) -> None:
    assert {note.about for note in notes(extract, text)} == {about}


@pytest.mark.parametrize(
    "text",
    [
        "Приехали хорошо, без пробок.",
        "Рада помочь!",
        "Фильм грустный, но красивый.",
        "Режу лук и плачу.",
        "Достал ключи из сумки.",
        "Не могу уснуть: соседи шумят.",
        "Танцую сальсу по вторникам.",
        "I'm afraid I can't come.",
        "I moved the sofa.",
        "I missed the bus.",
        "I cried chopping onions.",
        "Happy to help.",
        "The movie was sad.",
    ],
)
def test_courtesies_reviews_and_literal_words_are_no_feeling(extract: Extract, text: str) -> None:
    assert notes(extract, text) == []


@pytest.mark.parametrize("text", ["Боюсь, что меня уволят.", "I'm worried that I'll be fired."])
def test_what_is_feared_is_not_told_as_coming(extract: Extract, text: str) -> None:
    assert {candidate.type for candidate in extract(text).candidates} == {NodeType.EMOTIONAL_NOTE}
