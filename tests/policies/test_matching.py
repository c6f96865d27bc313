"""Two statements are one only where nothing that changes the meaning differs."""

from __future__ import annotations

import pytest

from memory_lib.policies.matching import fingerprint, name_key, plain_words, same_statement
from tests.policies.formed import MATCHING

PARAMS = MATCHING


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Я люблю чай.", "я  ЛЮБЛЮ чай"),
        ("Ещё жду ответа", "еще жду ответа!"),
        ("I like tea.", "i like   TEA"),
    ],
)
def test_the_same_words_are_the_same_statement_without_vectors(one: str, other: str) -> None:
    assert same_statement(fingerprint(one), fingerprint(other), cosine=None, params=PARAMS) == "same_words"


def test_close_meaning_needs_the_threshold() -> None:
    one, other = fingerprint("I like tea"), fingerprint("Tea is what I like")
    assert same_statement(one, other, cosine=0.92, params=PARAMS) == "close_meaning"
    assert same_statement(one, other, cosine=0.9199, params=PARAMS) is None
    assert same_statement(one, other, cosine=None, params=PARAMS) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [("I run 5 km", "I run 10 km"), ("Встреча в 18:30", "Встреча в 19:30"), ("У меня 2 кошки", "У меня кошки")],
)
def test_other_numbers_are_another_statement_however_close(one: str, other: str) -> None:
    assert same_statement(fingerprint(one), fingerprint(other), cosine=0.999, params=PARAMS) is None


def test_a_cosine_is_rounded_before_it_meets_the_threshold() -> None:
    one, other = fingerprint("a b"), fingerprint("c d")
    assert same_statement(one, other, cosine=0.92 - 1e-6, params=PARAMS) == "close_meaning"


def test_texts_without_a_word_are_never_the_same_words() -> None:
    assert same_statement(fingerprint("🙂"), fingerprint("!!"), cosine=None, params=PARAMS) is None
    assert plain_words("…") == ""


def test_a_name_is_found_whatever_its_case() -> None:
    assert name_key("АНЯ") == name_key("Аня ") == "аня"
