"""Questions for every job in both languages: own sentences, made into inputs."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from memory_lib.domain.candidates import Candidate, EdgeType, Modality, NodeType, Valence
from memory_lib.domain.ids import ConversationId, MessageId
from memory_lib.domain.message import Message, Role, Unit
from memory_lib.domain.syntax import Parse
from memory_lib.reasoning.jobs import (
    anything_to_think,
    compose_prose,
    detect_displeasure,
    extract_mentions,
    find_evidence,
    judge_pair,
    judge_worth,
    place_candidate,
    read_valence,
)
from memory_lib.reasoning.jobs.job import Job
from memory_lib.reasoning.jobs.statement_pair import Statement
from memory_lib.reasoning.prose.composable import ComposableEdge, ComposableNode
from memory_lib.settings import Settings

SETTINGS = Settings()
JOBS: tuple[Job[Any, Any, Any], ...] = (
    extract_mentions.JOB,
    place_candidate.JOB,
    judge_pair.JOB,
    read_valence.JOB,
    judge_worth.JOB,
    detect_displeasure.JOB,
    anything_to_think.JOB,
    compose_prose.JOB,
    find_evidence.JOB,
)
NOW = datetime.fromisoformat("2026-05-20T19:30:00+03:00")

SAID: dict[str, tuple[str, ...]] = {
    "ru": (
        "В марте мы с Кирой переехали в Тверь, до сих пор разбираем коробки.",
        "Я больше не пью кофе, сердце стучало по ночам.",
        "Сегодня наконец-то сдала отчёт, такое облегчение!",
        "Начальник опять перенёс мой отпуск, я в бешенстве.",
        "Брат устроился машинистом, ездит до Рязани и обратно.",
        "Надо до пятницы записать Барсика к ветеринару.",
        "Если бы у меня был дом, я бы завёл пасеку.",
        "Подскажи, чем отмыть плитку на кухне?",
        "Спасибо, понятно.",
        "Мне исполнилось тридцать семь, а чувствую себя на двадцать.",
        "Игорь говорит, что я ленивая, но это неправда.",
        "По вторникам хожу на керамику, леплю кривые чашки.",
        "Кажется, я влюбилась, и мне страшно.",
        "Из-за пробки опоздала на поезд и ночевала на вокзале.",
        "Учу португальский, дошла до прошедшего времени.",
    ),
    "en": (
        "We moved to Bristol with Nora in March and the boxes are still everywhere.",
        "I don't drink coffee any more, my heart was racing at night.",
        "Finally handed in the report today, such a relief!",
        "My boss moved my holiday again and I'm furious.",
        "My brother got hired as a train driver, he runs to Leeds and back.",
        "I have to book the vet for Biscuit before Friday.",
        "If I owned a house I would keep bees.",
        "What gets limescale off kitchen tiles?",
        "Thanks, got it.",
        "I turned thirty-seven and feel like twenty.",
        "Owen says I'm lazy, which isn't true.",
        "I do pottery on Tuesdays and make crooked cups.",
        "I think I'm in love and it scares me.",
        "The traffic made me miss my train, so I slept at the station.",
        "I'm learning Portuguese, I have reached the past tense.",
    ),
}
REPLIES = {"ru": "Хорошо! Расскажешь подробнее?", "en": "Good! Will you tell me more?"}
UNHAPPY = {
    "ru": ("Нет, я говорила про Казань.", "Ты опять всё перепутал, это бесполезно."),
    "en": ("No, I said Lisbon.", "You are not listening, this is useless."),
}


@dataclass(frozen=True, slots=True)
class Question:
    """A job and inputs for it."""

    job: Job[Any, Any, Any]
    inputs: Any
    language: str


def message(text: str, number: int, *, role: Role = Role.USER, speaker: str | None = None) -> Message:
    return Message(
        id=MessageId(f"{number:032x}"),
        conversation=ConversationId("c" * 32),
        conversation_name="c",
        source_id=str(number),
        role=role,
        text=text,
        time=NOW + timedelta(minutes=number),
        text_version="v",
        speaker=speaker,
    )


def unit(*texts: str, role: Role = Role.USER, speaker: str | None = None) -> Unit:
    """The texts of a person, each but the last answered; the last is the unit's own."""
    said = [message(text, number, role=role, speaker=speaker) for number, text in enumerate(texts)]
    return Unit("u", said[-1], tuple(said[:-1]))


