"""Relations that the words of a message state: order, repetition, contradiction, who is named where."""

from __future__ import annotations

from memory_lib.domain.candidates import EdgeType, NodeType, Slot
from memory_lib.domain.clause import Clause, Cue, LinkKind, Mark
from memory_lib.domain.ids import MessageId
from memory_lib.reasoning.clauses.modality import FORMERLY
from memory_lib.reasoning.extraction.reading import Reading, same_speaker
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import is_mark
from memory_lib.reasoning.words.content_words import content_words


def relate_persons(reading: Reading) -> None:
    """Person ↔ each clause that names the person, carried by the person's words in it."""
    for mention in reading.mentions:
        person = reading.person_index(reading.key(mention))
        if person is None:
            continue
        for clause_index, number in list(reading.by_clause.items()):
            clause = reading.clauses[clause_index]
            inside = clause.sentence == mention.sentence and mention.token in clause.own
            if inside and number < len(reading.drafts):
                reading.relate(
                    number,
                    person,
                    EdgeType.ASSOCIATED_WITH,
                    reading.params.confidence_relation,
                    mention.start,
                    mention.end,
                    "associated_with.named/1",
                )
        for number, draft in enumerate(reading.drafts):
            candidate = draft.candidate
            told = draft.clause is None and draft.mention is None and (candidate.pinned or candidate.rule == "fact.answer/1")
            if told and candidate.start <= mention.start and mention.end <= candidate.end:
                reading.relate(
                    number,
                    person,
                    EdgeType.ASSOCIATED_WITH,
                    reading.params.confidence_relation,
                    mention.start,
                    mention.end,
                    "associated_with.named/1",
                )


def relate_order(reading: Reading) -> None:
    """Adds ``followed_by`` edges, later to earlier, where a word says so."""
    for clause in reading.clauses:
        here = reading.by_clause.get(clause.index)
        link = clause.link
        if here is None:
            continue
        if link is not None and link.kind in {LinkKind.AFTER, LinkKind.BEFORE}:
            there = reading.by_clause.get(link.parent)
            if there is not None:
                later, earlier = (there, here) if link.kind is LinkKind.AFTER else (here, there)
                reading.relate(
                    later,
                    earlier,
                    EdgeType.FOLLOWED_BY,
                    reading.params.confidence_relation,
                    link.cue.start,
                    link.cue.end,
                    f"followed_by.{link.kind.value}/1",
                )
            continue
        cue = clause.mark(Mark.THEN)
        if cue is None or reading.drafts[here].candidate.type is not NodeType.EVENT:
            continue
        target: int | MessageId | None = next(
            (
                place
                for earlier_clause in reversed(reading.clauses[: clause.index])
                if (place := reading.by_clause.get(earlier_clause.index)) is not None
                and reading.drafts[place].candidate.type is NodeType.EVENT
            ),
            None,
        )
        if target is None:
            target = next((m.id for m in reversed(reading.unit.before) if same_speaker(m, reading.message)), None)
        if target is not None:
            reading.relate(
                here,
                target,
                EdgeType.FOLLOWED_BY,
                reading.params.confidence_relation,
                cue.start,
                cue.end,
                "followed_by.then/1",
            )


def relate_repeats(reading: Reading) -> None:
    """As in "снова", "больше не", "actually" over an earlier statement of the session with the same content words."""
    for clause_index, number in list(reading.by_clause.items()):
        clause = reading.clauses[clause_index]
        candidate = reading.drafts[number].candidate
        again = clause.mark(Mark.AGAIN)
        denies = clause.mark(Mark.NO_LONGER) or clause.mark(Mark.ACTUALLY)
        correction = _correction_cue(reading, clause)
        within = _within_message(reading, clause, number)
        if within is not None:
            place, cue = within
            reading.relate(
                place,
                number,
                EdgeType.CONTRADICTS,
                reading.params.confidence_relation,
                cue.start,
                cue.end,
                "contradicts.contrast/1",
            )
            continue
        if again is None and denies is None and correction is None:
            continue
        words = content_words(reading.lemmas(clause))
        target = _best_earlier(reading, words)
        if again is not None and denies is None:
            if target is not None:
                reading.relate(
                    number,
                    target,
                    EdgeType.REINFORCES,
                    reading.params.confidence_judged,
                    again.start,
                    again.end,
                    "reinforces.again/1",
                )
            continue
        stated = denies or correction
        if target is None and candidate.slot is not None:
            target = _same_slot(reading, candidate.slot)
        if target is not None and stated is not None:
            reading.relate(
                number,
                target,
                EdgeType.CONTRADICTS,
                reading.params.confidence_judged,
                stated.start,
                stated.end,
                "contradicts.stated/1",
            )


def _correction_cue(reading: Reading, clause: Clause) -> Cue | None:
    """As in "Нет, …", "No, …" right before the clause."""
    sentence = reading.trees[clause.sentence].sentence
    first = next((token for token in sentence.tokens if not is_mark(token)), None)
    if (
        first is not None
        and first.text.lower() in {"нет", "no", "nope", "не"}
        and first.end <= clause.end
        and clause.start - first.start < 12
    ):
        return Cue(first.start, first.end)
    return None


def _within_message(reading: Reading, clause: Clause, number: int) -> tuple[int, Cue] | None:
    """As in "I used to …, but now …": the new statement contradicts the old one beside it."""
    folded = fold(reading.words(clause))
    if FORMERLY.search(folded):
        for later in reading.clauses[clause.index + 1 : clause.index + 2]:
            place = reading.by_clause.get(later.index)
            cue = later.mark(Mark.NOW)
            if cue is None and later.link is not None and later.link.kind is LinkKind.CONTRAST:
                cue = later.link.cue
            if place is not None and cue is not None and place != number:
                return place, cue
    return None


def _best_earlier(reading: Reading, words: frozenset[str]) -> MessageId | None:
    best, best_share = None, reading.params.overlap
    for said in reading.earlier:
        message, earlier = said.message, said.words
        shared = words & earlier
        size = min(len(words), len(earlier))
        if size and shared and len(shared) / size >= best_share and (len(shared) >= 2 or size == 1):
            best, best_share = message, len(shared) / size
    return best


def _same_slot(reading: Reading, slot: Slot) -> MessageId | None:
    if not slot.single:
        return None
    for said in reversed(reading.earlier):
        if said.slots.get(slot.key, slot.value) != slot.value:
            return said.message
    return None
