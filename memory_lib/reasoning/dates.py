"""Dates and clock times in Russian and English, resolved against the message's own time and offset.

Conventions (those of facebook/duckling's time corpora where it has one):
a count from now is resolved one unit finer than its unit ("two weeks ago" = that day, "two years ago" = that month);
"last Friday" = the latest one before today, "next Friday" = the one of the next calendar week (Monday first);
an unqualified weekday, day or month lies on the side that the clause's tense points to, the future where tense says nothing;
a part of the day narrows no date; a time of the day gives precision ``minute``.
"""

# ruff: noqa: ARG001, ARG005 - one signature for a table of resolvers
# ruff: noqa: C901 - rules of language are lists of cases
# ruff: noqa: E501 - word lists and patterns read best on long lines
from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from enum import StrEnum

from memory_lib.domain.candidates import Precision
from memory_lib.domain.syntax import Language
from memory_lib.reasoning.folding import fold


class Direction(StrEnum):
    """Which side of now the clause's tense points to."""

    PAST = "past"
    FUTURE = "future"
    NONE = "none"


class Role(StrEnum):
    """What the date is to its clause: its time, its start, its end, or a length of time up to now."""

    AT = "at"
    SINCE = "since"
    UNTIL = "until"
    LASTING = "lasting"


@dataclass(frozen=True, slots=True)
class DateMention:
    """``start``/``end``: code points of the searched text. ``begin``: local, in the anchor's offset, start of the period."""

    start: int
    end: int
    begin: datetime
    precision: Precision
    role: Role = Role.AT
    ends: datetime | None = None
    rule: str = ""


def find_dates(text: str, *, anchor: datetime, language: Language, direction: Direction) -> tuple[DateMention, ...]:
    """All dates of ``text`` in order, without overlaps. A lone time of the day needs a direction to have a date.

    Args:
        anchor: the message's own time with its offset.
        direction: from the clause's tense.
    """
    folded = fold(text)
    if not _MAYBE[language].search(folded):
        return ()
    found: list[DateMention] = []
    for name, pattern, resolve in _RULES[language]:
        for match in pattern.finditer(folded):
            if any(match.start() < other.end and other.start < match.end() for other in found):
                continue
            if _RECURRING.search(folded, max(0, match.start() - 20), match.start()):
                continue
            try:
                mention = resolve(match, anchor, direction)
            except (ValueError, OverflowError):
                continue
            if mention is not None:
                found.append(replace(mention, start=match.start(), end=match.end(), rule=name))
    clocks = list(_clock_times(folded, language, found))
    return tuple(sorted(_with_clocks(folded, found, clocks, anchor, direction), key=lambda mention: mention.start))


_RECURRING = re.compile(
    r"\b(?:(?:every|each|most|каждый|каждую|каждое|каждые) |(?:first|second|third|fourth|days?|\d(?:st|nd|rd|th)?) (?:of )?(?:the )?)$"
)


# -- clock times ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Clock:
    start: int
    end: int
    at: time
    half_said: bool
    alone: bool
    """Whether it may stand without a date: a bare "at 7" may not."""


_JOINABLE = re.compile(
    r"[\s,]*(?:(?:at|on|around|about|by|this|в|во|на|к|около|где-то|примерно|утром|вечером|днем|ночью|morning|evening|afternoon|night)[\s,]*)*"
)


def _with_clocks(
    folded: str, found: list[DateMention], clocks: list[_Clock], anchor: datetime, direction: Direction
) -> Iterator[DateMention]:
    used: set[int] = set()
    for mention in found:
        joined = mention
        for number, clock in enumerate(clocks):
            if number in used or mention.precision is not Precision.DAY:
                continue
            gap = folded[mention.end : clock.start] if clock.start >= mention.end else folded[clock.end : mention.start]
            if _JOINABLE.fullmatch(gap):
                used.add(number)
                at = clock.at
                said = folded[min(mention.start, clock.start) : max(mention.end, clock.end)]
                if not clock.half_said and at.hour < 12 and _EVENING.search(said):
                    at = at.replace(hour=at.hour + 12)
                elif not clock.half_said and 12 < at.hour < 20 and _MORNING.search(said):
                    at = at.replace(hour=at.hour - 12)
                begin = datetime.combine(mention.begin.date(), at, anchor.tzinfo)
                joined = replace(
                    mention,
                    begin=begin,
                    precision=Precision.MINUTE,
                    start=min(mention.start, clock.start),
                    end=max(mention.end, clock.end),
                )
                break
        yield joined
    for number, clock in enumerate(clocks):
        if number in used or direction is Direction.NONE or not clock.alone:
            continue
        begin = datetime.combine(anchor.date(), clock.at, anchor.tzinfo)
        try:
            if direction is Direction.FUTURE and begin <= anchor:
                begin += timedelta(days=1)
            elif direction is Direction.PAST and begin > anchor:
                begin -= timedelta(days=1)
        except OverflowError:
            continue
        yield DateMention(clock.start, clock.end, begin, Precision.MINUTE, rule="clock/1")


