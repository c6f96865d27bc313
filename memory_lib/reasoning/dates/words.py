"""The closed classes of time words in both languages, as patterns over folded text, and what they stand for."""

# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from memory_lib.domain.syntax import Language


def _longest_first(words: Mapping[str, object]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


_SMALL_EN = {
    word: number
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS_EN = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60}
_COUNTS_EN = {
    "a couple of": 2, "a couple": 2, "couple of": 2, "couple": 2, "a few": 3, "few": 3, "several": 3, "a": 1, "an": 1,
    **_SMALL_EN, **_TENS_EN,
    **{f"{ten}{gap}{one}": value + _SMALL_EN[one] for ten, value in _TENS_EN.items() for one in list(_SMALL_EN)[1:10] for gap in " -"},
}  # fmt: skip
_SMALL_ORDINALS_EN = {
    word: number
    for number, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth".split(),
        1,
    )
}
_ORDINALS_EN = {
    **_SMALL_ORDINALS_EN, "thirtieth": 30,
    **{f"{ten}{gap}{one}": value + number for ten, value in (("twenty", 20), ("thirty", 30)) for one, number in list(_SMALL_ORDINALS_EN.items())[:9] for gap in " -" if value + number < 32},
}  # fmt: skip
_SMALL_RU = {
    "ноль": 0, "один": 1, "одну": 1, "одного": 1, "одной": 1, "два": 2, "две": 2, "двух": 2, "двум": 2, "три": 3, "трех": 3, "трем": 3, "четыре": 4, "четырех": 4,
    "пять": 5, "пяти": 5, "шесть": 6, "шести": 6, "семь": 7, "семи": 7, "восемь": 8, "восьми": 8, "девять": 9, "девяти": 9,
}  # fmt: skip
_TEENS_RU = "десят одиннадцат двенадцат тринадцат четырнадцат пятнадцат шестнадцат семнадцат восемнадцат девятнадцат".split()
_TENS_RU = {
    "двадцать": 20,
    "двадцати": 20,
    "тридцать": 30,
    "тридцати": 30,
    "сорок": 40,
    "сорока": 40,
    "пятьдесят": 50,
    "пятидесяти": 50,
    "шестьдесят": 60,
}
_COUNTS_RU = {
    "двое": 2, "двух": 2, "трое": 3, "четверо": 4, "пятеро": 5, "пару": 2, "пара": 2, "пары": 2, "несколько": 3, "нескольких": 3, **_SMALL_RU, **_TENS_RU,
    **{stem + end: 10 + number for number, stem in enumerate(_TEENS_RU) for end in ("ь", "и")},
    **{f"{ten} {one}": value + number for ten, value in _TENS_RU.items() for one, number in _SMALL_RU.items() if number},
}  # fmt: skip
_ORDINAL_STEMS_RU = {
    "перв": 1, "втор": 2, "трет": 3, "четверт": 4, "пят": 5, "шест": 6, "седьм": 7, "восьм": 8, "девят": 9,
    **{stem: 10 + number for number, stem in enumerate(_TEENS_RU)}, "двадцат": 20, "тридцат": 30,
}  # fmt: skip
_ORDINAL_END_RU = r"(?:ого|его|ьего|ое|ее|ье|ый|ий|ой|ей|ая|ую|ом|ем|ьем|ему|ому|ьему|ья|ью|ьей)"

