"""The search: pieces of dates by the language's rules, joined, with the preposition before them as their role."""

# ruff: noqa: E501 - patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime

from memory_lib.domain.candidates import Precision
from memory_lib.domain.syntax import Language
from memory_lib.reasoning.dates import english, russian
from memory_lib.reasoning.dates.clock_times import CLOCK_RULES
from memory_lib.reasoning.dates.joining import at_clock, joined
from memory_lib.reasoning.dates.mention import DateMention, Direction, Role
from memory_lib.reasoning.dates.pieces import Kind, Piece, Rule, Scene
from memory_lib.reasoning.dates.reckoning import after_unit, day_from
from memory_lib.reasoning.dates.words import WORDS
from memory_lib.reasoning.trees.folding import fold

_RULES: Mapping[Language, tuple[Rule, ...]] = {"en": english.RULES, "ru": russian.RULES}
_LONGEST_LEAD = 24
_LEADS: Mapping[Language, re.Pattern[str]] = {
    "en": re.compile(
        r"(?<![\w'-])(?P<word>(?P<since>since|starting(?: on| from| in)?|from|as of|beginning(?: on| in)?|after|later than)|"
        r"(?P<until>by|until|untill|till|til|up to|through|thru|before|due by|no later than)|due|on|in|at|for|during|over|around|about|between|of|to|than|@)"
        r"(?: the| about| around| early| mid| late)* $"
    ),
    "ru": re.compile(
        r"(?<![\w-])(?P<word>(?P<since>начиная с|с|со|после|от|позднее|позже)|(?P<until>до|к|ко|по|не позднее|вплоть до)|в|во|на|около|ближе к|через|между|за|под|перед|накануне)"
        r"(?: самого| самой| самый| примерно)? $"
    ),
}  # fmt: skip
_RECURRING = re.compile(
    r"(?<!\w)(?:every|each|most|any|every other|every second|some|alternate|кажд\w+|любой|любую|(?:by|по) четным) (?:single )?$"
)
_AFTER = frozenset({"after", "later than", "после", "позднее", "позже"})
_ONLY = re.compile(r"[\s\W]*")


def find_dates(
    text: str, *, anchor: datetime, language: Language, direction: Direction, day_first: bool = False
) -> tuple[DateMention, ...]:
    """All dates of ``text`` in order, without overlaps. A lone time of the day needs a direction to have a date.

    Args:
        anchor: the message's own time with its offset.
        direction: from the clause's tense.
        day_first: how English figures are read: True = 3/4 is the 3rd of April. Russian ones always are.
    """
    folded = fold(text)
    if not _MAYBE[language].search(folded):
        return ()
    scene = Scene(
        text=folded,
        anchor=anchor,
        direction=direction,
        words=WORDS[language],
        day_first=day_first or language == "ru",
        inner=_inner,
    )
    try:
        pieces = joined(list(_pieces(scene)), scene)
    except OverflowError:
        return ()
    mentions = (_mention(each, scene) for each in pieces)
    return tuple(mention for mention in mentions if mention is not None)


def _pieces(scene: Scene) -> Iterator[Piece]:
    taken: list[Piece] = []
    for rule in (*_RULES[scene.words.language], *CLOCK_RULES[scene.words.language]):
        for match in rule.pattern.finditer(scene.text):
            found = _resolved(rule, match, scene, taken)
            if found is not None:
                taken.append(found)
                yield found


def _resolved(rule: Rule, match: re.Match[str], scene: Scene, taken: list[Piece]) -> Piece | None:
    if any(match.start() < other.end and other.start < match.end() for other in taken):
        return None
    lead = _LEADS[scene.words.language].search(scene.text, max(0, match.start() - _LONGEST_LEAD), match.start())
    side = scene.direction
    if lead is not None and lead["until"] and side is Direction.NONE:
        side = Direction.FUTURE
    try:
        found = rule.resolve(match, replace(scene, direction=side))
    except (ValueError, OverflowError, KeyError, StopIteration, IndexError):
        return None  # no such day, or a count beyond the calendar
    if found is None or any(found.start < other.end and other.start < found.end for other in taken):
        return None
    allowed = rule.leads is None or (lead is not None and _allows(rule.leads, lead))
    return replace(found, rule=rule.name, alone=allowed, leads=rule.leads)


def _allows(leads: re.Pattern[str], lead: re.Match[str]) -> bool:
    return leads.fullmatch(lead["word"]) is not None or leads.fullmatch(lead.group().rstrip()) is not None


def _inner(start: int, scene: Scene) -> Piece | None:
    """The date that begins at that place, whether or not it could stand alone."""
    for rule in _RULES[scene.words.language]:
        match = rule.pattern.match(scene.text, start)
        if match is None:
            continue
        try:
            found = rule.resolve(match, scene)
        except (ValueError, OverflowError, KeyError, StopIteration, IndexError):
            continue
        if found is not None and found.kind in {Kind.DATE, Kind.WEEKDAY}:
            return found
    return None


