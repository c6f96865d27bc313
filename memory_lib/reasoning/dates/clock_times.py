"""Times of the day in both languages."""

# ruff: noqa: E501 - patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import time

from memory_lib.domain.syntax import Language
from memory_lib.reasoning.dates.pieces import Clock, Kind, Piece, Resolver, Rule, Scene
from memory_lib.reasoning.dates.words import ENGLISH, ZONES

_ZONE = rf"(?: ?(?P<zone>{'|'.join(ZONES)})\b)?"
_NEVER = re.compile(r"(?!)")
_NOON = frozenset({"noon", "midday", "mid day", "полдень", "полудню", "полудня"})
_HOURS_RU: Mapping[str, int] = {
    "час": 1, "часу": 1, "часа": 1, "два": 2, "двух": 2, "двум": 2, "три": 3, "трех": 3, "трем": 3, "четыре": 4, "четырех": 4, "четырем": 4, "пять": 5, "пяти": 5,
    "шесть": 6, "шести": 6, "семь": 7, "семи": 7, "восемь": 8, "восьми": 8, "девять": 9, "девяти": 9, "десять": 10, "десяти": 10, "одиннадцать": 11,
    "одиннадцати": 11, "двенадцать": 12, "двенадцати": 12,
}  # fmt: skip
_NEXT_HOUR_RU = ("первого", "второго", "третьего", "четвертого", "пятого", "шестого", "седьмого", "восьмого", "девятого", "десятого", "одиннадцатого", "двенадцатого")  # fmt: skip
_HOURS_EN = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_MINUTES_EN = rf"(?:zero|ou|oh|o)[ -](?:{_HOURS_EN})|(?:twenty|thirty|forty|fifty)[ -](?:{_HOURS_EN})|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty"
_HALF_EN = r"(?P<half>a\.? ?m\b\.?|p\.? ?m\b\.?|p\b\.?|in the am\b|in the pm\b)"
_HALF_RU = r"(?P<half>утра|дня|вечера|ночи|пополудни|пополуночи)"
_H_RU = rf"(?P<h>\d{{1,2}}|{'|'.join(sorted(_HOURS_RU, key=len, reverse=True))})"
_LED_EN = re.compile(r"(?:at|by|around|about|until|till|untill|from|since|before|after|to|between|than|for|@)")
_LED_RU = re.compile(r"(?:в|к|на|около|с|до|после|от|по)")
_AT_RU = re.compile(r"(?:в|к|около|до|после|с)")


def _clock(match: re.Match[str], scene: Scene, hour: int, minute: int, *, sure: bool = False) -> Piece | None:
    """The match as a time of the day, its half from the words beside it."""
    groups = match.groupdict()
    half = (groups.get("half") or "").replace(".", "").replace(" ", "").removeprefix("inthe")
    next_day = False
    if half in {"pm", "p", "вечера", "дня", "пополудни"} and hour < 12:
        hour += 12
    elif half in {"am", "ночи", "пополуночи"} and hour == 12:
        hour = 0
    elif not half and not sure and groups.get("m") is None and 1 <= hour <= 7 and scene.text.strip() != groups.get("h"):
        hour += 12  # "at 7", "в 5 часов": people meet in the afternoon
        half = ""
    if hour == 24:
        hour, next_day = 0, True
    if hour > 23 or minute > 59:
        return None
    zone = groups.get("zone")
    known = bool(half) or sure or (hour > 12 and bool(groups.get("m")))
    clock = Clock(at=time(hour, minute), sure=known, next_day=next_day, zone=None if zone is None else ZONES[zone])
    return Piece(start=match.start(), end=match.end(), kind=Kind.CLOCK, clock=clock)


def _figures(match: re.Match[str], scene: Scene) -> Piece | None:
    return _clock(match, scene, scene.words.number_of(match["h"]), int(match.groupdict().get("m") or 0))


