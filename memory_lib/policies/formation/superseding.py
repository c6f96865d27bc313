"""What a statement takes back by its words: ends, opposite tastes, other counts, corrections; and what it may take back."""

# ruff: noqa: C901, PLR0911 - a kind of correction a line
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.candidates import OTHERS, SELF, Candidate, Modality, NodeType
from memory_lib.domain.ids import NodeId
from memory_lib.domain.node import Node
from memory_lib.policies.formation.draft import Draft
from memory_lib.policies.matching import UNSURE
from memory_lib.policies.statement_words import StatementWords, akin, counts_differ, is_measure, overlap, swapped

_US = 1_000_000
_OPPOSITE = {"like": "dislike", "dislike": "like"}
_STATEMENTS = frozenset({NodeType.FACT, NodeType.EVENT, NodeType.OPEN_LOOP})
_ELLIPTIC = 3
"""Content words of a correction that leaves out what it is said of."""
_NOT_MEANT = UNSURE - {Modality.HEDGED, Modality.PLANNED, Modality.WISHED, Modality.REPORTED}


@dataclass(frozen=True, slots=True)
class Ending:
    """One older statement that ends: why, by which rule, how sure."""

    node: NodeId
    reason: str
    rule: str
    confidence: float


def taken_back(
    draft: Draft, node: NodeId, candidate: Candidate, vector: NDArray[np.float32] | None, *, about: str
) -> tuple[Ending, ...]:
    """What certainly ends, each statement once, in the order it was said."""
    found: dict[NodeId, Ending] = {}
    for ending in (
        *_slots_over(draft, node, candidate, about=about),
        *_things_over(draft, node, candidate, about=about),
        *_tastes(draft, node, candidate, about=about),
        *_counts(draft, node, candidate, vector, about=about),
        *_corrected(draft, node, candidate, vector, about=about),
    ):
        found.setdefault(ending.node, ending)
    return tuple(sorted(found.values(), key=lambda e: (draft.graph.known[e.node].proofs[0].order, e.node)))


def proposals(
    draft: Draft, node: NodeId, candidate: Candidate, vector: NDArray[np.float32] | None, *, about: str
) -> tuple[Ending, ...]:
    """The older statement that a change, or another number, may speak against: the nearest, if it comes near enough."""
    graph, params = draft.graph, draft.graph.params.closing
    new = graph.statements.words(draft.base(node))
    if vector is None or candidate.type is not NodeType.FACT or candidate.update.adds or new.adds or new.former:
        return ()
    known = graph.known[node]
    best: tuple[float, NodeId] | None = None
    for other, cosine in graph.vectors[known.bucket].near(vector, at_least=params.propose_cosine):
        base = draft.base(other)
        if other == node or not _stands(draft, base, about=about) or base.type is not NodeType.FACT:
            continue
        if graph.statements.words(base).stems == new.stems:
            continue
        if not candidate.update.changes and not counts_differ(graph.statements.words(base), new):
            continue
        if best is None or (cosine, other) > best:
            best = cosine, other
    return () if best is None else (Ending(best[1], "proposed", "update.near/1", params.propose_confidence),)


# -- certain ends ------------------------------------------------------------------------------------------------------------


def _slots_over(draft: Draft, node: NodeId, candidate: Candidate, *, about: str) -> Iterator[Ending]:
    """As in "I quit my job", "мы расстались": the property has no value any more."""
    for key in candidate.update.slots:
        for other in draft.graph.by_slot.get((key, about, draft.unit.audience), ()):
            base = draft.base(other)
            if other != node and base.polarity and _stands(draft, base, about=about):
                yield Ending(other, "over", "slot.over/1", candidate.confidence)


def _things_over(draft: Draft, node: NodeId, candidate: Candidate, *, about: str) -> Iterator[Ending]:
    """As in "I sold the car": what was said of having or doing it is true no longer."""
    index, params = draft.graph.statements, draft.graph.params.closing
    for stem in index.stems(candidate.update.ended):
        for other in sorted(index.holding(stem, kin=True)):
            base = draft.base(other)
            if other == node or not base.polarity or not _stands(draft, base, about=about):
                continue
            words = index.words(base)
            lasting = base.type is NodeType.FACT and not words.former
            if lasting and (base.slot is not None or len(words.stems) <= params.longest_ended):
                yield Ending(other, "over", "thing.over/1", candidate.confidence)


