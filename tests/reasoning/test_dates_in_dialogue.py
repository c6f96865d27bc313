"""Dates as people say them in a chat, and what of them reaches the memory: start, precision, end, due date, recurrence.

Every sentence is said on Wednesday 13 May 2026 at 15:20, UTC+3.
"""

# ruff: noqa: E501 - one sentence a line reads best
from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.domain.candidates import Candidate, NodeType, Precision
from memory_lib.domain.ids import ConversationId, MessageId
from memory_lib.domain.message import Message, Role, Unit
from memory_lib.reasoning.extraction.extract_mentions import offline

from .conftest import PARAMS, Extract

Row = tuple[str, str, str | None, str, str | None, str | None, str | None]
# sentence, words of the statement, start, precision, end, due date, recurrence
RUSSIAN: Sequence[Row] = (
    ("Вчера отвезла машину в сервис.", "сервис", "2026-05-12", "day", None, None, None),
    ("Позавчера мы с соседом копали грядки.", "грядки", "2026-05-11", "day", None, None, None),
    ("На прошлой неделе я сдала экзамен по вождению.", "экзамен", "2026-05-04", "week", None, None, None),
    ("В прошлую пятницу я уволился.", "уволился", "2026-05-08", "day", None, None, None),
    ("В среду был у стоматолога.", "стоматолог", "2026-05-06", "day", None, None, None),
    ("В среду иду к стоматологу.", "стоматолог", "2026-05-20", "day", None, "2026-05-20", None),
    ("Через две недели я улетаю в Ташкент.", "Ташкент", "2026-05-27", "day", None, "2026-05-27", None),
    ("Три дня назад у нас родилась дочка.", "дочка", "2026-05-10", "day", None, None, None),
    ("Прошлым летом я работал вожатым в лагере.", "вожатым", "2025-06-01", "season", None, None, None),
    ("Летом мы поедем на Байкал.", "Байкал", "2026-06-01", "season", None, "2026-06-01", None),
    ("В начале марта я переехала в Казань.", "Казань", "2026-03-01", "month", None, None, None),
    ("В конце года я защищаю диплом.", "диплом", "2026-12-01", "month", None, "2026-12-01", None),
    ("На выходных мы красили забор.", "забор", "2026-05-09", "day", "2026-05-10", None, None),
    ("На выходных поедем на дачу к родителям.", "дачу", "2026-05-16", "day", "2026-05-17", "2026-05-16", None),
    ("С понедельника по среду я был в командировке в Туле.", "командировке", "2026-05-11", "day", "2026-05-13", None, None),
    ("С 3 по 8 мая я лежал в больнице.", "больнице", "2026-05-03", "day", "2026-05-08", None, None),
    ("С 28 июня по 12 июля мы отдыхаем в Абхазии.", "Абхазии", "2026-06-28", "day", "2026-07-12", "2026-06-28", None),
    ("Мне нужно сдать отчёт до пятницы.", "отчёт", None, "day", None, "2026-05-15", None),
    ("Я живу в Самаре с 2019 года.", "Самаре", "2019-01-01", "year", None, None, None),
    ("Я работаю в пекарне с марта.", "пекарне", "2026-03-01", "month", None, None, None),
    ("С понедельника выхожу на новую работу.", "работу", "2026-05-18", "day", None, None, None),
    (
        "Завтра в шесть вечера у меня собеседование.",
        "собеседование",
        "2026-05-14T18:00",
        "minute",
        None,
        "2026-05-14T18:00",
        None,
    ),
    ("Полтора года назад я бросил курить.", "курить", "2024-11-13", "day", None, None, None),
    ("Полгода назад мы завели щенка.", "щенка", "2025-11-13", "day", None, None, None),
    ("Два года назад я сломал руку.", "руку", "2024-05-01", "month", None, None, None),
    ("В 2018 году я окончила институт.", "институт", "2018-01-01", "year", None, None, None),
    ("В мае 2021-го мы купили квартиру.", "квартиру", "2021-05-01", "month", None, None, None),
    ("12 июня у моей сестры свадьба.", "свадьба", "2026-06-12", "day", None, "2026-06-12", None),
    ("Двадцать третьего апреля я сдал кровь.", "кровь", "2026-04-23", "day", None, None, None),
    ("На Новый год мы ездили к бабушке.", "бабушке", "2026-01-01", "day", None, None, None),
    ("Восьмого марта муж подарил мне велосипед.", "велосипед", "2026-03-08", "day", None, None, None),
    ("Мы записались к нотариусу на четверг.", "нотариусу", "2026-05-14", "day", None, "2026-05-14", None),
    ("Нашу встречу перенесли на 20 мая.", "встречу", "2026-05-20", "day", None, "2026-05-20", None),
    ("В августе прошлого года я начал бегать.", "бегать", "2025-08-01", "month", None, None, None),
    ("Следующей осенью я пойду в магистратуру.", "магистратуру", "2026-09-01", "season", None, "2026-09-01", None),
    ("Пять лет как мы женаты.", "женаты", "2021-05-01", "month", None, None, None),
    ("Я уже три года учу японский.", "японский", "2023-05-01", "month", None, None, None),
    ("Живу здесь четыре месяца.", "Живу", "2026-01-13", "day", None, None, None),
    ("Брат сказал, что женится в августе.", "женится", "2026-08-01", "month", None, None, None),
    ("Вчера я встретила учителя, который в 2005 году вёл у нас физику.", "учителя", "2026-05-12", "day", None, None, None),
    ("Нашёл куртку, которую потерял прошлой зимой.", "куртку", None, "day", None, None, None),
    ("Год назад я похоронил отца.", "отца", "2025-05-01", "month", None, None, None),
    ("В прошлом месяце я купил пианино.", "пианино", "2026-04-01", "month", None, None, None),
    ("В этом году я впервые сажаю помидоры.", "помидоры", None, "day", None, None, None),
    ("Сегодня утром я пробежал десять километров.", "километров", "2026-05-13", "day", None, None, None),
    ("Вчера в половине восьмого утра у нас отключили воду.", "воду", "2026-05-12T07:30", "minute", None, None, None),
    ("Первого июня я выхожу в отпуск.", "отпуск", "2026-06-01", "day", None, "2026-06-01", None),
    ("В первый понедельник июня у меня комиссия.", "комиссия", "2026-06-01", "day", None, "2026-06-01", None),
    ("Через полгода у меня кончается контракт.", "контракт", "2026-11-13", "day", None, "2026-11-13", None),
    ("Послезавтра я забираю щенка из питомника.", "щенка", "2026-05-15", "day", None, "2026-05-15", None),
    ("Каждый вторник я хожу на йогу.", "йогу", None, "day", None, None, "FREQ=WEEKLY;BYDAY=TU"),
    ("По четвергам я веду кружок шахмат.", "шахмат", None, "day", None, None, "FREQ=WEEKLY;BYDAY=TH"),
    ("По вечерам я гуляю с собакой.", "собакой", None, "day", None, None, "FREQ=DAILY"),
    ("Раз в месяц я езжу к маме в Тверь.", "маме", None, "day", None, None, "FREQ=MONTHLY"),
    ("Мне 34 года.", "34", None, "day", None, None, None),
    ("Когда мне было 12 лет, я сломал ключицу.", "ключицу", None, "day", None, None, None),
    ("Я со второй попытки сдал на права.", "права", None, "day", None, None, None),
    ("Я живу в квартире 15 на третьем этаже.", "квартире", None, "day", None, None, None),
    ("Я заплатил 2500 рублей за билет.", "билет", None, "day", None, None, None),
    ("Мы выиграли со счётом 3:2.", "выиграли", None, "day", None, None, None),
    ("Я вырос в среде музыкантов.", "музыкантов", None, "day", None, None, None),
    ("Я прочитал книгу за два часа.", "книгу", None, "day", None, None, None),
    ("Мне исполнится сорок в июне.", "сорок", "2026-06-01", "month", None, "2026-06-01", None),
    ("У нас в пятницу десятая годовщина свадьбы.", "годовщина", "2026-05-15", "day", None, "2026-05-15", None),
    ("В ночь на субботу у нас родился сын.", "сын", "2026-05-09", "day", None, None, None),
    ("Я решила осенью пойти на курсы кройки.", "курсы", "2026-09-01", "season", None, None, None),
    ("Страховку надо продлить до 30 мая.", "Страховку", None, "day", None, "2026-05-30", None),
    ("До конца июня живу на кордоне.", "кордоне", None, "day", "2026-06-30", None, None),
    ("Позавчера на нашем маяке погас фонарь.", "фонарь", "2026-05-11", "day", None, None, None),
)
ENGLISH: Sequence[Row] = (
    ("I took the car to the garage yesterday.", "garage", "2026-05-12", "day", None, None, None),
    ("The day before yesterday I planted the roses.", "roses", "2026-05-11", "day", None, None, None),
    ("I passed my driving test last week.", "test", "2026-05-04", "week", None, None, None),
    ("I quit my job last Friday.", "job", "2026-05-08", "day", None, None, None),
    ("I saw the dentist on Wednesday.", "dentist", "2026-05-06", "day", None, None, None),
    ("I'm seeing the dentist on Friday.", "dentist", "2026-05-15", "day", None, "2026-05-15", None),
    ("In two weeks I'm flying to Lima.", "Lima", "2026-05-27", "day", None, "2026-05-27", None),
    ("Our daughter was born three days ago.", "daughter", "2026-05-10", "day", None, None, None),
    ("Last summer I worked at a lighthouse.", "lighthouse", "2025-06-01", "season", None, None, None),
    ("We'll go to Norway in the summer.", "Norway", "2026-06-01", "season", None, "2026-06-01", None),
    ("I moved to Leeds in early March.", "Leeds", "2026-03-01", "month", None, None, None),
    ("I'm defending my thesis at the end of the year.", "thesis", "2026-12-01", "month", None, "2026-12-01", None),
    ("We painted the fence over the weekend.", "fence", "2026-05-09", "day", "2026-05-10", None, None),
    ("We're going to my parents' place this weekend.", "parents", "2026-05-16", "day", "2026-05-17", "2026-05-16", None),
    ("From Monday to Wednesday I was in Dublin for work.", "Dublin", "2026-05-11", "day", "2026-05-13", None, None),
    ("I was in hospital from May 3 to May 8.", "hospital", "2026-05-03", "day", "2026-05-08", None, None),
    ("We'll be in Greece from June 28 to July 12.", "Greece", "2026-06-28", "day", "2026-07-12", "2026-06-28", None),
    ("I need to hand in the report by Friday.", "report", None, "day", None, "2026-05-15", None),
    ("I've lived in Bristol since 2019.", "Bristol", "2019-01-01", "year", None, None, None),
    ("I've worked at the bakery since March.", "bakery", "2026-03-01", "month", None, None, None),
    ("I start my new job on Monday.", "job", "2026-05-18", "day", None, "2026-05-18", None),
    ("I have an interview tomorrow at 6 pm.", "interview", "2026-05-14T18:00", "minute", None, "2026-05-14T18:00", None),
    ("I gave up smoking a year and a half ago.", "smoking", "2024-11-13", "day", None, None, None),
    ("We got a puppy six months ago.", "puppy", "2025-11-13", "day", None, None, None),
    ("I broke my arm two years ago.", "arm", "2024-05-01", "month", None, None, None),
    ("I finished college in 2018.", "college", "2018-01-01", "year", None, None, None),
    ("We bought the flat in May 2021.", "flat", "2021-05-01", "month", None, None, None),
    ("My sister's wedding is on June 12.", "wedding", "2026-06-12", "day", None, "2026-06-12", None),
    ("I gave blood on the 23rd of April.", "blood", "2026-04-23", "day", None, None, None),
    ("We went to Grandma's for Christmas.", "Grandma", "2025-12-25", "day", None, None, None),
    ("My husband gave me a bike on Valentine's Day.", "bike", "2026-02-14", "day", None, None, None),
    ("We booked a table for Thursday.", "table", "2026-05-14", "day", None, "2026-05-14", None),
    ("They moved our meeting to May 20.", "meeting", "2026-05-20", "day", None, "2026-05-20", None),
    ("I took up running in August last year.", "running", "2025-08-01", "month", None, None, None),
    ("Next autumn I'm starting a master's.", "master", "2026-09-01", "season", None, "2026-09-01", None),
    ("We have been married for five years.", "married", "2021-05-01", "month", None, None, None),
    ("I've been learning Japanese for three years now.", "Japanese", "2023-05-01", "month", None, None, None),
    ("I have been living here for four months.", "living", "2026-01-13", "day", None, None, None),
    ("My brother told me he's getting married in August.", "married", "2026-08-01", "month", None, None, None),
    ("Yesterday I met the teacher who taught us physics in 2005.", "teacher", "2026-05-12", "day", None, None, None),
    ("I found the jacket that I lost last winter.", "jacket", None, "day", None, None, None),
    ("I buried my father a year ago.", "father", "2025-05-01", "month", None, None, None),
    ("I bought a piano last month.", "piano", "2026-04-01", "month", None, None, None),
    ("I turn 40 in June.", "turn 40", "2026-06-01", "month", None, "2026-06-01", None),
    ("Our tenth anniversary is on Friday.", "anniversary", "2026-05-15", "day", None, "2026-05-15", None),
    ("I ran ten kilometres this morning.", "kilometres", "2026-05-13", "day", None, None, None),
    (
        "Our water was cut off yesterday at half past seven in the morning.",
        "water",
        "2026-05-12T07:30",
        "minute",
        None,
        None,
        None,
    ),
    ("My vacation starts on the first of June.", "vacation", "2026-06-01", "day", None, "2026-06-01", None),
    ("I see the board on the first Monday of June.", "board", "2026-06-01", "day", None, "2026-06-01", None),
    ("I'm picking up the puppy the day after tomorrow.", "puppy", "2026-05-15", "day", None, "2026-05-15", None),
    ("I do yoga every Tuesday.", "yoga", None, "day", None, None, "FREQ=WEEKLY;BYDAY=TU"),
    ("I teach chess on Thursdays.", "chess", None, "day", None, None, "FREQ=WEEKLY;BYDAY=TH"),
    ("I walk the dog every evening.", "dog", None, "day", None, None, "FREQ=DAILY"),
    ("I visit my mother once a month.", "mother", None, "day", None, None, "FREQ=MONTHLY"),
    ("I'm 34.", "34", None, "day", None, None, None),
    ("When I was 12 I broke my collarbone.", "collarbone", None, "day", None, None, None),
    ("I passed on the second attempt.", "attempt", None, "day", None, None, None),
    ("I live in room 15 on the third floor.", "room", None, "day", None, None, None),
    ("I paid 2019 dollars for the ticket.", "ticket", None, "day", None, None, None),
    ("We won the game 3-2.", "game", None, "day", None, None, None),
    ("I may apply for the grant.", "grant", None, "day", None, None, None),
    ("I sat in the sun and read a novel.", "novel", None, "day", None, None, None),
    ("I finished the whole book in two hours.", "book", None, "day", None, None, None),
    ("I decided to take a pottery course in the fall.", "pottery", "2026-09-01", "season", None, None, None),
    ("I'll be off work until next Thursday.", "off work", None, "day", "2026-05-21", "2026-05-21", None),
    ("I have to renew my passport before June 5.", "passport", None, "day", None, "2026-06-05", None),
    ("My parents visited us over Easter.", "visited", "2026-04-05", "day", None, None, None),
    ("The lighthouse lamp went out the day before yesterday.", "lamp", "2026-05-11", "day", None, None, None),
)


