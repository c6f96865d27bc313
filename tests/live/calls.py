"""Calls to the small model, and what came of them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Thread

from memory_lib.adapters.llm.asking import ModelThinker
from memory_lib.adapters.llm.openai_client import OpenAIModel
from memory_lib.ports.ledger import ModelCall
from memory_lib.reasoning.jobs import compose_prose, extract_mentions
from memory_lib.reasoning.jobs.job import OFFLINE, Thought
from tests.adapters.llm import small_model
from tests.adapters.llm.conftest import SETTINGS, Book, Clock
from tests.reasoning.jobs.asked import JOBS, Question, questions

WRITING = {extract_mentions.NAME, compose_prose.NAME}
"""Answers of hundreds of tokens, twenty times as slow as the others."""
SHARE = 100
"""One question in so many is each of theirs, so that 500 calls end within minutes."""


def mixed(count: int) -> list[Question]:
    """``count`` questions over all jobs, those of one job together: a server keeps the beginning that its prompts share."""
    each = {name: max(1, count // SHARE) for name in WRITING}
    short = len(JOBS) - len(WRITING)
    rest = count - sum(each.values())
    wanted = {job.name: each.get(job.name, rest // short) for job in JOBS}
    wanted[next(name for name in wanted if name not in WRITING)] += rest % short
    chosen: list[Question] = []
    for name, number in wanted.items():
        chosen += itertools.islice((question for question in questions() if question.job.name == name), number)
    return chosen


def ask(
    address: str, asked: Iterable[Question], *, at_once: int = 2, told: Callable[[ModelCall], None] = lambda _call: None
) -> list[tuple[ModelCall, Thought[object]]]:
    """Each question's entry in the book beside its thought; an exception that escapes is raised."""
    params = replace(
        SETTINGS.model, base_url=f"{address}/v1", model=small_model.MODEL, timeout_s=300.0, patience_s=600.0, calls=at_once
    )
    model = OpenAIModel(params)
    waiting: SimpleQueue[Question] = SimpleQueue()
    for question in asked:
        waiting.put(question)
    done: list[tuple[ModelCall, Thought[object]]] = []
    escaped: list[BaseException] = []

    def work() -> None:
        book = Book()
        thinker = ModelThinker(model, book, Clock(), params=params, budget=SETTINGS.model_budget)
        try:
            while True:
                question = waiting.get_nowait()
                thought = thinker.think(question.job, question.inputs, user="u")
                done.append((book.last, thought))
                told(book.last)
        except Empty:
            return
        except BaseException as error:  # noqa: BLE001 - told by the test
            escaped.append(error)

    threads = [Thread(target=work) for _ in range(at_once)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    model.close()
    if escaped:
        raise escaped[0]
    return done


def in_schema(call: ModelCall) -> bool:
    """Whether an answer of this question fitted its schema in the end."""
    return call.requests > call.malformed


def table(calls: Iterable[ModelCall]) -> str:
    """Sums by job, for who reads the run."""
    rows = [f"{'job':20} questions calls first-try in-schema by-model rejected tokens s/call"]
    by_job: dict[str, list[ModelCall]] = {}
    for call in calls:
        by_job.setdefault(call.job, []).append(call)
        by_job.setdefault("~all", []).append(call)
    for job, theirs in sorted(by_job.items()):
        requests = sum(call.requests for call in theirs)
        rows.append(
            f"{job:20} {len(theirs):9} {requests:5} {sum(c.first_try for c in theirs):9} {sum(map(in_schema, theirs)):9} "
            f"{sum(c.outcome == 'model' for c in theirs):8} {sum(c.rejected for c in theirs):8} "
            f"{sum(c.answer_tokens for c in theirs):6} {sum(c.seconds for c in theirs) / max(1, requests):6.2f}"
        )
    return "\n".join(rows)


def is_handled(call: ModelCall, thought: Thought[object]) -> bool:
    """Whether what could not stand ended with the rule, and both the thought and the book say why."""
    if call.outcome == "model":
        return thought.reasoner == small_model.MODEL and thought.fallback is None
    return thought.reasoner == OFFLINE and thought.fallback == call.outcome and thought.value is not None
