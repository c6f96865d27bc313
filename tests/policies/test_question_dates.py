"""Dates that questions name, in both languages."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_lib.policies.question_dates import QuestionDateParams, question_dates

PARAMS = QuestionDateParams(days_before=1, days_after=7, tail_days=10, tail_value=0.5, years_back=3, max_characters=2_000)
TODAY = date(2024, 5, 15)  # a Wednesday


def value(text: str, day: date, *, today: date = TODAY) -> float:
    ordinal = day.toordinal()
    windows = question_dates(text, today=today, params=PARAMS)
    return max((window.value for window in windows if window.first <= ordinal <= window.last), default=0.0)


@pytest.mark.parametrize(
    "text",
    [
        "What happened on 7 May 2023?",
        "What happened on May 7, 2023?",
        "What happened on the 7th of May 2023?",
        "What happened on May 7th 2023?",
        "What happened on 2023-05-07?",
        "Что было 7 мая 2023 года?",
        "Что было 7-го мая 2023?",
        "Что было 07.05.2023?",
        "Что было 7.05.23?",
    ],
)
def test_a_named_day_opens_the_day_before_to_a_week_after(text: str) -> None:
    day = date(2023, 5, 7).toordinal()
    assert [value(text, date.fromordinal(day + shift)) for shift in (-2, -1, 0, 7, 8)] == [0, 1, 1, 1, 0]


@pytest.mark.parametrize(
    "text",
    [
        "Where was she in March 2023?",
        "Where was she in march of 2023?",
        "Где она была в марте 2023 года?",
        "Где она была в марте 2023?",
    ],
)
def test_a_named_month_opens_the_month_and_ten_days_at_half(text: str) -> None:
    days = (date(2023, 2, 28), date(2023, 3, 1), date(2023, 3, 31), date(2023, 4, 1), date(2023, 4, 10), date(2023, 4, 11))
    assert [value(text, day) for day in days] == [0, 1, 1, 0.5, 0.5, 0]


@pytest.mark.parametrize(
    ("text", "month"),
    [
        ("в январе", 1),
        ("за февраль", 2),
        ("с марта", 3),
        ("к апрелю", 4),
        ("в мае", 5),
        ("в середине марта", 3),
        ("до августа", 8),
        ("до мая", 5),
        ("перед июнем", 6),
        ("в июле", 7),
        ("августом", 8),
        ("in September", 9),
        ("in Sept", 9),
        ("last October", 10),
        ("в ноябре", 11),
        ("December", 12),
        ("in may", 5),
        ("since May", 5),
    ],
)
def test_months_in_every_case_of_both_languages(text: str, month: int) -> None:
    assert value(text, date(2023, month, 15)) == 1.0
    assert value(text, date(2023, (month + 5) % 12 + 1, 20)) == 0.0


@pytest.mark.parametrize(
    "text",
    [
        "She may come",
        "They march for rights",
        "May I ask?",
        "Что сказала Марта?",
        "Августа звонила",
        "моя мама",
        "",
        "🙂",
        "2023-13-45",
        "5 apples",
        "version 1.2.3.4",
    ],
)
def test_words_that_only_look_like_dates_open_nothing(text: str) -> None:
    assert question_dates(text, today=TODAY, params=PARAMS) == ()


def test_a_day_that_does_not_exist_still_names_its_month() -> None:
    assert value("on 30 February 2023", date(2023, 2, 3)) == 1.0


def test_a_date_without_a_year_is_looked_for_in_the_years_before() -> None:
    for year in (2021, 2022, 2023, 2024):
        assert value("What did I do on 3 April?", date(year, 4, 3)) == 1.0
        assert value("Что я делала третьего, 3 апреля?", date(year, 4, 3)) == 1.0
    assert value("What did I do on 3 April?", date(2020, 4, 3)) == 0.0


def test_the_leap_day_exists_only_in_its_years() -> None:
    assert value("29 февраля", date(2024, 2, 29)) == 1.0
    assert value("29 February", date(2023, 2, 20)) == 0.0


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("What did I say yesterday?", date(2024, 5, 14)),
        ("Что я вчера говорил?", date(2024, 5, 14)),
        ("позавчера", date(2024, 5, 13)),
        ("the day before yesterday", date(2024, 5, 13)),
        ("last Friday", date(2024, 5, 10)),
        ("в прошлую пятницу", date(2024, 5, 10)),
        ("в прошлую среду", date(2024, 5, 8)),
        ("3 days ago", date(2024, 5, 12)),
        ("три дня назад", date(2024, 5, 12)),
        ("two weeks ago", date(2024, 5, 1)),
        ("две недели назад", date(2024, 5, 1)),
        ("неделю назад", date(2024, 5, 8)),
        ("a month ago", date(2024, 4, 15)),
        ("last week", date(2024, 5, 8)),
        ("на прошлой неделе", date(2024, 5, 8)),
        ("last month", date(2024, 4, 2)),
        ("в прошлом месяце", date(2024, 4, 28)),
    ],
)
def test_relative_words_count_from_today(text: str, day: date) -> None:
    assert value(text, day) == 1.0
    assert value(text, date(2024, 2, 1)) == 0.0


def test_today_opens_nothing() -> None:
    assert question_dates("What a day today! Сегодня хорошо", today=TODAY, params=PARAMS) == ()


def test_one_date_is_read_once() -> None:
    assert len(question_dates("on 7 May 2023", today=TODAY, params=PARAMS)) == 1


def test_a_long_message_is_read_up_to_its_bound() -> None:
    assert question_dates("x " * 2_000 + "7 May 2023", today=TODAY, params=PARAMS) == ()


@given(st.text(max_size=200), st.dates())
def test_any_text_on_any_day_is_read(text: str, today: date) -> None:
    for window in question_dates(text + " 3 days ago, last month, 5 мая, 29 February", today=today, params=PARAMS):
        assert window.first <= window.last
        assert 0.0 < window.value <= 1.0
