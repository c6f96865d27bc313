"""Text to vectors. The embedder brings its own calibration, so that thresholds mean the same whatever stands behind the port.

``embed`` gives raw unit vectors. Node vectors are stored calibrated (the embedder's fixed mean subtracted), round vectors raw
(CONTRACTS, Sealing and keys).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory_lib.errors import DependencyDown, UnusableVector


class Embedder(Protocol):
    """Implementations may be shared between threads and load lazily; nothing is loaded by reading a property.

    Everything but ``fingerprint`` and ``dimension`` raises ``DependencyDown`` where the model is off, missing or broken.
    """

    @property
    def fingerprint(self) -> str:
        """Names model, version, dimension and pooling; vectors of two fingerprints are never compared."""
        ...

    @property
    def dimension(self) -> int: ...

    @property
    def mean(self) -> NDArray[np.float32]:
        """The fixed mean, float32 (dimension,)."""
        ...

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Raw unit vectors, float32 (len(texts), dimension); a text's vector does not depend on its neighbours.

        Raises UnusableVector (a DependencyDown) where the model answers, and what it says of some text is no vector: the other
        texts have theirs, asked for alone (``embedded_apart``).
        """
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens of ``text`` alone, without specials and prefixes. Never raises: characters / 2 where there is no model."""
        ...


class Embedders(Protocol):
    """All embedders that these settings can open. A person keeps the one their vectors were made by until a reembed ends."""

    @property
    def current(self) -> Embedder:
        """The configured one: new people's vectors are its, and a reembed brings everybody to it."""
        ...

    def of(self, fingerprint: str | None) -> Embedder:
        """The one that made vectors of this fingerprint; None: the configured one. Never raises: where it cannot be opened
        (any more), a stand-in that is down and says why.
        """
        ...


def embedded_apart(embedder: Embedder, texts: Sequence[str]) -> list[NDArray[np.float32] | None]:
    """Each text's raw vector; None for those alone whose vector is unusable. Raises DependencyDown where it is away."""
    if not texts:
        return []
    try:
        return list(embedder.embed(texts))
    except UnusableVector:
        if len(texts) == 1:
            return [None]
        return [embedded_apart(embedder, [text])[0] for text in texts]


def embedded_or_none(embedder: Embedder, texts: Sequence[str]) -> list[NDArray[np.float32] | None]:
    """As ``embedded_apart``, with None for all where the embedder is away."""
    try:
        return embedded_apart(embedder, texts)
    except DependencyDown:
        return [None] * len(texts)


def mean_or_none(embedder: Embedder) -> NDArray[np.float32] | None:
    """The embedder's mean, or None where it is away."""
    try:
        return embedder.mean
    except DependencyDown:
        return None


def calibrated(vectors: NDArray[np.float32], mean: NDArray[np.float32]) -> NDArray[np.float32]:
    """Unit rows of ``vectors`` minus ``mean``; (n, d) or (d,). Unrelated texts then have cosines near 0 (TRAPS, Models)."""
    moved = np.asarray(vectors, np.float32) - mean
    length = np.linalg.norm(moved, axis=-1, keepdims=True)
    unit: NDArray[np.float32] = np.where(length > 1e-6, moved / np.maximum(length, 1e-6), 0.0).astype(np.float32)
    return unit


def calibrated_bytes(embedder: Embedder, text: str) -> bytes | None:
    """The calibrated vector of one text as stores take it; None where the embedder is away, so that the old one stays."""
    mean, raw = mean_or_none(embedder), embedded_or_none(embedder, [text])[0]
    return None if mean is None or raw is None else calibrated(raw, mean).tobytes()
