"""Whose claim a clause is (pure): what others say or think, and what was heard or read, is reported."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory_lib.domain.candidates import Modality
from memory_lib.domain.clause import Clause, Cue, Who
from memory_lib.reasoning.clauses.clause_links import with_modality
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark
from memory_lib.reasoning.words.reporting_words import HEARSAY, OPINION, SAYING

_OWN = frozenset({Who.SELF, Who.GROUP})
_SELF_WORDS = frozenset({"i", "we", "я", "мы"})


def report_cue(tree: SentenceTree, head: int, who: Who) -> Cue | None:
    """The word that makes the clause's complement somebody else's claim. ``who``: whom the clause is said of."""
    for verb in (head, *tree.children(head, "xcomp")):
        lemma = tree[verb].lemma
        if lemma in HEARSAY:
            others = bool(tree.children(verb, "ccomp"))
        elif who not in _OWN and lemma in SAYING | OPINION:
            others = bool(tree.children(verb, "ccomp")) or _claims_infinitive(tree, verb)
        else:
            continue
        if others:
            return Cue(tree[verb].start, tree[verb].end)
    return None


def _claims_infinitive(tree: SentenceTree, verb: int) -> bool:
    """As in "claims to have seen": with a subject of its own or a perfect; "told me to stop" is an order, no claim."""
    return any(
        tree.children(child, "nsubj")
        and any(tree[k].text.lower() in {"is", "are", "was", "'s", "'m", "am"} for k in tree.children(child))
        for child in tree.children(verb, "xcomp")
    )


def claimed_by(tree: SentenceTree, verb: int) -> int | None:
    """The predicate of what is claimed under a verb of saying or opinion, or None."""
    for member in (verb, *tree.children(verb, "xcomp")):
        claim = tree.child(member, "ccomp")
        if claim is not None:
            return claim
    return None


def with_reports(
    tree: SentenceTree, clauses: Sequence[Clause], glued: Mapping[int, int], positions: Mapping[int, int]
) -> list[Clause]:
    """The sentence's clauses; reported are those beside which a clause of saying stands without its own content.

    ``glued``: heads of asides and of the clauses that took them in ("Мама говорит, я ленивый").
    """
    labelled: dict[int, Cue] = {}
    for aside, host in glued.items():
        if tree[aside].lemma in SAYING | OPINION and _by_another(tree, aside):
            labelled[positions[host]] = Cue(tree[aside].start, tree[aside].end)
    for place, clause in enumerate(clauses):
        head = clause.head
        if (
            clause.subject.who in {*_OWN, Who.ADDRESSEE, Who.NONE}
            or clause.has(Modality.REPORTED)
            or clause.has(Modality.ASKED)
        ):
            continue
        if tree[head].lemma not in SAYING | OPINION or claimed_by(tree, head) is not None or tree.children(head, "obj"):
            continue
        cue = Cue(tree[head].start, tree[head].end)
        words = [k for k in clause.own if not is_mark(tree[k])]
        if words[-1] == head and place + 1 < len(clauses):
            labelled.setdefault(clauses[place + 1].index, cue)
        elif words[-1] == head and place > 0 and len(words) <= 4:  # "I'm far too thin, my mum says"
            labelled.setdefault(clauses[place - 1].index, cue)
    return [
        with_modality(clause, Modality.REPORTED, labelled[clause.index])
        if clause.index in labelled and not clause.has(Modality.REPORTED)
        else clause
        for clause in clauses
    ]


def _by_another(tree: SentenceTree, verb: int) -> bool:
    subjects = tree.children(verb, "nsubj")
    if subjects:
        return not any(tree[subject].lemma in _SELF_WORDS for subject in subjects)
    return tree[verb].features.get("Person") == "3" and tree[verb].lemma != "казаться"
