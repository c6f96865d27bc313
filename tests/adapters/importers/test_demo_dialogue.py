"""The bundled dialogue shows each thing that the demo is there to show, and imports without a fault."""

from __future__ import annotations

import json
from collections import Counter
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from memory_lib.adapters.importers import BadRecord, read_export
from memory_lib.domain.message import Role

DEMO = Path(__file__).resolve().parents[3] / "selfimprint" / "demo"
PEOPLE = {"anya": ("dialogue_ru.jsonl", 180), "daniel": ("dialogue_en.jsonl", 60)}
SHOWN = {
    "anya": [
        "работаю верстальщицей в издательстве «Сова»",
        "Теперь я работаю там",
        "Собеседование 14 мая",
        "Запомни:",
        "Я пью кофе",
        "больше не пью кофе",
        "Никак не решу",
        "ноет желудок",
        "потому что",
        "ты меня не понял",
    ],
    "daniel": [
        "I work as a line cook at the Copper Kettle",
        "I work there as a baker now",
        "interview on 13 May",
        "Remember that",
        "I drive to work",
        "I don't drive to work any more",
        "I can't decide whether",
        "knee has been sore",
        "because",
        "That's not what I asked",
    ],
}
COLLEAGUE = {"anya": "Кирилл", "daniel": "Marcus"}


def messages(user):
    items = list(read_export(DEMO / PEOPLE[user][0]))
    assert not [item for item in items if isinstance(item, BadRecord)]
    return items


@pytest.mark.parametrize("user", PEOPLE)
def test_three_weeks_of_several_sessions_in_order(user):
    said = messages(user)
    assert {(item.user, item.time.utcoffset()) for item in said} == {(user, timedelta(minutes=PEOPLE[user][1]))}
    times = [item.time for item in said]
    assert times == sorted(set(times))
    assert timedelta(days=19) < times[-1] - times[0] < timedelta(days=21)
    assert len({item.id for item in said}) == len(said) >= 45
    assert len({item.session for item in said}) >= 10
    assert len({item.time.hour for item in said}) >= 8


@pytest.mark.parametrize("user", PEOPLE)
def test_person_and_assistant_take_turns_in_a_session(user):
    said = messages(user)
    for before, after in pairwise(said):
        assert before.session != after.session or {before.role, after.role} == {Role.USER, Role.ASSISTANT}


@pytest.mark.parametrize("user", PEOPLE)
def test_what_the_demo_shows_is_said_by_the_person(user):
    words = "\n".join(item.text for item in messages(user) if item.role is Role.USER)
    assert [phrase for phrase in SHOWN[user] if phrase not in words] == []
    assert words.count(COLLEAGUE[user]) >= 4


def test_each_person_is_asked_about_job_colleague_interview_and_decision():
    questions = json.loads((DEMO / "questions.json").read_text(encoding="utf-8"))
    assert Counter((question["user"], question["language"]) for question in questions) == {
        ("anya", "ru"): 4,
        ("daniel", "en"): 4,
    }
    for user in PEOPLE:
        asked = [question for question in questions if question["user"] == user]
        assert [question["about"] for question in asked] == ["job", "colleague", "interview", "decision"]
        said = {item.text for item in messages(user)}
        assert all(question["text"] and question["text"] not in said for question in asked)
