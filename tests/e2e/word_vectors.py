"""An embedder for tests that need vectors and not their quality: the sum of a fixed random vector a word."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

DIMENSION = 64


class WordVectors:
    """Implements ``ports.embedder.Embedder``: the same text gives the same vector in every process, equal words lie near."""

    fingerprint = "word vectors of the tests/1/64"
    dimension = DIMENSION

    @property
    def mean(self) -> NDArray[np.float32]:
        return np.zeros(self.dimension, np.float32)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        zeros = np.zeros(self.dimension, np.float32)
        rows = [sum(map(self._word, text.lower().split()[:200] or ["∅"]), zeros) for text in texts]
        return np.array([row / np.linalg.norm(row) for row in rows], np.float32).reshape(len(texts), self.dimension)

    def count_tokens(self, text: str) -> int:
        return len(text) // 2

    def _word(self, word: str) -> NDArray[np.float32]:
        return _numbers(word, self.dimension)


class OtherWordVectors(WordVectors):
    """The same in a space of its own."""

    fingerprint = "other word vectors of the tests/1/48"
    dimension = 48

    def _word(self, word: str) -> NDArray[np.float32]:
        return _numbers(f"other {word}", self.dimension)


def _numbers(word: str, dimension: int) -> NDArray[np.float32]:
    digest = hashlib.blake2b(word.encode("utf-8", "surrogatepass"), digest_size=dimension).digest()
    return np.frombuffer(digest, np.uint8).astype(np.float32) - 127.5