_CLOCK_EN = (
    re.compile(r"\b(?:at |by |around |about )?(?P<h>\d{1,2})(?:[:.](?P<m>\d{2}))? ?(?P<half>a\.?m\b\.?|p\.?m\b\.?)"),
    re.compile(r"\b(?:at|by|around|about) (?P<h>\d{1,2})[:.](?P<m>\d{2})\b(?![.:]\d)"),
    re.compile(r"\b(?:at|by|around) (?P<h>\d{1,2}) (?P<half>o'clock)"),
    re.compile(r"\b(?:at|by|around) (?P<word>noon|midnight)\b"),
    re.compile(r"\b(?:at) (?P<h>\d{1,2})\b(?! ?(?:%|years|yrs|km|miles|percent|dollars|\d|[:.]\d))"),
)
_CLOCK_RU = (
    re.compile(r"\b(?:в|к|на|около|с|до) (?P<h>\d{1,2})[:.](?P<m>\d{2})(?: ?(?P<half>утра|дня|вечера|ночи))?\b(?!\.\d)"),
    re.compile(
        r"\b(?:в|к|на|около|с|до) (?P<h>\d{1,2}|час|два|три|четыре|пять|шесть|семь|восемь|девять|десять|одиннадцать|двенадцать)"
        r"(?: час(?:ов|а)?)? (?P<half>утра|дня|вечера|ночи)\b"
    ),
    re.compile(r"\b(?:в|к|около) (?P<h>\d{1,2}) час(?:ов|а)?\b(?! назад)"),
    re.compile(r"\b(?:в|к) (?P<word>полдень|полночь|полудню|полуночи)\b"),
    re.compile(r"\b(?:в|к) (?P<h>\d{1,2})\b(?! ?(?:\d|%|год|лет|руб|км|раз|кварт|дом|школ|клас|част|мест|[а-я]))"),
)
_EVENING = re.compile(r"\b(?:evening|tonight|night|вечером|вечера)\b")
_MORNING = re.compile(r"\b(?:morning|утром)\b")


def _clock_times(folded: str, language: Language, found: list[DateMention]) -> Iterator[_Clock]:
    taken = [(mention.start, mention.end) for mention in found]
    for pattern in _CLOCK_RU if language == "ru" else _CLOCK_EN:
        for match in pattern.finditer(folded):
            if any(match.start() < end and start < match.end() for start, end in taken):
                continue
            at = _clock(match)
            if at is not None:
                taken.append((match.start(), match.end()))
                half = bool(match.groupdict().get("half") or match.groupdict().get("word"))
                alone = half or bool(match.groupdict().get("m")) or "час" in match.group()
                yield _Clock(match.start(), match.end(), at, half, alone)


def _clock(match: re.Match[str]) -> time | None:
    groups = match.groupdict()
    if groups.get("word"):
        return time(12) if groups["word"] in {"noon", "полдень", "полудню"} else time(0)
    raw = groups["h"]
    hour = int(raw) if raw.isdigit() else (1 if raw == "час" else _NUMBERS_RU[raw])
    minute = int(groups.get("m") or 0)
    half = (groups.get("half") or "").replace(".", "").strip()
    if half in {"pm", "вечера", "дня"} and hour < 12:
        hour += 12
    elif half in {"am", "ночи"} and hour == 12:
        hour = 0
    elif not half and groups.get("m") is None and 1 <= hour <= 7:
        hour += 12  # "at 7", "в 5 часов": people meet in the afternoon
    if hour > 23 or minute > 59:
        return None
    return time(hour, minute)


# -- calendar ---------------------------------------------------------------------------------------------------------------


def _day(anchor: datetime, shift: int = 0) -> datetime:
    return datetime.combine(anchor.date() + timedelta(days=shift), time(0), anchor.tzinfo)


def _of(day: date, anchor: datetime) -> datetime:
    return datetime.combine(day, time(0), anchor.tzinfo)


