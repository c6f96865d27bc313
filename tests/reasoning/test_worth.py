"""The judge of worth: features of a turn, and which rounds the shipped model keeps."""

from __future__ import annotations

import numpy as np
import pytest

from memory_lib.adapters.heads.shipped import shipped_worth_model
from memory_lib.reasoning.judging.worth import KEPT_FROM, is_worth_keeping, worth_share
from memory_lib.reasoning.judging.worth_features import NAMES, worth_features

MODEL = shipped_worth_model()


def feature(name: str, text: str, before: str = "") -> float:
    return float(worth_features(text, before=before)[NAMES.index(name)])


def test_there_are_as_many_numbers_as_names_whatever_the_text():
    for text in ("", " ", "?", "🙂", "а" * 50_000, "Hi\x00there", "\ud800"):
        features = worth_features(text)
        assert features.shape == (len(NAMES),)
        assert np.isfinite(features).all()


@pytest.mark.parametrize(
    ("text", "share"),
    [
        ("What is a monsoon?", 1.0),
        ("Что такое муссон?", 1.0),
        ("I moved to Gdansk. Is it rainy there?", 0.5),
        ("Я переехал в Гданьск", 0.0),
    ],
)
def test_the_share_of_questions_is_taken_over_pieces(text, share):
    assert feature("asking_share", text) == share


def test_what_is_told_beside_a_question_is_seen():
    assert feature("told_self_pieces", "Я в школе играл в шахматы, как думаешь, поздно начинать снова?") > 0
    assert feature("told_self_pieces", "I used to row at college, is it too late to start again?") > 0


def test_a_joining_word_inside_a_statement_asks_nothing():
    assert feature("asking_share", "Рада, что ты пришла") == 0.0
    assert feature("asking_share", "Так как лил дождь, я осталась дома") == 0.0


def test_a_short_answer_is_read_beside_its_question():
    assert feature("answers_question", "В субботу", before="Когда ты уезжаешь?") == 1.0
    assert feature("answers_question", "В субботу", before="Хорошо.") == 0.0


@pytest.mark.parametrize(
    ("text", "before"),
    [
        ("Вчера мы с женой переехали в Пермь", ""),
        ("My daughter starts school in September", ""),
        ("I adopted a cat named Biscuit last month. What should I feed her?", ""),
        ("Меня повысили, теперь я руковожу отделом", ""),
        ("В четверг, к девяти утра", "Когда у тебя собеседование?"),
    ],
)
def test_what_tells_of_the_person_is_kept(text, before):
    assert is_worth_keeping(text, before=before, model=MODEL)


@pytest.mark.parametrize(
    "text",
    [
        "What is the capital of Peru?",
        "Какая самая длинная река в мире?",
        "How do I convert miles to kilometres?",
        "Что такое фотосинтез?",
    ],
)
def test_a_bare_question_of_knowledge_is_dropped(text):
    assert not is_worth_keeping(text, before="", model=MODEL)


def test_the_share_is_half_at_the_threshold_and_never_overflows():
    assert 0.0 <= worth_share("What is it?", before="", model=MODEL) < KEPT_FROM
    assert KEPT_FROM <= worth_share("Я живу в Туле с мужем и сыном", before="", model=MODEL) <= 1.0
