"""Words for people one has a tie to, each with one name of the tie over both languages, and gender where the word tells.

Also the closed table of Russian short names to the full name. Unambiguous ones only: "Саша" is left as said.
"""

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
    grandmother f: grandmother grandma granny nana бабушка бабуля
    grandfather m: grandfather grandpa granddad дедушка дед дедуля
    grandchild n: grandchild grandkid grandson granddaughter внук внучка
    aunt f: aunt auntie тетя тётя тетка тётка
    uncle m: uncle дядя
    cousin n: cousin кузен кузина
    niece f: niece племянница
    nephew m: nephew племянник
    mother-in-law f: mother-in-law свекровь теща тёща
    father-in-law m: father-in-law свекор свёкор тесть
    friend n: friend bestie buddy pal mate друг подруга подружка приятель приятельница дружок
    colleague n: colleague coworker co-worker teammate коллега сослуживец напарник
    boss n: boss manager supervisor начальник начальница шеф босс руководитель директор
    neighbour n: neighbor neighbour roommate flatmate сосед соседка
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

PLURAL_KIN = frozenset({"parents", "родители"})

FULL_NAMES: Mapping[str, str] = {
    short: full
    for full, shorts in (
        ("Екатерина", "катя катюша катька"), ("Мария", "маша машка машенька маруся"), ("Анна", "аня анька анечка анюта"),
        ("Елена", "лена ленка леночка"), ("Ольга", "оля олечка олька"), ("Наталья", "наташа натаха"), ("Ирина", "ира ирка ирочка"),
        ("Татьяна", "таня танюша танька"), ("Светлана", "света светка"), ("Юлия", "юля юлька"), ("Дарья", "даша дашка дашенька"),
        ("Анастасия", "настя настенька настюша"), ("Елизавета", "лиза лизка"), ("Ксения", "ксюша ксюха"), ("Полина", "поля"),
        ("Людмила", "люда"), ("Галина", "галя"), ("Надежда", "надя"), ("Любовь", "люба"), ("Вера", "верочка"), ("София", "соня софа"),
        ("Дмитрий", "дима димка димон митя"), ("Алексей", "леша лёша алеша алёша леха лёха"), ("Сергей", "сережа серёжа серега серёга"),
        ("Иван", "ваня ванька ванечка"), ("Михаил", "миша мишка"), ("Николай", "коля колька"), ("Андрей", "андрюша андрюха"),
        ("Павел", "паша пашка павлик"), ("Владимир", "вова вовка володя"), ("Пётр", "петя петька"), ("Роман", "рома ромка"),
        ("Юрий", "юра юрка"), ("Константин", "костя"), ("Антон", "антоша тоха"), ("Максим", "макс максимка"), ("Игорь", "игорек игорёк"),
        ("Егор", "егорка"), ("Григорий", "гриша"), ("Фёдор", "федя"), ("Василий", "вася васька"), ("Борис", "боря"),
        ("Илья", "илюша илюха"), ("Артём", "тема тёма"), ("Виталий", "виталик"), ("Олег", "олежка"), ("Денис", "дениска"),
        ("Никита", "никитка"), ("Тимур", "тимурка"), ("Кирилл", "кирюша кирюха"), ("Степан", "степа стёпа"), ("Леонид", "леня лёня"),
    )
    for short in shorts.split()
}  # fmt: skip
