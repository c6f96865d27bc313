"""Two short dialogues written for these tests."""

from __future__ import annotations

from typing import Any


def message(number: int, day: int, text: str, *, role: str = "user", hour: int = 10, **extra: Any) -> dict[str, Any]:
    return {
        "conversation": "talk",
        "id": f"m{number}",
        "role": role,
        "text": text,
        "time": f"2026-05-{day:02d}T{hour:02d}:00:00+03:00",
        **extra,
    }


RUSSIAN = [
    message(1, 4, "Привет! Я работаю в Яндексе аналитиком."),
    message(2, 4, "Рада знакомству!", role="assistant", hour=11),
    message(3, 5, "Коллега Олег опять накричал на меня, и я очень расстроилась из-за этого."),
    message(4, 6, "Запомни: у меня аллергия на арахис."),
    message(5, 7, "28 мая у меня собеседование в Сбере, потому что мне надоело работать с Олегом."),
    message(6, 8, "Я пью кофе каждое утро."),
    message(7, 9, "Коллега Олег сегодня даже поздоровался."),
    message(8, 12, "Я теперь работаю в Сбере!"),
    message(9, 13, "Надо решить, брать ли ипотеку."),
    message(10, 14, "Я больше не пью кофе."),
    message(11, 15, "Я пью кофе каждое утро."),
    message(12, 20, "Мама приехала в гости, я так рада!"),
]

ENGLISH = [
    message(1, 4, "Hi, I work at Initech as an accountant."),
    message(2, 4, "Nice to meet you.", role="assistant", hour=11),
    message(3, 5, "My colleague Bob yelled at me again and I was really upset because of it."),
    message(4, 6, "Remember that I am allergic to peanuts."),
    message(5, 7, "I have an interview at Globex on 28 May because I am tired of working with Bob."),
    message(6, 8, "I drink coffee every morning."),
    message(7, 9, "My colleague Bob even said hello today."),
    message(8, 12, "I work at Globex now!"),
    message(9, 13, "I still need to decide whether to buy a flat."),
    message(10, 14, "I don't drink coffee any more."),
    message(11, 15, "I drink coffee every morning."),
    message(12, 20, "My sister Kate came to visit and I am so happy!"),
]
