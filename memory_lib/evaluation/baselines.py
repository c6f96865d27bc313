"""What recall must beat: plain BM25 over single turns, in the same run and over the same turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memory_lib.domain.message import SourceMessage
from memory_lib.policies.rounds import Bm25, turn_text
from memory_lib.policies.stems import Stemmer


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineParams:
    """``k1`` and ``b`` of BM25: .9 and .4 fit short chat turns, 1.2 and .75 an assistant's long ones (RETRIEVAL §8)."""

    k1: float
    b: float


class Bm25Baseline:
    """Turns with speaker and caption, stemmed, stop and question words dropped; of equal scores the earlier turn first."""

    def __init__(self, turns: Sequence[SourceMessage], *, stemmer: Stemmer, params: BaselineParams) -> None:
        self._stemmer = stemmer
        self._ids = [turn.id for turn in turns]
        documents = [stemmer.stems(turn_text(turn.text, speaker=turn.speaker, caption=turn.caption)) for turn in turns]
        self._vocabulary: dict[str, int] = {}
        terms = [self._vocabulary.setdefault(stem, len(self._vocabulary)) for document in documents for stem in document]
        self._index = Bm25.build(
            np.array(terms, np.int64),
            np.repeat(np.arange(len(documents), dtype=np.int64), [len(document) for document in documents]),
            count=len(documents),
            vocabulary=len(self._vocabulary),
            k1=params.k1,
            b=params.b,
        )

    def ranked(self, question: str, *, limit: int) -> list[str]:
        """Source ids of the best ``limit`` turns."""
        known = (self._vocabulary.get(stem) for stem in set(self._stemmer.stems(question)))
        scores = self._index.scores(sorted(term for term in known if term is not None))
        return [self._ids[place] for place in np.argsort(-scores, kind="stable")[:limit]]
