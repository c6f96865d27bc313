"""Words of one matter in both languages, where no stem and no vector says so: "развод" and "развелись", "debt" and "owe"; and
words of one root: "молитва" and "молиться", "sleep" and "sleepless".

Own list, of matters that people ask to forget. Each family is a set of beginnings of stems. Roots are found by endings, not by
a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_FAMILIES = """
divorc развод развел разведен развест
quarrel argu fight fought feud ссор поссор руга поруга конфликт скандал
debt owe owing borrow lend lent loan долг должн занял заня заним одолж кредит
alcohol booz drunk vodka whisk алкогол спиртн пьян водк запо
surgeri surgic операц хирург прооперир
funer death died dead die похорон смерт умер умир погиб
pregnan miscarri abort беремен выкидыш аборт
fire fired dismiss sack laid увол уволен сокращ
exam test экзам зачет
tattoo татуир тату
psycholog psychiatr therap психолог психиатр психотерап терап
depress депресс
cheat affair unfaith измен любовни
wed marri married свадьб женит замуж брак
prison jail arrest тюрьм арест
accid crash авар дтп
gambl casino азарт казин
insomnia sleepless sleep slept asleep бессон уснут усн спат сон снит сплю засып заснут высып снотворн сомнолог
father dad daddi отец отц пап
mother mom mum mam мать матер мам мамк
prayer pray молитв молебн молит
church priest pastor церк церков батюшк священник храм
"""
FAMILIES: tuple[frozenset[str], ...] = tuple(frozenset(line.split()) for line in _FAMILIES.strip().splitlines())

FEMALE = frozenset(
    """
    girlfriend wife sister mother mom mum daughter aunt grandmoth grandma woman girl
    подруг жен супруг сестр мать мам доч дочк тет тетк бабушк соседк женщин девушк
    """.split()
)
"""Kinds that "she" stands for."""

KINDS = frozenset(
    """
    dog cat pet puppi kitten friend girlfriend boyfriend husband wife spous partner sister brother mother father mom dad mum
    parent son daughter child uncl aunt cousin grandmoth grandfath grandma grandpa colleagu cowork boss neighbour neighbor
    work job compani firm offic trip travel journey vacat holiday visit flight citi town countri person man woman guy girl boy
    ex name year month week stori thing matter topic old new mistak error problem issu situat case question find look search
    lose loss concert film movi book song idea plan
    собак пес кошк кот питомц щен котен друг подруг приятел муж жен супруг партнер сестр брат мать мам отец пап родител сын доч
    дочк ребенок дяд тет тетк кузен бабушк дедушк коллег начальник босс сосед соседк работ компан фирм офис поездк путешеств
    отпуск визит перелет город стран человек мужчин женщин парен девушк бывш имя год месяц недел истор вещ дел тем стар нов
    ошибк проблем ситуац случа вопрос поиск потер концерт фильм книг песн иде план отц
    """.split()
)
"""Stems that say of what kind somebody or something is; alone they single nothing out."""


def family_of(stem: str) -> frozenset[str]:
    """The beginnings of the matter that the stem belongs to; empty where it belongs to none."""
    return next((family for family in FAMILIES if any(begins(stem, known) for known in family)), frozenset())


_SHORT = 4


def begins(stem: str, beginning: str) -> bool:
    """Short beginnings ("die", "owe") count only as whole stems."""
    return stem == beginning or (len(beginning) >= _SHORT and stem.startswith(beginning))


# -- roots --------------------------------------------------------------------------------------------------------------

_FLEETING = re.compile(r"(?<=[бвгджзйклмнпрстфхцчшщ])ь?[ео](?=[бвгджзклмнпрстфхцч]ь?$)")
_SUFFIXES = re.compile(
    "(?:итв|тельн|тель|ительн|ени|ани|ост|еств|ств|ическ|еск|ск|ирова|ова|ева|альн|енн|нн|ист|изм|ниц|иц|ник|щик|чик|очк|ечк|"
    "оньк|еньк|ок|ек|ик|к|ец|ор|ар|лив|ов|ев|ив|н|а|и|я|у|е|ь|"
    "ness|less|ful|ment|ation|ist|ism|ship|er|or|ing|ed|ly|y|i|e|al|ic|ous|ant|ent|ion)$"
)
_STRONG = frozenset("итв тельн тель ени ани ост еств ств ическ ирова ист изм".split())
"""Suffixes that leave a root even where only three letters are left of it."""
_PREFIXES = re.compile("^(?:бес|без|пере|про|при|раз|рас|под|вы|за|на|от|об|по|до|из|ис)")
_LAST = str.maketrans({"ч": "к", "ж": "г", "ш": "х", "щ": "т"})
_ROOT_FROM = 4
_SHORT_ROOT = 3


def roots_of(stem: str) -> frozenset[str]:
    """What is left of a stem without the endings that make another word of the same root, the vowel that comes and goes
    ("отец", "отца") and the change of its last consonant ("друг", "дружить"); and without its Russian prefix ("бессмысленный",
    "смысл"), where enough is left. Several where a vowel may belong to the root or to an ending.
    """
    roots = {_root(stem), _root(_steady(stem))}
    bare = _PREFIXES.sub("", stem)
    if bare != stem and len(bare) >= _ROOT_FROM:
        roots |= {root for root in (_root(bare), _root(_steady(bare))) if len(root) >= _ROOT_FROM}
    return frozenset(roots)


def _steady(stem: str) -> str:
    return _FLEETING.sub("", stem) if len(stem) >= _ROOT_FROM else stem


def _root(stem: str) -> str:
    root = stem
    while (found := _SUFFIXES.search(root)) is not None:
        left = len(root) - len(found.group())
        if left < (_SHORT_ROOT if found.group() in _STRONG else _ROOT_FROM):
            break
        root = root[:left]
    root = _steady(root).rstrip("ь")
    return root[:-1] + root[-1:].translate(_LAST)


def of_one_root(one: str, others: Iterable[str]) -> bool:
    """Whether one of ``others`` has the root of ``one``, with or without a prefix."""
    roots = roots_of(one)
    return any(not roots.isdisjoint(roots_of(other)) for other in others if other[:1].isalpha())
