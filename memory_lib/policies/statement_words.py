"""What of a statement can be compared with another one's words: stems, quantities, weekdays; and marks of one more, or of once.

Word stems decide, not meaning: this is the part of "does it change what was said?" that needs no vectors and no parse, the same
for statements that rules and models found.
"""

# ruff: noqa: E501 - patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from memory_lib.domain.number_words import number_at, times_in
from memory_lib.policies.stems import Stemmer

_TOKEN = re.compile(r"[^\W_]+(?:['’.][^\W_]+)*|[.,;:!?()—–]")
_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th|-(?:го|й|м|му|е|я|ю|х|ти|и|ый|ая|ом|ой))\b")
_WORD = re.compile(r"[^\W_]")
_ADDS = re.compile(
    r"\b(?:also|too|as well|another|extra|more|besides|in addition|second|third|other|еще|тоже|также|плюс|добавил\w*|кроме того|втор\w+|треть\w+|друг\w+)\b"
)
_FORMER = re.compile(
    r"\b(?:used to|formerly|back then|as a (?:kid|child|student|teenager)|раньше|когда-то|прежде|в детстве|в юности|бывш\w+|в прошлом)\b"
)
_RUNNING = re.compile(
    r"\b(?:so far|already|in total|altogether|this (?:week|month|year|season|summer|winter|spring|autumn|fall)|till now|уже|всего|пока|на сегодня|"
    r"в этом (?:месяце|году|сезоне)|на этой неделе|этим летом|этой зимой|за (?:месяц|год|лето|сезон)|с начала)\b"
)
_WEEKDAYS: Mapping[str, int] = {
    word: number
    for number, words in enumerate((
        "monday mon понедельник понедельника понедельнику понедельникам", "tuesday вторник вторника вторнику вторникам",
        "wednesday среда среду среды среде средам", "thursday четверг четверга четвергу четвергам",
        "friday пятница пятницу пятницы пятнице пятницам", "saturday суббота субботу субботы субботе субботам",
        "sunday воскресенье воскресенья воскресенью воскресеньям",
    ))
    for word in words.split()
}  # fmt: skip
_MONTH_BEGINNINGS = (
    "januar", "februar", "march", "april", "may", "june", "july", "august", "septemb", "octob", "novemb", "decemb",
    "январ", "феврал", "март", "апрел", "май", "мая", "июн", "июл", "август", "сентябр", "октябр", "ноябр", "декабр",
)  # fmt: skip
_MEASURES = frozenset(
    """
    minute hour day week month year second time dollar euro pound percent kilo kilometre kilometer km kg mile metre meter
    litre liter pm am gram минут час дн день недел месяц год лет раз рубл доллар евр процент килограмм километр км кг метр
    литр грамм тысяч
    """.split()
)
"""Beginnings of what is counted everywhere: two numbers of minutes need not be of one thing."""


@dataclass(frozen=True, slots=True)
class StatementWords:
    """One statement's words, ready to be compared.

    ``stems``: content stems; ``quantities``: stem of what is counted → how many; ``weekdays``: those named (0 = Monday);
    ``dates``: days of a month named, as (month, day); ``opens``: the preposition it begins with, or "". ``adds``, ``former``,
    ``running``: said as one more, as true once, as a count that goes on.
    """

    stems: frozenset[str]
    quantities: Mapping[str, int]
    weekdays: frozenset[int]
    dates: frozenset[tuple[str, int]]
    numbers: frozenset[int]
    prepositions: frozenset[str]
    opens: str
    adds: bool
    former: bool
    running: bool

    @property
    def things(self) -> frozenset[str]:
        """Stems beside the numbers and what they count."""
        return frozenset(stem for stem in self.stems if not stem.isdigit() and stem not in self.quantities)

    def named(self) -> frozenset[str]:
        """Stems without numbers and words of time that only say since when."""
        return frozenset(stem for stem in self.stems if not stem.isdigit()) - _SINCE


_SINCE = frozenset("now today nowadays currently теперь сейчас ныне уж day".split())