def _months_from(day: date, months: int) -> date:
    number = day.year * 12 + day.month - 1 + months
    year, month = divmod(number, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def _at(begin: datetime, precision: Precision, role: Role = Role.AT, ends: datetime | None = None) -> DateMention:
    return DateMention(0, 1, begin, precision, role, ends)


def _weekday(anchor: datetime, weekday: int, which: str, direction: Direction) -> datetime:
    ahead = (weekday - anchor.weekday()) % 7
    if which == "next":
        return _day(anchor, 7 - anchor.weekday() + weekday)
    if which == "last" or (which == "" and direction is Direction.PAST):
        return _day(anchor, (ahead or 7) - 7 if ahead else -7)
    if which == "this" and direction is Direction.PAST:
        return _day(anchor, ahead - 7 if ahead else 0)
    if which == "this":
        return _day(anchor, ahead)
    return _day(anchor, ahead or 7)


def _month(anchor: datetime, month: int, which: str, direction: Direction) -> datetime:
    year = anchor.year
    if which == "last" or (which == "" and direction is Direction.PAST):
        if month > anchor.month or (which == "last" and month == anchor.month):
            year -= 1
    elif (which in {"next", ""}) and (month < anchor.month or (which == "next" and month == anchor.month)):
        year += 1
    return datetime(year, month, 1, tzinfo=anchor.tzinfo)


def _day_of_month(anchor: datetime, day: int, month: int, year: int | None, direction: Direction) -> datetime:
    if year is not None:
        if year < 100:  # two digits: the century that keeps it within twenty years ahead
            year += 2000 if year + 2000 <= anchor.year + 20 else 1900
        return datetime(year, month, day, tzinfo=anchor.tzinfo)
    past = _nearest_day(anchor, day, month, (0, -1, -2, -3, -4))
    future = _nearest_day(anchor, day, month, (0, 1, 2, 3, 4))
    behind, ahead = anchor.date() - past.date(), future.date() - anchor.date()
    if behind.days == 0:
        return past
    # "They asked me in for 13 May", said on the 8th, means this year whatever the tense of the asking.
    if ahead.days <= _CLOSE and behind.days > _FAR:
        return future
    if behind.days <= _CLOSE and ahead.days > _FAR and direction is not Direction.FUTURE:
        return past
    return past if direction is Direction.PAST else future


_CLOSE = 45
_FAR = 150
"""Days: a date without a year is the close one, whatever the tense, when the other one lies far off."""


def _nearest_day(anchor: datetime, day: int, month: int, shifts: tuple[int, ...]) -> datetime:
    """The nearest such day on one side of the anchor, its own day included; four years hold a 29 February."""
    for shift in shifts:
        try:
            candidate = datetime(anchor.year + shift, month, day, tzinfo=anchor.tzinfo)
        except ValueError:
            continue
        if candidate.date() == anchor.date() or (candidate < anchor) == (shifts[-1] < 0):
            return candidate
    raise ValueError


_SEASON_START = {"winter": 12, "spring": 3, "summer": 6, "autumn": 9}


def _season(anchor: datetime, season: str, which: str, year: int | None, direction: Direction) -> datetime:
    month = _SEASON_START[season]
    if year is not None:
        return datetime(year, month, 1, tzinfo=anchor.tzinfo)
    starts = [datetime(anchor.year + shift, month, 1, tzinfo=anchor.tzinfo) for shift in (-2, -1, 0, 1)]
    ends = [_of(_months_from(begin.date(), 3), anchor) for begin in starts]
    if which == "last":
        return [begin for begin, end in zip(starts, ends, strict=True) if end <= anchor][-1]
    if which == "next":
        return next(begin for begin in starts if begin > anchor)
    if which == "this":
        return next(begin for begin, end in zip(starts, ends, strict=True) if end > anchor and begin.year >= anchor.year - 1)
    if direction is Direction.PAST:
        return [begin for begin in starts if begin <= anchor][-1]
    return next(begin for begin, end in zip(starts, ends, strict=True) if end > anchor)


def _count(unit: str, number: int, sign: int, anchor: datetime) -> DateMention:
    """A count from now: a count of weeks or months is a day, of years a month (duckling's grain)."""
    if unit == "minute":
        return _at(anchor.replace(second=0, microsecond=0) + timedelta(minutes=sign * number), Precision.MINUTE)
    if unit == "hour":
        return _at(anchor.replace(second=0, microsecond=0) + timedelta(hours=sign * number), Precision.MINUTE)
    if unit == "day":
        return _at(_day(anchor, sign * number), Precision.DAY)
    if unit == "week":
        return _at(_day(anchor, sign * number * 7), Precision.DAY)
    if unit == "month":
        return _at(_of(_months_from(anchor.date(), sign * number), anchor), Precision.DAY)
    return _at(_of(_months_from(anchor.date(), sign * number * 12).replace(day=1), anchor), Precision.MONTH)


def _period(unit: str, which: str, anchor: datetime) -> DateMention:
    step = {"last": -1, "this": 0, "next": 1}[which]
    if unit == "day":
        return _at(_day(anchor, step), Precision.DAY)
    if unit == "week":
        return _at(_day(anchor, step * 7 - anchor.weekday()), Precision.WEEK)
    if unit == "weekend":
        return _at(_day(anchor, step * 7 - anchor.weekday() + 5), Precision.DAY)
    if unit == "month":
        return _at(_of(_months_from(anchor.date().replace(day=1), step), anchor), Precision.MONTH)
    return _at(_of(date(anchor.year + step, 1, 1), anchor), Precision.YEAR)


# -- shared word tables -----------------------------------------------------------------------------------------------------

_NUMBERS_EN = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "a couple of": 2, "a couple": 2, "couple of": 2, "couple": 2,
}  # fmt: skip
_NUMBERS_RU = {
    "один": 1, "одну": 1, "одного": 1, "два": 2, "две": 2, "двух": 2, "три": 3, "трех": 3, "четыре": 4, "пять": 5, "пяти": 5,
    "шесть": 6, "семь": 7, "восемь": 8, "девять": 9, "десять": 10, "одиннадцать": 11, "двенадцать": 12, "пару": 2,
}  # fmt: skip
_UNITS_RU = (
    ("minute", r"минут(?:у|ы)?"),
    ("hour", r"час(?:а|ов)?"),
    ("day", r"день|дня|дней|сутки|суток"),
    ("week", r"недел(?:ю|и|ь)|недельк(?:у|и)|неделек"),
    ("month", r"месяц(?:а|ев)?"),
    ("year", r"год(?:а)?|лет"),
)
_WEEKDAYS_RU = (
    r"понедельник(?:а|у|ом|е|и|ов|ам|ами|ах)?",
    r"вторник(?:а|у|ом|е|и|ов|ам|ами|ах)?",
    r"сред[аеуы]",
    r"четверг(?:а|у|ом|е|и|ов|ам|ами|ах)?",
    r"пятниц(?:а|ы|у|е|ей|ам|ами|ах)?",
    r"суббот(?:а|ы|у|е|ой|ам|ами|ах)?",
    r"воскресень(?:е|я|ю|ем|и|ям|ями|ях)",
)
_WEEKDAYS_EN = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS_RU = (
    r"январ[ьяеюем]+", r"феврал[ьяеюем]+", r"март[аеуом]*", r"апрел[ьяеюем]+", r"ма[йяюе]м?", r"июн[ьяеюем]+", r"июл[ьяеюем]+",
    r"август[аеуом]*", r"сентябр[ьяеюем]+", r"октябр[ьяеюем]+", r"ноябр[ьяеюем]+", r"декабр[ьяеюем]+",
)  # fmt: skip
_MONTHS_EN = (
    "january|jan", "february|feb", "march", "april|apr", "may", "june", "july", "august|aug", "september|sept", "october|oct",
    "november|nov", "december|dec",
)  # fmt: skip
_SEASONS_RU = (
    ("winter", r"зим(?:а|ы|ой|у|е)"),
    ("spring", r"весн(?:а|ы|ой|у|е)"),
    ("summer", r"лет(?:о|а|ом|у|е)"),
    ("autumn", r"осен(?:ь|и|ью)"),
)
_SEASONS_EN = (("winter", "winter"), ("spring", "spring"), ("summer", "summer"), ("autumn", "autumn|fall"))


