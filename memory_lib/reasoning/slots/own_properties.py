"""Properties that the words themselves name: "my phone is a Nokia", "рост у меня метр девяносто", "our Wi-Fi password is …"."""

# ruff: noqa: C901 - rules of language are lists of cases
# ruff: noqa: E501 - word lists read best on long lines
from __future__ import annotations

from collections.abc import Iterator

from memory_lib.domain.candidates import Slot
from memory_lib.domain.clause import Clause, PredicateKind, Tense, Who
from memory_lib.domain.number_words import number_of
from memory_lib.reasoning.slots.slot_values import ONE_OF_EACH, experienced_by_me, is_own_helper, phrase, slot
from memory_lib.reasoning.trees.sentence_tree import SentenceTree, relation
from memory_lib.reasoning.words.brand_words import CAR_BRANDS, PHONE_BRANDS
from memory_lib.reasoning.words.event_words import names_happening
from memory_lib.reasoning.words.habit_words import WHEN
from memory_lib.reasoning.words.kinship_words import RELATIONS
from memory_lib.reasoning.words.pet_words import PETS
from memory_lib.reasoning.words.role_words import ROLES

COUNTED = "own number of "
"""Keys of how many one has begin so."""
_OWN = frozenset({"my", "our", "мой", "наш", "свой"})
_MEASURED = frozenset(
    """
    height weight size salary rent password pin budget pulse mileage commute рост вес размер зарплата оклад аренда пароль
    бюджет давление стаж этаж телефон номер адрес почта должность фамилия отчество ник логин группа
    """.split()
)
"""Said of oneself even without "my": everybody has one of each."""
_NOT_ONE = frozenset(
    """
    thing idea problem question plan goal dream fear wish hope point way reason part issue opinion advice favourite favorite
    hobby passion skill language fault life job day week evening morning time turn favourite body head heart dream mistake
    вещь идея проблема вопрос план цель мечта страх надежда смысл причина мнение совет любимый хобби увлечение навык язык
    вина жизнь день неделя вечер утро время очередь голова сердце ошибка дело беда
    """.split()
)


def own_property_slots(clause: Clause, tree: SentenceTree) -> Iterator[Slot]:
    """One value of a thing that one has one of; likes, people, pets and happenings are left to their own rules."""
    if clause.negated or clause.tense is Tense.FUTURE:
        return
    if clause.tense is Tense.PAST:
        told = (
            _told_beside(clause, tree) if tree[clause.head].lemma != "быть" and not tree.children(clause.head, "cop") else None
        )
        if told is not None:
            yield told  # "Мой рост 182, перемерил"
        else:
            yield from _branded(clause, tree)
        return
    head = clause.head
    if clause.kind in {PredicateKind.NOMINAL, PredicateKind.FRAGMENT, PredicateKind.ADJECTIVAL}:
        subject = _owned(clause, tree)
        if subject is None and is_own_helper(clause, tree):
            subject = clause.subject.token
        if subject is not None and subject != head:
            value = phrase(tree, head) if tree[head].lemma not in {"я", "мы"} else _rest(clause, tree, subject)
            if value:
                yield slot(f"own {_key(tree, subject)}", value)
            return
    told = _told_beside(clause, tree) or _helper_beside(clause, tree)
    if told is not None:
        yield told
        return
    subject = clause.subject.token
    if subject is not None and is_own_helper(clause, tree):  # "my landlord is called Mr Achebe"
        names = [i for i in clause.own if i > clause.head and tree[i].text[:1].isupper()]
        if names:
            yield slot(f"own {_key(tree, subject)}", tree[names[-1]].text)
        return
    yield from _branded(clause, tree)
    yield from _counted(clause, tree)


def _helper_beside(clause: Clause, tree: SentenceTree) -> Slot | None:
    """As in "Мой начальник — Петренко": the dash stands for the copula, and the parser takes the name for an apposition."""
    token = tree[clause.head]
    if token.lemma not in ONE_OF_EACH or not any(tree[c].lemma in _OWN for c in tree.children(clause.head, "det")):
        return None
    names = [c for c in tree.children(clause.head, "appos", "parataxis") if tree[c].pos == "PROPN" and c > clause.head]
    return slot(f"own {_key(tree, clause.head)}", phrase(tree, names[0])) if names else None


def _told_beside(clause: Clause, tree: SentenceTree) -> Slot | None:
    """As in "Мой рост 182", "вес 70": the number stands beside the noun, and the parser makes it its attribute."""
    for index in clause.own:
        noun = tree[index]
        if noun.lemma not in _MEASURED or relation(noun) not in {"root", "nsubj", "conj", "parataxis"}:
            continue
        for child in tree.children(index, "appos", "nummod", "nmod", "amod"):
            if child > index and (tree[child].pos == "NUM" or tree[child].text[:1].isdigit()):
                return slot(f"own {_key(tree, index)}", tree[child].text)
    return None


