"""Dates that a question names, in English and Russian, as windows of days (RETRIEVAL §2, term D).

A day named opens a window from the day before it to a week after it, because people tell of it within the week; a month named
opens the month, and the first ten days after it at half value. Month words that are also other words ("may", "march", "Марта")
count only where the sentence makes them a date. Relative words count from ``today``. "Today" is left out: what was said today
is in the assistant's own view. Windows boost, they never filter.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple


class DateWindow(NamedTuple):
    """Days ``first`` to ``last`` (proleptic ordinals, both included) match with ``value``."""

    first: int
    last: int
    value: float


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionDateParams:
    """``days_before``, ``days_after``: the window of a named day. ``tail_days``, ``tail_value``: after a named month.
    ``years_back``: how far back a date without a year is looked for. ``max_characters``: dates are looked for in this much.
    """

    days_before: int
    days_after: int
    tail_days: int
    tail_value: float
    years_back: int
    max_characters: int


def question_dates(text: str, *, today: date, params: QuestionDateParams) -> tuple[DateWindow, ...]:
    """Windows of every date that ``text`` names; empty where it names none.

    ``today``: the date on the person's wall when the question is asked. A date without a year opens a window in each of the
    last ``years_back`` years and this one.
    """
    folded = text[: params.max_characters].casefold().replace("ё", "е")
    windows: list[DateWindow] = []
    taken: list[tuple[int, int]] = []

    def free(match: re.Match[str]) -> bool:
        if any(match.start() < end and start < match.end() for start, end in taken):
            return False
        taken.append(match.span())
        return True

    for pattern, read in ((_ISO, _iso_day), (_DOTTED, _dotted_day), (_DAY_MONTH, _written_day), (_MONTH_DAY, _written_day)):
        for match in pattern.finditer(folded):
            named = read(match)
            if named is not None and free(match):
                windows.extend(_day_windows(named, today=today, params=params))
    for match in _MONTH.finditer(folded):
        if _is_month(match) and free(match):
            month, year = _MONTH_NUMBER[match["month"]], match["year"]
            windows.extend(_month_windows(month, int(year) if year else None, today=today, params=params))
    for first, last in _relative_spans(folded, today=today):
        windows.append(_widened(first, last, params=params))
    return tuple(dict.fromkeys(windows))


_EN_MONTHS = (
    ("january", "jan"),
    ("february", "feb"),
    ("march",),
    ("april", "apr"),
    ("may",),
    ("june",),
    ("july",),
    ("august", "aug"),
    ("september", "sept"),
    ("october", "oct"),
    ("november", "nov"),
    ("december", "dec"),
)
_RU_ENDINGS = {"ма": "й я ю е ем", "март": " а у е ом", "август": " а у е ом"}
_RU_MONTHS = tuple(
    tuple(stem + ending for ending in _RU_ENDINGS.get(stem, "ь я ю е ем").split(" "))
    for stem in ("январ", "феврал", "март", "апрел", "ма", "июн", "июл", "август", "сентябр", "октябр", "ноябр", "декабр")
)
_MONTH_NUMBER = {
    word: number for months in (_EN_MONTHS, _RU_MONTHS) for number, words in enumerate(months, start=1) for word in words
}
_ALSO_OTHER_WORDS = frozenset({"may", "march", "марта", "августа"})
"""A verb, and two names of women."""
_MAKES_A_MONTH = re.compile(
    r"(?:\b(?:in|on|of|since|until|till|by|during|before|after|last|this|next|early|mid|late|с|до|после|от)[ -]"
    r"|\b(?:начал|середин|кон[ец])\w* |\d(?:st|nd|rd|th|-?го|-?е)?,? )$"
)

_WORDS = "|".join(sorted(_MONTH_NUMBER, key=len, reverse=True))
_YEAR = r"(?:19|20)\d\d"
_RU_YEAR = r"(?:\s*(?:г\.|год[ау]?|г\b))?"
_DAY = r"(?P<day>[0-3]?\d)"
_ISO = re.compile(rf"\b(?P<year>{_YEAR})-(?P<month>[01]?\d)-{_DAY}\b")
_DOTTED = re.compile(rf"(?<![\d.]){_DAY}\.(?P<month>[01]?\d)\.(?P<year>{_YEAR}|\d\d)(?![\d.]*\d)")
_DAY_MONTH = re.compile(
    rf"\b{_DAY}(?:st|nd|rd|th|-?го|-?е)?(?:\s+of)?\s+(?P<month>{_WORDS})\b\.?(?:,?\s+(?P<year>{_YEAR})\b{_RU_YEAR})?"
)
_MONTH_DAY = re.compile(
    rf"\b(?P<month>{_WORDS})\b\.?\s+(?:the\s+)?{_DAY}(?:st|nd|rd|th)?\b(?!\s*(?:%|times|people))(?:,?\s+(?P<year>{_YEAR})\b)?"
)
_MONTH = re.compile(rf"\b(?P<month>{_WORDS})\b\.?(?:,?\s+(?:of\s+)?(?P<year>{_YEAR})\b)?")


class _NamedDay(NamedTuple):
    year: int | None
    month: int
    day: int


def _iso_day(match: re.Match[str]) -> _NamedDay | None:
    return _checked(int(match["year"]), int(match["month"]), int(match["day"]))


def _dotted_day(match: re.Match[str]) -> _NamedDay | None:
    year = int(match["year"])
    return _checked(year if year > 99 else 2000 + year, int(match["month"]), int(match["day"]))


def _written_day(match: re.Match[str]) -> _NamedDay | None:
    return _checked(int(match["year"]) if match["year"] else None, _MONTH_NUMBER[match["month"]], int(match["day"]))


def _checked(year: int | None, month: int, day: int) -> _NamedDay | None:
    if not 1 <= month <= 12:
        return None
    longest = calendar.monthrange(year if year is not None else 2024, month)[1]
    return _NamedDay(year, month, day) if 1 <= day <= longest else None


def _is_month(match: re.Match[str]) -> bool:
    if match["month"] not in _ALSO_OTHER_WORDS or match["year"]:
        return True
    before = match.string[max(0, match.start() - 16) : match.start()]
    return _MAKES_A_MONTH.search(before) is not None


def _years(year: int | None, *, today: date, params: QuestionDateParams) -> range:
    if year is not None:
        return range(year, year + 1)
    return range(max(1, today.year - params.years_back), today.year + 1)


def _day_windows(named: _NamedDay, *, today: date, params: QuestionDateParams) -> Iterator[DateWindow]:
    for year in _years(named.year, today=today, params=params):
        if named.day <= calendar.monthrange(year, named.month)[1]:
            day = date(year, named.month, named.day).toordinal()
            yield _widened(day, day, params=params)


def _month_windows(month: int, year: int | None, *, today: date, params: QuestionDateParams) -> Iterator[DateWindow]:
    for each in _years(year, today=today, params=params):
        first = date(each, month, 1).toordinal()
        last = first + calendar.monthrange(each, month)[1] - 1
        yield DateWindow(first, last, 1.0)
        yield DateWindow(last + 1, last + params.tail_days, params.tail_value)


def _widened(first: int, last: int, *, params: QuestionDateParams) -> DateWindow:
    return DateWindow(first - params.days_before, last + params.days_after, 1.0)


_EN_COUNTS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_RU_COUNTS = ("один", "два", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять", "десять")
_COUNTS = {
    **{word: n for n, word in enumerate(_EN_COUNTS, start=1)},
    **{word: n for n, word in enumerate(_RU_COUNTS, start=1)},
    "": 1,
    "a": 1,
    "an": 1,
    "a couple of": 2,
    "одну": 1,
    "две": 2,
    "пару": 2,
}
_COUNT = r"(?P<count>\d{1,3}|" + "|".join(sorted(filter(None, _COUNTS), key=len, reverse=True)) + ")"
_WEEKDAYS = (
    ("monday", "понедельник", "понедельника"),
    ("tuesday", "вторник", "вторника"),
    ("wednesday", "среду", "среды", "среда"),
    ("thursday", "четверг", "четверга"),
    ("friday", "пятницу", "пятницы", "пятница"),
    ("saturday", "субботу", "субботы", "суббота"),
    ("sunday", "воскресенье", "воскресенья"),
)
_WEEKDAY_NUMBER = {word: number for number, words in enumerate(_WEEKDAYS) for word in words}
_WEEKDAY = "(?P<weekday>" + "|".join(sorted(_WEEKDAY_NUMBER, key=len, reverse=True)) + ")"
_LAST_WEEKDAY = re.compile(rf"\b(?:last|прошл(?:ый|ую|ое|ой|ого)|минувш(?:ий|ую|ее))\s+{_WEEKDAY}\b")
_AGO = re.compile(
    rf"(?:\b{_COUNT}\s+|\b)(?P<unit>days?|weeks?|months?|день|дня|дней|недел[юиь]|месяц(?:а|ев)?)\s+(?:ago|назад|тому назад)\b"
)
_BEFORE_YESTERDAY = re.compile(r"\bday before yesterday\b|\bпозавчера\b")
_YESTERDAY = re.compile(r"(?<!before )\byesterday\b|\bвчера\b|\blast night\b")
_LAST_WEEK = re.compile(r"\blast week(?:end)?\b|\bпрошл(?:ой|ую) недел[еюи]\b|\bпрошлы[ех] выходны[ехм]\b")
_LAST_MONTH = re.compile(r"\blast month\b|\bпрошл(?:ом|ый) месяц[е]?\b")


def _relative_spans(folded: str, *, today: date) -> Iterator[tuple[int, int]]:
    now = today.toordinal()
    if _BEFORE_YESTERDAY.search(folded):
        yield now - 2, now - 2
    if _YESTERDAY.search(folded):
        yield now - 1, now - 1
    for match in _LAST_WEEKDAY.finditer(folded):
        back = (today.weekday() - _WEEKDAY_NUMBER[match["weekday"]]) % 7 or 7
        yield now - back, now - back
    if _LAST_WEEK.search(folded):
        monday = now - today.weekday()
        yield monday - 7, monday - 1
    if _LAST_MONTH.search(folded):
        last = (today.replace(day=1) - timedelta(days=1)).toordinal() if today.toordinal() > 31 else now
        yield date.fromordinal(last).replace(day=1).toordinal(), last
    for match in _AGO.finditer(folded):
        said = match["count"] or ""
        count = int(said) if said.isdecimal() else _COUNTS[said]
        unit = match["unit"]
        if unit.startswith(("day", "д")):
            back, slack = count, 0
        elif unit.startswith(("week", "н")):
            back, slack = 7 * count, 3
        else:
            back, slack = 30 * count, 10
        yield now - back - slack, now - back + slack
