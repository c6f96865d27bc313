"""Create, attach, refine or reject: what becomes of a candidate beside the nearest nodes.

Nearest by meaning (calibrated cosine), by words (the same ones, or some inside the others), by neighbourhood (kind, subject,
audience, polarity, mood, slot: what differs in these never meets) and by time. ``judged`` is a pure function of the candidate
and those neighbours; ``place`` finds them and writes down what was decided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.candidates import Candidate, NodeType
from memory_lib.domain.ids import NodeId
from memory_lib.domain.node import Node
from memory_lib.policies.formation.closing import close_older
from memory_lib.policies.formation.decision import Decider, Decision, Neighbour, Verdict
from memory_lib.policies.formation.draft import Draft
from memory_lib.policies.formation.formed_graph import Bucket, bucket_of
from memory_lib.policies.formation.persons import known_person, resolve
from memory_lib.policies.formation.refining import same_time, told_together
from memory_lib.policies.formation.settling import settle_loops
from memory_lib.policies.matching import (
    ATTACHABLE,
    MatchingParams,
    cores,
    detail_added,
    fingerprint,
    mood,
    same_statement,
    slot_value,
)

_PLAIN = frozenset({NodeType.FACT, NodeType.EVENT})
_CREATE = Decision(Verdict.CREATE, "new")


def place(
    draft: Draft, index: int, candidate: Candidate, vector: NDArray[np.float32] | None, *, decider: Decider | None
) -> NodeId | None:
    """The node that the candidate made or met; None where it entered nothing. ``index``: its place in the extraction."""
    unfit = _unfit(candidate, worth=draft.unit.extraction.worth, params=draft.graph.params.matching)
    if unfit is not None:
        draft.reject(index, candidate, unfit)
        return None
    about, about_name = resolve(draft, candidate.about, candidate)
    holder, _ = resolve(draft, candidate.holder, candidate)
    decision = decided(draft, candidate, vector, about=about, decider=decider)
    match decision.verdict:
        case Verdict.REJECT:
            draft.reject(index, candidate, decision.reason)
            return None
        case Verdict.CREATE:
            node = draft.create(candidate, vector, about=about, about_name=about_name or candidate.about_name, holder=holder)
            if node is not None:
                close_older(draft, node, candidate, vector, about=about)
                settle_loops(draft, node, candidate, about=about)
            return node
        case _:
            assert decision.node is not None
            draft.attach(decision.node, candidate, vector, reason=decision.reason, numbers=decision.numbers)
            return decision.node


def decided(
    draft: Draft, candidate: Candidate, vector: NDArray[np.float32] | None, *, about: str, decider: Decider | None = None
) -> Decision:
    """What should become of the candidate; writes nothing. ``about``: its subject, resolved."""
    if candidate.type is NodeType.PERSON:
        person, reason = known_person(draft, candidate)
        return _CREATE if person is None else Decision(Verdict.ATTACH, reason, person)
    same = _same_slot_value(draft, candidate, about=about)
    if same is not None:
        return Decision(Verdict.ATTACH, "same_slot_value", same)
    if candidate.type not in ATTACHABLE:
        return _CREATE
    neighbours = nearest(draft, candidate, vector, about=about)
    decision = judged(candidate, neighbours, at=draft.at, params=draft.graph.params.matching)
    if decision.verdict is Verdict.CREATE and neighbours and decider is not None:
        asked = decider(candidate, neighbours)
        known = {neighbour.node.id for neighbour in neighbours}
        if asked is not None and (asked.node in known) is (asked.verdict in (Verdict.ATTACH, Verdict.REFINE)):
            return asked
    return decision


def judged(candidate: Candidate, neighbours: Sequence[Neighbour], *, at: datetime, params: MatchingParams) -> Decision:
    """By words first, then by meaning, then by words that contain the known ones; of several, the first in ``neighbours``."""
    words = fingerprint(candidate.content)
    best: tuple[float, Decision] | None = None
    for neighbour in neighbours:
        node, cosine = neighbour.node, neighbour.cosine
        numbers: Mapping[str, float] = {} if cosine is None else {"cosine": cosine}
        reason = same_statement(words, fingerprint(node.content), cosine=cosine, params=params)
        if reason is not None:
            rank = 2.0 if reason == "same_words" else cosine or 0.0
            verdict = Verdict.ATTACH
        elif _more_detail(candidate, neighbour, at=at, params=params):
            reason, rank, verdict = "more_detail", (cosine or 0.0) - 2.0, Verdict.REFINE
        else:
            continue
        if best is None or rank > best[0]:
            best = rank, Decision(verdict, reason, node.id, numbers)
    return _CREATE if best is None else best[1]


def nearest(draft: Draft, candidate: Candidate, vector: NDArray[np.float32] | None, *, about: str) -> tuple[Neighbour, ...]:
    """Open statements of the same bucket, slot and time that share the candidate's words or come near its meaning, in the
    order of what made them.
    """
    graph, params = draft.graph, draft.graph.params.matching
    bucket: Bucket = bucket_of(
        candidate.type,
        about=about,
        audience=draft.unit.audience,
        polarity=candidate.polarity,
        modality=candidate.modality,
    )
    words = fingerprint(candidate.content).words
    same = set(graph.by_words.get((bucket, words), ())) if words else set()
    contained = {node for core in cores(words, params=params) for node in graph.by_words.get((bucket, core), ())}
    vectors = graph.vectors.get(bucket)
    cosines = dict(vectors.near(vector, at_least=params.ask_cosine)) if vectors is not None else {}
    found: list[Neighbour] = []
    for node in sorted({*same, *contained, *cosines}, key=lambda n: (graph.known[n].proofs[0].order, n)):
        known = graph.known[node]
        base = known.base
        if base.closure is not None or _slots_differ(candidate, base):
            continue
        if not same_time(candidate, base, at=draft.at, params=params):
            continue
        cosine = cosines.get(node)
        if cosine is None and vectors is not None:
            cosine = vectors.cosine(known.row, vector)
        found.append(Neighbour(base, cosine, same_words=node in same, contained=node in contained))
    return tuple(found)


def _unfit(candidate: Candidate, *, worth: bool, params: MatchingParams) -> str | None:
    """Why a candidate cannot become anything, whatever is known."""
    if not fingerprint(candidate.content).words:
        return "no_words"
    if candidate.confidence < params.reject_confidence:
        return "too_unsure"
    plain = candidate.type in _PLAIN and candidate.slot is None and candidate.due is None and not candidate.pinned
    if plain and not worth and candidate.importance < params.worth_importance:
        return "not_worth"
    return None


def _more_detail(candidate: Candidate, neighbour: Neighbour, *, at: datetime, params: MatchingParams) -> bool:
    node, cosine = neighbour.node, neighbour.cosine
    return (
        neighbour.contained
        and node.valence is candidate.valence
        and (cosine is None or cosine >= params.refine_cosine)
        and told_together(candidate, node, at=at, params=params)
        and detail_added(fingerprint(node.content), fingerprint(candidate.content), params=params)
    )


def _same_slot_value(draft: Draft, candidate: Candidate, *, about: str) -> NodeId | None:
    """The open statement that gives the slot this value already, the latest of them."""
    if candidate.slot is None:
        return None
    for node in reversed(draft.graph.by_slot.get((candidate.slot.key, about, draft.unit.audience), ())):
        base = draft.base(node)
        if (
            base.slot is not None
            and base.closure is None
            and base.type is candidate.type
            and base.polarity == candidate.polarity
            and mood(base.modality) == mood(candidate.modality)
            and slot_value(base.slot) == slot_value(candidate.slot)
        ):
            return node
    return None


def _slots_differ(candidate: Candidate, base: Node) -> bool:
    one, other = candidate.slot, base.slot
    if one is None or other is None:
        return (one is None) != (other is None)
    return one.key != other.key or slot_value(one) != slot_value(other)
