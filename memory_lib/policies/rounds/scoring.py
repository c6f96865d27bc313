"""How well each round answers a message: the measured formula, term by term (RETRIEVAL §2 and §5).

``h = cosine + lexical_weight · words``, ``g_i = h_i + previous · h_{i-1} + next · h_{i+1}`` inside a session, and
``score_i = g_i + session · max g of its session + dates + speaker + own turns``. Boosts never filter: every turn keeps a score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory_lib.policies.products import products
from memory_lib.policies.rounds.index import RoundIndex, weights_of
from memory_lib.policies.rounds.params import Formula, RoundParams

Scores = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class RoundQuery:
    """What is asked. ``stems``: of the message. ``vector``: raw, float32 (d,), or None where the embedder is off or broken.

    ``dates``: windows (first day, last day, value) in ordinals that the message names (``question_dates``). ``speaker``: the
    one of ``RoundIndex.speakers`` it names, or None.
    """

    stems: tuple[str, ...]
    vector: NDArray[np.float32] | None
    dates: Sequence[tuple[int, int, float]] = ()
    speaker: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class RoundScores:
    """``total`` float32 (n,) and the ``parts`` that add up to it, each float32 (n,), by name (for ``explain``)."""

    total: Scores
    parts: Mapping[str, Scores]

    def ranked(self, limit: int) -> list[int]:
        """The best ``limit`` turns, best first; of equals the earlier in the index."""
        limit = min(limit, len(self.total))
        if limit <= 0:
            return []
        head = np.argpartition(-self.total, limit - 1)[:limit] if limit < len(self.total) else np.arange(len(self.total))
        least = self.total[head].min()
        head = np.flatnonzero(self.total >= least)
        order = np.lexsort((head, -self.total[head]))
        return [int(turn) for turn in head[order][:limit]]

    def shares(self) -> Scores:
        """Each turn's standing in 0..1: 1 for the best one, 0 for the median and below it."""
        if len(self.total) == 0:
            return self.total
        middle, best = float(np.median(self.total)), float(self.total.max())
        if best <= middle:
            return np.zeros(len(self.total), np.float32)
        shares: Scores = np.clip((self.total - middle) / (best - middle), 0.0, 1.0).astype(np.float32)
        return shares

    def explained(self, turn: int) -> dict[str, float]:
        """Each part of one turn's score."""
        return {name: float(part[turn]) for name, part in self.parts.items()}


def with_part(scores: RoundScores, name: str, part: Scores) -> RoundScores:
    """The scores with one more part, from another arm."""
    return RoundScores(scores.total + part, {**scores.parts, name: part})


def score_rounds(index: RoundIndex, query: RoundQuery, *, params: RoundParams) -> RoundScores:
    """Scores of all turns. Without a vector, or with one of another dimension, words decide alone; without either all are 0."""
    weights = weights_of(index.profile, params=params)
    if len(index) == 0:
        return RoundScores(np.zeros(0, np.float32), {})
    terms = sorted({index.vocabulary[stem] for stem in query.stems if stem in index.vocabulary})
    own_words = _share_of_best(index.words.scores(terms))
    dense = _cosines(index, query, ranked_by=own_words)
    if params.formula is Formula.SOURCE:
        parts = {"dense": _or_nothing(dense, index), "lexical": params.source_lexical_weight * own_words}
        return RoundScores(_sum(parts, index), parts)
    words = own_words
    if weights.round_share > 0.0:
        words = (1.0 - weights.round_share) * own_words + weights.round_share * _share_of_best(index.round_words.scores(terms))
    lexical = (weights.lexical_alone if dense is None else weights.lexical_weight) * words
    parts = {"dense": _or_nothing(dense, index), "lexical": lexical.astype(np.float32)}
    asked = bool(terms) or dense is not None
    previous = weights.previous_alone if dense is None else weights.previous_weight
    own = parts["dense"] + parts["lexical"]
    parts["smoothing"] = _from_neighbours(index, own, previous=previous, following=weights.next_weight)
    parts["session"] = _from_session(index, own + parts["smoothing"], weight=weights.session_weight)
    parts["dates"] = weights.date_weight * _date_match(index, query)
    parts["speaker"] = weights.speaker_weight * _speaker_match(index, query)
    parts["own"] = (weights.user_weight if asked else 0.0) * index.user.astype(np.float32)
    return RoundScores(_sum(parts, index), parts)


def _sum(parts: Mapping[str, Scores], index: RoundIndex) -> Scores:
    total = np.zeros(len(index), np.float32)
    for part in parts.values():
        total += part
    return total


def _share_of_best(scores: Scores) -> Scores:
    best = float(scores.max(initial=0.0))
    return scores / np.float32(best) if best > 0.0 else scores


def _or_nothing(dense: Scores | None, index: RoundIndex) -> Scores:
    return np.zeros(len(index), np.float32) if dense is None else dense


def _cosines(index: RoundIndex, query: RoundQuery, *, ranked_by: Scores) -> Scores | None:
    """Cosines with the centred rounds. A round without a vector is lent the k-th best of them, k = its rank among the word
    matches (DESIGN §4), and 0, what an unrelated round has, where it shares no word.
    """
    if query.vector is None or not index.embedded.any() or len(query.vector) != len(index.mean):
        return None
    dense: Scores = products(index.vectors, index.centred(query.vector))
    if index.embedded.all():
        return dense
    best = np.sort(dense[index.embedded])[::-1]
    matches = np.flatnonzero(ranked_by > 0.0)
    order = matches[np.argsort(-ranked_by[matches], kind="stable")]
    for rank, turn in enumerate(order[: len(best)]):
        if not index.embedded[turn]:
            dense[turn] = best[rank]
    return dense


def _from_neighbours(index: RoundIndex, own: Scores, *, previous: float, following: float) -> Scores:
    gained = np.zeros(len(index), np.float32)
    joined = ~index.first[1:]
    gained[1:] += np.float32(previous) * own[:-1] * joined
    gained[:-1] += np.float32(following) * own[1:] * joined
    return gained


def _from_session(index: RoundIndex, turns: Scores, *, weight: float) -> Scores:
    best: Scores = np.maximum.reduceat(turns, index.opens)[index.session]
    return np.float32(weight) * best


def _date_match(index: RoundIndex, query: RoundQuery) -> Scores:
    match = np.zeros(len(index), np.float32)
    for first, last, value in query.dates:
        inside = (index.day >= first) & (index.day <= last)
        match[inside] = np.maximum(match[inside], np.float32(value))
    return match


def _speaker_match(index: RoundIndex, query: RoundQuery) -> Scores:
    if query.speaker is None or query.speaker not in index.speakers:
        return np.zeros(len(index), np.float32)
    match: Scores = (index.speaker == index.speakers.index(query.speaker)).astype(np.float32)
    return match