def _tastes(draft: Draft, node: NodeId, candidate: Candidate, *, about: str) -> Iterator[Ending]:
    """Love then hate of one dish: the newer taste stands."""
    slot = candidate.slot
    if slot is None or slot.key not in _OPPOSITE or not candidate.polarity:
        return
    index = draft.graph.statements
    new = frozenset(index.stems([slot.value]))
    for other in draft.graph.by_slot.get((_OPPOSITE[slot.key], about, draft.unit.audience), ()):
        base = draft.base(other)
        if other != node and base.slot is not None and base.polarity and _stands(draft, base, about=about):
            old = frozenset(index.stems([base.slot.value]))
            if old and old == new:
                yield Ending(other, "new_value", "taste.turned/1", candidate.confidence)


def _counts(
    draft: Draft, node: NodeId, candidate: Candidate, vector: NDArray[np.float32] | None, *, about: str
) -> Iterator[Ending]:
    """As in "I have 3 cats", "now we've five cats": the same things, another number."""
    index = draft.graph.statements
    new = index.words(draft.base(node))
    if not new.numbers or new.former or new.adds or candidate.update.adds or not candidate.polarity:
        return
    for other in sorted(index.sharing(new.quantities) | index.with_all(new.named())):
        base = draft.base(other)
        if other == node or not base.polarity or not _stands(draft, base, about=about):
            continue
        old = index.words(base)
        if not old.former and _one_count(draft, base, old, candidate, new, vector):
            yield Ending(other, "new_count", "count.update/1", candidate.confidence)


def _one_count(
    draft: Draft,
    base: Node,
    old: StatementWords,
    candidate: Candidate,
    new: StatementWords,
    vector: NDArray[np.float32] | None,
) -> bool:
    """Whether two statements count one thing, with different numbers. What happened on one day and on another are two."""
    units = counts_differ(old, new)
    lasting = base.type is NodeType.FACT and candidate.type is NodeType.FACT
    if not units:
        # "my shop opens at nine", "... at ten now": all the words again, and another number
        same = lasting and bool(old.numbers) and not old.numbers & new.numbers and old.named() == new.named()
        return same and (candidate.update.changes or len(old.named()) > 1) and not (old.weekdays or old.dates or new.dates)
    going_on = old.running and new.running
    if not (lasting or going_on):
        return False
    if old.weekdays or new.weekdays or old.dates or new.dates:
        return False
    cosine = draft.graph.cosine(base.id, vector)
    near = cosine is not None and cosine >= draft.graph.params.closing.count_cosine
    beside = overlap(old.things, new.things)
    if all(is_measure(unit) for unit in units):
        told_anew = candidate.update.changes or len(old.things & new.things) > 1
        return (near and beside > 0) or (beside >= 1 and told_anew)
    apart = bool(old.things) and bool(new.things) and not old.things & new.things
    return near or not apart


def _corrected(
    draft: Draft, node: NodeId, candidate: Candidate, vector: NDArray[np.float32] | None, *, about: str
) -> Iterator[Ending]:
    """As in "no, I said Lisbon", "не в среду, а в пятницу": the statement that the correction puts right."""
    update, index = candidate.update, draft.graph.statements
    if not update.corrects and not update.denied:
        return
    new = index.words(draft.base(node))
    denied = index.stems(update.denied)
    holders = index.sharing(new.stems)
    if denied:
        holders |= index.holding(denied[0], kin=True)
    if update.corrects:
        holders |= set(draft.graph.since(draft.unit.message.at_us - int(draft.graph.params.closing.near_s * _US)))
        near = draft.graph.vectors[draft.graph.known[node].bucket].near(
            vector, at_least=draft.graph.params.closing.correction_cosine
        )
        holders |= {other for other, _ in near}
    if not denied and len(new.stems) <= _ELLIPTIC and _said_before(draft, candidate, new):
        return
    value_only = len(new.stems) <= _BARE and bool(new.weekdays or new.dates or (new.numbers and not new.quantities))
    earlier = candidate.start if value_only else None  # "Мне к врачу в среду. Ой, в четверг"
    ranked: list[tuple[float, tuple[int, str, int, int], NodeId, bool]] = []
    for other in holders:
        base = draft.base(other)
        if other == node or base.type not in _STATEMENTS or not _stands(draft, base, about=about, loosely=True, before=earlier):
            continue
        score, certain = _put_right(draft, base, index.words(base), candidate, new, denied, vector)
        if score > 0:
            ranked.append((score, draft.graph.known[other].proofs[0].order, other, certain))
    ranked.sort(reverse=True)
    for place, (_, _, other, certain) in enumerate(ranked):
        if place == 0 or certain:
            yield Ending(other, "corrected", "correction.denied/1" if certain else "correction.swapped/1", candidate.confidence)


