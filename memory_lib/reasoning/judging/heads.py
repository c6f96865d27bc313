"""Linear heads over a calibrated vector: what they hold and what they say (pure; the weights are arguments).

A head is multinomial logistic regression (one row of weights a class) over the embedder's vector with its mean subtracted and
renormalised, or over hand features. ``training/train_heads.py`` makes them; ``adapters/heads`` loads them and refuses those of
another embedder.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory_lib.errors import IllegalValue


@dataclass(frozen=True, slots=True, eq=False)
class LinearHead:
    """``weights``: float32 (classes, d); ``bias``: float32 (classes,); a head of two classes has both rows."""

    classes: tuple[str, ...]
    weights: NDArray[np.float32]
    bias: NDArray[np.float32]

    def __post_init__(self) -> None:
        if self.weights.ndim != 2 or self.weights.shape[0] != len(self.classes) or self.bias.shape != (len(self.classes),):
            raise IllegalValue(
                f"a head of {len(self.classes)} classes has weights {self.weights.shape} and bias {self.bias.shape}; train it"
            )

    @property
    def dimension(self) -> int:
        return int(self.weights.shape[1])

    def probabilities(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Softmax over classes: (n, classes) of (n, d), (classes,) of (d,).

        Raises:
            IllegalValue: the vectors are of another width.
        """
        if vectors.shape[-1] != self.dimension:
            raise IllegalValue(f"a head over {self.dimension} numbers was given {vectors.shape[-1]}")
        scores = vectors @ self.weights.T + self.bias
        shifted = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares: NDArray[np.float32] = (shifted / shifted.sum(axis=-1, keepdims=True)).astype(np.float32)
        return shares

    def probability(self, kind: str, vector: NDArray[np.float32]) -> float:
        """The share of one class for one vector. ``kind`` is one of ``classes``."""
        return float(self.probabilities(vector)[self.classes.index(kind)])


@dataclass(frozen=True, slots=True, eq=False)
class WorthModel:
    """Logistic regression over ``worth_features``: ``score`` = weights · features + bias (features as they are, not scaled).

    ``threshold``: the lowest score that is kept.
    """

    weights: NDArray[np.float32]
    bias: float
    threshold: float

    def score(self, features: NDArray[np.float32]) -> float:
        return float(features @ self.weights + self.bias)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Heads:
    """The learnt parts that look at vectors. ``fingerprint``: of the embedder under whose vectors they were trained.

    ``valence``: positive, neutral, negative. ``displeasure``: displeased, other. ``change``: change, other (of a new statement
    alone: "announces a change"). The judge of worth (``WorthModel``) looks at words only and needs no embedder.
    """

    version: str
    fingerprint: str
    valence: LinearHead
    displeasure: LinearHead
    change: LinearHead


VALENCE_CLASSES = ("negative", "neutral", "positive")
DISPLEASURE_CLASSES = ("displeased", "other")
CHANGE_CLASSES = ("change", "other")