def _statement(found: Sequence[Candidate], words: str) -> Candidate:
    said = [each for each in found if each.type is not NodeType.PERSON and words.lower() in each.content.lower()]
    assert said, "nothing was made of the statement"
    return said[0]


def _starts(value: str | None, prefix: str | None) -> bool:
    return value is None if prefix is None else (value or "").startswith(prefix)


@pytest.mark.parametrize(("text", "words", "start", "precision", "end", "due", "recurs"), [*RUSSIAN, *ENGLISH])
def test_a_statement_holds_the_time_that_was_said_of_it(
    extract: Extract,
    text: str,
    words: str,
    start: str | None,
    precision: str,
    end: str | None,
    due: str | None,
    recurs: str | None,
) -> None:
    told = _statement(extract(text).candidates, words)
    assert _starts(told.valid_from, start), told.valid_from
    assert told.precision is Precision(precision)
    assert _starts(told.ends, end), told.ends
    assert _starts(told.due, due), told.due
    assert told.attributes.get("recurs") == recurs


@pytest.mark.parametrize("text", [row[0] for row in (*RUSSIAN, *ENGLISH) if row[6] is not None])
def test_what_recurs_is_a_fact_and_no_event_of_one_day(extract: Extract, text: str) -> None:
    (told,) = [each for each in extract(text).candidates if each.type is not NodeType.PERSON]
    assert told.type is NodeType.FACT


