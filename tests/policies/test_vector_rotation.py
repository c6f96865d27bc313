from __future__ import annotations

import hashlib
import time

import numpy as np
import pytest

from memory_lib.errors import IllegalValue
from memory_lib.policies.vector_rotation import rotation

SEED = bytes(range(32))
DIMENSIONS = [1, 2, 3, 8, 100, 127, 128, 129, 384, 512, 1000, 1024]
GOLDEN = {
    3: "09a10403aa47dc1be2f532bacbc90967fbfe86a745d0a7bee41a92c427f91d1f",
    100: "5d0245d687c2b323d2fb8d7f48954e8138d1476ba5ca97e88b87287e2a962db1",
    384: "76de6a035f7d8ed5e82a69f5f309a89472d0381085cdc8ca79e09e55b736b706",
}
"""SHA-256 of the turned little-endian bytes of 1/d, 2/d … 1: another value anywhere makes stored vectors useless."""


def rows(count: int, dimension: int, seed: int = 1):
    return np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)


def cosines(vectors):
    long = vectors.astype(np.float64)
    unit = long / np.linalg.norm(long, axis=1, keepdims=True)
    return unit @ unit.T


@pytest.mark.parametrize("dimension", GOLDEN)
def test_a_seed_turns_a_vector_into_the_same_bits_on_every_machine(dimension):
    vector = (np.arange(1, dimension + 1) / dimension).astype(np.float32)
    turned = rotation(SEED, dimension=dimension).turn(vector)
    assert hashlib.sha256(turned.astype("<f4").tobytes()).hexdigest() == GOLDEN[dimension]


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_cosines_and_lengths_stay_whatever_the_dimension(dimension):
    vectors = rows(40, dimension)
    turned = rotation(SEED, dimension=dimension).turn(vectors)
    assert turned.dtype == np.float32
    np.testing.assert_allclose(cosines(turned), cosines(vectors), atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(turned, axis=1), np.linalg.norm(vectors, axis=1), rtol=1e-5)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_the_transform_is_orthogonal(dimension):
    matrix = rotation(SEED, dimension=dimension).turn(np.eye(dimension, dtype=np.float32)).astype(np.float64)
    np.testing.assert_allclose(matrix @ matrix.T, np.eye(dimension), atol=1e-6)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_turning_back_gives_what_was_turned(dimension):
    vectors = rows(130, dimension)
    turning = rotation(SEED, dimension=dimension)
    np.testing.assert_allclose(turning.turn_back(turning.turn(vectors)), vectors, atol=2e-6)


def test_a_row_is_turned_alike_alone_and_among_others():
    vectors = rows(70, 384)
    turning = rotation(SEED, dimension=384)
    together = turning.turn(vectors)
    for place in (0, 63, 64, 69):
        np.testing.assert_array_equal(turning.turn(vectors[place]), together[place])
    assert turning.turn(vectors[:0]).shape == (0, 384)


def test_what_is_handed_in_stays_as_it_is():
    vectors = rows(3, 100)
    before = vectors.copy()
    turning = rotation(SEED, dimension=100)
    turning.turn_back(turning.turn(vectors))
    np.testing.assert_array_equal(vectors, before)


def test_another_key_or_one_bit_of_it_gives_an_unrelated_transform():
    vectors = rows(200, 384)
    plain = rotation(SEED, dimension=384).turn(vectors)
    for other in (bytes(31) + b"\x01", bytes([SEED[0] ^ 1]) + SEED[1:]):
        theirs = rotation(other, dimension=384).turn(vectors)
        same = np.sum(plain * theirs, axis=1) / np.linalg.norm(plain, axis=1) / np.linalg.norm(theirs, axis=1)
        assert abs(float(same.mean())) < 0.02
        assert float(np.abs(same).max()) < 0.3


def test_turned_vectors_say_nothing_of_the_ones_they_were_made_of():
    vectors = rows(200, 384)
    turned = rotation(SEED, dimension=384).turn(vectors)
    across = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)) @ (
        turned / np.linalg.norm(turned, axis=1, keepdims=True)
    ).T
    assert float(np.abs(across).max()) < 0.35, "no more alike than vectors at random"
    spike = np.zeros(384, np.float32)
    spike[7] = 1.0
    assert float(np.abs(rotation(SEED, dimension=384).turn(spike)).max()) < 0.35, "one number is spread over all"


def test_signs_are_even_and_orders_are_permutations():
    turning = rotation(SEED, dimension=1024)
    assert abs(float(turning.signs.mean())) < 0.06
    assert set(np.unique(turning.signs)) == {-1.0, 1.0}
    for order in turning.orders:
        assert sorted(order) == list(range(1024))
    assert not np.array_equal(turning.orders[0], turning.orders[1])


@pytest.mark.parametrize(("seed", "dimension"), [(b"short", 8), (bytes(33), 8), (SEED, 0), (SEED, -3)])
def test_no_key_or_no_dimension_is_refused(seed, dimension):
    with pytest.raises(IllegalValue):
        rotation(seed, dimension=dimension)


@pytest.mark.parametrize("shape", [(7,), (2, 9), (2, 2, 8), ()])
def test_vectors_of_another_dimension_are_refused(shape):
    with pytest.raises(IllegalValue):
        rotation(SEED, dimension=8).turn(np.zeros(shape, np.float32))


def test_it_never_prints_its_parts():
    assert "[" not in repr(rotation(SEED, dimension=8))


def test_two_thousand_vectors_take_a_moment_only():
    turning, vectors = rotation(SEED, dimension=1024), rows(2000, 1024)
    begun = time.process_time()
    turning.turn(vectors)
    assert time.process_time() - begun < 1.0
