"""What a ranking found: shares of the evidence, and how sure such a figure is."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np


def recall(found: Collection[str], evidence: Collection[str]) -> float:
    """The share of ``evidence`` among ``found``. ``evidence`` is not empty."""
    return sum(piece in found for piece in evidence) / len(evidence)


def bootstrap_interval(values: Sequence[float], *, resamples: int, seed: int, level: float) -> tuple[float, float]:
    """The percentile bootstrap interval of the mean of ``values`` (Efron 1979): the same seed gives the same interval.

    (nan, nan) where there is nothing to resample.
    """
    if not values:
        return (float("nan"), float("nan"))
    chance = np.random.default_rng(seed)
    observed = np.asarray(values, np.float64)
    means = np.array([observed[chance.integers(0, len(observed), len(observed))].mean() for _ in range(resamples)])
    low, high = np.quantile(means, ((1.0 - level) / 2.0, (1.0 + level) / 2.0))
    return (float(low), float(high))