def extraction(*texts: str, language: str = "en", **of: Any) -> extract_mentions.Inputs:
    parses = [Parse(language, ()) for _ in texts]
    return extract_mentions.Inputs(unit=unit(*texts, **of), parses=parses, params=SETTINGS.mentions, characters=1500)


def statement(text: str, **other: Any) -> Statement:
    return Statement(text=text, type=other.pop("type", NodeType.FACT), **other)


def node(number: int, text: str, **other: Any) -> ComposableNode:
    return ComposableNode(
        id=f"n{number}",
        type=other.pop("type", NodeType.EVENT),
        content=text,
        weight=0.9 - number / 20,
        score=0.9 - number / 20,
        created_at=NOW - timedelta(days=number),
        **other,
    )


def prose(language: str, *texts: str, **other: Any) -> compose_prose.Inputs:
    """The first is caused by the second."""
    nodes = [node(number, text) for number, text in enumerate(texts)]
    edges = [ComposableEdge("n0", "n1", EdgeType.CAUSED_BY)] if len(nodes) > 1 else []
    return compose_prose.Inputs(
        nodes=nodes,
        edges=edges,
        language=language,
        now=NOW,
        count=lambda text: len(text.split()),
        params=SETTINGS.compose,
        **other,
    )


def mention(text: str, **other: Any) -> Candidate:
    fields = {"type": NodeType.FACT, "confidence": 0.9, "rule": "r", "modality": (Modality.ASSERTED,), **other}
    return Candidate(content=text, start=0, end=len(text), **fields)


def questions() -> Iterator[Question]:
    """Without end: every job in turn, both languages, each with other sentences."""
    params = SETTINGS.jobs
    for turn in itertools.count():
        for language, texts in SAID.items():
            place = turn % len(texts)
            text, other, third = (texts[(place + step) % len(texts)] for step in (0, 1, 5))
            numbers = {"older": statement(other, date="2026-05-01"), "newer": statement(text, date="2026-05-20")}
            near = tuple(place_candidate.Neighbour(statement(each), 0.5) for each in (other, third))
            last = UNHAPPY[language][turn % 2] if turn % 3 == 0 else text
            inputs: dict[Job[Any, Any, Any], Any] = {
                extract_mentions.JOB: extraction(other, text, language=language),
                place_candidate.JOB: place_candidate.Inputs(
                    candidate=statement(text), neighbours=near, language=language, params=params.place
                ),
                judge_pair.JOB: judge_pair.Inputs(**numbers, cosine=0.6, params=params.pair),
                read_valence.JOB: read_valence.Inputs(text=text, params=params.valence),
                judge_worth.JOB: judge_worth.Inputs(
                    text=text, previous=REPLIES[language], language=language, params=params.worth
                ),
                detect_displeasure.JOB: detect_displeasure.Inputs(
                    last=last, earlier=(other, third), cosines=None, reply=REPLIES[language], language=language,
                    params=params.displeasure,
                ),
                anything_to_think.JOB: anything_to_think.Inputs(
                    messages=1 + turn % 7, intensities=(0.6,) * (turn % 2), significant_events=turn % 3, open_loops=turn % 2,
                    contradictions=0, statements=(text, other), params=params.look,
                ),
                compose_prose.JOB: prose(language, text, other, third),
                find_evidence.JOB: find_evidence.Inputs(
                    claim=find_evidence.Claim(text=other, subjects=(other,), valence=Valence.POSITIVE), text=text,
                    params=params.evidence,
                ),
            }  # fmt: skip
            for job in JOBS:
                yield Question(job, inputs[job], language)
