"""Dialogues made for these tests from a seed: Russian and English, what the reasoner looks for and what it leaves alone."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

Record = dict[str, Any]

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
ANNA, BEN = "анна-веретенникова", "ben.hollowell"

SAID = {
    "ru": (
        "Я работаю в {company} {job}.",
        "Я теперь работаю в {company}!",
        "Коллега {name} опять накричал на меня, и я очень расстроилась из-за этого.",
        "Мой друг {name} позвал меня {place}.",
        "Запомни: у меня аллергия на {food}.",
        "Я пью {drink} каждое утро.",
        "Я больше не пью {drink}.",
        "{day} мая у меня собеседование в {company}, потому что мне надоела эта работа.",
        "Надо решить, брать ли ипотеку.",
        "Мама приехала в гости, я так рада!",
        "Вчера мы с {name} ходили {place}, и мне стало легче.",
        "Не могу решить, ехать ли {place} летом.",
        "Из-за отчёта я не спала, поэтому весь день болела голова.",
        "Ага, понятно 🙂",
        "Ну да…",
    ),
    "en": (
        "I work at {company} as {job}.",
        "I work at {company} now!",
        "My colleague {name} yelled at me again and I was really upset because of it.",
        "My friend {name} asked me to go {place}.",
        "Remember that I am allergic to {food}.",
        "I drink {drink} every morning.",
        "I don't drink {drink} any more.",
        "I have an interview at {company} on {day} May because I am tired of this job.",
        "I still need to decide whether to buy a flat.",
        "My sister {name} came to visit and I am so happy!",
        "Yesterday {name} and I went {place} and I felt better.",
        "I can't decide whether to go {place} in summer.",
        "I didn't sleep because of the report, so I had a headache all day.",
        "Yeah, I see 🙂",
        "Well…",
    ),
}
ANSWERED = {
    "ru": ("Расскажи, что было дальше?", "Понимаю. Я работаю над ответом.", "Звучит непросто."),
    "en": ("What happened then?", "I see. I work on an answer.", "That sounds hard."),
}
WORDS = {
    "ru": {
        "company": ("Яндексе", "Сбере", "Озоне", "Касперском"),
        "job": ("аналитиком", "дизайнером", "редактором"),
        "name": ("Олег", "Марат", "Игнат", "Тимур"),
        "place": ("в горы", "на выставку", "в Карелию", "в бассейн"),
        "food": ("арахис", "мёд", "клубнику"),
        "drink": ("кофе", "чай", "какао"),
    },
    "en": {
        "company": ("Initech", "Globex", "Umbrella", "Hooli"),
        "job": ("an accountant", "a designer", "an editor"),
        "name": ("Bob", "Kate", "Oliver", "Priya"),
        "place": ("hiking", "to the exhibition", "to Wales", "swimming"),
        "food": ("peanuts", "honey", "strawberries"),
        "drink": ("coffee", "tea", "cocoa"),
    },
}


def dialogue(seed: int, *, user: str, language: str, conversation: str, messages: int, start: datetime = START) -> list[Record]:
    """One conversation in the project's JSONL shape; the same seed gives the same records."""
    chance = random.Random(f"{seed} {user} {conversation}")
    zone = timezone(timedelta(hours=chance.choice((-5, 0, 3, 10))))
    at = start + timedelta(minutes=chance.randrange(600))
    records: list[Record] = []
    for number in range(messages):
        at += timedelta(minutes=chance.choice((1, 3, 12, 95, 600, 1500, 4300)))
        assistant = number % 4 == 3
        told = chance.choice((ANSWERED if assistant else SAID)[language])
        words = {slot: chance.choice(values) for slot, values in WORDS[language].items()}
        records.append(
            {
                "user": user,
                "conversation": conversation,
                "id": f"m{number}",
                "role": "assistant" if assistant else "user",
                "text": told.format(**words, day=chance.randint(1, 31)),
                "time": at.astimezone(zone).isoformat(),
            }
        )
    return records


def two_people(seed: int, *, messages: int = 10) -> list[Record]:
    """Two people with two conversations each, ``messages`` messages in each of them, as one export would hold them."""
    return [
        record
        for user, language in ((ANNA, "ru"), (BEN, "en"))
        for conversation in ("kitchen", "работа")
        for record in dialogue(seed, user=user, language=language, conversation=conversation, messages=messages)
    ]


def edited(record: Record, text: str) -> Record:
    return {**record, "text": text}


def split(seed: int, records: Sequence[Record], share: float) -> tuple[list[Record], list[Record]]:
    """Most of the records, and those (``share`` of them, any place) that come later; order kept in both."""
    chance = random.Random(f"split {seed}")
    later = set(chance.sample(range(len(records)), round(share * len(records))))
    return (
        [record for place, record in enumerate(records) if place not in later],
        [record for place, record in enumerate(records) if place in later],
    )


def write_jsonl(path: Path, records: Iterable[Record]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records), encoding="utf-8")
    return path