def statement_words(text: str, *, stemmer: Stemmer) -> StatementWords:
    """Reads a statement of any length; the stemmer's own bounds apply."""
    folded = text.casefold().replace("ё", "е").replace("’", "'")
    tokens = _TOKEN.findall(_ORDINAL.sub("", folded[:_LONGEST]).replace("-", " "))
    quantities: dict[str, int] = {}
    dates: set[tuple[str, int]] = set()
    numbers: set[int] = set()
    counted: set[str] = set()
    place = 0
    while place < len(tokens):
        found = number_at(tokens, place)
        if found is None:
            often = times_in(tokens[place])
            if often is not None:
                quantities["time"] = often
                numbers.add(often)
            place += 1
            continue
        number, taken = found
        counted.update(tokens[place : place + taken])
        numbers.add(number)
        before = tokens[place - 1] if place else ""
        place += taken
        if tokens[place : place + 1] == ["of"]:
            place += 1
        month = next((word for word in (before, tokens[place] if place < len(tokens) else "") if _is_month(word)), None)
        if month is not None:
            dates.add((month[:4], number))
            continue
        for word in tokens[place : place + 3]:
            if not _WORD.match(word) or word in _NOT_COUNTED or number_at([word], 0) is not None:
                break
            quantities.update(dict.fromkeys(_steady(stemmer.stems(word)), number))
    return StatementWords(
        stems=frozenset(_steady(stemmer.stems(text)))
        - {s for word in counted for s in stemmer.stems(word) if not word.isdigit()},
        quantities=quantities,
        weekdays=frozenset(_WEEKDAYS[word] for word in tokens if word in _WEEKDAYS),
        dates=frozenset(dates),
        numbers=frozenset(numbers),
        prepositions=_PREPOSITIONS.intersection(tokens),
        opens=tokens[0] if tokens and tokens[0] in _PREPOSITIONS else "",
        adds=_ADDS.search(folded) is not None,
        former=_FORMER.search(folded) is not None,
        running=_RUNNING.search(folded) is not None,
    )


_NOT_COUNTED = frozenset("actually already exactly now even though вообще уже даже точно ровно теперь".split())
_LONGEST = 2000
_PREPOSITIONS = frozenset(
    "in on at from to with for by near of в во на из с со к ко у от до за под над для о об про через".split()
)


_FLEETING = re.compile(r"(?<=[бвгджзйклмнпрстфхцчшщ])[ео](?=[кцнглт]$)")
_FLEETING_FROM = 5


def _steady(stems: Iterable[str]) -> list[str]:
    """Without the vowel that comes and goes in Russian: "кошек" meets "кошки"."""
    return [_FLEETING.sub("", stem) if len(stem) >= _FLEETING_FROM else stem for stem in stems]


def stems_of(words: Iterable[str], *, stemmer: Stemmer) -> tuple[str, ...]:
    """Stems of single words, as statements hold them."""
    return tuple(stem for word in words for stem in _steady(stemmer.stems(word)))


def _is_month(word: str) -> bool:
    return word.startswith(_MONTH_BEGINNINGS) and (len(word) > 3 or word in {"may", "май", "мая"})


def is_measure(stem: str) -> bool:
    """Whether that stem counts all sorts of things (minutes, euros)."""
    if stem in _MEASURES:
        return True
    return len(stem) >= _MEASURE_FROM and any(
        stem.startswith(known) or known.startswith(stem) for known in _MEASURES if len(known) >= _MEASURE_FROM
    )


_MEASURE_FROM = 4


def akin(one: str, other: str) -> bool:
    """Stems of one word or of two words with one beginning ("таксидермия", "таксидермист")."""
    if one == other:
        return True
    short, long = sorted((one, other), key=len)
    return len(short) >= AKIN_FROM and long.startswith(short[: max(AKIN_FROM, len(short) - 1)])


AKIN_FROM = 5
"""Letters that stems must share to be of words with one beginning."""


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Share of the smaller one's stems that the other has too; 0 where either has none."""
    if not one or not other:
        return 0.0
    return len(one & other) / min(len(one), len(other))


def counts_differ(old: StatementWords, new: StatementWords) -> frozenset[str]:
    """What both count, with different numbers."""
    shared = old.quantities.keys() & new.quantities.keys()
    return frozenset(unit for unit in shared if old.quantities[unit] != new.quantities[unit])


def swapped(old: StatementWords, new: StatementWords) -> bool:
    """Whether both name one of a kind (weekday, date, number) and not the same one."""
    if old.weekdays and new.weekdays and old.weekdays != new.weekdays:
        return True
    if old.dates and new.dates and old.dates != new.dates:
        return True
    return bool(old.numbers and new.numbers and not old.numbers & new.numbers)