def _spaced(match: re.Match[str], scene: Scene) -> Piece | None:
    hour = int(match["h"])
    return _clock(match, scene, hour + 12 if 1 <= hour <= 7 else hour, int(match["m"]))


def _told_hour(match: re.Match[str], scene: Scene) -> Piece | None:
    """A whole hour with a word that makes it one: "at 7 o'clock", "в 5 часов"."""
    word = match["h"]
    hour = int(word) if word.isdigit() else _HOURS_RU.get(word) or scene.words.number_of(word)
    return _clock(match, scene, hour, 0)


def _named(match: re.Match[str], scene: Scene) -> Piece | None:
    noon = match["word"] in _NOON
    return _clock(match, scene, 12 if noon else 24, 0, sure=True)


def _words_en(match: re.Match[str], scene: Scene) -> Piece | None:
    minute = 0
    for word in re.split(r"[ -]", match["m"]):
        minute += 0 if word in {"ou", "oh", "o"} else scene.words.number_of(word)
    return _clock(match, scene, scene.words.number_of(match["h"]), minute)


def _beside_hour(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "A quarter past 3 pm", "twenty to five", "half three"."""
    word = match["h"]
    told = word in _NOON
    hour = 12 if told else 24 if word == "midnight" else int(word) if word.isdigit() else scene.words.number_of(word)
    half = (match["half"] or "").replace(".", "").replace(" ", "")
    sure = bool(half) or told or hour > 12
    if (half.startswith("p") and hour < 12) or (not half and not told and 1 <= hour <= 7):
        hour += 12
    count = match["n"]
    minutes = 30 if count == "half" else 15 if "quarter" in count else scene.words.number_of(count.split(" ")[0])
    total = hour * 60 + (-minutes if match["side"] in {"to", "before", "til", "till"} else minutes)
    clock = Clock(at=time(total // 60 % 24, total % 60), sure=sure, next_day=total >= 24 * 60)
    return Piece(start=match.start(), end=match.end(), kind=Kind.CLOCK, clock=clock)


def _half_ru(match: re.Match[str], scene: Scene) -> Piece | None:
    """As in "В полседьмого" = 6:30, "без четверти пять" = 4:45, "двадцать минут шестого" = 5:20."""
    groups = match.groupdict()
    if groups.get("next"):
        hour = _NEXT_HOUR_RU.index(match["next"])
        count = groups.get("n")
        minute = 30 if count is None else 15 if count.startswith("четверт") else scene.words.number_of(count)
    else:
        word = match["h"]
        hour = (int(word) if word.isdigit() else _HOURS_RU[word]) - 1
        count = match["n"]
        minute = 60 - (15 if count.startswith("четверт") else scene.words.number_of(count))
    hour = hour or 12
    half = groups.get("half")
    if (half in {"дня", "вечера"} or (not half and hour <= 7)) and hour < 12:
        hour += 12
    clock = Clock(at=time(hour % 24, minute), sure=bool(half))
    return Piece(start=match.start(), end=match.end(), kind=Kind.CLOCK, clock=clock)


def _rules(rows: tuple[tuple[str, str, Resolver, re.Pattern[str] | None], ...]) -> tuple[Rule, ...]:
    return tuple(
        Rule(name, re.compile(r"(?<![\w/$€£₽#№])(?<!\d[.:,])" + pattern), resolve, leads)
        for name, pattern, resolve, leads in rows
    )


_UNITS_AFTER = r"(?! ?(?:%|°|years?|yrs?|km|kg|miles?|percent|dollars?|bucks|euros?|people|times|months?|weeks?|days?|minutes?|mins?|hours?|points|goals|[$€£]|\d|[:./,-]\d))"
CLOCK_RULES: Mapping[Language, tuple[Rule, ...]] = {
    "en": _rules((
        ("en.clock_half/1", rf"(?P<n>(?:a )?quarter|half|(?:\d{{1,2}}|{ENGLISH.number}) minutes?|5|10|15|20|25|five|ten|twenty(?:[ -]five)?|fifteen)(?: (?P<side>past|after|to|before|til|till|from) |(?<=half) )(?P<h>\d{{1,2}}|{_HOURS_EN}|noon|midnight)(?:h\b)?(?: ?{_HALF_EN})?\b(?! (?:years|days|weeks|months|hours|minutes|people|dollars|percent|miles))", _beside_hour, _LED_EN),
        ("en.clock_range/1", r"(?P<h>\d{1,2})(?::(?P<m>\d\d))?(?= ?[-–—] ?\d{1,2}(?::\d\d)? ?(?:a\.?m|p\.?m))", _figures, _NEVER),
        ("en.clock/1", rf"(?P<h>\d{{1,2}}|(?:{_HOURS_EN})(?= [ap]))(?:[:.](?P<m>\d\d)(?::\d\d)?)? ?(?:o'?clock )?{_HALF_EN}{_ZONE}", _figures, None),
        ("en.clock/2", rf"(?P<h>\d{{1,2}}):(?P<m>\d\d)(?::\d\d)?\b(?![:/.]\d){_ZONE}", _figures, _LED_EN),
        ("en.clock_h/1", rf"(?P<h>\d{{1,2}})h(?P<m>\d\d)?\b{_ZONE}", lambda m, s: _clock(m, s, int(m["h"]), int(m["m"] or 0), sure=int(m["h"]) > 12 or bool(m["m"])), _LED_EN),
        ("en.clock_words/1", rf"(?P<h>{_HOURS_EN})[ -](?P<m>{_MINUTES_EN})\b(?: {_HALF_EN})?(?! (?:years|days|people|minutes|dollars|hundred|thousand|miles|percent|pounds))", _words_en, _LED_EN),
        ("en.clock_oclock/1", rf"(?P<h>\d{{1,2}}|{_HOURS_EN})(?: o'?clock| oclock)(?: {_HALF_EN})?\b{_ZONE}", _told_hour, None),
        ("en.clock_word/1", r"(?:the )?(?P<word>noon|midday|mid day|midnight)\b", _named, _LED_EN),
        ("en.clock_at/0", r"(?<=at )(?P<h>\d{1,2}) (?P<m>\d\d)\b" + _UNITS_AFTER, _spaced, _NEVER),
        ("en.clock_at/3", r"(?<=at )(?P<h>\d{1,2})(?P<m>\d\d)\b" + _UNITS_AFTER, _figures, _NEVER),
        ("en.clock_at/1", rf"(?<=at )(?P<h>1[0-2]|[1-9]|{_HOURS_EN})\b{_UNITS_AFTER}(?=[,.;!?)]|$| (?:on|in|tomorrow|tonight|today|this|sharp|and|but|for|with|so|because|every|until|till|next|monday|tuesday|wednesday|thursday|friday|saturday|sunday)\b)", _told_hour, _LED_EN),
        ("en.clock_at/2", rf"(?:(?<=at )|(?<=@ ))(?P<h>1\d|2[0-3]|[1-9]|{_HOURS_EN})\b{_UNITS_AFTER}{_ZONE}", _told_hour, _NEVER),
        ("en.clock_ish/1", rf"(?P<h>\d{{1,2}}|{_HOURS_EN})ish\b(?: {_HALF_EN})?", _told_hour, _LED_EN),
        ("en.clock_bare/1", rf"(?P<h>[01]?\d|2[0-3]|{_HOURS_EN})\b{_UNITS_AFTER}", _told_hour, _NEVER),
    )),
    "ru": _rules((
        ("ru.clock/1", rf"(?P<h>\d{{1,2}})[:.](?P<m>\d\d)\b(?!\.?\d)(?:ч\b)?(?: ?{_HALF_RU})?{_ZONE}", _figures, _LED_RU),
        ("ru.clock_hm/1", r"(?P<h>\d{1,2}) ?(?:ч(?:ас(?:а|ов)?)?\.?) ?(?P<m>\d\d)(?: ?мин(?:ут)?)?\b", _figures, _LED_RU),
        ("ru.clock_half/1", rf"(?:пол(?:овин[аеу] )?-?)(?P<next>{'|'.join(_NEXT_HOUR_RU)})\b(?: {_HALF_RU})?", _half_ru, None),
        ("ru.clock_half/2", rf"без (?P<n>четверти|пяти|десяти|пятнадцати|двадцати|двадцати пяти|\d{{1,2}})(?: минут)? {_H_RU}(?: часов)?\b(?: {_HALF_RU})?", _half_ru, None),
        ("ru.clock_half/3", rf"(?P<n>четверть|пять|десять|пятнадцать|двадцать|двадцать пять|\d{{1,2}})(?: минут)? (?P<next>{'|'.join(_NEXT_HOUR_RU)})\b(?: {_HALF_RU})?(?! (?:янв|фев|мар|апр|ма|июн|июл|авг|сен|окт|ноя|дек|числ|этаж|раз))", _half_ru, _LED_RU),
        ("ru.clock_part/1", rf"(?<!за )(?<!на ){_H_RU} час(?:ов|а)? {_HALF_RU}\b{_ZONE}", _told_hour, None),
        ("ru.clock_part/2", rf"{_H_RU} (?P<half>утра|вечера)\b{_ZONE}", _told_hour, _LED_RU),
        ("ru.clock_part/3", rf"{_H_RU} {_HALF_RU}\b{_ZONE}", _told_hour, _AT_RU),
        ("ru.clock_hour/1", rf"(?<!за )(?<!на )(?P<h>\d{{1,2}}) ?(?:ч\b|час(?:ов|а|ам)?\b)(?! назад| спустя| подряд| в (?:день|сутки|неделю)){_ZONE}", _told_hour, _AT_RU),
        ("ru.clock_hour/2", r"(?<!за )(?<!на )(?P<h>два|три|четыре|пять|шесть|семь|восемь|девять|десять|одиннадцать|двенадцать|двух|трех|четырех|пяти|шести|семи|восьми|девяти|десяти|одиннадцати|двенадцати|трем|двум|четырем) час(?:ов|а|ам)\b(?! назад| спустя| подряд| в (?:день|сутки|неделю))", _told_hour, _AT_RU),
        ("ru.clock_word/1", r"(?P<word>полдень|полночь|полудню|полуночи|полудня)\b", _named, _AT_RU),
        ("ru.clock_bare/1", r"(?P<h>\d{1,2})\b(?! ?(?:\d|%|°|год|лет|руб|км|раз|кварт|дом|школ|клас|част|мест|(?!до\b|по\b|и\b)[а-яa-z]|[:./,-]\d))", _told_hour, re.compile(r"(?:в|к|около)")),
        ("ru.clock_word_hour/1", r"(?P<h>час|два|три|четыре|пять|шесть|семь|восемь|девять|десять|одиннадцать|двенадцать|двух|трех|четырех|пяти|шести|семи|восьми|девяти|десяти|одиннадцати|двенадцати)\b(?=$|[,.;!?)])", _told_hour, re.compile(r"(?:в|к|около)")),
        ("ru.clock_word_hour/2", r"(?:(?<=в )|(?<=к )|(?<=до ))(?P<h>час|два|три|четыре|пять|шесть|семь|восемь|девять|десять|одиннадцать|двенадцать|двум|двух|трем|трех|четырем|четырех|пяти|шести|семи|восьми|девяти|десяти|одиннадцати|двенадцати)\b(?! (?:раз|лет|год|этаж|час|дн|недел|месяц|минут|руб|тысяч|процент|квартир|комнат|\w+ раз))", _told_hour, _NEVER),
        ("ru.clock_bare/2", r"(?<=в )(?P<h>\d{1,2})\b(?! ?(?:\d|%|°|год|лет|руб|км|раз|кварт|дом|школ|клас|част|мест|этаж|комнат|дн|недел|месяц|мин|тыс|[:./,-]\d))", _told_hour, _NEVER),
    )),
}  # fmt: skip
