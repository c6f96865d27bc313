"""A correction that is nothing but its value, and what it must leave alone; changes told without naming what they end."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.domain.candidates import Modality, NodeType

from .conftest import Extract
from .test_updates import LATER, SOON, closed, formed, statements


@pytest.mark.parametrize(
    ("said", "put_right"),
    [
        ("I'm 52 and my knees creak.", "53 actually, the birthday was last week."),
        ("My nan is 84.", "85, actually."),
        ("Our flat was built in 1958.", "It was 1962, I had it wrong."),
        ("The party is on the 11th of May.", "Oops, meant the 12th."),
        ("My sister lives in Porto.", "No, Lisbon."),
        ("My dentist appointment is on Tuesday.", "Sorry, Thursday."),
        ("Мне 41 и я храплю.", "Ой, 42 уже, забыл."),
        ("Наш гараж построен в 1974 году.", "1979-го он, я перепутал."),
        ("Наш гараж построен в 1974 году.", "Не 1974-м, а 1979-м, перепутал."),
        ("Рост у меня 171.", "173 даже, перемерила."),
        ("Собеседование у меня в среду.", "Ой, ошиблась, оно в четверг."),
    ],
)
def test_a_bare_value_puts_the_last_statement_of_its_kind_right(parser: BilingualParser, said: str, put_right: str) -> None:
    state = formed(parser, ("user", said, timedelta()), ("user", put_right, SOON))
    assert any(node.closure is not None for node in statements(state, of=0))
    assert not closed(statements(state, of=1))


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("I have two cats.", "Three dogs came to the door."),
        ("I'm 38 and I have two cats.", "No, 38."),
        ("My sister lives in Porto.", "Not bad, thanks!"),
        ("У меня две кошки.", "Нет, 1998 год."),
        ("Я живу в Туле.", "Нет, Тула."),
        ("Платье я купила за 4000.", "Дорого, 4000."),
    ],
)
def test_another_kind_of_value_or_the_same_one_ends_nothing(parser: BilingualParser, said: str, answer: str) -> None:
    state = formed(parser, ("user", said, timedelta()), ("user", answer, SOON))
    assert not any(node.closure is not None for node in statements(state, of=0))


@pytest.mark.parametrize(
    ("text", "first", "second"),
    [
        ("Мне к стоматологу в среду. Ой, в четверг.", "в среду", "в четверг"),
        ("My exam is on Monday. Sorry, Tuesday.", "Monday", "Tuesday"),
    ],
)
def test_a_weekday_is_put_right_in_the_same_breath(parser: BilingualParser, text: str, first: str, second: str) -> None:
    state = formed(parser, ("user", text, timedelta()))
    ended = {node.content: node.closure is not None for node in statements(state, of=0)}
    assert [over for content, over in ended.items() if first in content] == [True]
    assert [over for content, over in ended.items() if second in content] == [False]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I work at Tesco on the tills.", "Started at the council offices this week, much calmer."),
        ("I work in the York branch of a bank.", "They've moved me to the Leeds branch."),
        ("I'm a chef at the Crown hotel.", "Got the job at the hospital kitchen!"),
        ("I work as a courier.", "I've got a new job."),
        ("Dan and I have been together since uni.", "We broke up last week."),
        ("I'm her boyfriend.", "So we split up."),
        ("I drive a Corsa.", "Traded in the Corsa for a Polo."),
        ("I use Spotify for music.", "I switched from Spotify to Tidal."),
        ("Работаю в поликлинике.", "Вышла на этой неделе в новую больницу, пока привыкаю."),
        ("Работаю на почте.", "Перевелась в отделение на Лесной."),
        ("Работаю бухгалтером в «Ромашке».", "Ура, у меня новая работа!"),
        ("Мы с Олегом вместе уже пять лет.", "Мы расстались в субботу."),
        ("Я его девушка второй год.", "Расстались мы с ним."),
        ("Пью кофе литрами.", "Перешла с кофе на чай."),
        ("Играю на скрипке по вечерам.", "Сменила скрипку на гитару."),
    ],
)
def test_a_change_told_as_an_event_ends_what_was_before(parser: BilingualParser, before: str, after: str) -> None:
    state = formed(parser, ("user", before, timedelta()), ("user", after, LATER))
    assert closed(statements(state, of=0))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I work at a bakery.", "I started at the gym last week."),
        ("I work at a bakery.", "My sister has got a new job."),
        ("Работаю на почте.", "Вышла в магазин за хлебом."),
        ("Работаю на почте.", "Сын перешёл в другой отдел."),
        ("Пью кофе литрами.", "Перешла дорогу и упала."),
        ("We work together on the roof.", "My parents broke up last week."),
    ],
)
def test_what_only_sounds_like_it_ends_nothing(parser: BilingualParser, before: str, after: str) -> None:
    state = formed(parser, ("user", before, timedelta()), ("user", after, LATER))
    assert not closed(statements(state, of=0))


def test_a_task_goes_by_what_its_pronoun_stands_for(parser: BilingualParser) -> None:
    state = formed(
        parser,
        ("user", "Завуч требует справку из бассейна. Надо её получить до мая.", timedelta()),
        ("user", "Справка уже не нужна.", LATER),
    )
    (loop,) = [node for node in statements(state, of=0) if node.type is NodeType.OPEN_LOOP]
    assert loop.closure is not None


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("Обещал Гене помочь с дачей, он в Тулу уезжает.", "Обещал Гене помочь с дачей"),
        ("Живу в Перми, куда сходить с детьми в выходные?", "Живу в Перми"),
        ("Двор у меня маленький, работаю я из дома.", "Двор у меня маленький"),
        ("Я бухгалтер, медицинского у меня нет.", "Я бухгалтер"),
        ("У меня первая отрицательная.", "У меня первая отрицательная"),
        ("Пью чёрный кофе, а завтракать не завтракаю.", "Пью чёрный кофе"),
        ("I keep bees, how do I stop them swarming?", "I keep bees"),
    ],
)
def test_one_statement_keeps_its_own_words_only(extract: Extract, text: str, whole: str) -> None:
    found = [candidate for candidate in extract(text).candidates if candidate.content == whole]
    assert [candidate.about for candidate in found] == ["self"]
    assert not any(candidate.attributes.get("value") == "бухгалтер медицинского" for candidate in found)


def test_what_another_has_to_do_is_theirs(extract: Extract) -> None:
    found = extract("Маме надо поменять паспорт до сентября, у меня-то до 2031 года действует.")
    about = {c.content: c.about for c in found.candidates if c.type is not NodeType.PERSON}
    assert about == {
        "Маме надо поменять паспорт до сентября": "person:мама",
        "у меня-то до 2031 года действует": "self",
    }
    lasting = next(c for c in found.candidates if "2031" in c.content)
    assert lasting.type is NodeType.FACT
    assert Modality.PLANNED not in lasting.modality


@pytest.mark.parametrize("text", ["Езжу на Гранте три года.", "Работаю десять лет.", "Живу тут уже пять лет."])
def test_how_long_one_does_something_is_no_age(extract: Extract, text: str) -> None:
    assert all(candidate.slot is None or candidate.slot.key != "age" for candidate in extract(text).candidates)


def test_the_ending_of_a_noun_is_no_contrast(extract: Extract) -> None:
    (candidate,) = extract("Справка мне не нужна.").candidates
    assert candidate.update.denied == ()
    assert Modality.NEGATED in candidate.modality
