"""Loads the shipped heads: ``heads.npz`` (weights) and ``heads.json`` (manifest), written by ``training/train_heads.py``.

Weights belong to one embedder, one set of features and one file: where the manifest says otherwise they are refused, and the
caller goes on without them (word lists and rules).
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_lib.errors import DependencyDown, FingerprintMismatch, IllegalValue
from memory_lib.reasoning.judging.heads import (
    CHANGE_CLASSES,
    DISPLEASURE_CLASSES,
    VALENCE_CLASSES,
    Heads,
    LinearHead,
    WorthModel,
)
from memory_lib.reasoning.judging.worth_features import NAMES
from memory_lib.reasoning.judging.worth_features import VERSION as FEATURES_VERSION

WEIGHTS_FILE = "heads.npz"
MANIFEST_FILE = "heads.json"
VERSION = "heads/1"
_PART = "heads"


def shipped_manifest() -> Mapping[str, Any]:
    """What the weights were made of: embedder, features, data with licences, seed, scores.

    Raises:
        DependencyDown: the file is missing or broken.
    """
    try:
        found: Mapping[str, Any] = json.loads(resources.files(__package__).joinpath(MANIFEST_FILE).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise DependencyDown(_PART, f"the manifest {MANIFEST_FILE} is missing or broken; reinstall the package") from error
    return found


def shipped_heads(*, fingerprint: str) -> Heads:
    """The heads over vectors of the embedder with that fingerprint.

    Raises:
        FingerprintMismatch: the heads were trained under another embedder.
        DependencyDown: a file is missing, broken, or does not belong to this version.
    """
    manifest = shipped_manifest()
    trained = manifest.get("fingerprint")
    if trained != fingerprint:
        raise FingerprintMismatch(
            f"the shipped heads were trained under embedder {trained}, the one in use is {fingerprint}; train them with "
            "training/train_heads.py or go without"
        )
    stored = _weights(manifest)
    return Heads(
        version=str(manifest["version"]),
        fingerprint=fingerprint,
        valence=_head(stored, "valence", VALENCE_CLASSES),
        displeasure=_head(stored, "displeasure", DISPLEASURE_CLASSES),
        change=_head(stored, "change", CHANGE_CLASSES),
    )


def shipped_worth_model() -> WorthModel:
    """The judge of worth; it looks at words and needs no embedder.

    Raises:
        DependencyDown: a file is missing, broken, or made for other features.
    """
    manifest = shipped_manifest()
    features = manifest.get("features", {})
    if features.get("version") != FEATURES_VERSION or features.get("names") != list(NAMES):
        raise DependencyDown(_PART, "the judge of worth was trained on other features; train it with training/train_heads.py")
    stored = _weights(manifest)
    weights = _array(stored, "worth.weights")
    if weights.shape != (len(NAMES),):
        raise DependencyDown(_PART, "the judge of worth has weights of another width; train it with training/train_heads.py")
    return WorthModel(
        weights=weights, bias=float(_array(stored, "worth.bias")), threshold=float(_array(stored, "worth.threshold"))
    )


def _weights(manifest: Mapping[str, Any]) -> Mapping[str, NDArray[Any]]:
    if manifest.get("version") != VERSION:
        raise DependencyDown(_PART, f"the manifest is of version {manifest.get('version')}, this code reads {VERSION}")
    try:
        content = resources.files(__package__).joinpath(WEIGHTS_FILE).read_bytes()
        if hashlib.sha256(content).hexdigest() != manifest.get("sha256"):
            raise DependencyDown(_PART, f"{WEIGHTS_FILE} is not the file that {MANIFEST_FILE} describes; reinstall the package")
        with np.load(io.BytesIO(content), allow_pickle=False) as stored:
            return {name: stored[name] for name in stored.files}
    except (OSError, ValueError) as error:
        raise DependencyDown(_PART, f"the weights {WEIGHTS_FILE} are missing or broken; reinstall the package") from error


def _head(stored: Mapping[str, NDArray[Any]], name: str, classes: tuple[str, ...]) -> LinearHead:
    try:
        return LinearHead(classes, _array(stored, f"{name}.weights"), _array(stored, f"{name}.bias"))
    except IllegalValue as error:
        raise DependencyDown(_PART, f"the head {name} has weights of another shape; reinstall the package") from error


def _array(stored: Mapping[str, NDArray[Any]], name: str) -> NDArray[np.float32]:
    try:
        found: NDArray[np.float32] = stored[name].astype(np.float32)
    except KeyError as error:
        raise DependencyDown(_PART, f"{WEIGHTS_FILE} has no {name}; reinstall the package") from error
    found.flags.writeable = False
    return found