def _which_of(table: tuple[str, ...], word: str) -> int:
    return next(number for number, pattern in enumerate(table) if re.fullmatch(pattern, word))


def _named(table: tuple[tuple[str, str], ...], word: str) -> str:
    return next(name for name, pattern in table if re.fullmatch(pattern, word))


def _any(table: tuple[str, ...]) -> str:
    return "|".join(table)


def _any_named(table: tuple[tuple[str, str], ...]) -> str:
    return "|".join(pattern for _, pattern in table)


def _number(word: str, table: dict[str, int]) -> int:
    return int(word) if word.isdigit() else table[word]


_WHICH = {
    "last": "last", "past": "last", "previous": "last", "this": "this", "next": "next", "coming": "coming", "this coming": "coming",
    "this past": "last",
}  # fmt: skip


def _which_ru(word: str | None) -> str:
    if not word:
        return ""
    for stem, which in (
        ("прошл", "last"),
        ("минувш", "last"),
        ("эт", "this"),
        ("следующ", "next"),
        ("будущ", "next"),
        ("ближайш", "coming"),
    ):
        if word.startswith(stem):
            return which
    return ""


def _role(word: str | None) -> Role:
    if word in {"с", "со", "since", "starting", "from", "начиная с"}:
        return Role.SINCE
    if word in {"до", "к", "ко", "по", "by", "until", "till", "before", "due"}:
        return Role.UNTIL
    return Role.AT


_Resolver = Callable[[re.Match[str], datetime, Direction], DateMention | None]

