"""What a new statement ends (DESIGN §3, Two times): which of the older ones, how sure that is, and why.

The older statement is closed, never overwritten, and the newer one ``contradicts`` it. Two ways lead there. The **certain** one
reads structure: another value of a single-valued slot, a denial, an end told without a new value ("I quit"), the opposite
taste, another number of the same things, a correction of what was said. It closes. The **wide** one only looks whether a
statement said as new, or with another number, comes near an older one about the same (calibrated cosine); it closes nothing and
leaves a ``contradicts`` edge of low confidence. An unsure statement (hedged, reported) closes nothing either: it leaves the
older one disputed, until that is said again.

=======================  ===========================================================================================
``_by_slot``             another value of the slot, a denied value
``superseding``          what a statement takes back by its words: ends, opposite tastes, counts, corrections
``statement_index``      where statements with given words are found
=======================  ===========================================================================================
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.candidates import Candidate, EdgeType, Modality, NodeType
from memory_lib.domain.ids import NodeId
from memory_lib.policies.formation.draft import Draft
from memory_lib.policies.formation.superseding import Ending, proposals, taken_back
from memory_lib.policies.matching import UNSURE, slot_value

_DOUBTS = frozenset({Modality.HEDGED, Modality.REPORTED})
"""Said this way and no other, a new value is believed by halves: it puts the old one in doubt. Plans, wishes, questions and
fiction say nothing of what is so.
"""


_ENDS_NOTHING = frozenset({NodeType.PERSON, NodeType.OPEN_LOOP})
"""That something is still open takes nothing back."""
_INTENDED = frozenset({Modality.PLANNED})


def close_older(
    draft: Draft, node: NodeId, candidate: Candidate, vector: NDArray[np.float32] | None = None, *, about: str
) -> None:
    """Closes what the new ``node`` ends among the statements of its subject and audience, or casts doubt on it.

    ``vector``: the candidate's, calibrated, or None.
    """
    unsure = UNSURE.intersection(candidate.modality)
    if candidate.update.corrects or candidate.update.denied:
        unsure -= _INTENDED  # "the wedding is on 18 July, not in August": a plan put right is the plan from now on
    if candidate.type in _ENDS_NOTHING or not unsure <= _DOUBTS or candidate.attributes.get("tense") == "past":
        return
    _by_slot(draft, node, candidate, unsure=bool(unsure), about=about)
    if unsure:
        return
    endings = taken_back(draft, node, candidate, vector, about=about)
    for ending in endings:
        _end(draft, node, candidate, ending)
    if not endings:
        for ending in proposals(draft, node, candidate, vector, about=about):
            draft.link(node, ending.node, EdgeType.CONTRADICTS, ending.confidence, candidate.start, candidate.end, ending.rule)


def _by_slot(draft: Draft, node: NodeId, candidate: Candidate, *, unsure: bool, about: str) -> None:
    slot = candidate.slot
    if slot is None:
        return
    for other in draft.graph.by_slot.get((slot.key, about, draft.unit.audience), ()):
        base = draft.base(other)
        if other == node or base.closure is not None or base.slot is None or not base.polarity:
            continue
        if unsure and UNSURE.intersection(base.modality):
            continue  # two guesses stand beside each other
        same_value = slot_value(base.slot) == slot_value(slot)
        replaced = slot.single and not same_value and not candidate.update.adds
        if not (replaced if candidate.polarity else same_value):
            continue
        if unsure:
            draft.dispute(other, node, reason="unsure_new_value" if candidate.polarity else "unsure_denial")
            draft.link(node, other, EdgeType.CONTRADICTS, candidate.confidence, candidate.start, candidate.end, "slot.doubt/1")
            continue
        corrected = "corrected" if candidate.update.corrects else "new_value"
        reason = corrected if candidate.polarity else "denied"
        _end(draft, node, candidate, Ending(other, reason, "slot.update/1", candidate.confidence))
        for around in _holding(draft, other):
            if around != node:
                _end(draft, node, candidate, Ending(around, reason, "slot.within/1", candidate.confidence))


_TOLD_TOGETHER = ("job", "employer", "school", "city", "home")


def _holding(draft: Draft, part: NodeId) -> Iterator[NodeId]:
    """As in "I'm a chef at the Crown": the statement whose words hold that property's; it is true as a whole or not at all."""
    base, span = draft.base(part), draft.graph.known[part].proofs[0].span
    for key in _TOLD_TOGETHER:
        for other in draft.graph.by_slot.get((key, base.about, base.audience), ()):
            whole = draft.graph.known[other].proofs[0].span
            wider = whole.start <= span.start and span.end <= whole.end and (whole.start, whole.end) != (span.start, span.end)
            if wider and whole.message == span.message and draft.base(other).closure is None:
                yield other


def _end(draft: Draft, node: NodeId, candidate: Candidate, ending: Ending) -> None:
    if draft.base(ending.node).closure is None:
        draft.close(ending.node, node, valid_until=candidate.valid_from or draft.at.isoformat(), reason=ending.reason)
    draft.link(node, ending.node, EdgeType.CONTRADICTS, ending.confidence, candidate.start, candidate.end, ending.rule)
