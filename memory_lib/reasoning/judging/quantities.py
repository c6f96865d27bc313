"""Quantities in a sentence, each with the words it counts (pure, Russian and English).

"Twice a week", "25:50", "$400", "page 220", "17 книг": what changes most often in what people say of themselves, and is said in
passing, without "now". Values are kept as written, folded, numerals as digits; two of one unit are compared, never added.
"""

# ruff: noqa: E501 - patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory_lib.reasoning.trees.folding import fold


@dataclass(frozen=True, slots=True)
class Quantity:
    """``value``: digits, or a pair of them ("10-12"). ``unit``: stems of what it counts; one shared stem is the same unit."""

    value: str
    unit: frozenset[str]


def quantities(sentence: str) -> tuple[Quantity, ...]:
    """All quantities of a sentence. A bare year, a date or a number that counts nothing is none."""
    return tuple(_found(fold(sentence)))


_NUMBERS = {
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
    "eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "once": "1", "twice": "2",
    "один": "1", "одну": "1", "одна": "1", "два": "2", "две": "2", "двух": "2", "двое": "2", "три": "3", "трех": "3", "трое": "3",
    "четыре": "4", "четверо": "4", "пять": "5", "шесть": "6", "семь": "7", "восемь": "8", "девять": "9", "десять": "10", "двадцать": "20",
    "тридцать": "30", "сорок": "40", "пятьдесят": "50", "дважды": "2", "трижды": "3", "однажды": "1",
}  # fmt: skip
_N = rf"(?:\d+(?:[.,]\d+)*(?:\s?[-–]\s?\d+)?|{'|'.join(name for name in _NUMBERS if name not in {'once', 'twice', 'дважды', 'трижды', 'однажды'})})"
_PERIOD = r"(?P<p>day|week|month|year|night|morning|weekend|день|дня|неделю|недели|месяц|год|сутки)"
_RATE = re.compile(
    rf"\b(?:(?P<once>once|twice|дважды|трижды)|(?P<n>{_N}) (?:times?|раза?|days|дня|дней)) (?:a|per|each|every|в|за|каждую|каждый) {_PERIOD}\b|"
    rf"\b(?:every (?P<o>other|second|third|two|three|four|\d+)|(?:раз в|каждые) (?P<r>{_N})) (?P<q>days?|weeks?|months?|дня|дней|недели|недель|месяца|месяцев)\b|"
    r"\b(?:every|each) (?P<e>day|week|month|night|morning)\b|\b(?P<adv>daily|weekly|monthly|biweekly|bi-weekly|ежедневно|еженедельно|каждый день|каждую неделю|раз в неделю|раз в месяц)\b"
)
_MONEY = re.compile(
    rf"[$€£₽]\s?(?P<a>\d+(?:[.,]\d+)*\s?k?)|\b(?P<b>{_N}(?: ?k| thousand| million| тысяч\w*| тыс)?) (?:dollars?|bucks|euros?|pounds|руб\w*|долларов|евро)\b"
)
_CLOCK = re.compile(r"\b(?P<a>\d{1,2}:\d{2}(?::\d{2})?)\b|\b(?P<h>\d{1,2}) ?(?P<half>am|pm|a\.m|p\.m|утра|вечера)\b")
_ON_DAY = re.compile(
    r"\b(?:on |every |each |по |в |каждый |каждую |во )(?P<d>monday|tuesday|wednesday|thursday|friday|saturday|sunday|понедельник|вторник|сред|четверг|пятниц|суббот|воскресень)\w*"
)
_PLACE = re.compile(
    r"\b(?P<noun>page|level|chapter|episode|season|week|lesson|grade|страниц\w+|уровн\w+|глав\w+|сери\w+|сезон\w*|урок\w*|неделя|класс\w*) (?P<n>\d+)\b"
)
_COUNT = re.compile(rf"(?<![\d$€£:/.-])\b(?P<n>{_N})(?![\d:/%])(?:-| )(?P<after>[^\d.,;:!?()]+)")
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_SKIPPED = frozenset(
    """
    of the a an my our more other different new old really very about so far around and or to in on at for with from it that this these those was were is are am pm th st nd rd
    мой моя моих мои наш наших новых разных еще уже и или в на по из за с это эти было есть у
    """.split()
)
_STEM = 5
_NOT_COUNTED = frozenset(
    "of us them january february march april may june july august september october november december".split()
)
_AFTER = 3
_PART_OF = ("of the ", "of my ", "of our ", "of them", "out of", "из ")
_ONE_OF_TIME = re.compile(
    r"\b(?:an hour|a (?:day|week|month|year|minute)|(?<!в )час|полчаса) (?=each|every|a day|per|now|so far|в день|каждый|уже)"
)


def _found(folded: str) -> Iterator[Quantity]:
    taken: list[tuple[int, int]] = []
    yield from _rates(folded, taken)
    for pattern, unit in ((_MONEY, "money"), (_CLOCK, "clock")):
        for match in pattern.finditer(folded):
            if _is_free(match.span(), taken):
                taken.append(match.span())
                yield Quantity("".join(part for part in match.groups() if part).replace(" ", ""), frozenset({unit}))
    for match in _ON_DAY.finditer(folded):
        yield Quantity(match["d"], frozenset({"weekday"}))
    for match in _PLACE.finditer(folded):
        taken.append(match.span())
        yield Quantity(match["n"], frozenset({_stem(match["noun"]) + "#"}))  # "page 200" is no count of pages
    for match in _ONE_OF_TIME.finditer(folded):
        yield Quantity("1", frozenset({_stem(match.group().split()[-1])}))
    yield from _counts(folded, taken)


def _rates(folded: str, taken: list[tuple[int, int]]) -> Iterator[Quantity]:
    for match in _RATE.finditer(folded):
        taken.append(match.span())
        period = match["p"] or match["q"] or match["e"] or match["adv"] or ""
        value = match["once"] or match["n"] or match["o"] or match["r"]
        if value is not None:  # "every day" tells how often, and rarely what changed
            yield Quantity(_digits(value) + " per " + _stem(period), frozenset({"rate"}))


def _counts(folded: str, taken: list[tuple[int, int]]) -> Iterator[Quantity]:
    for match in _COUNT.finditer(folded):
        if not _is_free(match.span("n"), taken) or match["after"].startswith(_PART_OF) or _is_year(match["n"]):
            continue
        words = [word for word in _WORD.findall(match["after"])[: _AFTER + 2] if word not in _SKIPPED]
        if words and words[0] not in _NOT_COUNTED:
            yield Quantity(_digits(match["n"]), frozenset(_stem(word) for word in words[:_AFTER]))


def _is_free(span: tuple[int, int], taken: list[tuple[int, int]]) -> bool:
    return not any(span[0] < end and start < span[1] for start, end in taken)


def _is_year(number: str) -> bool:
    return re.fullmatch(r"(?:19|20)\d\d", number) is not None


def _digits(number: str) -> str:
    return _NUMBERS.get(number, number.replace(" ", "").replace("–", "-"))


def _stem(word: str) -> str:
    return word.rstrip("s")[:_STEM] if word.isascii() else word[:_STEM]