_QUALIFIER_RU = r"(?P<which>прошл\w+|минувш\w+|эт(?:у|от|ой|ом|и|их|им|ого)|следующ\w+|будущ\w+|ближайш\w+)"
_PREP_RU = r"(?P<prep>в|во|на|с|со|до|к|ко|по)"
_N_RU = rf"(?P<n>\d{{1,3}}|{'|'.join(_NUMBERS_RU)})"
_N_EN = rf"(?P<n>\d{{1,3}}|{'|'.join(sorted(_NUMBERS_EN, key=len, reverse=True))})"
_PART_RU = r"(?: (?:рано |поздно )?(?:утром|днем|вечером|ночью))?"
_PART_EN = r"(?: (?:morning|afternoon|evening|night))?"
_YEAR = r"(?P<y>(?:19|20)\d\d)"


def _simple(shift: int) -> _Resolver:
    return lambda match, anchor, direction: _at(_day(anchor, shift), Precision.DAY, _role(match.groupdict().get("prep")))


def _ru_counted(sign: int) -> _Resolver:
    def resolve(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
        number = _number(match["n"], _NUMBERS_RU) if match["n"] else 1
        return _count(_named(_UNITS_RU, match["u"]), number, sign, anchor)

    return resolve


def _ru_half(sign: int) -> _Resolver:
    def resolve(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
        if match["u"] == "полчаса":
            return _count("minute", 30, sign, anchor)
        return _count("month", 6 if match["u"] == "полгода" else 18, sign, anchor)

    return resolve


def _ru_lasting(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    number = _number(match["n"], _NUMBERS_RU) if match["n"] else 1
    return replace(_count(_named(_UNITS_RU, match["u"]), number, -1, anchor), role=Role.LASTING)


def _ru_weekday(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    role = _role(match["prep"])
    side = Direction.PAST if role is Role.SINCE and direction is Direction.PAST else direction
    if role is Role.UNTIL and direction is Direction.NONE:
        side = Direction.FUTURE
    return _at(_weekday(anchor, _which_of(_WEEKDAYS_RU, match["d"]), _which_ru(match["which"]), side), Precision.DAY, role)


def _ru_period(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    word = match["u"]
    unit = (
        "week"
        if word.startswith("недел")
        else "month"
        if word.startswith("месяц")
        else "year"
        if word.startswith("год")
        else "weekend"
    )
    which = _which_ru(match["which"])
    if not which:
        which = "last" if direction is Direction.PAST and anchor.weekday() < 5 else "this"
    mention = _period(unit, "next" if which == "coming" else which, anchor)
    return replace(mention, role=_role(match.groupdict().get("prep")))


def _ru_day_month(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    year = int(match["y"]) if match["y"] else None
    month = _which_of(_MONTHS_RU, match["m"]) + 1
    role = _role(match["prep"])
    begin = _day_of_month(anchor, int(match["d"]), month, year, direction)
    until = match.groupdict().get("d2")
    ends = begin.replace(day=int(until)) if until else None
    return _at(begin, Precision.DAY, Role.AT if until else role, ends)


def _numeric(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    year = int(match["y"]) if match["y"] else None
    return _at(
        _day_of_month(anchor, int(match["d"]), int(match["m"]), year, direction),
        Precision.DAY,
        _role(match.groupdict().get("prep")),
    )


def _iso(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    return _at(_day_of_month(anchor, int(match["d"]), int(match["m"]), int(match["y"]), direction), Precision.DAY)


def _ru_month(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    month = _which_of(_MONTHS_RU, match["m"]) + 1
    role = _role(match["prep"])
    if match["y"]:
        return _at(datetime(int(match["y"]), month, 1, tzinfo=anchor.tzinfo), Precision.MONTH, role)
    side = Direction.PAST if role is Role.SINCE and direction is not Direction.FUTURE else direction
    return _at(_month(anchor, month, _which_ru(match["which"]), side), Precision.MONTH, role)


def _ru_season(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    year = int(match["y"]) if match["y"] else None
    season = _named(_SEASONS_RU, match["s"])
    which = _which_ru(match["which"])
    return _at(_season(anchor, season, "next" if which == "coming" else which, year, direction), Precision.SEASON)


def _year(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    return _at(datetime(int(match["y"]), 1, 1, tzinfo=anchor.tzinfo), Precision.YEAR, _role(match.groupdict().get("prep")))


def _ru_year_word(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    step = -2 if match["w"].startswith("позапрошл") else {"last": -1, "this": 0, "next": 1}.get(_which_ru(match["w"]), 0)
    return _at(_of(date(anchor.year + step, 1, 1), anchor), Precision.YEAR)


_RU: tuple[tuple[str, str, _Resolver], ...] = (
    ("iso/1", r"\b(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d)\b", _iso),
    ("ru.numeric/1", r"(?:\b(?P<prep>в|с|до|к|на|по) )?(?<![\d.])(?P<d>\d{1,2})[./](?P<m>0\d|1[0-2])(?:[./](?P<y>(?:19|20)?\d\d))?\b(?![.:]?\d)(?! ?(?:утра|вечера|дня|ночи|%|км|руб))", lambda m, a, d: None if not m["y"] and m["prep"] == "в" else _numeric(m, a, d)),
    ("ru.range/1", rf"\b(?P<prep>с )?(?P<d>\d{{1,2}})(?: по | до | ?[-–—] ?)(?P<d2>\d{{1,2}}) (?P<m>{_any(_MONTHS_RU)})\b(?: {_YEAR})?", _ru_day_month),
    ("ru.day_month/1", rf"\b(?:{_PREP_RU} )?(?P<d>\d{{1,2}})(?:-?го)? (?P<m>{_any(_MONTHS_RU)})\b(?: {_YEAR}(?: года?| г\.?)?)?", _ru_day_month),
    ("ru.yesterday/1", rf"\b(?:{_PREP_RU} )?(?<!поза)вчера(?:шн\w+)?\b{_PART_RU}", _simple(-1)),
    ("ru.before_yesterday/1", rf"\bпозавчера\b{_PART_RU}", _simple(-2)),
    ("ru.today/1", rf"\b(?:{_PREP_RU} )?сегодня(?:шн\w+)?\b{_PART_RU}", _simple(0)),
    ("ru.tomorrow/1", rf"\b(?:(?P<prep>с|до|к|на) )?завтра(?:шн\w+)?\b(?! ?к)(?<!послезавтра){_PART_RU}", _simple(1)),
    ("ru.after_tomorrow/1", rf"\b(?:(?P<prep>с|до|к|на) )?послезавтра\b{_PART_RU}", _simple(2)),
    ("ru.ago/1", rf"\b(?:{_N_RU} )?(?P<u>{_any_named(_UNITS_RU)})(?: тому)? назад\b", _ru_counted(-1)),
    ("ru.half_ago/1", r"\b(?P<u>полгода|полчаса|полтора года)(?: тому)? назад\b", _ru_half(-1)),
    ("ru.in/1", rf"\bчерез (?:{_N_RU} )?(?P<u>{_any_named(_UNITS_RU)})\b", _ru_counted(1)),
    ("ru.in_half/1", r"\bчерез (?P<u>полгода|полчаса|полтора года)\b", _ru_half(1)),
    ("ru.lasting/1", rf"\bуже (?:{_N_RU} )?(?P<u>{_any_named(_UNITS_RU)})\b", _ru_lasting),
    ("ru.weekday/1", rf"\b(?:(?P<prep>в|во|на|с|со|до|к|ко) )(?:{_QUALIFIER_RU} )?(?P<d>{_any(_WEEKDAYS_RU)})\b{_PART_RU}", _ru_weekday),
    ("ru.week/1", rf"\b(?P<prep>на|с|до) {_QUALIFIER_RU} (?P<u>неделе|недели|неделю)\b", _ru_period),
    ("ru.month_of/1", rf"\b(?P<prep>в|с|до) {_QUALIFIER_RU} (?P<u>месяц[еа])\b", _ru_period),
    ("ru.weekend/1", rf"\b(?P<prep>на|в|до)(?: {_QUALIFIER_RU})? (?P<u>выходны[ехм]+)\b", _ru_period),
    ("ru.year_of/1", r"\b(?P<prep>в|с|до) (?P<w>позапрошл\w+|прошл\w+|эт(?:ом|ого)|следующ\w+|будущ\w+) год[уа]\b", _ru_year_word),
    ("ru.month/1", rf"\b(?P<prep>в|с|до|к)(?: (?:начал[еау]|середин[еыу]|конц[еау]))?(?: {_QUALIFIER_RU})? (?P<m>{_any(_MONTHS_RU)})\b(?: {_YEAR}(?:-го)?(?: года?)?)?", _ru_month),
    ("ru.month_of_month/1", rf"\b(?P<prep>в|к|до) (?:начал[еау]|середин[еыу]|конц[еау]) (?:(?P<which>{_QUALIFIER_RU[9:-1]}) )?(?P<m>{_any(_MONTHS_RU)})\b(?: {_YEAR})?", _ru_month),
    ("ru.season/1", rf"\b(?:{_QUALIFIER_RU} )(?P<s>{_any_named(_SEASONS_RU)})\b(?P<y>)", _ru_season),
    ("ru.season_plain/1", rf"\b(?P<which>)(?P<s>летом|зимой|весной|осенью)\b(?: {_YEAR}(?: года?)?)?", _ru_season),
    ("ru.year/1", rf"\b(?P<prep>в|с|до|к) {_YEAR}(?:-?(?:м|го|ом|ого)\b)?(?: год[уа]?\b| г\.)?(?![\d.:]?\d)", _year),
)  # fmt: skip


def _en_counted(sign: int) -> _Resolver:
    def resolve(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
        return _count(match["u"], _number(match["n"], _NUMBERS_EN), sign, anchor)

    return resolve


def _en_lasting(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    return replace(_count(match["u"], _number(match["n"], _NUMBERS_EN), -1, anchor), role=Role.LASTING)


def _en_weekday(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    weekday = next(number for number, name in enumerate(_WEEKDAYS_EN) if name.startswith(match["d"][:3]))
    which = _WHICH.get(match["which"] or "", "")
    role = _role(match["prep"])
    if match.groupdict().get("of"):
        step = {"last": -7, "this": 0, "next": 7}[_WHICH[match["of"]]]
        return _at(_day(anchor, step - anchor.weekday() + weekday), Precision.DAY, role)
    side = Direction.FUTURE if role is Role.UNTIL and direction is Direction.NONE else direction
    if match["prep"] == "since":
        side = Direction.PAST
    return _at(_weekday(anchor, weekday, which, side), Precision.DAY, role)


def _en_period(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    which = _WHICH[match["which"]]
    return replace(
        _period(match["u"], "next" if which == "coming" else which, anchor), role=_role(match.groupdict().get("prep"))
    )


def _en_day_month(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    year = int(match["y"]) if match["y"] else None
    begin = _day_of_month(anchor, int(match["d"]), _which_of(_MONTHS_EN, match["m"]) + 1, year, direction)
    until = match.groupdict().get("d2")
    role = _role(match.groupdict().get("prep"))
    return _at(begin, Precision.DAY, Role.AT if until else role, begin.replace(day=int(until)) if until else None)


def _en_day_only(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    day = int(match["d"])
    for step in range(4):
        shift = -step if direction is Direction.PAST else step
        month = _months_from(anchor.date().replace(day=1), shift)
        if day > monthrange(month.year, month.month)[1]:
            continue
        begin = _of(month.replace(day=day), anchor)
        if begin.date() == anchor.date() or (begin < anchor) == (direction is Direction.PAST):
            return _at(begin, Precision.DAY, _role(match.groupdict().get("prep")))
    return None


def _en_month(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    month = _which_of(_MONTHS_EN, match["m"]) + 1
    role = _role(match.groupdict().get("prep"))
    if match["y"]:
        return _at(datetime(int(match["y"]), month, 1, tzinfo=anchor.tzinfo), Precision.MONTH, role)
    side = Direction.PAST if role is Role.SINCE and direction is not Direction.FUTURE else direction
    which = _WHICH.get(match.groupdict().get("which") or "", "")
    return _at(_month(anchor, month, "next" if which == "coming" else which, side), Precision.MONTH, role)


def _en_season(match: re.Match[str], anchor: datetime, direction: Direction) -> DateMention | None:
    year = int(match["y"]) if match["y"] else None
    which = _WHICH.get(match["which"] or "", "")
    return _at(
        _season(anchor, _named(_SEASONS_EN, match["s"]), "next" if which == "coming" else which, year, direction),
        Precision.SEASON,
    )


_UNIT_EN = r"(?P<u>minute|hour|day|week|month|year)s?"
_QUALIFIER_EN = r"(?P<which>this coming|this past|last|past|previous|this|next|coming)"
_PREP_EN = r"(?P<prep>on|by|until|till|since|before|from|starting|due)"
_DAY_EN = r"(?P<d>\d{1,2})(?:st|nd|rd|th)?"
_MONTH_EN = rf"(?P<m>{_any(_MONTHS_EN)})\b\.?"
_SURE_MONTH_EN = rf"(?P<m>{'|'.join(name for name in _MONTHS_EN if name not in {'may', 'march'})})\b"

_EN: tuple[tuple[str, str, _Resolver], ...] = (
    ("iso/1", r"\b(?P<y>(?:19|20)\d\d)-(?P<m>\d\d)-(?P<d>\d\d)\b", _iso),
    ("en.range/1", rf"\b(?:from )?{_MONTH_EN} {_DAY_EN}(?: to | ?[-–—] ?| through )(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,? {_YEAR})?", _en_day_month),
    ("en.range_of/1", rf"\b(?:from )?{_DAY_EN}(?: to | ?[-–—] ?| through )(?P<d2>\d{{1,2}})(?:st|nd|rd|th)? (?:of )?{_MONTH_EN}(?:,? {_YEAR})?", _en_day_month),
    ("en.month_day/1", rf"\b(?:{_PREP_EN} )?{_MONTH_EN} (?:the )?{_DAY_EN}\b(?![:.]\d)(?:,? {_YEAR})?", _en_day_month),
    ("en.day_month/1", rf"\b(?:{_PREP_EN} )?(?:the )?{_DAY_EN} (?:of )?{_MONTH_EN}(?:,? {_YEAR})?", _en_day_month),
    ("en.slashed/1", r"\b(?P<m>0?[1-9]|1[0-2])/(?P<d>[0-2]?\d|3[01])/(?P<y>(?:20)?\d\d)\b", _numeric),
    ("en.before_yesterday/1", r"\b(?:the )?day before yesterday\b", _simple(-2)),
    ("en.after_tomorrow/1", r"\b(?:the )?day after tomorrow\b", _simple(2)),
    ("en.yesterday/1", rf"\b(?:{_PREP_EN} )?yesterday\b{_PART_EN}", _simple(-1)),
    ("en.last_night/1", r"\blast night\b", _simple(-1)),
    ("en.today/1", rf"\b(?:{_PREP_EN} )?(?:today\b|tonight\b|this (?:morning|afternoon|evening)\b)", _simple(0)),
    ("en.tomorrow/1", rf"\b(?:{_PREP_EN} )?tomorrow\b{_PART_EN}", _simple(1)),
    ("en.ago/1", rf"\b{_N_EN} {_UNIT_EN} (?:ago|back|earlier)\b", _en_counted(-1)),
    ("en.in/1", rf"\bin (?:about |around )?{_N_EN} {_UNIT_EN}(?:' time)?\b", lambda m, a, d: None if d is Direction.PAST else _en_counted(1)(m, a, d)),
    ("en.from_now/1", rf"\b{_N_EN} {_UNIT_EN} from (?:now|today)\b", _en_counted(1)),
    ("en.lasting/1", rf"\bfor (?:the (?:past|last) |over |about |almost |nearly |around )?{_N_EN} {_UNIT_EN}(?: now)?\b", _en_lasting),
    ("en.weekday_of/1", rf"\b(?:{_PREP_EN} )?(?P<which>)(?P<d>{_any(_WEEKDAYS_EN)})(?: of)? (?P<of>last|this|next) week\b{_PART_EN}", _en_weekday),
    ("en.weekday/1", rf"\b(?:{_PREP_EN} )?(?:{_QUALIFIER_EN} )?(?P<d>{_any(_WEEKDAYS_EN)})\b(?!s|'s\b)(?! (?:of|after)\b){_PART_EN}", _en_weekday),
    ("en.period/1", rf"\b(?:{_PREP_EN} )?{_QUALIFIER_EN} (?P<u>weekend|week|month|year)\b(?!s)", _en_period),
    ("en.weekend/1", r"\b(?:over|on|at) the weekend\b", lambda m, a, d: _period("weekend", "last" if d is Direction.PAST and a.weekday() < 5 else "this", a)),
    ("en.season/1", rf"\b(?:in the |over the )?{_QUALIFIER_EN} (?P<s>{_any_named(_SEASONS_EN)})\b(?P<y>)", _en_season),
    ("en.season_plain/1", rf"\b(?:in the|over the|in) (?P<which>)(?P<s>{_any_named(_SEASONS_EN)})\b(?: of)?(?: {_YEAR})?", _en_season),
    ("en.month/1", rf"\b(?P<prep>in|since|until|till|by|during)(?: (?:early|mid|late))?(?: {_QUALIFIER_EN})? {_MONTH_EN}(?!\w)(?:,? (?:of )?{_YEAR})?", _en_month),
    ("en.month_of/1", rf"\b{_QUALIFIER_EN} {_MONTH_EN}(?P<y>)", _en_month),
    ("en.month_year/1", rf"\b{_SURE_MONTH_EN},? {_YEAR}\b", _en_month),
    ("en.day_only/1", r"\b(?P<prep>on|by|until|since) the (?P<d>\d{1,2})(?:st|nd|rd|th)\b(?! (?:of|floor|street|time|birthday|anniversary))", _en_day_only),
    ("en.year/1", rf"\b(?P<prep>in|since|until|by|from) {_YEAR}\b", _year),
)  # fmt: skip

_RULES: dict[Language, tuple[tuple[str, re.Pattern[str], _Resolver], ...]] = {
    "ru": tuple((name, re.compile(pattern), resolve) for name, pattern, resolve in _RU),
    "en": tuple((name, re.compile(pattern), resolve) for name, pattern, resolve in _EN),
}
# One cheap look first: most clauses hold no date.
_MAYBE: dict[Language, re.Pattern[str]] = {
    "ru": re.compile(
        r"\d|вчера|сегодня|завтра|назад|через|недел|месяц|год|лет|зим|весн|осен|выходн|полдень|полноч|"
        + "|".join(word[:4] for word in (*_WEEKDAYS_RU, *_MONTHS_RU)).replace("[", "")
        + r"|\bма[йяюе]|уже |час "
    ),
    "en": re.compile(
        r"\d|yesterday|today|tonight|tomorrow|night|ago|\bback\b|earlier|week|month|year|day|morning|afternoon|evening|"
        r"summer|winter|spring|autumn|\bfall\b|noon|hour|minute|" + _any(_MONTHS_EN)
    ),
}
