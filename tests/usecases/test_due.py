"""Whom a plan is for when nobody is named."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from memory_lib import plans
from memory_lib.adapters.importers.jsonl import record_from
from memory_lib.bootstrap import Memory
from memory_lib.domain.ids import UserId
from memory_lib.plans import Workbench
from tests.e2e.word_vectors import WordVectors
from tests.usecases.conftest import OpenHome
from tests.usecases.dialogues import message


def due(bench: Workbench, plan: str = "ingest") -> list[UserId]:
    return [user for page in plans.DUE[plan](bench) for user in page]


def said(memory: Memory, user: str, day: int, text: str) -> UserId:
    memory.take_in([_record(user, day, text)], source="test")
    return memory.user_id(user)


def _record(user: str, day: int, text: str) -> Any:
    return record_from({**message(0, day, text), "id": f"{day}-{text}"}, user=user)


def test_only_who_said_something_new_is_formed_each_minute(open_home: OpenHome) -> None:
    memory = open_home(embedder=WordVectors())
    anna, boris = said(memory, "anna", 9, "I live in Riga."), said(memory, "boris", 9, "Я живу в Казани.")
    assert set(due(memory.bench)) == {anna, boris}
    memory.run("ingest", [anna, boris])
    assert due(memory.bench) == []
    said(memory, "boris", 10, "У меня есть кошка.")
    assert due(memory.bench) == [boris]


def test_new_rules_are_news_of_everybody(open_home: OpenHome) -> None:
    memory = open_home(embedder=WordVectors())
    anna = said(memory, "anna", 9, "I live in Riga.")
    memory.run("ingest", [anna])

    class Newer:
        name, version = memory.bench.reasoner.name, "rules/next"

    assert due(replace(memory.bench, reasoner=Newer())) == [anna]


def test_who_has_no_vectors_yet_stays_due(open_home: OpenHome) -> None:
    memory = open_home()  # without an embedder
    anna = said(memory, "anna", 9, "I live in Riga.")
    memory.run("ingest", [anna])
    assert due(memory.bench) == [anna]


def test_a_return_is_claimed_once_and_one_that_failed_waits_for_the_next_run(open_home: OpenHome) -> None:
    memory = open_home(embedder=WordVectors())
    anna = said(memory, "anna", 9, "I live in Riga.")
    memory.ops.requests.ask(anna, "rehydrate", now=datetime(2026, 6, 1, tzinfo=UTC))
    pages = plans.DUE["rehydrate"](memory.bench)
    assert next(pages) == [anna]
    assert next(pages, None) is None
    assert due(memory.bench, "rehydrate") == []
