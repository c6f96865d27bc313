"""Name, age, birthday and diet, read off a clause."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Iterator

from memory_lib.domain.candidates import Slot
from memory_lib.domain.clause import Clause, PredicateKind, Tense, Who
from memory_lib.domain.number_words import number_of
from memory_lib.reasoning.slots.slot_tastes import LANGUAGES_EN
from memory_lib.reasoning.slots.slot_values import experienced_by_me, nominative, slot
from memory_lib.reasoning.trees.folding import fold
from memory_lib.reasoning.trees.sentence_tree import SentenceTree

_N = r"(?:\d{1,3}|[a-zа-яё]+(?:[ -][a-zа-яё]+)?)"
_AGES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\b(?P<n>{_N})[- ]years?[- ]old\b",
        rf"\b(?:i'?m|i am|i'll be|i turn|turned|turning|(?:she|he)(?:'s| is)) (?:already |just |only |now |officially |nearly )*(?P<n>{_N})(?= years? old|$|,|\.| and\b| today| yesterday| now| last| in\b| on\b| this| tomorrow| already| next)",
        rf"\b(?:мне|ему|ей)(?: уже| скоро| сейчас| всего| недавно| вчера| сегодня| пока| теперь| было)* (?:исполнилось |исполнится |исполняется |стукнуло |стукнет |будет )?(?P<n>{_N})(?=(?: (?:лет|годков|год(?:а)?)\b)|$|[,.!]| и\b)",
        rf"\b(?:исполнилось|исполняется|стукнуло|исполнится) (?:мне |уже )*(?P<n>{_N})\b",
        rf"\b(?P<n>{_N})(?: лет)? (?:мне )?(?:стукнуло|исполнилось)\b",
        rf"\b\w+(?:е|у|и|ю)(?: уже| скоро| сейчас| всего)* (?P<n>{_N}) (?:лет|год(?:а)?)(?=$|[,.!]| и\b)",
    )
)
_AGE_OF_SOMEONE = re.compile(
    r"[a-z](?:'s| is) (?:already |just |only |now |nearly )*(?P<n>\d{1,3})(?=$|[,.!]| and\b| now\b| today\b)"
)
"""As in "My nephew's 12"."""
_NAME = re.compile(
    r"(?:\bменя зовут|\bменя(?: [\w-]+)?(?= [А-ЯЁ]\w+ (?:зовут|звать|кличут)\b)|\bзовут меня|\bназывают меня|\bмо[её] имя(?: -| —)?|\bзовите меня|\bзови меня|\bmy name is|\bmy name's|\bcall me|\bi go by|\bi'm called)(?: просто| just)? "
    r"(?P<name>[A-ZА-ЯЁ][\w'-]+(?: (?!(?:зовут|звать|кличут)\b)[A-ZА-ЯЁ][\w'-]+)?)", re.IGNORECASE
)  # fmt: skip
BIRTHDAY = re.compile(
    r"\b(?:мой день рождения|день рождения у меня|у меня день рождения|my birthday(?: is| 's|'s)?|i was born on|я родил(?:ся|ась))\b"
)


def is_own_name(tree: SentenceTree, clause: Clause) -> bool:
    """As in "I'm Kate": a name alone as the predicate; "I'm Russian" and "I'm a Kate" are not."""
    token = tree[clause.head]
    return (
        token.pos == "PROPN"
        and token.text[0].isupper()
        and not any(
            child < clause.head for child in tree.children(clause.head, "det", "case", "amod", "compound", "nmod", "nummod")
        )
        and not tree.children(clause.head, "nmod", "case")
        and not token.text.isupper()
        and token.lemma not in LANGUAGES_EN
        and not token.lemma.endswith(("ish", "ese", "ican"))
        and (token.text.isascii() or token.features.get("NameType") == "given")
        and clause.tense is Tense.PRESENT
        and not clause.negated
    )


def name_beside_me(clause: Clause, tree: SentenceTree) -> str | None:
    """As in "Я Аня, живу в Твери"."""
    token = clause.subject.token
    if token is None or clause.subject.inherited or tree[token].lemma != "я":
        return None
    for child in tree.children(token, "appos", "flat"):
        if child == token + 1 and tree[child].features.get("NameType") == "given" and tree[child].text[:1].isupper():
            return tree[child].text if tree[child].features.get("Case") in {"Nom", None} else nominative(tree[child])
    return None


_OLDEST, _YOUNGEST = 110, 3
_NOT_OLD = (
    "minute",
    "hour",
    "day",
    "week",
    "month",
    "км",
    "минут",
    "час",
    "дн",
    "день",
    "недел",
    "месяц",
    "weeks",
    "percent",
    "%",
)


def identity_slots(clause: Clause, tree: SentenceTree, words: str, *, dated: str | None) -> Iterator[Slot]:
    """Name, age, birthday, diet. ``dated``: local date of the clause's date mention."""
    folded = fold(words)
    named = _NAME.search(words)
    if named is not None and named["name"][0].isupper():
        yield slot("name", named["name"])
    elif clause.subject.who is Who.SELF and clause.kind is PredicateKind.NOMINAL and is_own_name(tree, clause):
        yield slot("name", tree[clause.head].text)
    else:
        beside = name_beside_me(clause, tree)
        if beside is not None:
            yield slot("name", beside)
    age = _age(clause, tree, folded)
    if age is not None:
        yield slot("age", str(age))
    if BIRTHDAY.search(folded) and dated is not None:
        yield slot("birthday", dated[5:10])
    if clause.subject.who in {Who.SELF, Who.PERSON}:
        diet = _DIET.search(folded)
        if diet is not None and clause.kind is not PredicateKind.VERB:
            yield slot("diet", diet[0])


_DIET = re.compile(r"\b(?:vegan|vegetarian|pescatarian|omnivore|веган(?:ка)?|вегетариан(?:ец|ка)|сыроед(?:ка)?|мясоед)\b")


def _age(clause: Clause, tree: SentenceTree, folded: str) -> int | None:
    if clause.subject.who not in {Who.SELF, Who.PERSON, Who.NONE, Who.THING} and not experienced_by_me(clause, tree):
        return None
    theirs = (
        _AGE_OF_SOMEONE.search(folded) if clause.subject.who is Who.PERSON and clause.kind is PredicateKind.NOMINAL else None
    )
    if theirs is not None and not clause.negated and _YOUNGEST <= int(theirs["n"]) <= _OLDEST:
        return int(theirs["n"])
    for pattern in _AGES:
        match = pattern.search(folded)
        if match is None or (pattern is _AGES[-1] and clause.kind is PredicateKind.VERB):
            continue  # "Работаю десять лет" tells no age
        rest = folded[match.end() :].split()
        whole = number_of(match["n"])
        if whole is None:
            whole = number_of(match["n"].split()[0])
        if whole is not None and _YOUNGEST <= whole <= _OLDEST and not (rest and rest[0].startswith(_NOT_OLD)):
            return whole
    return None
