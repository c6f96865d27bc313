"""What of bge needs no torch: names, folders, and being away (``tests/bge`` runs the model)."""

from __future__ import annotations

import importlib.util
import json
from dataclasses import replace
from pathlib import Path

import pytest

from memory_lib.adapters.embeddings import bge as adapter
from memory_lib.adapters.embeddings.bge import BgeEmbedder, fingerprint_of
from memory_lib.errors import DependencyDown, UnknownSetting
from memory_lib.settings import Settings


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "model"
    place.mkdir()
    (place / "config.json").write_text(json.dumps({"hidden_size": 1024, "model_type": "xlm-roberta"}))
    (place / "model.safetensors").write_bytes(bytes(range(256)) * 2_000)
    (place / "sparse_linear.pt").write_bytes(b"sparse")
    (place / "README.md").write_text("about")
    return place


def made(folder: Path | None, tmp_path: Path) -> BgeEmbedder:
    params = replace(Settings().bge, folder=folder)
    return BgeEmbedder(params=params, max_characters=2_400, count=len, means=tmp_path / "means")


def test_the_fingerprint_is_the_models_and_not_the_places(folder: Path, tmp_path: Path) -> None:
    name = made(folder, tmp_path).fingerprint
    assert name.startswith("bge/bge-m3/")
    assert name.endswith("/1024/cls")
    moved = folder.rename(tmp_path / "elsewhere")
    (moved / "README.md").write_text("more about")
    assert fingerprint_of(moved, name="bge-m3") == name
    assert fingerprint_of(moved, name="bge-m3-tuned") != name


@pytest.mark.parametrize("place", [0, -1])
def test_other_weights_have_another_fingerprint(folder: Path, place: int) -> None:
    before = fingerprint_of(folder, name="bge-m3")
    weights = bytearray((folder / "model.safetensors").read_bytes())
    weights[place] ^= 1
    (folder / "model.safetensors").write_bytes(bytes(weights))
    after = fingerprint_of(folder, name="bge-m3")
    assert after != before
    (folder / "config.json").write_text(json.dumps({"hidden_size": 1024}))
    assert fingerprint_of(folder, name="bge-m3") != after


def test_a_folder_without_a_model_is_down_and_says_where_to_look(tmp_path: Path) -> None:
    for place in (tmp_path / "nowhere", tmp_path):
        embedder = made(place, tmp_path)
        assert embedder.fingerprint == "bge/bge-m3/no model"
        assert embedder.dimension == 1024
        with pytest.raises(DependencyDown, match=r"bge\.folder"):
            embedder.embed(["a"])
        assert embedder.count_tokens("four") == 4


def test_no_folder_is_a_wrong_setting(tmp_path: Path) -> None:
    with pytest.raises(UnknownSetting, match=r"bge\.folder"):
        made(None, tmp_path)


@pytest.mark.skipif(importlib.util.find_spec("FlagEmbedding") is not None, reason="the extra is installed here")
def test_without_the_extra_it_is_down_and_names_it(folder: Path, tmp_path: Path) -> None:
    embedder = made(folder, tmp_path)
    for ask in (lambda: embedder.embed(["a"]), lambda: embedder.sparse(["a"]), lambda: embedder.mean):
        with pytest.raises(DependencyDown, match=r"selfimprint\[bge\]"):
            ask()


def test_a_version_that_is_known_not_to_load_is_named(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(adapter, "_version", lambda package: (5, 21) if package == "transformers" else (1, 4))
    with pytest.raises(DependencyDown, match=r"below 5\.21"):
        made(folder, tmp_path).embed(["a"])


def test_missing_sparse_weights_are_named_without_loading_anything(folder: Path, tmp_path: Path) -> None:
    (folder / "sparse_linear.pt").unlink()
    with pytest.raises(DependencyDown, match=r"sparse_linear\.pt"):
        made(folder, tmp_path).sparse(["a"])
