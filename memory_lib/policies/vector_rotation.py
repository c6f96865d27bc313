"""A person's secret orthogonal transform: vectors that a store must search, useless beside anybody else's (DESIGN §3, Sealed
text; CONTRACTS, Sealing and keys: rotation of vectors).

Three rounds of sign flips, a permutation and a Hadamard transform in blocks of 128, signs and orders drawn from 32 key bytes
with SHAKE-256. A dimension that 128 does not divide ends in smaller blocks, the powers of two its remainder is made of
(100 = 64 + 32 + 4): each block is orthogonal, so is the whole. Only additions, subtractions and one multiplication a round, in
an order of their own and without BLAS: the same bits on every machine.

The numbers here are part of what is stored: another number makes vectors that no stored one can be compared with.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from memory_lib.errors import IllegalValue

ROUNDS = 3  # CONTRACTS, Sealing and keys
BLOCK = 128  # CONTRACTS, Sealing and keys
SEED_BYTES = 32
_ROWS_AT_ONCE = 64
"""Rows that stay in a processor's cache while all rounds pass over them; any number gives the same result."""
_DRAWN_BYTES = 8

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class VectorRotation:
    """One person's transform for vectors of one dimension. It never prints itself: its parts are a secret.

    ``signs`` float32 (3, d) of ±1; ``orders`` (3, d) permutations, ``back`` their inverses.
    """

    signs: Floats
    orders: NDArray[np.intp]
    back: NDArray[np.intp]

    @property
    def dimension(self) -> int:
        """How long the vectors are that it turns."""
        return len(self.signs[0])

    def turn(self, vectors: Floats) -> Floats:
        """Float32 (d,) or (n, d), turned: lengths and cosines stay (to 1e-5). Raises IllegalValue (another dimension)."""
        return self._over(vectors, self._turned)

    def turn_back(self, vectors: Floats) -> Floats:
        """What ``turn`` was given, to float32 precision. Raises IllegalValue (another dimension)."""
        return self._over(vectors, self._turned_back)

    def _over(self, vectors: Floats, work: Callable[[Floats], Floats]) -> Floats:
        if vectors.ndim not in (1, 2) or vectors.shape[-1] != self.dimension:
            raise IllegalValue(
                f"vectors of shape {vectors.shape} for a rotation of dimension {self.dimension}; each dimension has its own"
            )
        rows = vectors.astype(np.float32, copy=False).reshape(-1, self.dimension)
        result = np.empty(rows.shape, np.float32)
        for start in range(0, len(rows), _ROWS_AT_ONCE):
            some = slice(start, start + _ROWS_AT_ONCE)
            # a vector a column: signs, orders and butterflies then work on whole contiguous lines
            result[some] = work(np.ascontiguousarray(rows[some].T)).T
        return result.reshape(vectors.shape)

    def _turned(self, columns: Floats) -> Floats:
        for signs, order in zip(self.signs, self.orders, strict=True):
            columns = _hadamard((columns * signs[:, None])[order])
        return columns

    def _turned_back(self, columns: Floats) -> Floats:
        for signs, back in zip(self.signs[::-1], self.back[::-1], strict=True):
            # Hadamard is its own inverse
            columns = _hadamard(columns)[back] * signs[:, None]
        return columns


def rotation(seed: bytes, *, dimension: int) -> VectorRotation:
    """The transform that 32 secret bytes give for ``dimension``. Raises IllegalValue (no 32 bytes, or no dimension)."""
    if len(seed) != SEED_BYTES:
        raise IllegalValue(f"a rotation is drawn from {SEED_BYTES} bytes, got {len(seed)}")
    if dimension < 1:
        raise IllegalValue(f"vectors need a dimension of at least 1, got {dimension}")
    signs = np.empty((ROUNDS, dimension), np.float32)
    orders = np.empty((ROUNDS, dimension), np.intp)
    for number in range(ROUNDS):
        bits = np.frombuffer(_drawn(seed, "signs", number, dimension, dimension), np.uint8) & 1
        signs[number] = 1.0 - 2.0 * bits.astype(np.float32)
        lots = np.frombuffer(_drawn(seed, "order", number, dimension, _DRAWN_BYTES * dimension), "<u8")
        # equal lots of 64 bits do not happen; stable all the same, so that every numpy sorts alike
        orders[number] = np.argsort(lots, kind="stable")
    return VectorRotation(signs, orders, np.argsort(orders, axis=1, kind="stable"))


def _drawn(seed: bytes, what: str, number: int, dimension: int, count: int) -> bytes:
    return hashlib.shake_256(seed + f"/{what}/{number}/{dimension}".encode()).digest(count)


def _blocks(dimension: int) -> Iterator[tuple[int, int, int]]:
    """(begin, end, size) of each run of blocks of one size: of 128, then of the powers of two that the rest is made of."""
    place = dimension - dimension % BLOCK
    if place:
        yield 0, place, BLOCK
    while place < dimension:
        size = 1 << (dimension - place).bit_length() - 1
        yield place, place + size, size
        place += size


def _hadamard(columns: Floats) -> Floats:
    """Each column of (d, n) block by block, normalised, in butterflies of growing width."""
    for begin, end, size in _blocks(len(columns)):
        part = columns[begin:end]
        width = 1
        while width < size:
            pairs = part.reshape(-1, 2, width, columns.shape[1])
            summed = np.empty_like(pairs)
            np.add(pairs[:, 0], pairs[:, 1], out=summed[:, 0])
            np.subtract(pairs[:, 0], pairs[:, 1], out=summed[:, 1])
            part = summed
            width *= 2
        columns[begin:end] = part.reshape(end - begin, -1) * np.float32(1.0 / sqrt(size))
    return columns
