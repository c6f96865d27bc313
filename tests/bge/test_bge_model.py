"""bge-m3's own loading code over a tiny model: offline, from a folder, within the bounds that the settings give."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory_lib.adapters.embeddings.bge import BgeEmbedder
from memory_lib.errors import DependencyDown
from memory_lib.ports.embedder import Embedder, calibrated
from memory_lib.settings import Settings
from tests.contracts.embedder_promises import PROMISES, TEXTS

pytestmark = [pytest.mark.bge, pytest.mark.timeout(600)]  # an import alone takes a minute on a busy machine


def made(folder: Path, means: Path, **changes: Any) -> BgeEmbedder:
    params = replace(Settings().bge, folder=folder, max_tokens=128, batch=3, **changes)
    return BgeEmbedder(params=params, max_characters=2_400, count=len, means=means)


@pytest.fixture(scope="module")
def embedder(tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> BgeEmbedder:
    return made(tiny_model, tmp_path_factory.mktemp("means"))


def test_nothing_is_asked_of_the_network(tiny_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a connection was asked for")

    monkeypatch.setattr(socket.socket, "connect", refused)
    monkeypatch.setattr(socket, "getaddrinfo", refused)
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    monkeypatch.setenv("TOKENIZERS_PARALLELISM", "true")
    before = dict(os.environ)
    assert made(tiny_model, tmp_path).embed(["a"]).shape == (1, 1024)
    kept = {name: value for name, value in os.environ.items() if name in before or name.startswith(("HF_", "TRANSFORMERS_"))}
    assert kept == before, "what was set for the load is set no more"


def test_the_processors_threads_are_bounded(tiny_model: Path, tmp_path: Path) -> None:
    import torch

    made(tiny_model, tmp_path, threads=1).embed(["a"])
    assert torch.get_num_threads() == 1


def test_words_have_weights_of_their_own(embedder: BgeEmbedder) -> None:
    one, other, nothing = embedder.sparse(["I keep bees", "Я держу пчёл", ""])
    assert one
    assert other
    assert nothing == {}
    assert all(isinstance(token, str) and weight > 0.0 for token, weight in {**one, **other}.items())
    assert one.keys() != other.keys()
    assert embedder.sparse([]) == []


def test_missing_sparse_weights_are_said_and_dense_ones_still_work(tiny_model: Path, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny_model, folder)
    (folder / "sparse_linear.pt").unlink()
    embedder = made(folder, tmp_path)
    with pytest.raises(DependencyDown, match=r"sparse_linear\.pt"):
        embedder.sparse(["a"])
    assert embedder.embed(["a"]).shape == (1, 1024)


@pytest.mark.parametrize("spoilt", ["model.safetensors", "tokenizer.json"])
def test_a_folder_that_cannot_be_loaded_is_down_and_says_so_once(tiny_model: Path, tmp_path: Path, spoilt: str) -> None:
    folder = tmp_path / "model"
    shutil.copytree(tiny_model, folder)
    (folder / spoilt).write_bytes(b"not what it was")
    embedder = made(folder, tmp_path)
    for _ in range(2):
        with pytest.raises(DependencyDown, match=r"bge\.folder cannot be loaded"):
            embedder.embed(["secret words"])


def test_the_fitted_mean_brings_unrelated_sentences_apart(embedder: BgeEmbedder) -> None:
    raw = embedder.embed(TEXTS[:3])
    moved = calibrated(raw, embedder.mean)
    assert np.abs((moved @ moved.T)[~np.eye(3, dtype=bool)]).mean() < (raw @ raw.T)[~np.eye(3, dtype=bool)].mean()
    assert not embedder.mean.flags.writeable


def test_a_person_is_brought_to_it(tiny_model: Path, tmp_path: Path) -> None:
    """The whole way by settings: from the default embedder to this one."""
    from memory_lib.bootstrap import open_memory
    from memory_lib.reasoning.extraction.offline_reasoner import OfflineReasoner
    from tests.services import SERVICES

    if SERVICES["embedder"].missing() is not None:
        pytest.skip("the default embedder is not here")
    settings = Settings.load(home=tmp_path / "home")
    said = [{"id": "1", "role": "user", "text": "I keep bees in Tula.", "time": "2026-05-01T10:00:00+03:00"}]
    with open_memory(settings=settings) as memory:
        assert isinstance(memory.bench.reasoner, OfflineReasoner)
        memory.add("p", said)
    to_bge = {"embedder": "bge", "bge.folder": str(tiny_model), "bge.max_tokens": "128"}
    with open_memory(settings=Settings.load(home=tmp_path / "home", overrides=to_bge)) as memory:
        assert not memory.ask("p", "bees", now="last").degraded
        assert memory.run("reembed", memory.user_ids()).total("switched") == 1
        context = memory.ask("p", "bees", now="last")
        assert not context.degraded
        assert memory.bench.people.person(memory.user_id("p")).fingerprint == memory.bench.embedder.fingerprint
        assert memory.bench.embedder.fingerprint.startswith("bge/bge-m3/")


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: promise.__name__.removeprefix("check_"))
def test_the_promises_of_the_port_hold(embedder: BgeEmbedder, promise: Callable[[Embedder], None]) -> None:
    promise(embedder)
