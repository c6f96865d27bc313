"""Significance at creation: life events of the speaker and their family, against everyday ones and figures of speech."""

from __future__ import annotations

import pytest

from tests.reasoning.conftest import PARAMS, Extract


def weights(extract: Extract, text: str) -> set[bool]:
    """Whether each statement is significant (persons apart)."""
    bar = PARAMS.importance_significant
    return {c.importance >= bar for c in extract(text).candidates if c.type.value != "person"}


@pytest.mark.parametrize(
    "text",
    [
        "В субботу мы с Ирой поженились!",
        "Сестра родила двойню.",
        "Вчера похоронили дедушку.",
        "Нашего кота усыпили утром.",
        "Ушёл на пенсию в июне.",
        "Подала на развод.",
        "Переехали в Тбилиси в марте.",
        "Маме сделали операцию на сердце.",
        "Попал в аварию на трассе.",
        "Меня повысили до старшего повара.",
        "Купили двушку в Мытищах.",
        "Я беременна!",
        "Я защитила диссертацию!",
        "Выиграл городской чемпионат по шахматам.",
        "We got married on the beach last week.",
        "My dad passed away on Sunday.",
        "My dog died last night.",
        "They let me go from the warehouse.",
        "We bought our first house.",
        "My son got into Cambridge.",
        "I broke my leg on the stairs.",
        "My best friend died in a crash.",
        "We broke up after six years.",
        "I start my new job on Monday.",
        "We emigrated to Canada.",
    ],
)
def test_a_life_event_is_significant(extract: Extract, text: str) -> None:
    assert True in weights(extract, text)


@pytest.mark.parametrize(
    "text",
    [
        "Я умер от смеха на этом видео.",
        "У меня умер телефон.",
        "Обедали с Петей в столовой.",
        "Читаю роман про развод.",
        "Если бы мы поженились, было бы проще.",
        "Известный актёр умер вчера.",
        "Коллега вышла замуж на выходных.",
        "Мост развели в два часа ночи.",
        "Устала от переездов.",
        "I died laughing at that video.",
        "My phone died during the call.",
        "We moved the meeting to Monday.",
        "I killed it at karaoke.",
        "We watched a documentary about a divorce.",
        "I attended a colleague's wedding.",
        "If I got married, I'd invite you.",
        "We adopted a new filing system.",
        "I had lunch with Tom.",
    ],
)
def test_everyday_distant_figurative_and_unreal_events_are_not(extract: Extract, text: str) -> None:
    assert True not in weights(extract, text)
