"""What is written like a name: by capitals or without them, the whole of it, its nominative, and what sets a namesake apart."""

# ruff: noqa: PLR0911 - rules of language are lists of cases

from __future__ import annotations

import re

from memory_lib.domain.syntax import Token
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, is_mark, relation
from memory_lib.reasoning.words.brand_words import CAR_BRANDS, PHONE_BRANDS
from memory_lib.reasoning.words.kinship_words import RELATIONS
from memory_lib.reasoning.words.name_forms import full_names, is_given_name
from memory_lib.reasoning.words.person_words import NO_TRADE
from memory_lib.reasoning.words.pet_words import PETS

_NOT_NAMES = frozenset(
    """
    monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september
    october november december christmas easter halloween thanksgiving english german french spanish russian chinese
    japanese american british italian god lord mom mum dad i ok okay haha lol wow hey hi hello thanks congrats yeah yes
    no omg yay btw covid netflix youtube google instagram facebook twitter amazon reddit whatsapp define map windows
    python java aww ugh hmm catch definitely absolutely totally glad sounds gonna doc бог господи интернет привет
    спасибо москва россия
    """.split()
)


OWN = frozenset({"my", "our", "мой", "наш", "свой"})
NOBODY = frozenset(word for word in NO_TRADE - frozenset(RELATIONS) if not word.isascii()) - frozenset(
    "лев роза вера дева".split()
)


CAPITALISED = re.compile(r"[A-ZА-ЯЁ][a-zа-яё'’-]+$")


LONGEST_ROLE = 5


def is_no_name(token: Token) -> bool:
    """As in "Нокиа", "Левша": a make, or what a person can be, written with a capital."""
    words = {token.lemma.lower(), token.text.lower()}
    if not token.text.isascii() and not words.isdisjoint(NOBODY):
        return True
    return not words.isdisjoint(PHONE_BRANDS) or not words.isdisjoint(CAR_BRANDS)


def is_pet(tree: SentenceTree, index: int) -> bool:
    """Whether that noun names an animal one keeps."""
    return tree[index].lemma in PETS or tree[index].text.lower() in PETS


def is_name(tree: SentenceTree, index: int, people: set[int]) -> bool:
    """Whether that word may be (a part of) somebody's name. ``people``: tokens that the recogniser takes for people."""
    token = tree[index]
    if token.text.lower() in _NOT_NAMES:
        return False
    if CAPITALISED.match(token.text) is None:
        return _is_small_name(tree, index)
    return index in people or token.pos == "PROPN" or token.features.get("NameType") in {"given", "family"}


_SMALL_WORDS = frozenset(
    """
    will bill mark jack sue pat drew art ray rob bob may rose hope faith grace joy dawn frank nick rich dick grant gene jean dot
    don bert gus ant al ed val kit pip peg bess mel ginger penny daisy lily violet iris ivy holly jade ruby pearl amber dolly
    nan gran sandy sal bel may hank jerry terry tony kay jude dale glen chuck buck bud max van dan ben sam tom harry tess ella
    poly polly roma мила вера надежда любовь слава роза майя рома марк лев гога макс света лана рая тома жора лада злата
    поля гуля стася мотя филя сава граф ди аля эля крис мари нюра сеня рус эд кир дэн влад лариска галка машка жека серый
    """.split()
)
"""Names that are words too: written small they are nobody."""


_DEAR = frozenset("дорогой милый любимый старый бедный маленький dear poor old little young".split())


def _is_small_name(tree: SentenceTree, index: int) -> bool:
    """As in "с лёхой мы реставрируем", "lisl is like that": by somebody who begins sentences without a capital."""
    token, first = tree[index], next((t.text[0] for t in tree.tokens if t.text[0].isalpha()), "A")
    if any(tree[child].lemma not in OWN | _DEAR for child in tree.children(index, "amod")):
        return False  # "плюшевый мишка"
    if not first.islower() or not token.text.islower() or {token.text, token.lemma} & _SMALL_WORDS or len(token.text) < 3:
        return False
    if token.pos not in {"PROPN", "NOUN", "X", "ADJ", "VERB"} or relation(token) in {"root", "det", "aux", "case"}:
        return False
    return is_given_name(token.lemma) or is_given_name(token.text) or token.features.get("NameType") == "given"


def is_small_after_relation(tree: SentenceTree, place: int) -> bool:
    """As in "my cousin jayden is a pilot": what the tagger takes for a name, right after whose it is."""
    if tree.sentence.language != "en" or place >= len(tree.tokens):
        return False
    token, text = tree[place], tree[place].text
    if token.pos != "PROPN" or not text.islower() or not text.isalpha() or len(text) < 3 or text in _NOT_NAMES | _SMALL_WORDS:
        return False
    after = tree[place + 1] if place + 1 < len(tree.tokens) else None
    return after is None or after.pos in {"AUX", "VERB", "PUNCT", "CCONJ", "ADV", "SCONJ"}


