from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_lib.domain.candidates import NodeType, Valence
from memory_lib.domain.node import Weight
from memory_lib.domain.time import DAY_US
from memory_lib.errors import IllegalValue
from memory_lib.policies.active_clock import ActiveClock
from memory_lib.policies.archival import Archive, Keep, archival
from memory_lib.policies.decay import DecayMode, DecayParams, coefficient, coefficients_on_read, faded, faded_many
from memory_lib.policies.weight_fold import weight_at
from memory_lib.settings import Settings

PARAMS: DecayParams = Settings.model_fields["decay"].default
START = 1_700_000_000_000_000

TABLE = [
    # DESIGN §4: type, valence, importance, coefficient, days from 1.0 to removed
    (NodeType.EMOTIONAL_NOTE, Valence.NEGATIVE, 0.5, 0.5, (4, 5)),
    (NodeType.EMOTIONAL_NOTE, Valence.POSITIVE, 0.5, 0.85, (18, 18)),
    (NodeType.FACT, Valence.NEUTRAL, 0.5, 0.92, (36, 36)),
    (NodeType.EVENT, Valence.NEUTRAL, 0.5, 0.95, (58, 58)),
    (NodeType.EVENT, Valence.NEUTRAL, 0.81, 0.98, (148, 148)),
    (NodeType.PERSON, Valence.NEUTRAL, 0.5, 0.97, (98, 98)),
    (NodeType.OPEN_LOOP, Valence.NEUTRAL, 0.5, 0.99, (298, 298)),
]

weights = st.floats(min_value=0.0, max_value=1.0)
coefficients = st.floats(min_value=0.01, max_value=1.0)
spans = st.floats(min_value=0.0, max_value=4000.0)


@pytest.mark.parametrize(("node_type", "valence", "importance", "expected", "lifetime"), TABLE)
def test_each_row_of_the_table_with_a_message_a_day(node_type, valence, importance, expected, lifetime):
    rate = coefficient(node_type, valence=valence, importance=importance, params=PARAMS)
    assert rate == expected

    shortest, longest = lifetime
    exact = math.log(PARAMS.removed_below) / math.log(rate)
    assert shortest <= round(exact) <= longest

    clock = ActiveClock([START + day * DAY_US for day in range(longest + 2)], 7 * DAY_US)
    created = Weight(1.0, START)

    def on(day: int) -> Keep | Archive:
        weight = weight_at(created, decay=rate, clock=clock, now_us=START + day * DAY_US)
        return archival(weight, pinned=False, params=PARAMS)

    assert isinstance(on(shortest - 1), Keep)
    assert on(longest + 1) == Archive("faded")


def test_pinned_never_fades():
    clock = ActiveClock([START + day * DAY_US for day in range(5000)], 7 * DAY_US)
    assert weight_at(Weight(1.0, START), decay=PARAMS.pinned, clock=clock, now_us=START + 4999 * DAY_US) == 1.0


def test_neutral_notes_and_hypotheses_have_the_coefficients_the_table_leaves_open():
    assert coefficient(NodeType.EMOTIONAL_NOTE, valence=Valence.NEUTRAL, importance=0.5, params=PARAMS) == 0.85
    assert coefficient(NodeType.HYPOTHESIS, valence=Valence.NEUTRAL, importance=0.5, params=PARAMS) == 0.95


@pytest.mark.parametrize("node_type", list(NodeType))
@pytest.mark.parametrize("valence", list(Valence))
def test_every_kind_of_node_has_a_coefficient_in_every_mode(node_type, valence):
    for mode, expected in ((DecayMode.UNIFORM, PARAMS.uniform), (DecayMode.OFF, 1.0)):
        params = replace(PARAMS, mode=mode)
        assert coefficient(node_type, valence=valence, importance=0.9, params=params) == expected
    assert 0.0 < coefficient(node_type, valence=valence, importance=0.9, params=PARAMS) < 1.0


def test_only_an_event_is_significant_and_only_above_the_threshold():
    def rate(node_type: NodeType, importance: float) -> float:
        return coefficient(node_type, valence=Valence.NEUTRAL, importance=importance, params=PARAMS)

    assert rate(NodeType.EVENT, 0.8) == 0.95
    assert rate(NodeType.EVENT, 0.8000001) == 0.98
    assert rate(NodeType.FACT, 1.0) == rate(NodeType.FACT, 0.0)


def test_the_uniform_coefficient_is_the_median_of_the_table():
    assert sorted(row[3] for row in TABLE)[len(TABLE) // 2] == PARAMS.uniform


@given(weights, coefficients, spans, spans)
def test_fading_in_two_steps_equals_fading_in_one(weight, rate, first, second):
    twice = faded(faded(weight, rate, first), rate, second)
    assert twice == pytest.approx(faded(weight, rate, first + second), rel=1e-9, abs=1e-15)


@given(weights, coefficients, st.floats(min_value=-4000.0, max_value=4000.0))
def test_fading_never_raises_a_weight_and_never_leaves_0_to_1(weight, rate, days):
    assert 0.0 <= faded(weight, rate, days) <= weight


@given(st.lists(st.tuples(weights, coefficients, st.floats(min_value=-10.0, max_value=400.0)), max_size=8))
def test_many_at_once_equal_one_at_a_time(rows):
    columns = np.array(rows, dtype=np.float64).reshape(len(rows), 3)
    many = faded_many(columns[:, 0], columns[:, 1], columns[:, 2])
    assert many.tolist() == pytest.approx([faded(*row) for row in rows], rel=1e-12, abs=1e-300)


def test_an_ablation_on_read_replaces_stored_coefficients_but_not_those_of_pinned_nodes():
    stored, pinned = np.array([0.92, 1.0]), np.array([False, True])

    def read(mode: DecayMode) -> list[float]:
        return coefficients_on_read(stored, pinned=pinned, params=replace(PARAMS, mode=mode)).tolist()

    assert read(DecayMode.TYPED) == [0.92, 1.0]
    assert read(DecayMode.UNIFORM) == [PARAMS.uniform, 1.0]
    assert read(DecayMode.OFF) == [1.0, 1.0]


@pytest.mark.parametrize("name", ["fact", "pinned", "uniform", "emotional_negative"])
@pytest.mark.parametrize("value", [0.0, 1.01, -0.5, float("nan")])
def test_a_coefficient_outside_0_to_1_is_a_wrong_setting(name, value):
    with pytest.raises(IllegalValue, match=name):
        replace(PARAMS, **{name: value})


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_threshold_that_removes_nothing_or_everything_is_a_wrong_setting(value):
    with pytest.raises(IllegalValue, match="removed_below"):
        replace(PARAMS, removed_below=value)
