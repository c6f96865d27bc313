"""What comes near is found exactly, whatever the sketch rules out."""

from __future__ import annotations

import numpy as np
import pytest

from memory_lib.domain.ids import NodeId
from memory_lib.policies.formation.bucket_vectors import BucketVectors


@pytest.mark.parametrize("at_least", [0.4, 0.6, 0.75, 0.92, 0.999])
@pytest.mark.parametrize("dimension", [2, 64, 384])
def test_the_near_ones_are_those_of_a_full_search(at_least: float, dimension: int) -> None:
    chance = np.random.default_rng(dimension)
    centres = chance.normal(size=(20, dimension))
    rows = centres[chance.integers(0, 20, 600)] + chance.normal(size=(600, dimension)) * chance.uniform(0.0, 1.0, (600, 1))
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    bucket = BucketVectors()
    for number, row in enumerate(rows):
        assert bucket.add(NodeId(f"{number:032x}"), row) == number
    found = 0
    for row in rows[:50]:
        exact = np.round(rows.astype(np.float64) @ row.astype(np.float64), 4)
        near = bucket.near(row, at_least=at_least)
        assert [int(node, 16) for node, _ in near] == np.flatnonzero(exact >= at_least).tolist()
        found += len(near)
    assert found >= 50


def test_a_replaced_vector_is_found_at_its_new_place() -> None:
    bucket = BucketVectors()
    row = bucket.add(NodeId("a"), np.array([1.0, 0.0], np.float32))
    bucket.replace(row, np.array([0.0, 1.0], np.float32))
    assert bucket.near(np.array([1.0, 0.0], np.float32), at_least=0.6) == []
    assert bucket.near(np.array([0.0, 1.0], np.float32), at_least=0.6) == [(NodeId("a"), 1.0)]
    assert bucket.cosine(row, np.array([0.0, 1.0], np.float32)) == 1.0
