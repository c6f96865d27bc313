"""Pets and family, read off a clause."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

from collections.abc import Iterator

from memory_lib.domain.candidates import Slot
from memory_lib.domain.clause import Clause, Tense, Who
from memory_lib.reasoning.people.person_evidence import names_pet
from memory_lib.reasoning.slots.slot_values import experienced_by_me, nominative, slot
from memory_lib.reasoning.trees.sentence_tree import SentenceTree
from memory_lib.reasoning.words.kinship_words import RELATIONS
from memory_lib.reasoning.words.pet_words import PETS


def belonging_slots(clause: Clause, tree: SentenceTree) -> Iterator[Slot]:
    """Pets and family one has, or speaks of as one's own."""
    head, token = clause.head, tree[clause.head]
    if token.lemma in {"die", "умереть", "lose", "потерять", "погибнуть"} or (
        (
            clause.tense is Tense.PAST
            and token.lemma not in {"adopt", "get", "rescue", "завести", "взять", "купить", "родиться"}
            and token.lemma in {"have", "own", "быть"}
        )
        or (clause.tense is Tense.PAST and tree.children(head, "cop"))
    ):
        return  # no longer so
    has = token.lemma in {"have", "adopt", "get", "own", "rescue", "завести", "взять", "купить"} and clause.subject.who in {
        Who.SELF,
        Who.GROUP,
    }
    at_me = experienced_by_me(clause, tree) and clause.language == "ru"
    nouns: list[int] = []
    if has:
        nouns = list(tree.children(head, "obj"))
    if at_me:
        nouns += [*tree.children(head, "nsubj"), head]
    for noun in nouns:
        for item in (noun, *tree.children(noun, "conj")):
            below = tree[item]
            if below.lemma in PETS and token.lemma != "see":
                yield slot("pet", _pet_name(tree, item) or below.lemma)
            elif below.lemma in RELATIONS and RELATIONS[below.lemma][0] in {
                "mother", "father", "sister", "brother", "daughter", "son", "child", "wife", "husband", "partner", "girlfriend", "boyfriend",
                "grandmother", "grandfather", "twin", "fiance", "fiancee", "grandchild", "niece", "nephew",
            } and (token.lemma in {"have", "есть", "быть", "родиться", "нет"} or item == head or token.pos == "PRON"):  # fmt: skip
                yield slot("family", below.lemma if clause.language == "ru" else below.text.lower())
    subject = clause.subject.token
    if subject is not None and not clause.subject.inherited and tree[subject].lemma not in PETS and names_pet(tree, subject):
        yield slot("pet", nominative(tree[subject]))
    if (
        subject is not None
        and not clause.subject.inherited
        and tree[subject].lemma in PETS
        and any(
            tree[c].lemma in {"my", "our", "мой", "наш"} or tree[c].text.lower() in {"my", "our"}
            for c in tree.children(subject, "det", "nmod", "amod")
        )
    ):
        yield slot("pet", _pet_name(tree, subject) or tree[subject].lemma)


def _pet_name(tree: SentenceTree, index: int) -> str | None:
    following = range(index + 1, min(index + 5, len(tree.tokens)))
    for place in following:
        word = tree[place]
        if word.text.lower() in {"named", "called", "зовут", "по", "кличке", "имени", ","}:
            continue
        if word.text[:1].isupper() and word.pos in {"PROPN", "NOUN", "X"}:
            return word.text if word.features.get("Case") == "Nom" or word.text.isascii() else nominative(word)
        return None
    return None
