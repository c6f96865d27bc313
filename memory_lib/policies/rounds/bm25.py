"""BM25 over turns as one inverted index in numpy (Robertson and Zaragoza 2009; Lucene's idf, so that no weight is negative).

Own code, because the library measured for it (bm25s 0.3) needs 0.43 s for the two indexes of 5,000 rounds where this needs
0.05–0.1 s, and its scores are equal (a test compares them). All weights are computed when the index is built; a query adds up
one slice a word.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, eq=False)
class Bm25:
    """Postings of ``documents`` documents: for term t the documents ``document[start[t]:start[t + 1]]`` and their weights."""

    documents: int
    start: NDArray[np.int64]
    document: NDArray[np.int64]
    weight: NDArray[np.float32]

    @classmethod
    def build(
        cls, terms: NDArray[np.int64], documents: NDArray[np.int64], *, count: int, vocabulary: int, k1: float, b: float
    ) -> Bm25:
        """An index over pairs (term, document): one pair each time a term occurs.

        ``terms`` in 0..vocabulary-1, ``documents`` in 0..count-1, same length. A document without terms scores 0 always.
        """
        if count == 0 or vocabulary == 0 or terms.size == 0:
            nothing = np.zeros(0, np.int64)
            return cls(count, np.zeros(vocabulary + 1, np.int64), nothing, np.zeros(0, np.float32))
        pairs, frequency = np.unique(terms * count + documents, return_counts=True)
        term, document = np.divmod(pairs, count)
        held_by = np.bincount(term, minlength=vocabulary)
        length = np.bincount(documents, minlength=count)
        idf = np.log1p((count - held_by + 0.5) / (held_by + 0.5))
        norm = k1 * (1.0 - b + b * length / length.mean())
        weight = idf[term] * frequency / (frequency + norm[document])
        start = np.concatenate(([0], np.cumsum(held_by)))
        return cls(count, start.astype(np.int64), document, weight.astype(np.float32))

    def scores(self, terms: Iterable[int]) -> NDArray[np.float32]:
        """float32 (documents,): the sum over ``terms`` (a term given twice counts twice)."""
        total = np.zeros(self.documents, np.float32)
        for term in terms:
            held = slice(self.start[term], self.start[term + 1])
            total[self.document[held]] += self.weight[held]
        return total
