from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from memory_lib.domain.candidates import EdgeType, NodeType
from memory_lib.domain.changes import Revision
from memory_lib.domain.ids import NodeId
from memory_lib.domain.time import DAY_US
from memory_lib.errors import IllegalValue
from memory_lib.policies.active_clock import ActiveClock
from memory_lib.policies.decay import DecayMode
from memory_lib.policies.graph_index import GraphIndex
from memory_lib.policies.ranking import EdgeMode, Ranking, RankingParams, expand, rank_nodes, ranking_columns
from memory_lib.settings import Settings

PARAMS: RankingParams = Settings.model_fields["ranking"].default
DECAY = Settings.model_fields["decay"].default
START = 1_700_000_000_000_000
CLOCK = ActiveClock([START + day * DAY_US for day in range(200)], 7 * DAY_US)


def index(count: int, *, edges: list[tuple[int, int, float]] | None = None, **columns: object) -> GraphIndex:
    """A person of ``count`` equal nodes, fresh at ``START``; ``columns`` replace whole columns."""
    rows = edges or []
    flags = {name: np.zeros(count, dtype=bool) for name in ("closed", "pinned", "private", "has_vector")}
    return GraphIndex(
        **{
            "revision": Revision(1, 1),
            "fingerprint": None,
            "ids": tuple(NodeId(f"n{place:05}") for place in range(count)),
            "types": (NodeType.FACT,) * count,
            "weight": np.ones(count),
            "weight_at_us": np.full(count, START, dtype=np.int64),
            "decay": np.full(count, 0.92),
            "created_us": np.full(count, START, dtype=np.int64),
            "last_us": np.full(count, START, dtype=np.int64),
            "visible": np.ones(count, dtype=bool),
            "vectors": np.zeros((count, 0), dtype=np.float32),
            "edge_source": np.array([row[0] for row in rows], dtype=np.int32),
            "edge_target": np.array([row[1] for row in rows], dtype=np.int32),
            "edge_type": tuple(EdgeType)[:1] * len(rows),
            "edge_confidence": np.array([row[2] for row in rows], dtype=np.float64),
        }
        | flags
        | columns
    )


def rank(graph: GraphIndex, similarity: list[float] | None = None, *, day: float = 0, **changes) -> Ranking:
    decay = changes.pop("decay", DECAY)
    allowed = changes.pop("allowed", None)
    return rank_nodes(
        graph,
        similarity=None if similarity is None else np.array(similarity, dtype=np.float32),
        clock=CLOCK,
        now_us=START + round(day * DAY_US),
        params=replace(PARAMS, **changes),
        decay=decay,
        allowed=allowed,
    )


def mask(*values: bool) -> NDArray[np.bool_]:
    return np.array(values, dtype=bool)


def test_the_score_is_the_weighted_sum_of_its_three_parts():
    graph = index(2, weight=np.array([0.5, 1.0]), last_us=np.array([START - 0, START]), decay=np.ones(2))
    ranking = rank(graph, [0.6, 0.2], day=14)
    assert ranking.parts(0) == pytest.approx({"similarity": 0.6, "recency": 0.5, "weight": 0.5, "factor": 1.0})
    assert ranking.score.tolist() == pytest.approx([0.3 + 0.1 + 0.15, 0.1 + 0.1 + 0.3])
    assert ranking.order.tolist() == [0, 1]


def test_recency_halves_in_fourteen_active_days():
    silent = ActiveClock([START], 7 * DAY_US)
    graph = index(1, last_us=np.array([START]))
    year = rank_nodes(graph, similarity=None, clock=silent, now_us=START + 365 * DAY_US, params=PARAMS, decay=DECAY)
    assert year.recency.tolist() == pytest.approx([0.5**0.5])  # the clock stopped after a week
    assert rank(graph, day=28).recency.tolist() == pytest.approx([0.25])


def test_the_weight_is_read_faded_and_over_the_highest_of_the_person():
    graph = index(2, decay=np.array([0.92, 0.97]))
    ranking = rank(graph, day=10)
    assert ranking.weight_now.tolist() == pytest.approx([0.92**10, 0.97**10])
    assert ranking.weight.tolist() == pytest.approx([(0.92 / 0.97) ** 10, 1.0])


@pytest.mark.parametrize("now", [-400, 0])
def test_a_clock_set_back_reads_weights_as_stored(now):
    assert rank(index(1), day=now).weight_now.tolist() == [1.0]


