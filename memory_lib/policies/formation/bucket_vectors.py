"""Which of many vectors come near one: a sketch of signs rules out nearly all of them, the rest is computed exactly.

A vector's sketch is the signs of its products with fixed random directions; two vectors at an angle differ in each sign with
probability angle/π (Charikar 2002). Whatever lies nearer than asked differs in fewer signs than the limit but for one case in
10^10, so a candidate costs some bytes a known statement instead of a product, and what is handed over is exact.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.ids import NodeId
from memory_lib.policies.matching import COSINE_DIGITS

_SIGNS = 256
_DEVIATIONS = 6.5
"""Standard deviations of a binomial count; beyond lies one case in 10^10."""


_SKETCHED_FROM = 0.7
"""Below it a sketch lets through too many to be worth it; a product in single precision rules them out."""
_MARGIN = 10.0 ** (1 - COSINE_DIGITS)
"""Single precision and any order of summing stay well within it."""


class BucketVectors:
    """The vectors of one bucket, a growing matrix; a node without a usable vector has no row."""

    def __init__(self) -> None:
        self._rows: NDArray[np.float32] | None = None
        self._sketches = np.zeros((64, _SIGNS // 64), dtype=np.uint64)
        self._nodes: list[NodeId] = []

    def add(self, node: NodeId, vector: NDArray[np.float32] | None) -> int:
        """The new vector's row; −1 where there is none, or one of another length, of zeros, or not of numbers."""
        if vector is None or not self._fits(vector):
            return -1
        if self._rows is None:
            self._rows = np.zeros((64, vector.shape[0]), dtype=np.float32)
        row = len(self._nodes)
        if row == self._rows.shape[0]:
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
            self._sketches = np.concatenate([self._sketches, np.zeros_like(self._sketches)])
        self._rows[row], self._sketches[row] = vector, _sketch(vector)
        self._nodes.append(node)
        return row

    def replace(self, row: int, vector: NDArray[np.float32]) -> None:
        """A node's words have changed, so has its vector."""
        if self._rows is not None and self._fits(vector):
            self._rows[row], self._sketches[row] = vector, _sketch(vector)

    def near(self, vector: NDArray[np.float32] | None, *, at_least: float) -> list[tuple[NodeId, float]]:
        """Nodes from this cosine on, in the order they came; vectors count as of length 1."""
        if vector is None or self._rows is None or not self._fits(vector):
            return []
        rows = self._rows[: len(self._nodes)]
        if at_least >= _SKETCHED_FROM:
            differing = np.bitwise_count(self._sketches[: len(rows)] ^ _sketch(vector)).sum(axis=1, dtype=np.int64)
            picked = np.flatnonzero(differing <= _most_differing(at_least))
        else:
            picked = np.flatnonzero(rows @ vector.astype(np.float32) >= at_least - _MARGIN)
        exact = np.einsum("ij,j->i", rows[picked].astype(np.float64), vector.astype(np.float64)).round(COSINE_DIGITS)
        return [(self._nodes[picked[place]], float(exact[place])) for place in np.flatnonzero(exact >= at_least)]

    def cosine(self, row: int, vector: NDArray[np.float32] | None) -> float | None:
        """Of one row with a vector; None where either is missing."""
        if row < 0 or vector is None or self._rows is None or not self._fits(vector):
            return None
        value = np.einsum("j,j->", self._rows[row].astype(np.float64), vector.astype(np.float64))
        return round(float(value), COSINE_DIGITS)

    def row(self, row: int) -> NDArray[np.float32] | None:
        return None if row < 0 or self._rows is None else self._rows[row]

    def _fits(self, vector: NDArray[np.float32]) -> bool:
        same_length = self._rows is None or vector.shape[0] == self._rows.shape[1]
        return same_length and bool(np.isfinite(vector).all()) and bool(vector.any())


def _sketch(vector: NDArray[np.float32]) -> NDArray[np.uint64]:
    signs = vector.astype(np.float32) @ _directions(vector.shape[0]) > 0.0
    return np.packbits(signs).view(np.uint64)


@lru_cache(maxsize=4)
def _directions(dimension: int) -> NDArray[np.float32]:
    """(dimension, signs) standard normal, the same each time."""
    return np.random.Generator(np.random.PCG64(dimension)).standard_normal((dimension, _SIGNS), dtype=np.float32)


@lru_cache(maxsize=64)
def _most_differing(cosine: float) -> int:
    """In how many signs two vectors of at least this cosine may differ."""
    share = math.acos(min(1.0, max(-1.0, cosine))) / math.pi
    return math.ceil(_SIGNS * share + _DEVIATIONS * math.sqrt(_SIGNS * share * (1.0 - share)) + 1)
