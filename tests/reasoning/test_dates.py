"""Dates in both languages against one anchor: Wednesday 13 May 2026, 15:20, UTC+3."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_lib.domain.candidates import Precision
from memory_lib.domain.syntax import Language
from memory_lib.reasoning.dates import Direction, Role, find_dates
from memory_lib.reasoning.dates.recurrence import recurrence

ANCHOR = datetime(2026, 5, 13, 15, 20, tzinfo=timezone(timedelta(hours=3)))
P, F, N = Direction.PAST, Direction.FUTURE, Direction.NONE


@pytest.mark.parametrize(
    ("language", "direction", "text", "words", "begin", "precision"),
    [
        ("ru", P, "вчера ходили в гости", "вчера", "2026-05-12T00:00", "day"),
        ("ru", P, "позавчера вечером приехал брат", "позавчера вечером", "2026-05-11T00:00", "day"),
        ("ru", F, "завтра в 18.30 созвон", "завтра в 18.30", "2026-05-14T18:30", "minute"),
        ("ru", F, "завтра в 9 утра врач", "завтра в 9 утра", "2026-05-14T09:00", "minute"),
        ("ru", F, "кино в пятницу вечером в 7", "в пятницу вечером в 7", "2026-05-15T19:00", "minute"),
        ("ru", P, "в прошлую пятницу упал", "в прошлую пятницу", "2026-05-08T00:00", "day"),
        ("ru", P, "в понедельник сдал отчёт", "в понедельник", "2026-05-11T00:00", "day"),
        ("ru", F, "в понедельник сдам отчёт", "в понедельник", "2026-05-18T00:00", "day"),
        ("ru", F, "защита 28 марта", "28 марта", "2027-03-28T00:00", "day"),
        ("ru", P, "28 марта защитился", "28 марта", "2026-03-28T00:00", "day"),
        ("ru", P, "приехал 3 июля 2019 года", "3 июля 2019 года", "2019-07-03T00:00", "day"),
        ("ru", F, "встреча 03.06 в 14:00", "03.06 в 14:00", "2026-06-03T14:00", "minute"),
        ("ru", F, "через две недели уеду", "через две недели", "2026-05-27T00:00", "day"),
        ("ru", F, "через месяц сдам", "через месяц", "2026-06-13T00:00", "day"),
        ("ru", P, "три дня назад звонила", "три дня назад", "2026-05-10T00:00", "day"),
        ("ru", P, "два года назад переехал", "два года назад", "2024-05-01T00:00", "month"),
        ("ru", P, "полгода назад болел", "полгода назад", "2025-11-13T00:00", "day"),
        ("ru", P, "на прошлой неделе был суд", "на прошлой неделе", "2026-05-04T00:00", "week"),
        ("ru", F, "на следующей неделе отпуск", "на следующей неделе", "2026-05-18T00:00", "week"),
        ("ru", P, "в марте купил", "в марте", "2026-03-01T00:00", "month"),
        ("ru", F, "в марте куплю", "в марте", "2027-03-01T00:00", "month"),
        ("ru", P, "прошлым летом плавал", "прошлым летом", "2025-06-01T00:00", "season"),
        ("ru", P, "в 2019 году женился", "в 2019 году", "2019-01-01T00:00", "year"),
        ("ru", P, "в прошлом году женился", "в прошлом году", "2025-01-01T00:00", "year"),
        ("en", P, "yesterday we met", "yesterday", "2026-05-12T00:00", "day"),
        ("en", P, "last night I fell", "last night", "2026-05-12T00:00", "day"),
        ("en", P, "last week we moved", "last week", "2026-05-04T00:00", "week"),
        ("en", F, "we leave in May", "in May", "2026-05-01T00:00", "month"),
        ("en", F, "see the vet next Tuesday at 9am", "next Tuesday at 9am", "2026-05-19T09:00", "minute"),
        ("en", F, "dinner tonight at 8", "tonight at 8", "2026-05-13T20:00", "minute"),
        ("en", P, "it broke two weeks ago", "two weeks ago", "2026-04-29T00:00", "day"),
        ("en", F, "the exam is on March 28th", "on March 28th", "2027-03-28T00:00", "day"),
        ("en", F, "on the 28th of March, 2028", "on the 28th of March, 2028", "2028-03-28T00:00", "day"),
        ("en", F, "in two weeks I fly", "in two weeks", "2026-05-27T00:00", "day"),
        ("en", P, "on Friday she called", "on Friday", "2026-05-08T00:00", "day"),
        ("en", F, "on Friday she calls", "on Friday", "2026-05-15T00:00", "day"),
        ("en", P, "last summer I swam", "last summer", "2025-06-01T00:00", "season"),
        ("en", F, "the day after tomorrow", "the day after tomorrow", "2026-05-15T00:00", "day"),
        ("en", F, "on Friday next week", "on Friday next week", "2026-05-22T00:00", "day"),
        ("en", P, "we wed on May 7, 2023", "on May 7, 2023", "2023-05-07T00:00", "day"),
        ("en", P, "we hiked last weekend", "last weekend", "2026-05-09T00:00", "day"),
    ],
)
def test_a_date_is_read_on_the_persons_own_wall(
    language: Language, direction: Direction, text: str, words: str, begin: str, precision: str
) -> None:
    (mention,) = find_dates(text, anchor=ANCHOR, language=language, direction=direction)
    assert text[mention.start : mention.end] == words
    assert mention.begin.isoformat() == begin + ":00+03:00"
    assert mention.precision is Precision(precision)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "I may go there and sat down in the sun"),
        ("en", "March on, said the second man"),
        ("en", "I swim every Monday"),
        ("en", "I ran 12 miles"),
        ("ru", "мне 25 лет"),
        ("ru", "каждую пятницу хожу в баню"),
        ("ru", "маленький майский жук"),
        ("ru", "купил 3 яблока за 40 рублей"),
    ],
)
def test_words_that_only_look_like_dates_are_none(language: Language, text: str) -> None:
    assert find_dates(text, anchor=ANCHOR, language=language, direction=N) == ()


@pytest.mark.parametrize(
    ("language", "text", "role"),
    [
        ("ru", "живу тут с 2015 года", Role.SINCE),
        ("ru", "до пятницы надо успеть", Role.UNTIL),
        ("ru", "работаю уже три года", Role.LASTING),
        ("en", "I have lived here since 2019", Role.SINCE),
        ("en", "send it by Friday", Role.UNTIL),
        ("en", "I have sung for six years", Role.LASTING),
    ],
)
def test_what_a_date_is_to_its_clause(language: Language, text: str, role: Role) -> None:
    (mention,) = find_dates(text, anchor=ANCHOR, language=language, direction=N)
    assert mention.role is role


def test_a_range_has_an_end() -> None:
    (russian,) = find_dates("с 5 по 10 июня в Сочи", anchor=ANCHOR, language="ru", direction=F)
    (english,) = find_dates("away June 5-10", anchor=ANCHOR, language="en", direction=F)
    assert (
        (russian.begin.day, russian.ends and russian.ends.day)
        == (5, 10)
        == (english.begin.day, english.ends and english.ends.day)
    )


def test_a_lone_time_of_the_day_needs_a_direction() -> None:
    assert find_dates("подъём в 7:30", anchor=ANCHOR, language="ru", direction=N) == ()
    (mention,) = find_dates("подъём в 7:30", anchor=ANCHOR, language="ru", direction=F)
    assert mention.begin.isoformat() == "2026-05-14T07:30:00+03:00"


def test_days_that_do_not_exist_are_not_invented() -> None:
    assert find_dates("31 февраля", anchor=ANCHOR, language="ru", direction=F) == ()
    (leap,) = find_dates("29 февраля", anchor=ANCHOR, language="ru", direction=F)
    assert leap.begin.date().isoformat() == "2028-02-29"


def test_the_ends_of_the_calendar_do_no_harm() -> None:
    early = datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=3)))
    late = datetime(9999, 12, 31, 23, 59, tzinfo=timezone(timedelta(hours=3)))
    for anchor in (early, late):
        for text in ("вчера", "через год", "в прошлую пятницу", "следующим летом"):
            find_dates(text, anchor=anchor, language="ru", direction=N)
        for text in ("yesterday", "in 500 years", "next week", "last summer", "on the 28th"):
            find_dates(text, anchor=anchor, language="en", direction=N)


@given(st.text(alphabet=st.sampled_from("вчеразтмй пятницу 12.:/-mayontdFİßя"), max_size=40), st.sampled_from(["ru", "en"]))
def test_places_always_lie_in_the_text(text: str, language: Language) -> None:
    for mention in find_dates(text, anchor=ANCHOR, language=language, direction=N):
        assert 0 <= mention.start < mention.end <= len(text)


@pytest.mark.parametrize(
    ("text", "day_first", "begin"),
    [
        ("on 3/4", False, "2027-03-04"),
        ("on 3/4", True, "2027-04-03"),
        ("on 15/7", False, "2026-07-15"),
        ("on 7/15", True, "2026-07-15"),
    ],
)
def test_figures_are_read_in_the_order_that_is_asked_for(text: str, day_first: bool, begin: str) -> None:
    (mention,) = find_dates(text, anchor=ANCHOR, language="en", direction=F, day_first=day_first)
    assert mention.begin.date().isoformat() == begin


@pytest.mark.parametrize(
    ("language", "direction", "text", "begin", "ends", "precision"),
    [
        ("en", F, "the first Monday of June", "2026-06-01", None, "day"),
        ("en", P, "the last week of March", "2026-03-23", None, "week"),
        ("en", F, "two days before Christmas", "2026-12-23", None, "day"),
        ("en", P, "from November 2023 to March", "2023-11-01", "2024-03-01", "month"),
        ("en", F, "May 28 to June 3", "2026-05-28", "2026-06-03", "day"),
        ("en", P, "the winter before last", "2024-12-01", None, "season"),
        ("en", F, "in the third quarter of 2027", "2027-07-01", None, "season"),
        ("en", P, "at Easter", "2026-04-05", None, "day"),
        ("en", F, "in early July", "2026-07-01", None, "month"),
        ("en", F, "on Friday the 15th", "2026-05-15", None, "day"),
        ("en", F, "by the end of June", "2026-06-30", None, "day"),
        ("ru", F, "в первый понедельник июня", "2026-06-01", None, "day"),
        ("ru", P, "на последней неделе марта", "2026-03-23", None, "week"),
        ("ru", F, "за два дня до Нового года", "2026-12-30", None, "day"),
        ("ru", P, "с ноября 2023 по март", "2023-11-01", "2024-03-01", "month"),
        ("ru", F, "с 28 мая по 3 июня", "2026-05-28", "2026-06-03", "day"),
        ("ru", P, "позапрошлой зимой", "2024-12-01", None, "season"),
        ("ru", F, "в третьем квартале 2027 года", "2027-07-01", None, "season"),
        ("ru", P, "на Пасху", "2026-04-12", None, "day"),
        ("ru", F, "в начале июля", "2026-07-01", None, "month"),
        ("ru", P, "в девяносто восьмом году", "1998-01-01", None, "year"),
        ("ru", F, "до конца июня", "2026-06-30", None, "day"),
        ("ru", F, "через две недели в пятницу", "2026-05-29", None, "day"),
    ],
)
def test_periods_that_hold_others_are_read(
    language: Language, direction: Direction, text: str, begin: str, ends: str | None, precision: str
) -> None:
    (mention,) = find_dates(text, anchor=ANCHOR, language=language, direction=direction)
    assert mention.begin.date().isoformat() == begin
    assert (mention.ends and mention.ends.date().isoformat()) == ends
    assert mention.precision is Precision(precision)


@pytest.mark.parametrize(
    ("language", "text", "at"),
    [
        ("en", "tomorrow at half past six", "18:30"),
        ("en", "tomorrow at a quarter to nine", "08:45"),
        ("en", "tomorrow at 7 in the morning", "07:00"),
        ("en", "7:45 pm tomorrow", "19:45"),
        ("ru", "завтра в половине седьмого", "18:30"),
        ("ru", "завтра без четверти девять", "08:45"),
        ("ru", "завтра в 7 утра", "07:00"),
        ("ru", "завтра в шесть вечера", "18:00"),
        ("ru", "завтра в 15:00 по Москве", "15:00"),
    ],
)
def test_spoken_hours_are_read(language: Language, text: str, at: str) -> None:
    (mention,) = find_dates(text, anchor=ANCHOR, language=language, direction=F)
    assert mention.begin.isoformat() == f"2026-05-14T{at}:00+03:00"


def test_a_zone_beside_the_hour_moves_it_to_the_persons_own_wall() -> None:
    (mention,) = find_dates("tomorrow at 9 am GMT", anchor=ANCHOR, language="en", direction=F)
    assert mention.begin.isoformat() == "2026-05-14T12:00:00+03:00"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "just a second"),
        ("en", "on second thought"),
        ("en", "we lost 5 to 3"),
        ("en", "in room 305"),
        ("en", "call me on 555 0134"),
        ("en", "my third child"),
        ("en", "at 22 I moved out"),
        ("en", "it costs 19.99"),
        ("en", "twice a week"),
        ("en", "on Mondays"),
        ("ru", "на вторую попытку"),
        ("ru", "в среде программистов"),
        ("ru", "проиграли со счётом 2:5"),
        ("ru", "дети от 3 до 5 лет"),
        ("ru", "телефон 8 912 345 67 89"),
        ("ru", "за три дня"),
        ("ru", "уехал на два часа"),
        ("ru", "стоит 10.50"),
        ("ru", "по средам"),
        ("ru", "мне уже 30 лет"),
        ("ru", "сто лет не виделись"),
    ],
)
def test_numbers_and_words_of_other_meaning_are_no_dates(language: Language, text: str) -> None:
    for direction in (N, P, F):
        assert find_dates(text, anchor=ANCHOR, language=language, direction=direction) == ()


@pytest.mark.parametrize(
    ("language", "text", "rule"),
    [
        ("en", "every other Friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        ("en", "on Sundays", "FREQ=WEEKLY;BYDAY=SU"),
        ("en", "every three months", "FREQ=MONTHLY;INTERVAL=3"),
        ("en", "at weekends", "FREQ=WEEKLY;BYDAY=SA,SU"),
        ("en", "on Sunday", None),
        ("ru", "каждую вторую пятницу", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR"),
        ("ru", "по воскресеньям", "FREQ=WEEKLY;BYDAY=SU"),
        ("ru", "каждые три месяца", "FREQ=MONTHLY;INTERVAL=3"),
        ("ru", "по выходным", "FREQ=WEEKLY;BYDAY=SA,SU"),
        ("ru", "в воскресенье", None),
    ],
)
def test_what_recurs_has_a_rule(language: Language, text: str, rule: str | None) -> None:
    assert recurrence(text, language=language) == rule