_KEPT = frozenset("have own keep got raise есть иметь держать завести разводить нет быть".split())


def _counted(clause: Clause, tree: SentenceTree) -> Iterator[Slot]:
    """As in "I have three cats", "у меня трое детей", "держу сорок ульев": how many one has."""
    token = tree[clause.head]
    at_me = experienced_by_me(clause, tree) or token.lemma in {"я", "мы"}
    if not (token.lemma in _KEPT or at_me):
        return
    mine = clause.subject.who in {Who.SELF, Who.GROUP, Who.PERSON} or at_me
    if not mine or any(tree[index].lemma in _ONE_MORE for index in clause.own):
        return
    for index in clause.own:
        noun = tree[index]
        if noun.pos != "NOUN" or noun.lemma in WHEN or tree.case(index) in {"в", "на"}:
            continue
        said = [c for c in tree.children(index, "nummod", "amod", "det") if number_of(tree[c].text) is not None]
        if said and said[0] < index:
            first = min([said[0], *tree.children(said[0], "nummod", "compound")])
            words = " ".join(tree[i].text for i in range(first, said[0] + 1))
            value = number_of(words) or number_of(tree[said[0]].text)
            yield slot(COUNTED + noun.lemma, str(value))
            return


_ONE_MORE = frozenset("another more also too still left ещё еще второй third second".split())


_CALLED = {
    "телефон": "phone", "смартфон": "phone", "мобильник": "phone", "мобильный": "phone", "mobile": "phone", "smartphone": "phone",
    "машина": "car", "тачка": "car", "авто": "car", "автомобиль": "car", "rent": "rent", "аренда": "rent", "salary": "salary",
    "зарплата": "salary", "оклад": "salary", "height": "height", "рост": "height", "weight": "weight", "вес": "weight",
}  # fmt: skip
"""One key over both languages for what is told most."""


def _key(tree: SentenceTree, index: int) -> str:
    lemma = tree[index].lemma or tree[index].text.lower()
    if lemma in _CALLED:
        return _CALLED[lemma]
    beside = [tree[c].lemma for c in tree.children(index, "compound", "amod") if c < index and tree[c].lemma not in _OWN]
    return " ".join([*beside[-1:], lemma])


def _owned(clause: Clause, tree: SentenceTree) -> int | None:
    for index in tree.children(clause.head, "nsubj"):
        token = tree[index]
        if token.pos != "NOUN" or token.features.get("Number") == "Plur" or token.lemma in _NOT_ONE:
            continue
        if token.lemma in RELATIONS or token.lemma in PETS or token.lemma in ROLES or names_happening(token.lemma):
            continue
        owners = {tree[c].lemma for c in tree.children(index, "det", "nmod", "amod")}
        owners |= {tree[c].text.lower() for c in tree.children(index, "det", "nmod", "amod")}
        if owners & {"favourite", "favorite", "любимый", "another", "other", "second", "другой", "второй"}:
            continue
        at_me = experienced_by_me(clause, tree) and token.lemma in _MEASURED
        bare = token.lemma in _MEASURED and len(tree.children(index)) == 0 and _is_value(tree, clause.head)
        if owners & _OWN or at_me or bare:
            return index
    return None


def _is_value(tree: SentenceTree, index: int) -> bool:
    return tree[index].pos in {"NUM", "PROPN"} or tree[index].text[:1].isdigit()


def _rest(clause: Clause, tree: SentenceTree, subject: int) -> str:
    """As in "рост у меня метр девяносто": what follows "у меня"."""
    last = max(clause.head, subject)
    return " ".join(tree[index].text for index in clause.own if index > last)


_HAVE = frozenset(
    """
    have own drive buy get use switch swap drive lease есть купить взять приобрести ездить пользоваться перейти пересесть
    подарить водить
    """.split()
)


def _branded(clause: Clause, tree: SentenceTree) -> Iterator[Slot]:
    """As in "у меня кнопочная Нокиа", "I drive a Skoda", "внук подарил Xiaomi": one phone, one car at a time."""
    token = tree[clause.head]
    at_me = experienced_by_me(clause, tree) or token.lemma == "я"
    if not (token.lemma in _HAVE or at_me):
        return
    for index in clause.own:
        word = {tree[index].lemma.lower(), tree[index].text.lower()}
        for key, brands in (("own phone", PHONE_BRANDS), ("own car", CAR_BRANDS)):
            if word & brands:
                yield slot(key, tree[index].text)
                return