def _mention(found: Piece, scene: Scene) -> DateMention | None:
    lead = _LEADS[scene.words.language].search(scene.text, max(0, found.start - _LONGEST_LEAD), found.start)
    start = found.start if lead is None else lead.start()
    if not _stands(found, scene, lead, start):
        return None
    placed = _today_or_so(found, scene) if found.kind is Kind.CLOCK else found
    if placed is None:
        return None
    role = _role_of(placed, lead)
    begin, precision, ends = placed.begin, placed.precision, placed.ends
    if role is Role.LASTING and precision is Precision.MINUTE:
        return None  # "for a second", "for two hours": no state that began then
    if role is Role.UNTIL and placed.core is not None:
        begin, precision, ends = placed.core, Precision.DAY, None
    after = role is Role.SINCE and lead is not None and lead["word"] in _AFTER
    if after and precision is Precision.DAY and scene.direction is Direction.PAST:
        begin = after_unit(begin, precision)
    return DateMention(start, placed.end, begin, precision, role, ends, placed.rule, placed.stretch)


def _stands(found: Piece, scene: Scene, lead: re.Match[str] | None, start: int) -> bool:
    """Whether the words are a date where they stand: by themselves, by their preposition, or as the whole text."""
    if _RECURRING.search(scene.text, max(0, start - _LONGEST_LEAD), start):
        return False
    whole = _ONLY.fullmatch(scene.text[:start]) is not None and _ONLY.fullmatch(scene.text[found.end :]) is not None
    if found.kind is Kind.PART:
        return whole and (lead is None or found.alone)
    if found.alone:
        return True
    led_wrongly = lead is not None and found.leads is not None and not found.rule.startswith("en.clock_at")
    return whole and not led_wrongly and found.clock_end is None


def _role_of(found: Piece, lead: re.Match[str] | None) -> Role:
    """The preposition's; of a range only where it closes one ("by the end of the week")."""
    closing = found.core is not None and lead is not None and lead["until"]
    if found.role is not Role.AT or lead is None or (found.ends is not None and not closing):
        return found.role
    return Role.SINCE if lead["since"] else Role.UNTIL if lead["until"] else Role.AT


def _today_or_so(found: Piece, scene: Scene) -> Piece | None:
    """A time of the day without a day: today's, or its neighbour's on the tense's side."""
    if scene.direction is Direction.NONE or found.clock is None:
        return None
    today = replace(found, begin=day_from(scene.anchor))
    placed = at_clock(today, found.clock, found.clock_end, scene)
    step = 0
    if scene.direction is Direction.FUTURE and placed.begin <= scene.anchor:
        step = 1
    elif scene.direction is Direction.PAST and placed.begin > scene.anchor:
        step = -1
    if not step:
        return placed
    try:
        return at_clock(replace(found, begin=day_from(scene.anchor, step)), found.clock, found.clock_end, scene)
    except OverflowError:
        return None


# One cheap look first: most clauses hold no date.
_MAYBE: Mapping[Language, re.Pattern[str]] = {
    "ru": re.compile(
        r"\d|вчера|сегодня|завтра|назад|через|недел|месяц|год|лет|зим|весн|осен|выходн|полдень|полдн|полноч|квартал|дня|день|дней|обед|утр|вечер|"
        r"ночью|понедельн|вторник|сред[уыае]|четверг|пятниц|суббот|воскресен|янв|фев|мар[т ]|апр|ма[йяюе]|июн|июл|авг|сен|окт|ноя|дек|час|минут|секунд|"
        r"рождеств|пасх|крещени|в (?:два|три|четыре|пять|шесть|семь|восемь|девять|десять|одиннадцать|двенадцать)|числа|\b(?:пн|вт|ср|чт|пт|сб|вс)\b|мар|пол[а-я]+(?:ого|его)\b|половин|без \w+|две тысячи|девятьсот|сорок|десят|девяност|кажд|до \w+ого|к \w+ому|новым|нового|новый|[ое]го по "
    ),
    "en": re.compile(
        r"\d|yesterday|today|tonight|tomorrow|tmrw|tomorow|night|ago|\bback\b|earlier|week|month|year|day|morning|afternoon|evening|christmas|xmas|easter|hallow|valentine|"
        r"patrick|paddy|thanksgiving|summer|winter|spring|autumn|\bfall\b|noon|lunch|hour|minute|second|quarter|qtr|\bnow\b|o'?clock|\b[be]o[dmy]\b|this time|hence|decade|"
        r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|at|half)|\bq[1-4]\b|ish\b|thirty|twenty|twelve|past|\byr|\bfirst\b|third|fifth|the \w+th\b"
    ),
}  # fmt: skip
