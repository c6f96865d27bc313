"""Likes, dislikes and languages, read off a clause."""

# ruff: noqa: C901, PLR0912, PLR0915 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Iterator

from memory_lib.domain.candidates import Slot
from memory_lib.domain.clause import Clause, Mark, PredicateKind, Tense, Who
from memory_lib.reasoning.slots.slot_values import experienced_by_me, phrase, slot
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, relation

_LONGEST_TASTE = 4
_LIKE = frozenset(["like", "love", "enjoy", "adore", "любить", "обожать", "нравиться"])
_DISLIKE = frozenset(["hate", "dislike", "detest", "loathe", "ненавидеть"])
_NO_TASTE = frozenset("it that this them you him her то это он она они ты что everything всё все hear see way idea".split())
_LANGUAGE_RU = re.compile(r"по-(\w+ски)|на (\w+(?:ском))")
LANGUAGES_EN = frozenset(
    """
    english german french spanish russian chinese japanese italian korean portuguese arabic hindi turkish polish dutch
    swedish mandarin
    """.split()
)


def taste_slots(clause: Clause, tree: SentenceTree) -> Iterator[Slot]:
    """As in "I love ramen", "терпеть не могу кинзу", "моё любимое блюдо — плов"."""
    head, token = clause.head, tree[clause.head]
    lemma = token.lemma
    folded_words = " ".join(tree[i].text.lower() for i in clause.own)
    if clause.subject.who is Who.ADDRESSEE:
        return
    key: str | None = None
    targets: list[int] = []
    if clause.language == "ru" and lemma in {"нравиться", "понравиться"}:
        somebody = clause.experiencer is not None and tree[clause.experiencer].pos in {"NOUN", "PROPN"}
        if not (experienced_by_me(clause, tree) or somebody) or lemma == "понравиться":
            return
        key = "like"
        targets = [*tree.children(head, "nsubj", "csubj", "xcomp")]
    elif lemma in _LIKE and clause.subject.who in {Who.SELF, Who.GROUP, Who.PERSON} and clause.tense is Tense.PRESENT:
        key = "like"
        targets = [*tree.children(head, "obj", "xcomp", "ccomp")]
    elif lemma in _DISLIKE and clause.tense is Tense.PRESENT and clause.subject.who in {Who.SELF, Who.GROUP, Who.PERSON}:
        key, targets = "dislike", [*tree.children(head, "obj", "xcomp")]
    elif re.search(
        r"\b(?:can't stand|cannot stand|ca n't stand|терпеть не могу|не могу терпеть|не переношу|не выношу|не перевариваю|не терплю)\b",
        folded_words,
    ):
        for verb in (head, *tree.children(head, "xcomp")):
            yield from (
                slot("dislike", phrase(tree, t))
                for t in tree.children(verb, "obj", "xcomp")
                if tree[t].lemma not in _NO_TASTE and tree[t].pos != "VERB"
            )
        return
    elif (lemma == "prefer" and clause.subject.who is Who.SELF and clause.tense is Tense.PRESENT) or (
        lemma == "предпочитать" and clause.tense is Tense.PRESENT
    ):
        key, targets = "like", [*tree.children(head, "obj", "xcomp")]
    elif lemma in {"crazy", "fan", "fond", "фанат", "фанатка", "поклонник"} and clause.subject.who is Who.SELF:
        key = "like"
        targets = [c for c in tree.children(head, "obl", "nmod") if tree.case(c) in {"about", "of", ""}]
    elif clause.subject.token is not None and not clause.subject.inherited and clause.kind is PredicateKind.NOMINAL:
        favourite = any(
            tree[c].lemma in {"favorite", "favourite", "любимый"} for c in tree.children(clause.subject.token, "amod")
        ) and any(
            tree[c].lemma in {"my", "мой"} or tree[c].text.lower() == "my"
            for c in tree.children(clause.subject.token, "det", "nmod")
        )
        if favourite and clause.tense is Tense.PRESENT:
            yield slot("like", phrase(tree, head))
        return
    elif clause.language == "ru" and any(tree[c].lemma == "любимый" for c in tree.children(head, "amod")):
        # "Моё любимое блюдо — плов": the dash stands for the copula and the parser makes it an aside.
        mine = any(tree[c].lemma == "мой" for c in tree.children(head, "det"))
        asides = [
            c for c in tree.children(head, "parataxis", "appos", "nsubj") if c > head and tree[c].pos in {"NOUN", "PROPN"}
        ]
        if mine and asides:
            yield slot("like", phrase(tree, asides[0]))
        return
    if key is None:
        return
    if clause.negated:
        key = "dislike" if key == "like" and clause.mark(Mark.NO_LONGER) is None else key
    for target in targets:
        below = tree[target]
        if below.lemma in _NO_TASTE or below.pos in {"PRON", "DET"} or (below.pos == "VERB" and tree.children(target, "nsubj")):
            continue
        if any(
            tree[c].lemma in {"how", "that", "when", "как", "что", "когда"} for c in tree.children(target, "mark", "advmod")
        ):
            continue
        if relation(below) in {"obj", "nsubj"} and any(
            tree[c].text.lower() in {"your", "that", "this", "эта", "этот", "это", "твой", "твоя"}
            for c in tree.children(target, "det", "nmod")
        ):
            continue
        if below.pos == "VERB":
            below_it = set(tree.subtree(target))
            words = [target]
            while words[-1] + 1 in below_it and tree[words[-1] + 1].pos != "PUNCT" and len(words) < _LONGEST_TASTE:
                words.append(words[-1] + 1)
            while len(words) > 1 and tree[words[-1]].pos in {"CCONJ", "ADP", "DET", "SCONJ"}:
                words.pop()
            yield slot(key, " ".join(tree[i].text for i in words))
        else:
            yield slot(key, phrase(tree, target))
            for also in tree.children(target, "conj"):
                yield slot(key, phrase(tree, also))


def language_slots(clause: Clause, tree: SentenceTree, folded: str) -> Iterator[Slot]:
    """As in "I speak Polish", "учу корейский"."""
    lemma = tree[clause.head].lemma
    if clause.kind is PredicateKind.FRAGMENT and clause.language == "ru" and len(clause.own) <= _LONGEST_TASTE:
        going_on = _LANGUAGE_RU.search(folded)  # "И по-фински чуть-чуть"
        if going_on is not None and going_on[1]:
            yield slot("language", going_on[1])
        return
    if clause.subject.who not in {Who.SELF, Who.PERSON, Who.GROUP}:
        return
    if clause.language == "en" and lemma in {"speak", "learn", "study"} and clause.tense is Tense.PRESENT:
        for child in tree.children(clause.head, "obj"):
            if tree[child].lemma in LANGUAGES_EN:
                yield slot("language", tree[child].text)
    elif clause.language == "ru" and lemma in {"говорить", "учить", "изучать", "знать"} and clause.tense is Tense.PRESENT:
        match = _LANGUAGE_RU.search(folded) if lemma == "говорить" else None
        if match is not None:
            stem = match[1] or match[2]
            yield slot("language", re.sub(r"(?:ски|ском)$", "ский", stem))
        elif lemma != "говорить":
            for child in tree.children(clause.head, "obj"):
                if tree[child].lemma.endswith("ский") or (tree[child].lemma == "язык" and tree.children(child, "amod")):
                    yield slot(
                        "language",
                        tree[child].lemma if tree[child].lemma != "язык" else tree[tree.children(child, "amod")[0]].lemma,
                    )
