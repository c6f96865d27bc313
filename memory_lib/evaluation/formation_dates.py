"""Dates of ``reasoning.dates`` against facebook/duckling's time corpora.

Two readings of "right". **grain**: the start, cut to the corpus's grain, is the corpus's; **exact**: the precision fits too,
and the end of a span. Hours and seconds are our minutes; a quarter is a month or season that begins with it. Where a row is
a span, vague words ("evening", "the end of May") count with the stretch that they cover. An expression stands alone, so it is
searched without a direction first and, where nothing is found, as the future (duckling's own convention for what no tense
points to). The exotic holidays are counted apart.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from memory_lib.domain.candidates import Precision
from memory_lib.domain.syntax import Language
from memory_lib.evaluation.duckling_values import REFERENCE, Form, Grain, TimeValue, read_time_value
from memory_lib.evaluation.formation_figures import Figure, share_figure
from memory_lib.reasoning.dates import DateMention, Direction, Role, find_dates
from memory_lib.reasoning.dates.reckoning import after_unit

FILES: Mapping[Language, str] = {"en": "EN_time_dev.jsonl", "ru": "RU_time_dev.jsonl"}
# What people mention in passing; the corpus has some ninety more.
_EVERYDAY_HOLIDAYS = frozenset(
    {
        "Christmas", "New Year's Day", "New Year's Eve", "Thanksgiving Day", "Halloween", "Valentine's Day", "Easter Sunday",
        "Black Friday", "St Patrick's Day", "Рождество Христово", "Новый Год", "Mother's Day", "Father's Day",
    }
)  # fmt: skip
_FITTING: Mapping[Grain, tuple[Precision, ...]] = {
    Grain.SECOND: (Precision.MINUTE,),
    Grain.MINUTE: (Precision.MINUTE,),
    Grain.HOUR: (Precision.MINUTE,),
    Grain.DAY: (Precision.DAY,),
    Grain.WEEK: (Precision.WEEK,),
    Grain.MONTH: (Precision.MONTH,),
    Grain.QUARTER: (Precision.MONTH, Precision.SEASON),
    Grain.YEAR: (Precision.YEAR,),
}


@dataclass(frozen=True, slots=True)
class DateOutcome:
    """One row of the corpus: what is right, what was found, and whether it fits. ``family``: form, or "holiday"."""

    text: str
    value: TimeValue
    found: DateMention | None
    grain: bool
    exact: bool
    same_day: bool

    @property
    def family(self) -> str:
        return "holiday" if self.value.holiday else self.value.form.value

    @property
    def counts(self) -> bool:
        """Whether the row is measured: a date, or a holiday that people mention."""
        return not self.value.holiday or self.value.holiday in _EVERYDAY_HOLIDAYS


def date_outcomes(rows: Sequence[Mapping[str, str]], *, language: Language) -> list[DateOutcome]:
    """Each readable row ``{text, value}`` with what the product makes of it."""
    return list(_outcomes(rows, language))


def evaluate_dates(data: Path) -> list[Figure]:
    """Figures of both corpora in ``data``/duckling_time; none where the folder lacks a file."""
    figures: list[Figure] = []
    bars: Mapping[Language, float] = {"en": 0.90, "ru": 0.85}
    for language, bar in bars.items():
        path = data / "duckling_time" / FILES[language]
        if not path.is_file():
            continue
        with path.open(encoding="utf-8") as lines:
            outcomes = date_outcomes([json.loads(line) for line in lines if line.strip()], language=language)
        counted = [outcome for outcome in outcomes if outcome.counts]
        exact_bar, grain_bar = (bar, None) if language == "en" else (None, bar)
        note = "exotic holidays left out"
        figures += [
            share_figure(
                f"dates.{language}.exact", sum(each.exact for each in counted), len(counted), asked=exact_bar, note=note
            ),
            share_figure(
                f"dates.{language}.grain", sum(each.grain for each in counted), len(counted), asked=grain_bar, note=note
            ),
            share_figure(f"dates.{language}.same_day", sum(each.same_day for each in counted), len(counted), note=note),
            share_figure(
                f"dates.{language}.exact_with_holidays", sum(each.exact for each in outcomes), len(outcomes), note="all rows"
            ),
        ]
        for family in sorted({each.family for each in counted}):
            of_family = [each for each in counted if each.family == family]
            figures.append(
                share_figure(f"dates.{language}.exact.{family}", sum(each.exact for each in of_family), len(of_family))
            )
    return figures


def _outcomes(rows: Sequence[Mapping[str, str]], language: Language) -> Iterator[DateOutcome]:
    for row in rows:
        value = read_time_value(row["value"])
        if value is None:
            continue
        found = _found(row["text"], language)
        if found is None:
            yield DateOutcome(row["text"], value, None, grain=False, exact=False, same_day=False)
            continue
        until = _is_until_now_on(value) and found.role is Role.UNTIL and value.ends is not None
        start = value.ends if until and value.ends is not None else value.begin
        begin = _begin_of(found, value, until=until)
        grain = _cut(begin, value.grain) == _cut(start, value.grain)
        same_day = begin.date() == start.date()
        yield DateOutcome(row["text"], value, found, grain=grain, exact=grain and _exact(found, value), same_day=same_day)


def _begin_of(found: DateMention, value: TimeValue, *, until: bool) -> datetime:
    """Where the found date begins, or ends for ``until``; of vague words the stretch that they cover."""
    if found.stretch is None or value.form is not Form.SPAN:
        return found.begin
    return found.stretch[1] if until else found.stretch[0]


def _found(text: str, language: Language) -> DateMention | None:
    for direction in (Direction.NONE, Direction.FUTURE):
        found = find_dates(text, anchor=REFERENCE, language=language, direction=direction)
        if found:
            return max(found, key=lambda mention: mention.end - mention.start)
    return None


def _exact(found: DateMention, value: TimeValue) -> bool:
    if value.form is Form.AFTER:
        return found.role is Role.SINCE
    if value.form is Form.BEFORE:
        return found.role is Role.UNTIL
    if _is_until_now_on(value) and found.role is Role.UNTIL:
        return True
    if value.form is Form.SPAN:
        return value.ends is not None and _exclusive_end(found, value.grain) == value.ends
    return found.precision in _FITTING[value.grain] and found.ends is None


def _is_until_now_on(value: TimeValue) -> bool:
    """A span from the very moment: the corpus's way to write "by two o'clock", our role ``until``."""
    return value.form is Form.SPAN and value.begin == REFERENCE


def _exclusive_end(found: DateMention, grain: Grain) -> datetime:
    if found.stretch is not None:
        return found.stretch[1]
    last = found.ends or found.begin
    if found.precision is Precision.MINUTE and grain is Grain.HOUR:
        return _cut(last, grain) + timedelta(hours=1)
    return after_unit(last, found.precision)


def _cut(moment: datetime, grain: Grain) -> datetime:  # noqa: PLR0911 - a case for each grain
    if grain in {Grain.SECOND, Grain.MINUTE}:
        return moment.replace(second=0, microsecond=0)
    if grain is Grain.HOUR:
        return moment.replace(minute=0, second=0, microsecond=0)
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    if grain is Grain.DAY:
        return day
    if grain is Grain.WEEK:
        return day - timedelta(days=day.weekday())
    if grain is Grain.MONTH:
        return day.replace(day=1)
    if grain is Grain.QUARTER:
        return day.replace(month=(day.month - 1) // 3 * 3 + 1, day=1)
    return day.replace(month=1, day=1)
