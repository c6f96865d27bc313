"""Which nodes a message calls up, and their neighbours (DESIGN §4, Recall; CONTRACTS, Numbers; seed §3.4).

score = 0.5 · similarity + 0.2 · recency + 0.3 · normalised weight, over the columns of a ``GraphIndex``. Positions below are
places in ``index.ids``. No words are opened.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.candidates import NodeType
from memory_lib.domain.time import DAY_US
from memory_lib.errors import IllegalValue
from memory_lib.policies.decay import DecayParams, coefficients_on_read, faded_many

if TYPE_CHECKING:
    from memory_lib.policies.active_clock import ActiveClock
    from memory_lib.policies.graph_index import GraphIndex

_SCORE_DIGITS = 12
"""Scores are rounded so far that a tie is a tie on every processor; ids break it."""


class EdgeMode(StrEnum):
    """The ablation of seed §7. Ranking and expansion follow every type in both modes; the composer reads the types or not."""

    TYPED = "typed"
    UNTYPED = "untyped"


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingParams:
    """``k``: nodes by score. ``similarity``, ``recency``, ``weight``: factors of the parts, each in 0..1.

    ``recency_half_life_days``: active days. ``hypothesis_factor``, ``closed_factor``: multiply the whole score of a
    hypothesis, and of a node that a later statement ended (it stays a candidate: "where did I work before?").
    ``expanded_limit``: nodes in all after expansion.
    """

    k: int
    similarity: float
    recency: float
    weight: float
    recency_half_life_days: float
    hypothesis_factor: float
    closed_factor: float
    expanded_limit: int
    edges: EdgeMode

    def __post_init__(self) -> None:
        if min(self.similarity, self.recency, self.weight, self.hypothesis_factor, self.closed_factor) < 0.0:
            raise IllegalValue("ranking: a factor is negative; correct the setting")
        if self.k < 1 or self.expanded_limit < self.k or self.recency_half_life_days <= 0.0:
            raise IllegalValue(
                "ranking: k must be 1 or more, expanded_limit at least k, recency_half_life_days above 0; correct the setting"
            )


@dataclass(frozen=True, slots=True)
class RankingColumns:
    """What of a ranking depends neither on the message nor on the moment: made once for an index, its clock and the settings.

    All (n,). ``weighed_us``, ``reinforced_us``: the active time A of the instants that weights are true of, and of the last
    reinforcements. ``decay``: the coefficients to read weights with. ``factor``: multiplies the score.
    """

    weighed_us: NDArray[np.int64]
    reinforced_us: NDArray[np.int64]
    decay: NDArray[np.float64]
    factor: NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ranking:
    """``order``: positions of at most k nodes, best first. The other arrays have a value for every node of the index.

    ``score`` is 0 for those left out; ``eligible`` says which took part. ``similarity`` is None where the embedder gave none:
    then the score is the sum of the other two parts. ``weight_now`` is the faded weight, ``weight`` the same over the
    person's highest.
    """

    order: NDArray[np.intp]
    score: NDArray[np.float64]
    eligible: NDArray[np.bool_]
    similarity: NDArray[np.float64] | None
    recency: NDArray[np.float64]
    weight: NDArray[np.float64]
    weight_now: NDArray[np.float64]
    factor: NDArray[np.float64]

    def parts(self, position: int) -> dict[str, float]:
        """The parts of one node's score by name, before their factors (CONTRACTS, Shapes: ``explain``)."""
        known = {} if self.similarity is None else {"similarity": float(self.similarity[position])}
        return known | {
            "recency": float(self.recency[position]),
            "weight": float(self.weight[position]),
            "factor": float(self.factor[position]),
        }


@dataclass(frozen=True, slots=True)
class Expansion:
    """Direct neighbours of the ranked nodes, surest edge first: positions, the edge's confidence, the ranked node behind it."""

    order: NDArray[np.intp]
    confidence: NDArray[np.float64]
    through: NDArray[np.intp]


def ranking_columns(index: GraphIndex, *, clock: ActiveClock, params: RankingParams, decay: DecayParams) -> RankingColumns:
    """The half of the work that a cached person does once: about 0.4 ms at 2,000 nodes and 10,000 messages."""
    factor = np.where(index.closed, params.closed_factor, 1.0)
    factor[_hypotheses(index)] *= params.hypothesis_factor
    return RankingColumns(
        weighed_us=clock.active_us_many(index.weight_at_us),
        reinforced_us=clock.active_us_many(index.last_us),
        decay=coefficients_on_read(index.decay, pinned=index.pinned, params=decay),
        factor=factor,
    )