def is_small_predicate(tree: SentenceTree, index: int) -> bool:
    """As in "my best mate is rebecca": a name of the tables, small, with nothing that makes it a noun."""
    text = tree[index].text
    named = text.islower() and len(text) > 2 and is_given_name(text) and not {text, tree[index].lemma} & _SMALL_WORDS
    bare = bool(tree.children(index, "cop")) and not tree.children(index, "det", "amod")
    return tree.sentence.language == "en" and named and bare


def _is_common(tree: SentenceTree, index: int) -> bool:
    """A noun of the dictionary that names no person, written large only because the sentence begins with it."""
    token = tree[index]
    return index == 0 and token.features.get("Animacy") is not None and token.features.get("NameType") is None


def whole_name(tree: SentenceTree, index: int, people: set[int]) -> list[int]:
    """The tokens of the name that this word is a part of, in order."""
    tokens = [index]
    place = index + 1
    while (
        place < len(tree.tokens)
        and is_name(tree, place, people)
        and (place in people or relation(tree[place]) in {"flat", "compound"})
    ):
        tokens.append(place)
        place += 1
    place = index - 1
    while (
        place >= 0
        and is_name(tree, place, people)
        and relation(tree[place]) in {"compound", "flat"}
        and tree[place].head in tokens
        and not _is_common(tree, place)
    ):
        tokens.insert(0, place)
        place -= 1
    return tokens


def nominative(token: Token) -> str:
    """The name as one is called: Russian lemmas are nominative; a rare name whose lemma looks wrong stays as said."""
    if not ("а" <= token.text[-1].lower() <= "я" or token.text[-1].lower() == "ё"):
        return token.text
    lemma = token.lemma
    said = token.text
    patronymic = re.fullmatch(r"([А-ЯЁ]\w+(?:ов|ев|ёв|ич|ин))н(?:а|ы|е|у|ой|ою)", said)
    if patronymic is not None:  # dictionaries give the father's masculine
        return patronymic[1] + "на"
    if not lemma or lemma[:2] != token.text.lower()[:2]:
        return token.text
    if not is_given_name(lemma) and token.features.get("NameType") in {None, "place"}:
        if is_given_name(said):
            return said
        listed = _listed_nominative(said)
        if listed:
            return listed
        if token.features.get("Animacy") == "Inan" and said[-1] in "ая":
            return said  # "Мака", of which the dictionary only knows poppies
    if token.features.get("Case") == "Nom" and token.features.get("NameType") != "given":
        return token.text
    if token.features.get("Gender") == "Fem" and token.features.get("NameType") == "patronymic":
        return token.text
    return "-".join(part.capitalize() for part in lemma.split("-"))


def _listed_nominative(said: str) -> str:
    """The one name of the tables whose oblique form that is ("Ваде" → "Вадя"); "" where there is none, or several."""
    stem = re.fullmatch(r"(\w{2,}?)(?:ою|ею|ой|ей|ом|ем|е|у|ю|ы|и|а|я)", said)
    if stem is None:
        return ""
    found = {stem[1] + ending for ending in ("", "а", "я", "й", "ь") if is_given_name(stem[1] + ending)}
    return found.pop() if len(found) == 1 else ""


def gender_of(token: Token) -> str:
    """``m``, ``f``, or ``n`` where the word does not tell."""
    return {"Masc": "m", "Fem": "f"}.get(token.features.get("Gender", ""), "n")


def full_names_of(name: str, gender: str) -> str:
    """The full names that the first word may stand for; a full name stands for itself."""
    return " / ".join(full_names(name.split(maxsplit=1)[0], gender=gender)) if name else ""


_SETS_APART = frozenset({"from", "at", "next", "с", "из", "со", "по"})


def qualifier_of(tree: SentenceTree, index: int) -> str:
    """As in "from work", "с шиномонтажа", "next door": keeps namesakes apart."""
    for child in tree.children(index, "nmod"):
        if tree.case(child) in _SETS_APART and tree[child].pos == "NOUN" and child > index and child - index <= LONGEST_ROLE:
            words = tree.subtree(child)
            return " ".join(tree[k].text for k in words if tree[k].text not in {",", "."})[:40]
    following = tree.tokens[index + 1 : index + 1 + LONGEST_ROLE]
    if following and following[0].text.lower() in {"from", "at", "с", "из", "со"} and following[0].pos == "ADP":
        kept: list[str] = []
        for token in following:
            if is_mark(token) or token.pos in {"VERB", "AUX", "PRON", "SCONJ"} or token.text.lower() in {"который", "которая"}:
                break
            kept.append(token.text)
        if len(kept) > 1 and not any(word[:1].isdigit() for word in kept):
            return " ".join(kept)[:40]
    if index + 2 < len(tree.tokens) and tree[index + 1].text.lower() == "next" and tree[index + 2].text.lower() == "door":
        return "next door"
    return ""
