"""People named by their place or trade: "Marcus, our sous-chef", "арт-директор Соня"."""

# ruff: noqa: C901, PLR0911 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Iterator

from memory_lib.domain.syntax import Token
from memory_lib.reasoning.people.people_by_relation import named_by_verb, someone_elses
from memory_lib.reasoning.people.person_evidence import introduces_self
from memory_lib.reasoning.people.person_mention import PersonMention
from memory_lib.reasoning.people.written_names import (
    CAPITALISED,
    LONGEST_ROLE,
    OWN,
    full_names_of,
    gender_of,
    is_name,
    is_pet,
    nominative,
    qualifier_of,
    whole_name,
)
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, relation
from memory_lib.reasoning.words.kinship_words import RELATIONS
from memory_lib.reasoning.words.role_words import INSTITUTIONS, PLACES, ROLES

_AGENT = re.compile(r"(?:ist|er|or|ant|man|woman|mate|smith|ee)$")


def people_by_role(tree: SentenceTree, number: int, people: set[int]) -> Iterator[PersonMention]:
    """As in "Marcus, our sous-chef", "арт-директор Соня", "our landlord Stan": the role is the relation, the name stays clean."""
    for index, token in enumerate(tree.tokens):
        if not _is_role(tree, index, people) or token.features.get("Number") == "Plur" or is_pet(tree, index):
            continue
        owned = any(
            tree[child].lemma in OWN or tree[child].text.lower() in {"my", "our"}
            for child in tree.children(index, "det", "nmod")
        )
        owned = owned or _owned_after(tree, index)
        definite = owned or any(tree[child].text.lower() == "the" for child in tree.children(index, "det"))
        name = _named_role(tree, index, people, owned=owned, definite=definite)
        if not name and owned:
            name = _own_named(tree, index, people)
        if not name or introduces_self(tree, name):
            continue
        first = index
        while (
            first > 0
            and tree[first - 1].text.lower() not in {"the", "my", "our"}
            and (
                tree[first - 1].head in range(first - 1, index + 1)
                and relation(tree[first - 1]) in {"amod", "compound", "punct", "advmod"}
                and tree[first - 1].text != ","
            )
        ):
            first -= 1
        words = _words_of(tree, first, index)
        if not words:
            continue
        said = [tree[i] for i in name]
        called = " ".join(nominative(word) for word in said)
        start, end = said[0].start, said[-1].end
        yield PersonMention(
            start, end, called, _tie_of(token), words, gender_of(said[0]), number, name[0], tuple(sorted({index, *name})),
            full_name=full_names_of(called, gender_of(said[0])), qualifier=qualifier_of(tree, name[0]),
        )  # fmt: skip


def _owned_after(tree: SentenceTree, index: int) -> bool:
    """As in "врач мой", "тренер наш": Russian puts it after the noun too, where the parser hangs it anywhere."""
    return tree.sentence.language == "ru" and index + 1 < len(tree.tokens) and tree[index + 1].lemma in {"мой", "наш"}


def _words_of(tree: SentenceTree, first: int, last: int) -> str:
    """The role in its own words; where it stands in another case than the nominative, by its lemma alone."""
    head = tree[last]
    if tree.sentence.language == "ru" and head.features.get("Case") not in {"Nom", None}:
        return head.lemma
    if tree.sentence.language == "ru" and first < last and tree[first].features.get("Case") not in {"Nom", None}:
        return head.text.lower()
    said = tree[first].text
    for place in range(first + 1, last + 1):
        said += (" " if tree[place].start > tree[place - 1].end else "") + tree[place].text
    return said.lower()


def _tie_of(token: Token) -> str:
    known = RELATIONS.get(token.lemma)
    return known[0] if known is not None else "role"


def _is_role(tree: SentenceTree, index: int, people: set[int]) -> bool:
    token = tree[index]
    last = token.lemma.rsplit("-", 1)[-1]
    said = token.text.lower().rsplit("-", 1)[-1]
    if last in ROLES or said in ROLES:
        return token.pos in {"NOUN", "PROPN", "ADJ"}
    if token.pos != "NOUN" or index in people or token.lemma in INSTITUTIONS | PLACES:
        return False
    if tree.sentence.language == "ru":
        return token.features.get("Animacy") == "Anim" and token.features.get("NameType") is None
    mine = any(tree[child].lemma in OWN or tree[child].text.lower() in OWN for child in tree.children(index, "det", "nmod"))
    return (mine or relation(token) == "appos") and _AGENT.search(token.lemma) is not None


def _own_named(tree: SentenceTree, index: int, people: set[int]) -> list[int]:
    """As in "My catcher's name is Bas", "сиделку мою зовут Нюра": the name said of the role."""
    above = tree[index].head
    if tree.sentence.language == "en" and above >= 0 and tree[above].lemma == "name" and tree[index].relation == "nmod:poss":
        for place in (tree[above].head, *tree.children(above, "attr", "appos", "nsubj")):
            if place >= 0 and place != index and is_name(tree, place, people):
                return whole_name(tree, place, people)
        later = [i for i in range(above + 1, min(len(tree.tokens), above + 4)) if is_name(tree, i, people)]
        return whole_name(tree, later[0], people) if later else []
    return named_by_verb(tree, index)


def _named_role(tree: SentenceTree, index: int, people: set[int], *, owned: bool, definite: bool) -> list[int]:
    """The name bound to that role: "Marcus, our sous-chef", "our landlord Stan", "завуч Тамара"."""
    token = tree[index]
    listed = bool({token.lemma.rsplit("-", 1)[-1], token.text.lower().rsplit("-", 1)[-1]} & ROLES)
    comma = index
    while comma > 0 and tree[comma].text != "," and index - comma < LONGEST_ROLE:
        comma -= 1
    before = comma - 1
    capital = owned and before == 0 and tree[0].pos == "NOUN" and CAPITALISED.match(tree[0].text) is not None
    if capital and tree.sentence.language == "ru":
        capital = False
    if comma > 0 and tree[comma].text == "," and definite and (is_name(tree, before, people) or capital):
        after = tree[index + 1].text if index + 1 < len(tree.tokens) else "."
        apposed = relation(token) == "appos" or token.head == before or (before in people and tree[before].head == token.head)
        if after in {",", ".", "!", "?", "…", ")"} and (apposed or (listed and owned)):
            return [before] if capital else whole_name(tree, before, people)
    place = index + 1
    if _owned_after(tree, index):
        place += 1
        if place + 1 < len(tree.tokens) and tree[place].text == ",":
            whole = whole_name(tree, place + 1, people) if is_name(tree, place + 1, people) else []
            last = whole[-1] + 1 if whole and whole[0] == place + 1 else len(tree.tokens)
            return whole if last < len(tree.tokens) and tree[last].text in {",", "."} else []  # "Врач мой, Зоя Фёдоровна, …"
    if place < len(tree.tokens) and tree[place].text == "," and owned:
        place += 1
    if place >= len(tree.tokens) or not is_name(tree, place, people) or someone_elses(tree, index, place):
        return []
    bound = tree[place].head == index or token.head == place or tree[place].head == token.head
    if not bound or tree[place].relation == "nmod:poss":
        return []
    if place > index + 1:
        closed = place + 1 < len(tree.tokens) and tree[place + 1].text in {",", "."}
        return whole_name(tree, place, people) if closed and listed else []
    if tree.sentence.language == "ru":
        agrees = tree[place].features.get("Case") == token.features.get("Case") or relation(tree[place]) in {"appos", "flat"}
        return whole_name(tree, place, people) if agrees and (listed or owned) else []
    return whole_name(tree, place, people) if owned and listed else []
