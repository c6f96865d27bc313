"""Confidence and state follow the evidence that is left."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory_lib.domain.node import Flag, NodeState, ProofKind
from memory_lib.policies.trust import TrustParams, state_of, supported
from tests.policies.formed import formed, said, unit

PARAMS = TrustParams(gain=0.25, ceiling=0.99)


def test_another_source_makes_surer_but_never_certain() -> None:
    confidence = 0.6
    for _ in range(1000):
        after = supported(confidence, 0.6, params=PARAMS)
        assert confidence <= after <= 0.99
        confidence = after
    assert confidence > 0.95


@pytest.mark.parametrize(("one", "other"), [(0.3, 0.9), (0.9, 0.3), (1.0, 0.5), (0.99, 0.99), (0.0, 0.7)])
def test_never_less_than_the_surer_of_two(one: float, other: float) -> None:
    assert supported(one, other, params=PARAMS) >= max(one, other)
    assert supported(one, other, params=PARAMS) <= max(one, other, 0.99)


def test_a_doubtful_source_adds_less_than_a_sure_one() -> None:
    assert supported(0.8, 0.2, params=PARAMS) < supported(0.8, 0.8, params=PARAMS)


def test_the_state_is_what_is_left() -> None:
    state, _ = formed(unit(1, said("I like tea")), unit(2, said("I like tea")))
    node = state.base(state.node_ids[0])
    gone = [replace(proof, kind=ProofKind.STALE) for proof in node.proofs]
    assert state_of(node) is NodeState.STABLE
    assert state_of(replace(node, proofs=(gone[0], node.proofs[1]))) is NodeState.WEAKENED
    assert state_of(replace(node, proofs=tuple(gone))) is NodeState.STALE
    assert state_of(replace(node, flags=(Flag.DISPUTED,))) is NodeState.DISPUTED
    assert state_of(replace(node, proofs=tuple(gone), flags=(Flag.DISPUTED,))) is NodeState.STALE
