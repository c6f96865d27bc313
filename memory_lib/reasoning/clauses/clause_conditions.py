"""What holds only under a condition (pure): the clause that sets it, what follows from it, and what is joined to that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from memory_lib.domain.candidates import Modality
from memory_lib.domain.clause import Clause, Cue, LinkKind, PredicateKind, Subject, Tense, Who
from memory_lib.reasoning.clauses.clause_links import with_modality
from memory_lib.reasoning.clauses.modality import sets_condition
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark

_IF = frozenset({"если", "if", "unless"})
_JOINING = frozenset({"и", "а", "но", "and", "but", "so", "то"})
_AS = frozenset({"as", "even", "как"})


def with_conditions(tree: SentenceTree, clauses: Sequence[Clause], positions: Mapping[int, int]) -> list[Clause]:
    """The sentence's clauses, the conditional ones labelled. ``positions``: clause heads and numbers."""
    said = any(tree.lowered(index) in _IF for index in range(len(tree.tokens)))
    held: dict[int, int] = {}
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
            governed = _governed(tree, clauses, positions, index)
            for number in governed:
                if not _holds_anyway(tree, clauses, governed, number):
                    labelled.setdefault(number, cue)
                elif number not in held:
                    held[number] = governed[0]
    if not labelled:
        return list(clauses)
    _join(clauses, labelled)
    clauses = _with_exceptions(tree, clauses, held)
    return [
        with_modality(clause, Modality.CONDITIONAL, labelled[clause.index])
        if clause.index in labelled and not clause.has(Modality.CONDITIONAL)
        else clause
        for clause in clauses
    ]


def _with_exceptions(tree: SentenceTree, clauses: Sequence[Clause], held: Mapping[int, int]) -> list[Clause]:
    """Habits with their conditions in their own words: "my daughter only sleeps if the hoover is on" is one thing."""
    found = {clause.index: clause for clause in clauses}
    for number, other in held.items():
        main, condition = found[number], found[other]
        between = range(main.own[-1] + 1, condition.own[0])
        if main.own[-1] >= condition.own[0] or any(not is_mark(tree[k]) and tree.lowered(k) not in _IF for k in between):
            continue
        words = (*main.own, *between, *condition.own)
        found[number] = replace(main, own=words, end=tree[words[-1]].end)
        head = tree[condition.head]
        found[other] = replace(
            condition,
            own=(condition.head,),
            start=head.start,
            end=head.end,
            kind=PredicateKind.FRAGMENT,
            subject=Subject(Who.NONE),
        )
    return [found[clause.index] for clause in clauses]


_NOT_A_HABIT = frozenset(
    """
    need want lose owe die fail leave quit win move go start marry divorce sell buy become end change hope wish prefer promise
    swear
    """.split()
)
"""Said in the present of what only may come: "I lose my job if they merge"."""


def _holds_anyway(tree: SentenceTree, clauses: Sequence[Clause], governed: Sequence[int], number: int) -> bool:
    """As in "I cycle in unless it's icy", "a view of the pier if you lean": a present habit, told before its exception."""
    main = next((clause for clause in clauses if clause.index == number), None)
    condition = next((clause for clause in clauses if clause.index == governed[0]), None)
    if tree.sentence.language != "en" or main is None or condition is None or main is condition or main.start > condition.start:
        return False
    return is_habit_with_condition(tree, main, condition.tense, generic=condition.subject.who is Who.ADDRESSEE)


def is_habit_with_condition(tree: SentenceTree, main: Clause, tense: Tense, *, generic: bool) -> bool:
    """Whether the clause tells of the present as it is. ``tense``: of the condition; ``generic``: it is said of any "you"."""
    if main.tense is not Tense.PRESENT or tense not in {Tense.PRESENT, Tense.NONE}:
        return False
    if any(main.has(found) for found in (Modality.PLANNED, Modality.WISHED, Modality.HEDGED, Modality.ASKED)):
        return False
    head = tree[main.head]
    modal = [tree[child] for child in tree.children(main.head, "aux")]
    if any(token.lemma in _MODALS for token in modal):
        return False
    if generic:
        return True
    doing = head.pos == "VERB" and not head.text.lower().endswith("ing") and head.lemma not in _NOT_A_HABIT
    return doing and not modal


_MODALS = frozenset("can could will would shall should may might must 'll 'd".split())


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
