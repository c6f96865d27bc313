"""A scripted server, a model client on it, and a thinker whose book stands in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime

import pytest

from memory_lib.adapters.llm.asking import ModelThinker
from memory_lib.adapters.llm.openai_client import OpenAIModel
from memory_lib.adapters.llm.params import ModelParams
from memory_lib.policies.model_budget import ModelBudgetParams, Spent
from memory_lib.ports.ledger import ModelCall
from memory_lib.settings import Settings
from tests.adapters.llm.scripted import Scripted, scripted_server

SETTINGS = Settings()
NOW = datetime.fromisoformat("2026-05-20T19:30:00+03:00")


@dataclass(slots=True)
class Book:
    """A ``ModelBook`` in memory."""

    calls: list[tuple[str, ModelCall]] = field(default_factory=list)

    def record(self, user: str, call: ModelCall) -> None:
        self.calls.append((user, call))

    def spent(self, *, since: datetime, user: str | None = None) -> Spent:
        mine = [call for who, call in self.calls if user in (None, who) and call.at >= since]
        tokens = sum(call.prompt_tokens + call.answer_tokens for call in mine)
        return Spent(sum(call.requests for call in mine), tokens)

    @property
    def last(self) -> ModelCall:
        return self.calls[-1][1]


@dataclass(slots=True)
class Clock:
    instant: datetime = NOW

    def now(self) -> datetime:
        return self.instant


@pytest.fixture
def server() -> Iterator[Scripted]:
    with scripted_server() as scripted:
        yield scripted


@pytest.fixture
def params(server: Scripted) -> ModelParams:
    return replace(SETTINGS.model, base_url=server.url, model="small-one", timeout_s=5.0, patience_s=10.0)


@pytest.fixture
def model(params: ModelParams) -> Iterator[OpenAIModel]:
    made = OpenAIModel(params)
    yield made
    made.close()


@pytest.fixture
def book() -> Book:
    return Book()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def slept() -> list[float]:
    return []


Make = Callable[..., ModelThinker]


@pytest.fixture
def make(params: ModelParams, book: Book, clock: Clock, slept: list[float]) -> Iterator[Make]:
    """A thinker on the scripted server; any of its numbers may be changed."""
    made: list[ModelThinker] = []

    def thinker(*, budget: ModelBudgetParams = SETTINGS.model_budget, **other: object) -> ModelThinker:
        changed = replace(params, **other)
        made.append(ModelThinker(OpenAIModel(changed), book, clock, params=changed, budget=budget, sleep=slept.append))
        return made[-1]

    yield thinker
    for each in made:
        each.close()
