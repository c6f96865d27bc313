"""How much surviving evidence supports (CONTRACTS, Shapes: states; seed §3.2, confidence).

Several sources make surer, within a bound: a thousand repetitions never make certain. A source that is gone takes its support
with it, because confidence is folded anew from what is left.
"""

from __future__ import annotations

from dataclasses import dataclass

from memory_lib.domain.node import Flag, Node, NodeState


@dataclass(frozen=True, slots=True, kw_only=True)
class TrustParams:
    """``gain``: what share of the way to ``ceiling`` one more fully confident source goes."""

    gain: float
    ceiling: float


def supported(confidence: float, more: float, *, params: TrustParams) -> float:
    """The confidence after one more source of confidence ``more``: never less than the surer of the two, never above the
    ceiling (or the surer of the two, where that is above it).
    """
    surer = max(confidence, more)
    return surer if surer >= params.ceiling else surer + (params.ceiling - surer) * params.gain * min(confidence, more)


def state_of(node: Node) -> NodeState:
    """What is to be thought of a node that is not archived, by what it rests on: stale (no words left), disputed, weakened
    (some words gone), else stable.
    """
    surviving = len(node.surviving)
    if node.proofs and not surviving:
        return NodeState.STALE
    if Flag.DISPUTED in node.flags:
        return NodeState.DISPUTED
    return NodeState.STABLE if surviving == len(node.proofs) else NodeState.WEAKENED
