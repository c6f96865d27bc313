"""Text to vectors. The embedder brings its own calibration, so that thresholds mean the same whatever stands behind the port.

``embed`` gives raw unit vectors. Node vectors are stored calibrated (the embedder's fixed mean subtracted), round vectors raw
(CONTRACTS, Sealing and keys).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


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
        """Raw unit vectors, float32 (len(texts), dimension); a text's vector does not depend on its neighbours."""
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens of ``text`` alone, without specials and prefixes. Never raises: characters / 2 where there is no model."""
        ...


def calibrated(vectors: NDArray[np.float32], mean: NDArray[np.float32]) -> NDArray[np.float32]:
    """Unit rows of ``vectors`` minus ``mean``; (n, d) or (d,). Unrelated texts then have cosines near 0 (TRAPS, Models)."""
    moved = np.asarray(vectors, np.float32) - mean
    length = np.linalg.norm(moved, axis=-1, keepdims=True)
    unit: NDArray[np.float32] = np.where(length > 1e-6, moved / np.maximum(length, 1e-6), 0.0).astype(np.float32)
    return unit