def test_similarity_is_clipped_and_what_is_no_number_counts_nothing():
    ranking = rank(index(4), [-0.3, 1.2, float("nan"), 0.5])
    assert ranking.similarity is not None
    assert ranking.similarity.tolist() == [0.0, 1.0, 0.0, 0.5]
    assert ranking.order.tolist() == [1, 3, 0, 2]


def test_without_an_embedder_recency_and_weight_rank_alone_and_the_ranking_says_so():
    graph = index(2, weight=np.array([0.4, 1.0]))
    ranking = rank(graph)
    assert ranking.similarity is None
    assert "similarity" not in ranking.parts(0)
    assert ranking.score.tolist() == pytest.approx([0.2 + 0.3 * 0.4, 0.5])
    assert ranking.order.tolist() == [1, 0]


def test_hypotheses_rank_at_half():
    graph = index(2, types=(NodeType.HYPOTHESIS, NodeType.FACT))
    ranking = rank(graph, [1.0, 1.0])
    assert ranking.score.tolist() == pytest.approx([0.5, 1.0])
    assert ranking.parts(0)["factor"] == 0.5


def test_closed_nodes_stay_candidates_further_down():
    ranking = rank(index(2, closed=mask(True, False)), [0.9, 0.9])
    assert ranking.order.tolist() == [1, 0]
    assert ranking.score[0] == pytest.approx(ranking.score[1] * PARAMS.closed_factor)


def test_what_is_hidden_forbidden_or_faded_is_left_out():
    graph = index(
        5,
        visible=mask(False, True, True, True, True),
        weight=np.array([1.0, 1.0, 0.04, 0.04, 0.05]),
        pinned=mask(False, False, False, True, False),
    )
    ranking = rank(graph, [1.0] * 5, allowed=mask(True, False, True, True, True))
    assert sorted(ranking.order.tolist()) == [3, 4]
    assert ranking.eligible.tolist() == [False, False, False, True, True]
    assert ranking.score[:3].tolist() == [0.0, 0.0, 0.0]


def test_what_a_reader_may_not_see_does_not_shift_the_normalisation():
    graph = index(2, weight=np.array([1.0, 0.5]))
    assert rank(graph, allowed=mask(False, True)).weight[1] == 1.0


def test_nothing_to_rank_gives_an_empty_order():
    assert rank(index(0), []).order.tolist() == []
    assert rank(index(2, visible=mask(False, False)), [1.0, 1.0]).order.tolist() == []
    assert rank(index(1, weight=np.zeros(1), pinned=mask(True))).weight.tolist() == [0.0]


def test_at_most_k_nodes_are_ranked_and_ties_go_by_id():
    ranking = rank(index(50), [0.5] * 50)
    assert ranking.order.tolist() == list(range(20))
    assert rank(index(50), [place / 50 for place in range(50)], k=3).order.tolist() == [49, 48, 47]
    in_turn = rank(index(400), [0.1, 0.9] * 200, k=300, expanded_limit=300)
    assert in_turn.order.tolist() == [*range(1, 400, 2), *range(0, 200, 2)]


def test_an_ablation_of_decay_changes_what_is_read():
    graph = index(2, decay=np.array([0.5, 1.0]), pinned=mask(False, True))
    for mode, expected in ((DecayMode.TYPED, 0.5), (DecayMode.UNIFORM, DECAY.uniform), (DecayMode.OFF, 1.0)):
        ranking = rank(graph, day=1, decay=replace(DECAY, mode=mode))
        assert ranking.weight_now.tolist() == pytest.approx([expected, 1.0])


def test_columns_made_once_rank_like_columns_made_on_the_way():
    graph = index(3, types=(NodeType.HYPOTHESIS, NodeType.FACT, NodeType.EVENT), closed=mask(False, True, False))
    columns = ranking_columns(graph, clock=CLOCK, params=PARAMS, decay=DECAY)
    for day in (0, 3, 40_000):
        now_us = START + day * DAY_US
        made = rank_nodes(graph, similarity=None, clock=CLOCK, now_us=now_us, params=PARAMS, decay=DECAY, columns=columns)
        anew = rank_nodes(graph, similarity=None, clock=CLOCK, now_us=now_us, params=PARAMS, decay=DECAY)
        assert made.score.tolist() == anew.score.tolist()
        assert made.order.tolist() == anew.order.tolist()


@pytest.mark.parametrize("column", ["similarity", "allowed"])
def test_columns_of_another_index_are_refused(column):
    values = {"similarity": [0.1]} if column == "similarity" else {"allowed": mask(True)}
    with pytest.raises(IllegalValue, match=column):
        rank(index(2), **values)


