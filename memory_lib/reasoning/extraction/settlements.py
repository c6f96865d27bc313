"""What settles something left open: "renewed my licence", "Gearbox arrived!", "справка не нужна" (pure).

Only how, and by which words, is read here. Whether there is an open loop that these words settle is looked for in formation,
among everything the person ever left open.
"""

from __future__ import annotations

from dataclasses import replace

from memory_lib.domain.candidates import Candidate, Modality, NodeType, Settling, Update
from memory_lib.domain.clause import Clause, Tense, Who
from memory_lib.reasoning.extraction.reading import Draft, Reading
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark
from memory_lib.reasoning.words.content_words import EMPTY_LEMMAS
from memory_lib.reasoning.words.settlement_words import ARRIVING, DECIDED_ALONE, DECIDING, DROPPED, RECEIVING, STILL_OPEN

_NOT_SO = frozenset(
    {
        Modality.HEDGED, Modality.WISHED, Modality.ORDERED, Modality.ASKED, Modality.CONDITIONAL, Modality.QUOTED,
        Modality.FICTIONAL, Modality.JOKING,
    }
)  # fmt: skip
_TELLING = frozenset({NodeType.FACT, NodeType.EVENT, NodeType.EMOTIONAL_NOTE})
_WORDY = frozenset({"NOUN", "PROPN", "VERB", "ADJ", "X", "AUX"})


def read_settlements(reading: Reading) -> None:
    """Marks the drafts that may settle something, with the lemmas to look for."""
    decided = {clause.sentence for clause in reading.clauses if decided_alone(clause, reading.words(clause))}
    for number, draft in enumerate(reading.drafts):
        if draft.clause is None or draft.candidate.type not in _TELLING:
            continue
        tree = reading.trees[draft.clause.sentence]
        how = _settling(reading, draft, tree) if tree.sentence.has_tree else None
        if how is None and draft.clause.sentence in decided and not _NOT_SO.intersection(draft.candidate.modality):
            how = Settling.DECIDED  # "I've decided, I'm keeping her"
        if how is not None:
            reading.drafts[number].candidate = _marked(draft.candidate, how, _lemmas(draft.candidate, tree))


def settles_alone(clause: Clause, words: str, tree: SentenceTree) -> bool:
    """Whether a clause as short as "Передумали", "I've decided", "Gearbox arrived" may settle what was left open before."""
    folded = fold(words)
    if any(clause.has(modality) for modality in _NOT_SO) or clause.subject.who is Who.ADDRESSEE:
        return False
    arrived = clause.tense is Tense.PAST and tree[clause.head].lemma in ARRIVING and not clause.negated
    if arrived and clause.subject.who in {Who.THING, Who.OTHERS} and not STILL_OPEN[clause.language].search(folded):
        return True
    if _is_through(tree, clause) and not STILL_OPEN[clause.language].search(folded):
        return True
    told = DROPPED[clause.language].search(folded) is not None or decided_alone(clause, words)
    return told and clause.subject.who is not Who.PERSON


def decided_alone(clause: Clause, words: str) -> bool:
    """As in "I've decided": that it is settled, without saying how."""
    return DECIDED_ALONE[clause.language].search(fold(words)) is not None


def _marked(candidate: Candidate, how: Settling, lemmas: tuple[str, ...]) -> Candidate:
    update: Update = replace(candidate.update, settles=how, settled=lemmas)
    return replace(candidate, update=update)


def _settling(reading: Reading, draft: Draft, tree: SentenceTree) -> Settling | None:  # noqa: PLR0911 - a way a line
    clause = draft.clause
    assert clause is not None
    if any(clause.has(modality) for modality in _NOT_SO):
        return None
    folded = fold(reading.words(clause))
    if DROPPED[clause.language].search(folded):
        return Settling.DROPPED
    if clause.negated or STILL_OPEN[clause.language].search(folded):
        return None
    lemmas = {tree[index].lemma for index in clause.own}
    mine = clause.subject.who in {Who.SELF, Who.GROUP, Who.NONE}
    if lemmas & DECIDING and mine and clause.tense is not Tense.FUTURE:
        return Settling.DECIDED
    if clause.has(Modality.PLANNED) or clause.tense is Tense.FUTURE:
        return None
    if lemmas & ARRIVING and (not mine or lemmas & RECEIVING):
        return Settling.ARRIVED
    finished = clause.tense is Tense.PAST or clause.perfect or _participle(tree, clause) or _is_through(tree, clause)
    return Settling.DONE if finished else None


def _is_through(tree: SentenceTree, clause: Clause) -> bool:
    """As in "The car's through its MOT", "the form's in": what is said to be behind one."""
    head = tree[clause.head]
    if clause.language != "en" or clause.negated or clause.subject.who is not Who.THING:
        return False
    being = head.lemma == "be" or any(tree[child].lemma == "be" for child in tree.children(clause.head, "cop"))
    return being and any(tree.lowered(index) in {"through", "done", "sorted", "finished", "over"} for index in clause.own)


def _participle(tree: SentenceTree, clause: Clause) -> bool:
    """As in "подписано", "licence renewed"."""
    head = tree[clause.head]
    return head.features.get("VerbForm") == "Part" and head.features.get("Tense", "Past") == "Past"


def _lemmas(candidate: Candidate, tree: SentenceTree) -> tuple[str, ...]:
    found = [
        token.lemma
        for token in tree.tokens
        if candidate.start <= token.start < candidate.end
        and not is_mark(token)
        and token.pos in _WORDY
        and token.lemma not in EMPTY_LEMMAS
        and token.lemma not in DECIDING
    ]
    return tuple(dict.fromkeys(found))
