"""The fixed mean of an embedder that ships none: fitted once on the project's own sentences (CONTRACTS, Sealing and keys).

300 everyday sentences, half Russian and half English, each language's own mean first, so that neither counts for more. The
result lies in the home, in a file named after the fingerprint; it is no person's data.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
import threading
import zipfile
from collections.abc import Callable, Sequence
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SENTENCES_FILE = "everyday_sentences.txt"
_RUSSIAN = re.compile("[а-яё]", re.IGNORECASE)


def sentences() -> list[str]:
    """The list without its comments."""
    lines = resources.files(__package__).joinpath(SENTENCES_FILE).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def are_russian(texts: Sequence[str]) -> NDArray[np.bool_]:
    """Which of the sentences are Russian, bool (n,)."""
    return np.array([_RUSSIAN.search(text) is not None for text in texts])


def fitted(vectors: NDArray[np.float32], russian: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The mean of the two languages' means, float32 (d,)."""
    halves = [vectors[chosen].mean(axis=0, dtype=np.float64) for chosen in (russian, ~russian)]
    mean: NDArray[np.float32] = np.mean(halves, axis=0).astype(np.float32)
    return mean


class FittedMean:
    """One embedder's mean, fitted when it is first asked for and kept under ``folder``. Thread-safe; two processes that fit at
    once write the same.
    """

    def __init__(self, folder: Path, *, fingerprint: str, dimension: int) -> None:
        name = hashlib.sha256(fingerprint.encode()).hexdigest()[:32]
        self._path = folder / f"{name}.npz"
        self._fingerprint = fingerprint
        self._dimension = dimension
        self._lock = threading.Lock()
        self._mean: NDArray[np.float32] | None = None

    def get(self, embed: Callable[[Sequence[str]], NDArray[np.float32]]) -> NDArray[np.float32]:
        """Raises what ``embed`` raises; nothing is kept then."""
        with self._lock:
            if self._mean is None:
                mean = self._stored()
                if mean is None:
                    texts = sentences()
                    mean = fitted(embed(texts), are_russian(texts))
                    self._store(mean)
                mean.flags.writeable = False
                self._mean = mean
            return self._mean

    def _stored(self) -> NDArray[np.float32] | None:
        """None where there is none, or a broken one, which is fitted again."""
        try:
            with self._path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
                fingerprint, mean = str(stored["fingerprint"]), stored["mean"].astype(np.float32)
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
            return None
        right = fingerprint == self._fingerprint and mean.shape == (self._dimension,) and np.isfinite(mean).all()
        return mean if right else None

    def _store(self, mean: NDArray[np.float32]) -> None:
        """All of it or nothing: written beside its place, then moved there."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, beside = tempfile.mkstemp(dir=self._path.parent, prefix=".mean-")
        try:
            with os.fdopen(descriptor, "wb") as file:
                np.savez(file, mean=mean, fingerprint=np.array(self._fingerprint))
                file.flush()
                os.fsync(file.fileno())
            Path(beside).replace(self._path)
        except BaseException:
            Path(beside).unlink(missing_ok=True)
            raise