@given(
    st.lists(st.tuples(st.floats(0, 1), st.floats(-1, 1), st.integers(0, 150), st.booleans()), min_size=1, max_size=60),
    st.integers(1, 25),
    st.floats(-100, 40_000),
)
def test_the_order_is_that_of_a_full_sort(rows, k, day):
    weights, cosines, ages, closed = (list(column) for column in zip(*rows, strict=True))
    last = np.array([START + age * DAY_US for age in ages])
    graph = index(len(rows), weight=np.array(weights), weight_at_us=last, last_us=last, closed=mask(*closed))
    ranking = rank(graph, cosines, day=day, k=k)
    ids = [place for place in range(len(rows)) if ranking.eligible[place]]
    assert ranking.order.tolist() == sorted(ids, key=lambda place: (-ranking.score[place], place))[:k]
    assert all(0.0 <= score <= 1.0 for score in ranking.score)
    assert np.all((ranking.weight_now >= 0.0) & (ranking.weight_now <= graph.weight))


# -- neighbours ----------------------------------------------------------------------------------------------------------------


def neighbours(graph: GraphIndex, similarity: list[float], **changes) -> list[tuple[int, float, int]]:
    ranking = rank(graph, similarity, **changes)
    found = expand(graph, ranking, params=replace(PARAMS, **{k: v for k, v in changes.items() if k != "allowed"}))
    return [
        (int(one), float(sure), int(via)) for one, sure, via in zip(found.order, found.confidence, found.through, strict=True)
    ]


def test_direct_neighbours_come_along_and_against_an_edge_surest_first():
    graph = index(5, edges=[(0, 1, 0.5), (2, 0, 0.9), (1, 3, 1.0), (4, 0, 0.5)])
    assert neighbours(graph, [1.0, 0.0, 0.0, 0.0, 0.0], k=1) == [(2, 0.9, 0), (1, 0.5, 0), (4, 0.5, 0)]


def test_ranked_nodes_are_not_their_own_neighbours():
    graph = index(2, edges=[(0, 1, 0.9)])
    assert neighbours(graph, [1.0, 0.5]) == []


def test_a_neighbour_of_several_counts_by_its_surest_edge_and_then_by_the_better_node():
    graph = index(3, edges=[(0, 2, 0.4), (1, 2, 0.9)])
    assert neighbours(graph, [1.0, 0.9, 0.0], k=2) == [(2, 0.9, 1)]
    even = index(3, edges=[(1, 2, 0.9), (0, 2, 0.9)])
    assert neighbours(even, [1.0, 0.9, 0.0], k=2) == [(2, 0.9, 0)]


def test_neighbours_that_may_not_be_shown_are_left_out():
    edges = [(0, 1, 0.9), (0, 2, 0.8), (0, 3, 0.7), (0, 4, 0.6)]
    graph = index(5, edges=edges, visible=mask(True, False, True, True, True), weight=np.array([1.0, 1.0, 0.01, 1.0, 1.0]))
    allowed = mask(True, True, True, False, True)
    assert neighbours(graph, [1.0, 0.0, 0.0, 0.0, 0.0], k=1, allowed=allowed) == [(4, 0.6, 0)]


def test_all_together_are_no_more_than_the_limit():
    graph = index(100, edges=[(0, other, 1 - other / 200) for other in range(1, 100)])
    found = neighbours(graph, [1.0] + [0.0] * 99, k=1)
    assert [one for one, _, _ in found] == list(range(1, 60))
    assert neighbours(graph, [1.0] + [0.0] * 99, k=1, expanded_limit=1) == []


def test_a_person_without_edges_has_no_neighbours():
    assert neighbours(index(3), [1.0, 0.0, 0.0], k=1) == []
    assert neighbours(index(0), []) == []


def test_untyped_edges_rank_and_expand_alike():
    graph = index(3, edges=[(0, 1, 0.5), (2, 0, 0.9)])
    similar = [1.0, 0.0, 0.0]
    assert neighbours(graph, similar, k=1, edges=EdgeMode.UNTYPED) == neighbours(graph, similar, k=1)


@pytest.mark.parametrize(
    "change",
    [{"k": 0}, {"expanded_limit": 19}, {"recency_half_life_days": 0.0}, {"similarity": -0.1}, {"closed_factor": -1.0}],
)
def test_numbers_that_make_no_sense_are_wrong_settings(change):
    with pytest.raises(IllegalValue):
        replace(PARAMS, **change)
