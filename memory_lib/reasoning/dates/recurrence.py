"""What happens again and again: "every Tuesday", "по вторникам", "twice a week". A rule of RFC 5545 for a day that never comes once."""

# ruff: noqa: E501 - patterns read best on long lines
from __future__ import annotations

import re
from collections.abc import Mapping

from memory_lib.domain.syntax import Language
from memory_lib.reasoning.dates.words import ENGLISH, RUSSIAN
from memory_lib.reasoning.trees.folding import fold

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_FULL_EN = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
_FULL_RU = "понедельник|вторник|сред|четверг|пятниц|суббот|воскресень"
_DAY_RU = rf"(?P<d>{_FULL_RU})\w*"
_PARTS_EN = "morning|afternoon|evening|night"
_UNIT_EN = rf"(?P<u>day|week|weekend|fortnight|month|quarter|year|weekday|summer|winter|spring|autumn|fall|{_PARTS_EN})"
_UNIT_RU = r"(?P<u>день|дня|сутки|недел\w+|выходн\w+|месяц\w*|квартал\w*|год\w*|лет[оа]|зим[уы]|весн[уы]|осень|утр[оа]|вечер\w*|ночь|будн\w+)"
_RULES: Mapping[Language, tuple[re.Pattern[str], ...]] = {
    "en": (
        re.compile(rf"\b(?:every|each)(?P<other> other| second)? (?P<d>{_FULL_EN})\b"),
        re.compile(rf"\b(?P<d>{_FULL_EN})s\b"),
        re.compile(rf"\b(?:every|each)(?P<other> other| second)?(?: single)? {_UNIT_EN}\b"),
        re.compile(rf"\bevery (?P<n>{ENGLISH.number}) (?P<u>day|week|month|year)s\b"),
        re.compile(r"\b(?:once|twice|(?P<n>\w+) times) (?:a|every|per) (?P<u>day|week|month|year)\b"),
        re.compile(r"\b(?P<ly>daily|weekly|monthly|yearly|annually|nightly)\b"),
        re.compile(rf"\b(?:on |at |most )(?P<u>weekend|weekday|{_PARTS_EN})s\b"),
    ),
    "ru": (
        re.compile(rf"\bкажд\w+(?P<other> втор\w+)? {_DAY_RU}"),
        re.compile(rf"\bпо (?P<d>{_FULL_RU})(?:ам|ям)\b"),
        re.compile(rf"\bкажд\w+(?P<other> втор\w+)? {_UNIT_RU}\b"),
        re.compile(rf"\bкажды[ех] (?P<n>{RUSSIAN.number}) (?P<u>дня|дней|недели|недель|месяца|месяцев|года|лет)\b"),
        re.compile(r"\b(?:раз|(?:два|три|четыре|пять|\d) раза?|пару раз) в (?P<u>день|сутки|неделю|месяц|год)\b"),
        re.compile(r"\b(?P<ly>ежедневно|еженедельно|ежемесячно|ежегодно)\b"),
        re.compile(r"\bпо (?P<u>утрам|вечерам|ночам|выходным|будням)\b"),
    ),
}  # fmt: skip
_FREQUENCIES: tuple[tuple[str, str], ...] = (
    ("weekend|выходн", "FREQ=WEEKLY;BYDAY=SA,SU"), ("weekday|будн", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
    ("fortnight", "FREQ=WEEKLY;INTERVAL=2"), ("week|недел|еженед", "FREQ=WEEKLY"), ("month|месяц|ежемес", "FREQ=MONTHLY"), ("quarter|квартал", "FREQ=MONTHLY;INTERVAL=3"),
    ("year|annual|summer|winter|spring|autumn|fall|год|лет|зим|весн|осен", "FREQ=YEARLY"), ("", "FREQ=DAILY"),
)  # fmt: skip


def recurrence(text: str, *, language: Language) -> str | None:
    """How often it happens, as an RFC 5545 rule such as ``FREQ=WEEKLY;BYDAY=TU``; None where nothing recurs."""
    folded = fold(text)
    for pattern in _RULES[language]:
        match = pattern.search(folded)
        if match is not None:
            return _rule(match, language)
    return None


def _rule(match: re.Match[str], language: Language) -> str:
    groups = match.groupdict()
    other = ";INTERVAL=2" if groups.get("other") else ""
    if groups.get("d"):
        stems = (_FULL_EN if language == "en" else _FULL_RU).split("|")
        return f"FREQ=WEEKLY{other};BYDAY={_DAYS[stems.index(groups['d'])]}"
    word = groups.get("u") or groups.get("ly") or ""
    rule = next(rule for stems, rule in _FREQUENCIES if re.match(stems, word))
    words = ENGLISH if language == "en" else RUSSIAN
    number = groups.get("n") if match.group().startswith(("every", "кажд")) else None
    if number and words.number_of(number) > 1 and "INTERVAL" not in rule:
        return f"{rule};INTERVAL={words.number_of(number)}"
    return rule + (other if "BYDAY" not in rule and "INTERVAL" not in rule else "")
