"""From a parse to clauses: own words, subject, tense, modality, links."""

from __future__ import annotations

import pytest

from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.domain.candidates import Modality
from memory_lib.domain.clause import Clause, LinkKind, Mark, Tense, Who
from memory_lib.reasoning.clauses.clauses import clauses_of


def clauses(parser: BilingualParser, text: str) -> dict[str, Clause]:
    return {text[clause.start : clause.end]: clause for clause in clauses_of(parser.parse(text))}


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Я устала, потому что не спала.", ["Я устала", "не спала"]),
        ("Вчера сходил на рынок, потом приготовил плов.", ["Вчера сходил на рынок", "приготовил плов"]),
        ("I was late because the train broke down.", ["I was late", "the train broke down"]),
        ("I'm a plumber and I live in Bristol.", ["I'm a plumber", "I live in Bristol"]),
        ("The flat is cold, I bought a heater.", ["The flat is cold", "I bought a heater"]),
        ("Кажется, дождь кончился.", ["Кажется, дождь кончился"]),
        ("I think I left my keys at home.", ["I think I left my keys at home"]),
    ],
)
def test_each_predicate_has_its_own_words(parser: BilingualParser, text: str, parts: list[str]) -> None:
    assert list(clauses(parser, text)) == parts


@pytest.mark.parametrize(
    ("text", "kind", "cue"),
    [
        ("Я устала, потому что не спала.", LinkKind.BECAUSE, "потому что"),
        ("Поезд сломался, поэтому я опоздал.", LinkKind.THEREFORE, "поэтому"),
        ("Раз ты занят, пойду одна.", LinkKind.BECAUSE, "Раз"),
        ("I stayed home because it rained.", LinkKind.BECAUSE, "because"),
        ("The bus was full, so I walked.", LinkKind.THEREFORE, "so"),
        ("After we moved, I started painting.", LinkKind.AFTER, "After"),
        ("I'm glad that you came.", LinkKind.FEELING, "that"),
        ("If it rains, I will stay.", LinkKind.CONDITION, "If"),
    ],
)
def test_a_link_carries_the_words_that_say_so(parser: BilingualParser, text: str, kind: LinkKind, cue: str) -> None:
    links = [clause.link for clause in clauses_of(parser.parse(text)) if clause.link is not None]
    assert [(link.kind, text[link.cue.start : link.cue.end]) for link in links] == [(kind, cue)]


def test_since_under_a_perfect_is_no_reason(parser: BilingualParser) -> None:
    found = clauses_of(parser.parse("I have been happier since I moved here."))
    assert all(clause.link is None or clause.link.kind is not LinkKind.BECAUSE for clause in found)


@pytest.mark.parametrize(
    ("text", "who", "tense"),
    [
        ("Я работаю поваром.", Who.SELF, Tense.PRESENT),
        ("Уехал в отпуск.", Who.SELF, Tense.PAST),
        ("Мне пришлось уйти.", Who.SELF, Tense.PAST),
        ("Мы купим машину.", Who.GROUP, Tense.FUTURE),
        ("Ты не прав.", Who.ADDRESSEE, Tense.PRESENT),
        ("Мама уехала.", Who.PERSON, Tense.PAST),
        ("I will call them.", Who.SELF, Tense.FUTURE),
        ("We have moved.", Who.GROUP, Tense.PAST),
        ("You are wrong.", Who.ADDRESSEE, Tense.PRESENT),
        ("My sister lives here.", Who.PERSON, Tense.PRESENT),
        ("Went to the market.", Who.SELF, Tense.PAST),
    ],
)
def test_subject_and_tense(parser: BilingualParser, text: str, who: Who, tense: Tense) -> None:
    (clause,) = clauses_of(parser.parse(text))
    assert (clause.subject.who, clause.tense) == (who, tense)


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("Наверное, уволюсь.", Modality.HEDGED),
        ("Maybe I left it there.", Modality.HEDGED),
        ("Хочу выучить испанский.", Modality.WISHED),
        ("I want to learn Spanish.", Modality.WISHED),
        ("Собираюсь сменить работу.", Modality.PLANNED),
        ("I'm going to change jobs.", Modality.PLANNED),
        ("Напиши мне письмо.", Modality.ORDERED),
        ("Write me a letter.", Modality.ORDERED),
        ("Где мои ключи?", Modality.ASKED),
        ("Where are my keys?", Modality.ASKED),
        ("Если выиграю, уеду.", Modality.CONDITIONAL),
        ("I would leave if I won.", Modality.CONDITIONAL),
        ("Олег сказал, что переезжает.", Modality.REPORTED),
        ("Kate says that the house is sold.", Modality.REPORTED),
        ("I dreamed that I was flying.", Modality.FICTIONAL),
        ("Я не люблю грибы.", Modality.NEGATED),
        ("I don't like mushrooms.", Modality.NEGATED),
        ("Я люблю грибы.", Modality.ASSERTED),
    ],
)
def test_modality(parser: BilingualParser, text: str, modality: Modality) -> None:
    assert clauses_of(parser.parse(text))[0].has(modality)


def test_a_negation_is_the_predicates_own(parser: BilingualParser) -> None:
    (clause,) = clauses_of(parser.parse("Я уехал не сразу."))
    assert not clause.negated


def test_another_clauses_plan_is_not_this_ones(parser: BilingualParser) -> None:
    (clause,) = clauses_of(parser.parse("I know it won't be easy."))
    assert not clause.has(Modality.PLANNED)


def test_a_joke_covers_the_sentence_before_it(parser: BilingualParser) -> None:
    found = clauses(parser, "Я уволилась! Шучу.")
    assert found["Я уволилась"].has(Modality.JOKING)


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("Я больше не курю.", Mark.NO_LONGER),
        ("I don't smoke anymore.", Mark.NO_LONGER),
        ("Он снова опоздал.", Mark.AGAIN),
        ("He was late again.", Mark.AGAIN),
        ("Теперь я живу один.", Mark.NOW),
        ("I also play chess.", Mark.ADDITION),
        ("На самом деле мне сорок.", Mark.ACTUALLY),
    ],
)
def test_marks_of_change_and_repetition(parser: BilingualParser, text: str, mark: Mark) -> None:
    assert clauses_of(parser.parse(text))[0].mark(mark) is not None
