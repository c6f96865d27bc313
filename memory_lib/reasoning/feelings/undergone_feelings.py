"""What is done to the speaker ("it drives me mad") and stretches of life that are judged ("an awful day") (pure)."""

# ruff: noqa: C901, E501 - rules of language are lists of cases, word lists read best on long lines
from __future__ import annotations

from memory_lib.domain.candidates import Valence
from memory_lib.domain.clause import Clause, Who
from memory_lib.reasoning.feelings.feeling import Feeling, lemma_of
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, relation
from memory_lib.reasoning.words.feeling_idioms import DRIVEN, DRIVEN_TO
from memory_lib.reasoning.words.feeling_words import DONE_VERBS, EVALUATIONS, LIFE_NOUNS


def undergone(clause: Clause, tree: SentenceTree) -> Feeling | None:
    """As in "Marcus stresses me out", "it drives me mad", "меня трясёт": done to the speaker, by whomever."""
    head = clause.head
    token = tree[head]
    if token.pos != "VERB" or clause.subject.who is Who.ADDRESSEE or clause.negated:
        return None
    objects = tree.children(head, "obj", "iobj", "obl", "nsubj")
    if not any(
        tree[child].text.lower() in {"me", "us", "меня", "нас"}
        and (tree[child].text.lower() in {"me", "us"} or not tree.case(child))
        for child in (*objects, *(inner for c in tree.children(head, "ccomp", "xcomp") for inner in tree.children(c, "nsubj")))
    ):
        return None
    value = _lasting_value(tree, head)
    if value is None:
        return None
    return Feeling(
        Valence.POSITIVE if value > 0 else Valence.NEGATIVE, abs(value), head, named=True, idiom=True, undergone=True
    )  # fmt: skip


_TO_TEARS = frozenset("слеза истерика бешенство ручка срыв".split())
_BEYOND = {
    "выводить": frozenset({"себя"}),
    "вывести": frozenset({"себя"}),
    "доводить": _TO_TEARS,
    "довести": _TO_TEARS,
}
"""Verbs that touch the feelings only with these words: "выводит меня из себя", "довёл до слёз"."""
_ALSO_LITERAL = frozenset(
    """
    достать доставать touch bug трясти добить колотить тронуть please kill gut move calm support hurt поддержать
    успокоить убивать колоть греть согреть согревать загрузить грузить задеть задевать душить sicken cheer crush haunt trouble tire
    """.split()
)


def is_literal(tree: SentenceTree, head: int, lemma: str) -> bool:
    """As in "загрузил меня в машину", "hurt my knee": something is done to the body or to a thing."""
    if lemma not in _ALSO_LITERAL:
        return False
    return len(tree.children(head, "obj")) > 1 or any(
        tree.case(child) not in {"", "от", "with", "до"} for child in tree.children(head, "obl")
    )


def _lasting_value(tree: SentenceTree, head: int) -> float | None:
    lemma = tree[head].lemma.replace("ё", "е")
    particles = {tree[child].text.lower() for child in tree.children(head, "compound", "advmod", "obl", "xcomp")}
    for (verb, particle), rated in DRIVEN.items():
        if lemma == verb and particle in particles:
            return rated
    if lemma == "drive":
        below = {tree[i].lemma for i in tree.subtree(head)} | {tree[i].text.lower() for i in tree.subtree(head)}
        return -0.7 if below & DRIVEN_TO else None
    beyond = _BEYOND.get(lemma)
    if beyond is not None:
        return -0.7 if any({tree[i].lemma, tree.lowered(i)} & beyond for i in tree.subtree(head)) else None
    if is_literal(tree, head, lemma):
        return None
    return DONE_VERBS.get(lemma)


def evaluation(clause: Clause, tree: SentenceTree) -> tuple[int, float] | None:
    """The word that judges a day, a mood, a stretch of life, and its value: "had a terrible day"."""
    token = tree[clause.head]
    value = EVALUATIONS.get(lemma_of(tree, clause.head))
    subject = clause.subject.token
    judged = subject is not None and not clause.subject.inherited and tree[subject].lemma in LIFE_NOUNS
    if value is not None and judged:
        return clause.head, value
    if token.lemma in LIFE_NOUNS and (clause.kind.value == "nominal" or relation(token) in {"nsubj", "root"}):
        for child in tree.children(clause.head, "amod"):
            rated = EVALUATIONS.get(lemma_of(tree, child))
            if rated is not None:
                return child, rated
    if (
        subject is not None
        and not clause.subject.inherited
        and tree[subject].lemma in LIFE_NOUNS
        and clause.kind.value != "verb"
    ):
        for child in tree.children(subject, "amod"):
            rated = EVALUATIONS.get(lemma_of(tree, child))
            if rated is not None:
                return child, rated
    # "had a terrible day", "был ужасный день"
    for child in tree.children(clause.head, "obj", "nsubj", "xcomp"):
        if tree[child].lemma in LIFE_NOUNS and tree[clause.head].lemma in {"have", "be", "быть", "выдаться", "получиться"}:
            for inner in tree.children(child, "amod"):
                rated = EVALUATIONS.get(lemma_of(tree, inner))
                if rated is not None and child in clause.own:
                    return inner, rated
    return None