_WEEKDAYS_EN = (
    r"mon(?:day)?", r"tue(?:s(?:day)?)?", r"wed(?:nesday|s)?", r"thu(?:rs?(?:day)?)?", r"fri(?:day)?", r"sat(?:urday)?", r"sun(?:day)?",
)  # fmt: skip
_WEEKDAYS_RU = (
    r"понедельник(?:а|у|ом|е)?|пн", r"вторник(?:а|у|ом|е)?|вт", r"сред[аеуы]|ср", r"четверг(?:а|у|ом|е)?|чт",
    r"пятниц(?:а|ы|у|е|ей)|пт", r"суббот(?:а|ы|у|е|ой)|сб", r"воскресень(?:е|я|ю|ем)|вс",
)  # fmt: skip
_MONTHS_EN = (
    r"january|jan", r"february|feb", r"march|mar", r"april|apr", r"may", r"june|jun", r"july|jul", r"august|aug", r"september|sept?", r"october|oct",
    r"november|nov", r"december|dec",
)  # fmt: skip
_MONTHS_RU = (
    r"январ(?:ь|я|е|ю|ем)|янв", r"феврал(?:ь|я|е|ю|ем)|фев", r"март(?:а|е|у|ом)?|мар", r"апрел(?:ь|я|е|ю|ем)|апр", r"ма(?:й|я|е|ю|ем)", r"июн(?:ь|я|е|ю|ем)",
    r"июл(?:ь|я|е|ю|ем)", r"август(?:а|е|у|ом)?|авг", r"сентябр(?:ь|я|е|ю|ем)|сен", r"октябр(?:ь|я|е|ю|ем)|окт", r"ноябр(?:ь|я|е|ю|ем)|ноя", r"декабр(?:ь|я|е|ю|ем)|дек",
)  # fmt: skip
_UNITS_EN = {
    "second": r"seconds?|secs?", "minute": r"minutes?|mins?", "hour": r"hours?|hrs?", "day": r"days?", "week": r"weeks?|wks?",
    "fortnight": r"fortnights?", "month": r"months?", "quarter": r"quarters?|qtrs?", "year": r"years?|yrs?", "decade": r"decades?",
}  # fmt: skip
_UNITS_RU = {
    "second": r"секунд(?:у|ы|а)?", "minute": r"минут(?:у|ы|а|ок|ку|очку)?|мин", "hour": r"час(?:а|ов|ик|ок)?", "day": r"день|дня|дней|денек|деньков|сутки|суток",
    "week": r"недел(?:ю|и|ь|я)|недельк(?:у|и)|неделек", "month": r"месяц(?:а|ев)?", "quarter": r"квартал(?:а|ов)?", "year": r"год(?:а|ик|ика)?|лет|годков",
    "decade": r"десятилети[ея]",
}  # fmt: skip
_SEASONS_EN = {"winter": r"winter", "spring": r"spring", "summer": r"summer", "autumn": r"autumn|fall"}
_SEASONS_RU = {
    "winter": r"зим(?:а|ы|ой|у|е)",
    "spring": r"весн(?:а|ы|ой|у|е)",
    "summer": r"лет(?:о|а|ом|у)",
    "autumn": r"осен(?:ь|и|ью)",
}
_WHICH_EN = {
    "after_next": r"after next", "last": r"last|past|previous|this past", "this": r"this|current", "next": r"next|following|the following",
    "coming": r"coming|this coming|upcoming",
}  # fmt: skip
_WHICH_RU = {
    "before_last": r"позапрошл\w+", "last": r"прошл\w+|минувш\w+|прошедш\w+|предыдущ\w+", "this": r"эт(?:у|от|ой|ом|и|их|им|ого|а|о)|текущ\w+|нынешн\w+",
    "after_next": r"послеследующ\w+", "next": r"следующ\w+|будущ\w+|след\.?", "coming": r"ближайш\w+|предстоящ\w+|грядущ\w+|наступающ\w+",
}  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWords:
    """One language's time words. Patterns hold no groups; readers take what a pattern matched.

    ``number``, ``ordinal``, ``weekday``, ``month``, ``unit``, ``season``, ``which``: alternations, without word edges.
    """

    language: Language
    counts: Mapping[str, int]
    weekdays: tuple[str, ...]
    months: tuple[str, ...]
    units: Mapping[str, str]
    seasons: Mapping[str, str]
    whiches: Mapping[str, str]
    ordinal: str

    @property
    def number(self) -> str:
        return rf"(?:\d{{1,3}}|{_longest_first(self.counts)})"

    @property
    def weekday(self) -> str:
        return f"(?:{'|'.join(self.weekdays)})"

    @property
    def month(self) -> str:
        return f"(?:{'|'.join(self.months)})"

    @property
    def unit(self) -> str:
        return f"(?:{'|'.join(self.units.values())})"

    @property
    def season(self) -> str:
        return f"(?:{'|'.join(self.seasons.values())})"

    @property
    def which(self) -> str:
        words = (word for pattern in self.whiches.values() for word in pattern.split("|"))
        return f"(?:{'|'.join(sorted(words, key=len, reverse=True)) if self.language == 'en' else '|'.join(self.whiches.values())})"

    def number_of(self, word: str) -> int:
        return int(word) if word.isdigit() else self.counts[word]

    def weekday_of(self, word: str) -> int:
        return _place(self.weekdays, word)

    def month_of(self, word: str) -> int:
        return _place(self.months, word) + 1

    def unit_of(self, word: str) -> str:
        return _name(self.units, word)

    def season_of(self, word: str) -> str:
        return _name(self.seasons, word)

    def which_of(self, word: str | None) -> str:
        return _name(self.whiches, word) if word else ""

    def ordinal_of(self, word: str) -> int:
        """1 for "first", "1st", "первого", "1-го"; 31 at most. Raises ValueError for a word that is none."""
        digits = re.match(r"\d+", word)
        if digits:
            return int(digits.group())
        if self.language == "en":
            return _ORDINALS_EN[word]
        ten, _, last = word.rpartition(" ")
        stem = next(
            (s for s in sorted(_ORDINAL_STEMS_RU, key=len, reverse=True) if re.fullmatch(s + _ORDINAL_END_RU, last)), None
        )
        if stem is None:
            raise ValueError
        return (_TENS_RU[ten] if ten else 0) + _ORDINAL_STEMS_RU[stem]


def _place(patterns: tuple[str, ...], word: str) -> int:
    return next(number for number, pattern in enumerate(patterns) if re.fullmatch(pattern, word))


