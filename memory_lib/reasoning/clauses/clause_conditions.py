"""What holds only under a condition (pure): the clause that sets it, what follows from it, and what is joined to that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory_lib.domain.candidates import Modality
from memory_lib.domain.clause import Clause, Cue, LinkKind
from memory_lib.reasoning.clauses.clause_links import with_modality
from memory_lib.reasoning.clauses.modality import sets_condition
from memory_lib.reasoning.trees.sentence_tree import SentenceTree

_IF = frozenset({"если", "if", "unless"})
_JOINING = frozenset({"и", "а", "но", "and", "but", "so", "то"})
_AS = frozenset({"as", "even", "как"})


def with_conditions(tree: SentenceTree, clauses: Sequence[Clause], positions: Mapping[int, int]) -> list[Clause]:
    """The sentence's clauses, the conditional ones labelled. ``positions``: clause heads and numbers."""
    said = any(tree.lowered(index) in _IF for index in range(len(tree.tokens)))
    labelled = {
        other.link.parent: other.link.cue
        for other in clauses
        if other.link is not None and other.link.kind is LinkKind.CONDITION and other.has(Modality.CONDITIONAL) and not said
    }
    if said and sets_condition(_words(tree)):
        for index, token in enumerate(tree.tokens):
            if tree.lowered(index) not in _IF or (index > 0 and tree.lowered(index - 1) in _AS):
                continue
            cue = Cue(token.start, token.end)
            for number in _governed(tree, clauses, positions, index):
                labelled.setdefault(number, cue)
    if not labelled:
        return list(clauses)
    _join(clauses, labelled)
    return [
        with_modality(clause, Modality.CONDITIONAL, labelled[clause.index])
        if clause.index in labelled and not clause.has(Modality.CONDITIONAL)
        else clause
        for clause in clauses
    ]


def _words(tree: SentenceTree) -> str:
    return " ".join(tree.lowered(index) for index in range(len(tree.tokens)))


def _governed(tree: SentenceTree, clauses: Sequence[Clause], positions: Mapping[int, int], word: int) -> list[int]:
    """Numbers of the clause opened by that "if" and of the one that follows from it."""
    holder = next((clause for clause in clauses if word in clause.own), None)
    if holder is None:
        later = [clause for clause in clauses if clause.start > tree[word].start]
        holder = min(later, key=lambda clause: clause.start, default=None)
    if holder is None:
        return []
    after = next((clause.index for clause in clauses if clause.start > holder.start and clause.index != holder.index), None)
    opens = word == 0 or tree.lowered(word - 1) in _JOINING or not any(clause.start < holder.start for clause in clauses)
    if opens:
        return [holder.index] if after is None else [holder.index, after]
    for above in tree.ancestors(holder.head):
        number = positions.get(above)
        if number is not None and number != holder.index:
            return [holder.index, number]
    return [holder.index]


def _join(clauses: Sequence[Clause], labelled: dict[int, Cue]) -> None:
    """As in "if I get it, I'll buy a car and go south": what "and" joins in the same time holds under it too."""
    by_number = {clause.index: clause for clause in clauses}
    for clause in clauses:
        link = clause.link
        if link is None or link.kind is not LinkKind.AND or link.parent not in labelled or link.parent not in by_number:
            continue
        if by_number[link.parent].tense is clause.tense:
            labelled.setdefault(clause.index, labelled[link.parent])
