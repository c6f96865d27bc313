"""A vector against the rows of a matrix."""

from __future__ import annotations

import numpy as np
import pytest

from memory_lib.policies.products import products


@pytest.mark.parametrize(("rows", "dimension"), [(1, 4), (300, 384), (50, 1024)])
def test_each_row_has_its_inner_product_in_float32(rows: int, dimension: int) -> None:
    numbers = np.random.default_rng(3)
    matrix = numbers.standard_normal((rows, dimension)).astype(np.float32)
    vector = numbers.standard_normal(dimension).astype(np.float32)
    found = products(matrix, vector)
    assert found.dtype == np.float32
    exact = matrix.astype(np.float64) @ vector.astype(np.float64)
    assert np.allclose(found, exact, atol=1e-3)


def test_no_rows_have_no_products() -> None:
    assert products(np.zeros((0, 8), np.float32), np.zeros(8, np.float32)).shape == (0,)


def test_a_row_does_not_depend_on_its_neighbours() -> None:
    numbers = np.random.default_rng(4)
    matrix = numbers.standard_normal((64, 384)).astype(np.float32)
    vector = numbers.standard_normal(384).astype(np.float32)
    alone = np.concatenate([products(row[None, :], vector) for row in matrix])
    assert np.array_equal(products(matrix, vector), alone)
