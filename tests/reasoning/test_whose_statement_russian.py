"""Russian: whose statement a clause is where the tree hides its subject, and what others want done by a day."""

from __future__ import annotations

import pytest

from memory_lib.domain.candidates import NodeType, Valence
from tests.reasoning.conftest import Extract


@pytest.mark.parametrize(
    ("text", "words", "about"),
    [
        ("у сына вчера увели велосипед, бабушка в полицию звонит", "велосипед", "сын"),
        ("у сына вчера увели велосипед, бабушка в полицию звонит", "полицию", "бабушка"),
        ("Брат мой, Ренат, вчера дочку в бассейн отвёл.", "бассейн", "Ренат"),
        ("Соседка тёть Люба сломала руку.", "руку", "Люба"),
        ("Алгебру у нас ведёт Лариса Павловна, между собой мы её Ларой зовём", "ведёт", "Лариса Павловна"),
        ("Лизе вчера пять годиков исполнилось", "исполнилось", "Лиза"),
        ("Это моя тёща, она печёт пироги на заказ.", "печёт", "тёща"),
    ],
)
def test_the_statement_is_about_the_one_its_own_words_name(extract: Extract, text: str, words: str, about: str) -> None:
    told = [c for c in extract(text).candidates if c.type is not NodeType.PERSON and words in c.content]
    assert [c.about for c in told] == [f"person:{about}"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Дочь начальницы открыла пекарню у вокзала.", "пекарню"),
        ("Наш ветеринар увольняется, уезжает к сыну в Казань, я в панике", "Казань"),
        ("Увезли его в среду с сердцем.", "сердцем"),
        ("младшая со мной дома, у неё ухо болит второй день", "ухо"),
        ("Федоренко сам из Тулы, бывший токарь", "токарь"),
    ],
)
def test_what_another_does_or_undergoes_is_never_the_speakers(extract: Extract, text: str, words: str) -> None:
    told = [c for c in extract(text).candidates if c.type is not NodeType.PERSON and words in c.content]
    assert told
    assert all(c.about == "others" for c in told)


def test_the_head_noun_is_the_subject_and_its_genitive_only_the_owner(extract: Extract) -> None:
    told = next(c for c in extract("Жена начальника открыла пекарню.").candidates if "пекарню" in c.content)
    assert told.about == "others"
    assert told.about_name == "жена"


@pytest.mark.parametrize("text", ["меня кстати Глеб зовут", "меня вообще-то Глеб зовут, привет"])
def test_a_name_before_the_verb_is_the_speakers_own(extract: Extract, text: str) -> None:
    candidates = extract(text).candidates
    assert not [c for c in candidates if c.type is NodeType.PERSON]
    named = next(c for c in candidates if "Глеб" in c.content)
    assert named.about == "self"
    assert named.slot is not None
    assert (named.slot.key, named.slot.value) == ("name", "Глеб")


def test_a_toy_is_nobody(extract: Extract) -> None:
    assert not [c for c in extract("свёкор притащил плюшевого мишку").candidates if c.content == "мишку"]


@pytest.mark.parametrize(
    ("text", "words", "due"),
    [
        ("я обещала свете до пятницы вернуть её книги по химии а сама ещё ни страницы не прочла", "вернуть", "2026-05-15"),
        ("Суд ответит до 20 мая.", "Суд", "2026-05-20"),
        ("Тренер велел принести справку к 1 июня.", "справку", "2026-06-01"),
        ("Столяр ждёт от меня ответа до субботы.", "Столяр", "2026-05-16"),
        ("Подал я заявление на визу, ответ должен быть до 10 июня, вот жду, а сам всё хожу", "ответ", "2026-06-10"),
    ],
)
def test_what_is_promised_ordered_or_awaited_by_a_day_is_open(extract: Extract, text: str, words: str, due: str) -> None:
    loops = [c for c in extract(text).candidates if c.type is NodeType.OPEN_LOOP and words in c.content]
    assert [str(c.due)[:10] for c in loops] == [due]


def test_an_order_to_somebody_else_is_no_task_of_the_speaker(extract: Extract) -> None:
    candidates = extract("Начальник велел Кате сдать отчёт к пятнице.").candidates
    assert not [c for c in candidates if c.type is NodeType.OPEN_LOOP]


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ("я в 12 школе учусь, у нас строгая биологичка", "school", "12 школе"),
        ("я уже с понедельника в лицее учусь", "school", "лицей"),
        ("Я младший технолог на заводе, сижу на отчётах", "job", "младший технолог"),
        ("С 1 сентября я старший технолог, приказ висит на доске.", "job", "старший технолог"),
        ("я теперь с русланом встречаюсь", "relationship", "dating"),
        ("ни с кем не встречаюсь", "relationship", "single"),
    ],
)
def test_slots_in_everyday_word_order(extract: Extract, text: str, key: str, value: str) -> None:
    slots = [(c.slot.key, c.slot.value) for c in extract(text).candidates if c.slot is not None]
    assert (key, value) in slots


def test_a_mood_of_another_is_a_note_about_them(extract: Extract) -> None:
    text = "А брат второй день злой как чёрт, опять отпуск перенесли"
    note = next(c for c in extract(text).candidates if c.type is NodeType.EMOTIONAL_NOTE)
    assert note.about == "person:брат"
    assert note.valence is Valence.NEGATIVE
    assert note.stated