def _said_at(parser: BilingualParser, text: str, at: datetime) -> Candidate:
    message = Message(
        id=MessageId("m0"), conversation=ConversationId("c"), conversation_name="c", source_id="0", role=Role.USER, text=text, time=at, text_version="v",
        speaker=None,
    )  # fmt: skip
    found = offline(Unit("u", message, ()), [parser.parse(text)], params=PARAMS).candidates
    (told,) = [each for each in found if each.type is not NodeType.PERSON]
    return told


@pytest.mark.parametrize(
    ("text", "start", "precision"),
    [
        ("I moved to Porto last week.", "2023-05-08T00:00:00-11:00", Precision.WEEK),
        ("На прошлой неделе я переехала в Порту.", "2023-05-08T00:00:00-11:00", Precision.WEEK),
        ("I moved to Porto yesterday.", "2023-05-17T00:00:00-11:00", Precision.DAY),
        ("Вчера я переехала в Порту.", "2023-05-17T00:00:00-11:00", Precision.DAY),
    ],
)
def test_a_date_is_counted_on_the_wall_of_who_said_it(
    parser: BilingualParser, text: str, start: str, precision: Precision
) -> None:
    """Thursday 18 May 2023, 23:30 in a zone eleven hours behind Greenwich, where it is already Friday."""
    at = datetime(2023, 5, 18, 23, 30, tzinfo=timezone(timedelta(hours=-11)))
    told = _said_at(parser, text, at)
    assert (told.valid_from, told.precision) == (start, precision)


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("Last week I broke my glasses.", "2024-12-23T00:00:00+00:00"),
        ("На прошлой неделе я разбила очки.", "2024-12-23T00:00:00+00:00"),
        ("In November I broke my glasses.", "2024-11-01T00:00:00+00:00"),
        ("В ноябре я разбила очки.", "2024-11-01T00:00:00+00:00"),
    ],
)
def test_a_date_before_new_year_lies_in_the_old_year(parser: BilingualParser, text: str, start: str) -> None:
    told = _said_at(parser, text, datetime(2025, 1, 1, 9, 0, tzinfo=UTC))
    assert told.valid_from == start


def test_the_date_of_a_relative_clause_is_not_the_clauses_own(extract: Extract) -> None:
    for text in ("I sold the bike that I bought in March.", "Я продал велосипед, который купил в марте."):
        told = _statement(extract(text).candidates, "bike" if text.startswith("I") else "велосипед")
        assert told.valid_from is None