def _put_right(
    draft: Draft,
    base: Node,
    old: StatementWords,
    candidate: Candidate,
    new: StatementWords,
    denied: tuple[str, ...],
    vector: NDArray[np.float32] | None,
) -> tuple[float, bool]:
    """How well a correction fits an older statement (0: not at all), and whether it names what was wrong in it."""
    params = draft.graph.params.closing
    gap = (draft.unit.message.at_us - draft.graph.known[base.id].proofs[0].at_us) / _US
    near_in_time = 0 <= gap <= params.near_s
    shared = old.stems & new.stems
    if denied and all(any(akin(stem, word) for stem in old.stems) for word in denied):
        if base.polarity and (near_in_time or shared):
            return 10.0 + len(shared) + near_in_time, True
        return 0.0, False
    if not candidate.update.corrects or (old.stems <= new.stems and not swapped(old, new)):
        return 0.0, False
    if base.polarity != candidate.polarity and overlap(old.stems, new.stems) >= params.overlap and near_in_time:
        return 5.0 + len(shared), False
    timed = bool((old.weekdays and new.weekdays) or (old.dates and new.dates))
    other_thing = not timed and bool(
        {q for q in new.quantities if not is_measure(q)} - old.stems
    )  # "three dogs", after two cats
    bare = len(new.stems) <= _BARE and near_in_time and not other_thing and _years(old.numbers) == _years(new.numbers)
    if swapped(old, new) and (shared or bare):
        return 6.0 + len(shared) + near_in_time, False
    if near_in_time and len(new.stems) <= _ELLIPTIC and new.stems - old.stems:
        another_time = base.due is not None and candidate.due is not None and base.due != candidate.due
        if another_time or (new.opens and new.opens in old.prepositions and base.type is candidate.type):
            return 2.0 + 1.0 / (1.0 + gap), False  # "из Архангельска": the last statement with such an argument
    if (
        near_in_time
        and not denied
        and _one_name(candidate)
        and base.slot is not None
        and base.slot.single
        and base.slot.value[:1].isupper()
    ):
        return 4.0 + 1.0 / (1.0 + gap), False  # "no, Lisbon": the last property whose value is a name
    cosine = draft.graph.cosine(base.id, vector)
    alike = base.topic is candidate.topic or (
        base.slot is not None and candidate.slot is not None and base.slot.key == candidate.slot.key
    )
    if cosine is not None and cosine >= params.correction_cosine and alike and new.stems - old.stems:
        return 3.0 + cosine, False
    if near_in_time and shared and new.stems - old.stems and overlap(old.stems, new.stems) >= params.overlap:
        return 1.0 + overlap(old.stems, new.stems), False
    return 0.0, False


def _said_before(draft: Draft, candidate: Candidate, new: StatementWords) -> bool:
    """As in "no, 38", answered to an assistant who took it for 48: the value stands in a statement of a moment ago."""
    index, near = draft.graph.statements, draft.unit.message.at_us - int(draft.graph.params.closing.near_s * _US)
    for other in draft.graph.since(near):
        base = draft.base(other)
        if base.type not in _STATEMENTS or draft.graph.known[other].proofs[0].span.message == draft.unit.message.id:
            continue
        old = index.words(base)
        if base.closure is None and (
            (new.numbers and new.numbers <= old.numbers)
            or (not new.numbers and new.stems and new.stems <= old.stems and _one_name(candidate))
        ):
            return True
    return False


def _one_name(candidate: Candidate) -> bool:
    """Whether the correction is nothing but a name."""
    words = [word for word in candidate.content.replace(",", " ").split() if word.strip(".!?")]
    return len(words) <= _NAME_WORDS and all(word[:1].isupper() for word in words)


_NAME_WORDS = 2
_BARE = 2
"""Content words of a correction that is nothing but its value."""
_FIRST_YEAR, _LAST_YEAR = 1000, 2100


def _years(numbers: frozenset[int]) -> bool:
    """Whether one of them may be a year: that is never put right by another number."""
    return any(_FIRST_YEAR <= number <= _LAST_YEAR for number in numbers)


def _stands(draft: Draft, base: Node, *, about: str, loosely: bool = False, before: int | None = None) -> bool:
    """Whether that statement is open, of the same subject and audience, meant as such, and not of this very message.

    ``loosely``: a correction may leave its subject out ("it's on 18 July"), so that it seems to be of the person.
    ``before``: what the same message said before that place counts too.
    """
    if base.closure is not None or base.audience != draft.unit.audience or _NOT_MEANT.intersection(base.modality):
        return False
    span = draft.graph.known[base.id].proofs[0].span
    if span.message == draft.unit.message.id and (before is None or span.end > before):
        return False
    return base.about == about or (loosely and not {about, base.about}.isdisjoint((SELF, OTHERS)))