def _name(patterns: Mapping[str, str], word: str) -> str:
    return next(name for name, pattern in patterns.items() if re.fullmatch(pattern, word))


ENGLISH = TimeWords(
    language="en", counts=_COUNTS_EN, weekdays=_WEEKDAYS_EN, months=_MONTHS_EN, units=_UNITS_EN, seasons=_SEASONS_EN, whiches=_WHICH_EN,
    ordinal=rf"(?:\d{{1,2}}(?:st|nd|rd|th)|{_longest_first(_ORDINALS_EN)})",
)  # fmt: skip
RUSSIAN = TimeWords(
    language="ru", counts=_COUNTS_RU, weekdays=_WEEKDAYS_RU, months=_MONTHS_RU, units=_UNITS_RU, seasons=_SEASONS_RU, whiches=_WHICH_RU,
    ordinal=rf"(?:\d{{1,2}}-?(?:ого|его|го|ое|ый|ий|е|й|я|м|му|ю|ом)|(?:(?:двадцать|тридцать) )?(?:{_longest_first(_ORDINAL_STEMS_RU)}){_ORDINAL_END_RU})",
)  # fmt: skip
WORDS: Mapping[Language, TimeWords] = {"en": ENGLISH, "ru": RUSSIAN}

# Hours of a part of the day, half open, by duckling's conventions (24 = midnight after it).
PARTS: Mapping[Language, tuple[tuple[str, int, int], ...]] = {
    "en": (
        (r"early (?:in the )?morning", 0, 9), (r"late (?:in the )?morning", 9, 12), (r"late (?:at )?night", 21, 24), (r"after lunch", 13, 17),
        (r"morning", 0, 12), (r"afternoon(?:ish)?", 12, 19), (r"evening", 18, 24), (r"night", 18, 24), (r"lunch(?:time)?", 12, 14),
    ),
    "ru": (
        (r"(?:рано|ранним) утром", 0, 9), (r"поздно вечером|поздним вечером", 21, 24), (r"после обеда", 13, 17), (r"в обед", 12, 14),
        (r"утром|с утра|утречком|под утро", 0, 12), (r"днем", 12, 19), (r"вечером|вечерком|под вечер|к вечеру", 18, 24), (r"ночью", 0, 6),
    ),
}  # fmt: skip
# Minutes east of Greenwich of zones that people name beside a time of the day.
ZONES: Mapping[str, int] = {
    "gmt": 0, "utc": 0, "bst": 60, "cet": 60, "cest": 120, "msk": 180, "мск": 180, "ist": 330, "est": -300, "edt": -240, "cst": -360, "cdt": -300, "mst": -420,
    "pst": -480, "pdt": -420,
}  # fmt: skip
# Fixed holidays: pattern, month, day.
HOLIDAYS: Mapping[Language, tuple[tuple[str, int, int], ...]] = {
    "en": (
        (r"christmas eve|xmas eve", 12, 24), (r"(?:christmas|xmas|x-mas)(?: day)?", 12, 25), (r"boxing day", 12, 26), (r"new year'?s? eve", 12, 31),
        (r"new year'?s?(?: day)?", 1, 1), (r"valentine'?s?(?: day)?", 2, 14), (r"(?:saint|st\.?) (?:patrick|paddy)'?s?(?: day)?", 3, 17),
        (r"(?:halloween|hallowe'en)(?: day| night)?", 10, 31), (r"independence day", 7, 4), (r"women'?s day", 3, 8), (r"april fools'?(?: day)?", 4, 1),
    ),
    "ru": (
        (r"католическ\w+ рождеств\w+", 12, 25), (r"рождеств(?:о|а|е|у)(?: христово)?", 1, 7), (r"нов(?:ый|ого|ому|ым|ом) год(?:а|у|ом)?", 1, 1),
        (r"старый новый год", 1, 14), (r"(?:день|дня|дню) (?:святого )?валентина", 2, 14), (r"день защитника отечества", 2, 23),
        (r"(?:день|дня|дню) победы", 5, 9), (r"женский день|международный женский день", 3, 8), (r"майски(?:е|х|ми)(?: праздник\w+)?", 5, 1), (r"день знаний", 9, 1),
        (r"(?:крещени[ею]|крещения)", 1, 19),
    ),
}  # fmt: skip
# Moveable ones: pattern, name of the rule in ``periods``.
MOVEABLE: Mapping[Language, tuple[tuple[str, str], ...]] = {
    "en": (
        (r"black friday", "black_friday"), (r"thanksgiving(?: day)?", "thanksgiving"), (r"easter(?: sunday)?", "easter"),
        (r"mother'?s'? day", "mothers_day"), (r"father'?s'? day", "fathers_day"), (r"labor day", "labor_day"), (r"memorial day", "memorial_day"),
    ),
    "ru": ((r"пасх(?:а|у|и|е|ой)", "orthodox_easter"),),
}  # fmt: skip
