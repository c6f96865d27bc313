"""Shares and intervals."""

from __future__ import annotations

import math

import pytest

from memory_lib.evaluation.metrics import bootstrap_interval, recall


@pytest.mark.parametrize(
    ("found", "evidence", "share"),
    [({"a", "b"}, ("a", "b"), 1.0), ({"a", "x"}, ("a", "b"), 0.5), (set(), ("a",), 0.0), ({"a"}, ("a", "b", "c", "d"), 0.25)],
)
def test_recall_is_the_share_of_the_evidence(found: set[str], evidence: tuple[str, ...], share: float) -> None:
    assert recall(found, evidence) == share


def test_an_interval_holds_the_mean_and_narrows_with_more_questions() -> None:
    few = bootstrap_interval([0.0, 1.0] * 10, resamples=500, seed=1, level=0.95)
    many = bootstrap_interval([0.0, 1.0] * 400, resamples=500, seed=1, level=0.95)
    assert few[0] < 0.5 < few[1]
    assert many[0] < 0.5 < many[1]
    assert many[1] - many[0] < (few[1] - few[0]) / 3


def test_an_interval_is_as_wide_as_theory_says() -> None:
    low, high = bootstrap_interval([0.0, 1.0] * 200, resamples=2_000, seed=3, level=0.95)
    assert high - low == pytest.approx(2 * 1.96 * 0.5 / math.sqrt(400), rel=0.1)


def test_the_same_seed_gives_the_same_interval() -> None:
    values = [0.1, 0.5, 0.9, 1.0, 0.0]
    first = bootstrap_interval(values, resamples=200, seed=7, level=0.95)
    assert first == bootstrap_interval(values, resamples=200, seed=7, level=0.95)
    assert first != bootstrap_interval(values, resamples=200, seed=8, level=0.95)


def test_one_value_has_no_width_and_none_no_interval() -> None:
    assert bootstrap_interval([0.5], resamples=10, seed=1, level=0.95) == (0.5, 0.5)
    assert all(math.isnan(end) for end in bootstrap_interval([], resamples=10, seed=1, level=0.95))
