"""The product behind ``evaluate_retrieval``: a data set imported the way users import, and questions asked the way they ask."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memory_lib.bootstrap import Memory
from memory_lib.domain.ids import MessageId, UserId
from memory_lib.evaluation.baselines import BaselineParams
from memory_lib.evaluation.datasets import Dataset, Question, RetrievalData
from memory_lib.evaluation.retrieval import Answered, RetrievalParams

RETRIEVAL: Mapping[Dataset, RetrievalParams] = {
    Dataset.LOCOMO: RetrievalParams(
        k=10,
        resamples=2_000,  # ours: the interval's ends then vary by less than half a point from seed to seed
        seed=20_260_504,
        level=0.95,
        baseline=BaselineParams(k1=0.9, b=0.4),  # RETRIEVAL §8
    ),
    Dataset.LONGMEMEVAL: RetrievalParams(
        k=10, resamples=2_000, seed=20_260_504, level=0.95, baseline=BaselineParams(k1=1.2, b=0.75)
    ),
}


def limited(data: RetrievalData, *, people: int | None) -> RetrievalData:
    """The questions of the first so many people only."""
    if people is None:
        return data
    kept = set(list(dict.fromkeys(question.user for question in data.questions))[:people])
    return replace(
        data,
        questions=tuple(question for question in data.questions if question.user in kept),
        turns={user: turns for user, turns in data.turns.items() if user in kept},
    )


def import_data(
    memory: Memory, data: RetrievalData, path: Path, *, on_progress: Callable[[int, int], None] | None = None
) -> tuple[UserId, ...]:
    """Everybody who is asked, imported through the product's own path; forms nothing yet. The people, in order."""
    if data.dataset is Dataset.LONGMEMEVAL:
        return memory.import_export(path, format=data.dataset.value, on_progress=on_progress).people
    people: list[UserId] = []
    for user in dict.fromkeys(question.user for question in data.questions):
        people += memory.import_export(path, format=data.dataset.value, user=user, on_progress=on_progress).people
    return tuple(people)


@dataclass(slots=True)
class AskMemory:
    """Asks one memory; ``degraded`` counts, by part and reason, the answers that had to do without it."""

    memory: Memory
    names: Mapping[MessageId, str]
    degraded: dict[str, int]

    def __call__(self, question: Question) -> Answered:
        started = time.perf_counter()
        found = self.memory.ask(question.user, question.text, now=question.asked_at)
        ms = (time.perf_counter() - started) * 1000.0
        for each in found.degraded:
            name = f"{each.part}: {each.reason}"
            self.degraded[name] = self.degraded.get(name, 0) + 1
        told = {node for line in found.lines for node in line.nodes}
        # a line tells the words that made its node, its first source
        quoted = {item.sources[0].message for item in found.items if item.id in told and item.sources}
        handed = quoted.union(*(each.messages for each in found.rounds))
        return Answered(
            ranked=[self.names[message] for message, _ in found.turns if message in self.names],
            handed_over={self.names[message] for message in handed if message in self.names},
            ms=ms,
        )


def ask_memory(memory: Memory, data: RetrievalData) -> AskMemory:
    """The callable for ``evaluate_retrieval``: ranked and handed-over turns by their source ids."""
    key = memory.bench.id_key
    names = {
        key.message(key.conversation(turn.conversation), turn.id): turn.id for turns in data.turns.values() for turn in turns
    }
    return AskMemory(memory, names, {})
