"""Causes: from effect to cause, whichever is told first and however it is told."""

from __future__ import annotations

import pytest

from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.ids import MessageId
from tests.reasoning.conftest import Extract


def causes(extract: Extract, text: str, **context: object) -> set[tuple[str, str]]:
    """Words of the effect and of its cause; ``@m0`` = an earlier message."""
    found = extract(text, **context)

    def words(end: int | MessageId) -> str:
        return found.candidates[end].content if isinstance(end, int) else f"@{end}"

    return {(words(r.source), words(r.target)) for r in found.relations if r.type is EdgeType.CAUSED_BY}


@pytest.mark.parametrize(
    ("text", "effect", "cause"),
    [
        ("Хромаю, ведь вчера упал с велосипеда.", "Хромаю", "вчера упал с велосипеда"),
        ("Минус сорок третий день, поэтому занятия отменили.", "занятия отменили", "Минус сорок третий день"),
        ("Метро закрыли, так что домой ехала на такси.", "домой ехала на такси", "Метро закрыли"),
        ("Будильник не прозвонил, вот и опоздала на планёрку.", "опоздала на планёрку", "Будильник не прозвонил"),
        ("Раз уж приехали, остались на неделю.", "остались на неделю", "приехали"),
        ("Рейс отменили, пришлось ночевать в аэропорту.", "ночевать в аэропорту", "Рейс отменили"),
        ("Не поехал на дачу: машина сломалась.", "Не поехал на дачу", "машина сломалась"),
        ("Хор распустили. Спонсор обанкротился, отсюда и всё.", "Хор распустили", "Спонсор обанкротился"),
        ("Бросил курить из-за кашля.", "Бросил курить из-за кашля", "кашля"),
        ("Устал от ночных смен.", "Устал от ночных смен", "ночных смен"),
        ("Жара заставила нас вернуться раньше.", "Жара заставила нас вернуться раньше", "Жара"),
        ("Меня бесит этот шум за стеной.", "Меня бесит этот шум за стеной", "этот шум"),
        ("The trains were on strike, so I cycled to the office.", "I cycled to the office", "The trains were on strike"),
        ("Since it was raining, we stayed in.", "we stayed in", "it was raining"),
        ("As the lift was broken, I took the stairs.", "I took the stairs", "the lift was broken"),
        ("The boiler died and we had to shower at the gym.", "we had to shower at the gym", "The boiler died"),
        ("We cancelled the trip due to the floods.", "We cancelled the trip due to the floods", "the floods"),
        ("I'm exhausted from the night shifts.", "I'm exhausted from the night shifts", "the night shifts"),
        ("My back hurts from carrying boxes.", "My back hurts from carrying boxes", "carrying boxes"),
        ("I'm proud of her for winning the cup.", "I'm proud of her for winning the cup", "winning the cup"),
        ("The noise made me leave early.", "The noise made me leave early", "The noise"),
        ("I'm over the moon, the egg hatched!", "I'm over the moon", "the egg hatched"),
    ],
)
def test_a_stated_cause(extract: Extract, text: str, effect: str, cause: str) -> None:
    assert (effect, cause) in causes(extract, text)


@pytest.mark.parametrize(
    "text",
    [
        "Он выглянул из-за шторы.",
        "Приехала из-за границы вчера.",
        "Получил письмо от брата.",
        "Живу недалеко от метро.",
        "Раз в неделю хожу в бассейн.",
        "I've lived here since March.",
        "She sings as well as her mother.",
        "I got a letter from my brother.",
        "He spoke to me as if I were a child.",
    ],
)
def test_what_only_looks_like_a_cause(extract: Extract, text: str) -> None:
    assert causes(extract, text) == set()


@pytest.mark.parametrize(
    ("said", "asked", "answer", "cause"),
    [
        ("Мне очень плохо.", "Что случилось?", "Соседи опять залили мне кухню.", "Соседи опять залили мне кухню"),
        ("Бросил курить.", "Почему?", "Потому что меня душил кашель.", "меня душил кашель"),
        ("I'm angry.", "Why? What happened?", "My landlord raised the rent again.", "My landlord raised the rent again"),
    ],
)
def test_an_answer_to_why_is_the_cause_of_what_was_said_before(
    extract: Extract, said: str, asked: str, answer: str, cause: str
) -> None:
    before = [("user", said), ("assistant", asked)]
    assert ("@m0", cause) in causes(extract, answer, before=before)
    relations = [r for r in extract(answer, before=before).relations if r.source == "m0"]
    assert all(relation.confidence <= 0.6 for relation in relations)


def test_another_question_has_no_cause_for_an_answer(extract: Extract) -> None:
    before = [("user", "Я уволился."), ("assistant", "Как давно работал?")]
    assert causes(extract, "Я там пять лет работал.", before=before) == set()
