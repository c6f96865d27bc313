"""Words of one matter in both languages, where no stem and no vector says so: "развод" and "развелись", "debt" and "owe".

Own list, of matters that people ask to forget. Each family is a set of beginnings of stems.
"""

from __future__ import annotations

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
"""
FAMILIES: tuple[frozenset[str], ...] = tuple(frozenset(line.split()) for line in _FAMILIES.strip().splitlines())

KINDS = frozenset(
    """
    dog cat pet puppi kitten friend girlfriend boyfriend husband wife spous partner sister brother mother father mom dad mum
    parent son daughter child uncl aunt cousin grandmoth grandfath grandma grandpa colleagu cowork boss neighbour neighbor
    work job compani firm offic trip travel journey vacat holiday visit flight citi town countri person man woman guy girl boy
    ex name year month week stori thing matter topic old new
    собак пес кошк кот питомц щен котен друг подруг приятел муж жен супруг партнер сестр брат мать мам отец пап родител сын доч
    дочк ребенок дяд тет тетк кузен бабушк дедушк коллег начальник босс сосед соседк работ компан фирм офис поездк путешеств
    отпуск визит перелет город стран человек мужчин женщин парен девушк бывш имя год месяц недел истор вещ дел тем стар нов
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