def rank_nodes(
    index: GraphIndex,
    *,
    similarity: NDArray[np.floating] | None,
    clock: ActiveClock,
    now_us: int,
    params: RankingParams,
    decay: DecayParams,
    allowed: NDArray[np.bool_] | None = None,
    columns: RankingColumns | None = None,
) -> Ranking:
    """Scores every node that is visible, allowed, and either pinned or not faded below ``decay.removed_below``.

    ``similarity``: calibrated cosines (n,), 0 for nodes without a vector, or None where there is no vector of the message;
    clipped to 0..1 here, and what is not a number counts 0. ``allowed``: (n,) what this reader may see (audience, scope); None:
    everything. What a reader may not see does not take part in the normalisation either. ``columns``: what
    ``ranking_columns`` made of the same index, clock and settings; None makes them now. Ties go by id.

    Raises:
        IllegalValue: ``similarity`` or ``allowed`` has another length than the index.
    """
    count = len(index.ids)
    for name, column in (("similarity", similarity), ("allowed", allowed)):
        if column is not None and column.shape != (count,):
            raise IllegalValue(f"{name} has shape {column.shape} for {count} nodes; compute it from the same index")
    if columns is None:
        columns = ranking_columns(index, clock=clock, params=params, decay=decay)
    now_active_us = clock.active_us(now_us)
    weight_now = faded_many(index.weight, columns.decay, _days(columns.weighed_us, now_active_us))
    eligible = index.visible & (index.pinned | (weight_now >= decay.removed_below))
    if allowed is not None:
        eligible &= allowed
    highest = float(np.max(weight_now, where=eligible, initial=0.0))
    weight = np.minimum(weight_now / highest, 1.0) if highest > 0.0 else np.zeros(count)
    recency = np.exp2(_days(columns.reinforced_us, now_active_us) / -params.recency_half_life_days)
    score: NDArray[np.float64] = params.recency * recency + params.weight * weight
    clipped = None if similarity is None else _clipped(similarity)
    if clipped is not None:
        score += params.similarity * clipped
    score = np.where(eligible, np.round(score * columns.factor, _SCORE_DIGITS), 0.0)
    return Ranking(
        order=_best(score, eligible, params.k),
        score=score,
        eligible=eligible,
        similarity=clipped,
        recency=recency,
        weight=weight,
        weight_now=weight_now,
        factor=columns.factor,
    )


def expand(index: GraphIndex, ranking: Ranking, *, params: RankingParams) -> Expansion:
    """Every direct neighbour of the ranked nodes, along and against every type of edge, that may itself be shown.

    Surest edge first, ties by id; ranked nodes and neighbours together are at most ``expanded_limit``. A neighbour reached
    twice counts by its surest edge, and of equal ones by the better ranked node.
    """
    rank = np.full(len(index.ids), -1, dtype=np.intp)
    rank[ranking.order] = np.arange(len(ranking.order))
    sources, targets = index.edge_source.astype(np.intp), index.edge_target.astype(np.intp)
    touched = np.flatnonzero((rank[sources] >= 0) != (rank[targets] >= 0))
    sources, targets, confidence = sources[touched], targets[touched], index.edge_confidence[touched]
    forward = rank[sources] >= 0
    inside, outside = np.where(forward, sources, targets), np.where(forward, targets, sources)
    shown = np.flatnonzero(ranking.eligible[outside])
    by_confidence = shown[np.lexsort((rank[inside[shown]], outside[shown], -confidence[shown]))]
    _, first = np.unique(outside[by_confidence], return_index=True)
    room = params.expanded_limit - len(ranking.order)
    chosen = by_confidence[np.sort(first)[:room]]
    return Expansion(order=outside[chosen], confidence=confidence[chosen], through=inside[chosen])


def _days(since_us: NDArray[np.int64], now_us: int) -> NDArray[np.float64]:
    """Active days from each active time to now; none where now is earlier (a clock set back)."""
    return np.maximum(now_us - since_us, 0) / DAY_US


def _clipped(similarity: NDArray[np.floating]) -> NDArray[np.float64]:
    """Into 0..1; fmax and fmin pass over what is not a number."""
    clipped: NDArray[np.float64] = np.fmin(np.fmax(similarity.astype(np.float64), 0.0), 1.0)
    return clipped


def _hypotheses(index: GraphIndex) -> list[int]:
    """Positions of hypotheses, by the tuple's own search: most people have few, a walk in Python costs ten times as much."""
    places: list[int] = []
    start = 0
    for _ in range(index.types.count(NodeType.HYPOTHESIS)):
        place = index.types.index(NodeType.HYPOTHESIS, start)
        places.append(place)
        start = place + 1
    return places


def _best(score: NDArray[np.float64], eligible: NDArray[np.bool_], k: int) -> NDArray[np.intp]:
    """Positions of the k best eligible nodes, best first, ties by position (that is, by id)."""
    places = np.flatnonzero(eligible)
    if k < len(places):
        least = np.partition(score[places], len(places) - k)[len(places) - k]
        places = places[score[places] >= least]
    return places[np.argsort(-score[places], kind="stable")][:k]
