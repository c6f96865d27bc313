"""Words for people one has a tie to, each with one name of the tie over both languages, and gender where the word tells."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

from collections.abc import Mapping


def _relations() -> dict[str, tuple[str, str]]:
    rows = """
    mother f: mother mom mum mommy mummy mama мама мать мамочка мамуля
    father m: father dad daddy papa папа отец папочка батя
    parents n: parents родители
    sister f: sister сестра сестренка сестрёнка сестричка
    brother m: brother bro брат братик братишка
    twin n: twin близнец двойняшка
    daughter f: daughter дочь дочка дочурка доченька
    son m: son сын сынок сынишка
    child n: child kid baby toddler ребенок ребёнок малыш
    wife f: wife жена супруга женушка
    husband m: husband hubby муж супруг
    partner n: partner партнер партнёр
    fiance m: fiance fiancé жених
    fiancee f: fiancee fiancée невеста
    girlfriend f: girlfriend gf девушка
    boyfriend m: boyfriend bf парень
    ex n: ex бывший бывшая
    grandmother f: grandmother grandma granny nana nan gran gran бабушка бабуля бабка бабуся
    grandfather m: grandfather grandpa granddad дедушка дед дедуля
    grandchild n: grandchild grandkid grandson granddaughter внук внучка
    aunt f: aunt auntie тетя тётя тетка тётка
    uncle m: uncle дядя
    cousin n: cousin кузен кузина двоюродный двоюродная
    niece f: niece племянница
    nephew m: nephew племянник
    stepmother f: stepmother stepmum stepmom мачеха
    stepfather m: stepfather stepdad отчим
    stepson m: stepson пасынок
    stepdaughter f: stepdaughter падчерица
    half-brother m: half-brother stepbrother
    half-sister f: half-sister stepsister
    great-aunt f: great-aunt
    great-uncle m: great-uncle
    great-grandmother f: great-grandmother great-gran great-grandma прабабушка
    great-grandfather m: great-grandfather great-grandad прадедушка прадед
    godmother f: godmother крестная крёстная
    godfather m: godfather крестный крёстный
    godchild n: godchild godson goddaughter крестник крестница
    mother-in-law f: mother-in-law свекровь теща тёща
    father-in-law m: father-in-law свекор свёкор тесть
    sister-in-law f: sister-in-law золовка невестка сноха свояченица
    brother-in-law m: brother-in-law деверь шурин зять свояк
    son-in-law m: son-in-law
    daughter-in-law f: daughter-in-law
    landlord m: landlord хозяин
    landlady f: landlady хозяйка
    lodger n: lodger tenant жилец жиличка квартирант квартирантка
    apprentice n: apprentice trainee подмастерье стажер стажёр стажерка стажёрка
    pupil n: pupil student ученик ученица студент студентка воспитанник воспитанница подопечный подопечная
    nurse n: carer caregiver nanny babysitter няня сиделка
    friend n: friend bestie buddy pal mate chum друг дружище кореш товарищ подруга подружка приятель приятельница дружок
    colleague n: colleague coworker co-worker teammate workmate коллега сослуживец сослуживица напарник напарница сменщик сменщица однополчанин
    boss n: boss gaffer manager supervisor начальник начальница шеф босс руководитель директор директриса начальство
    neighbour n: neighbor neighbour roommate flatmate housemate сосед соседка соседушка
    teacher n: teacher tutor professor учитель учительница преподаватель преподавательница репетитор
    classmate n: classmate одноклассник одноклассница однокурсник однокурсница
    coach n: coach trainer тренер
    therapist n: therapist psychologist counselor психолог терапевт
    doctor n: doctor dentist доктор
    client n: client клиент клиентка
    """
    table: dict[str, tuple[str, str]] = {}
    for row in rows.strip().splitlines():
        head, _, words = row.strip().partition(":")
        name, gender = head.split()
        for word in words.split():
            table[word] = (name, gender)
    return table


RELATIONS: Mapping[str, tuple[str, str]] = _relations()
"""Lemma → (name of the tie, gender ``m``/``f``/``n``)."""

FEMALE_WORDS = frozenset(
    """
    подруга подружка приятельница начальница соседка учительница преподавательница одноклассница однокурсница внучка
    кузина бывшая клиентка
    """.split()
)
MALE_WORDS = frozenset(
    """
    друг приятель начальник сосед учитель одноклассник однокурсник внук кузен бывший
    """.split()
)

BARE_KIN = frozenset(
    """
    начальник начальница шеф босс мама папа муж жена сын дочь дочка сестра брат бабушка дедушка родители свекровь теща
    тёща мать отец супруг супруга сынок доченька mom mum dad mama grandma grandpa granny
    """.split()
)
"""Said without a possessor these still mean one's own."""
