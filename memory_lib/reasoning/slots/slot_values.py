"""What fills a property: the phrase as it is kept, and the slots that take one value at a time."""

from __future__ import annotations

import re
from itertools import pairwise

from memory_lib.domain.candidates import Slot
from memory_lib.domain.clause import Clause, PredicateKind, Tense
from memory_lib.domain.syntax import Token
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, relation

SINGLE = frozenset({"name", "age", "job", "employer", "city", "birthday", "school", "home", "origin", "relationship", "diet"})
_OWN = "own "
"""Keys of what the words call one's own ("own phone") begin so; each has one value."""
_LONGEST_TASTE = 4


def slot(key: str, value: str) -> Slot:
    """One value of a property; the key tells whether it takes one at a time."""
    return Slot(key, value, single=key in SINGLE or key.startswith(_OWN))


ONE_OF_EACH = frozenset(
    """
    dentist doctor gp physician therapist psychologist boss manager landlord landlady hairdresser barber tutor trainer coach
    lawyer accountant supervisor physio physiotherapist midwife nanny врач доктор стоматолог терапевт психолог начальник
    начальница босс шеф хозяин хозяйка парикмахер репетитор тренер юрист бухгалтер руководитель няня гинеколог педиатр
    окулист куратор
    """.split()
)


def is_own_helper(clause: Clause, tree: SentenceTree) -> bool:
    """As in "my dentist is Dr Okafor", "мой тренер — Петров": who it is now says something of oneself."""
    token = clause.subject.token
    if clause.kind is PredicateKind.FRAGMENT and tree[clause.head].lemma in ONE_OF_EACH:
        beside = any(tree[c].pos == "PROPN" for c in tree.children(clause.head, "appos", "parataxis"))
        return beside and any(tree[c].lemma in {"мой", "наш", "my", "our"} for c in tree.children(clause.head, "det", "nmod"))
    if token is None or clause.subject.inherited or tree[token].lemma not in ONE_OF_EACH or clause.tense is Tense.PAST:
        return False
    owners = {tree[c].text.lower() for c in tree.children(token)} | {tree[c].lemma for c in tree.children(token)}
    called = tree[clause.head].lemma in {"call", "name"} and clause.language == "en"
    named = called or tree[clause.head].text[:1].isupper()
    return named and bool(owners & {"my", "our", "мой", "наш"}) and token != clause.head


def experienced_by_me(clause: Clause, tree: SentenceTree) -> bool:
    """As in "мне", "у меня" under the predicate."""
    return clause.experiencer is not None and tree[clause.experiencer].lemma in {"я", "мы"}


def phrase(tree: SentenceTree, index: int) -> str:
    """The noun with its adjectives and names, as a nominative where it is one Russian word."""
    token = tree[index]
    parts = [
        child
        for child in tree.children(index)
        if relation(tree[child]) in {"amod", "compound", "flat", "nummod"}
        and abs(child - index) <= 3
        and not any(tree[between].text in {",", ";"} for between in range(index + 1, child))
    ]
    for owner in tree.children(index, "nmod"):
        if tree[owner].relation == "nmod:poss" and tree[owner].pos == "PROPN":  # "St. Mary's hospital"
            parts += [part for part in tree.subtree(owner) if part < index]
    if token.pos == "PROPN":
        parts = [
            child for child in parts if relation(tree[child]) in {"compound", "flat", "amod"} and tree[child].text[:1].isupper()
        ]
    chosen = sorted({index, *parts})
    if len(chosen) == 1:
        return nominative(token)
    pieces = [tree[chosen[0]].text]
    for before, here in pairwise(chosen):
        pieces.append((" " if tree[here].start > tree[before].end else "") + tree[here].text)
    return "".join(pieces)


def nominative(token: Token) -> str:
    """A Russian word as it stands in a dictionary; other words as they are."""
    if re.match(r"[А-ЯЁа-яё-]+$", token.text) is None:
        return token.text
    if token.features.get("Case") in {"Nom", None} or token.features.get("Number") == "Plur":
        return token.text
    lemma = token.lemma or token.text
    return "-".join(part.capitalize() for part in lemma.split("-")) if token.text[0].isupper() else lemma


def title(words: str) -> str:
    """With a capital, as a place is kept."""
    return words if words[:1].isupper() else words[:1].upper() + words[1:]


def house(tree: SentenceTree, index: int) -> str:
    """The organisation's own name where one stands beside its noun ("издательство «Сова»"), else the phrase."""
    last = index
    if is_quoted(tree, index):
        return quoted(tree, index)
    for child in tree.children(index, "appos", "flat", "nmod", "compound"):
        if child > last and tree[child - 1].text in {"«", '"', "“"}:
            return quoted(tree, child)
    return phrase(tree, index)


def is_quoted(tree: SentenceTree, index: int) -> bool:
    """Whether the word stands inside quotation marks."""
    for place in range(index - 1, max(-1, index - 1 - _LONGEST_TASTE), -1):
        if tree[place].text in {"«", '"', "“"}:
            return True
        if tree[place].text in {"»", "”", ","}:
            return False
    return False


def quoted(tree: SentenceTree, index: int) -> str:
    """What stands inside the quotation marks around that word."""
    first = index
    while first > 0 and tree[first - 1].text not in {"«", '"', "“"} and index - first < _LONGEST_TASTE:
        first -= 1
    last = first
    while last + 1 < len(tree.tokens) and tree[last + 1].text not in {"»", '"', "”"} and last - first < _LONGEST_TASTE:
        last += 1
    if first == last:
        return nominative(tree[first])
    text = tree[first].text
    for place in range(first + 1, last + 1):
        text += (" " if tree[place].start > tree[place - 1].end else "") + tree[place].text
    return text
