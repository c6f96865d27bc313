"""The language of a text is told by its script."""

from __future__ import annotations

import pytest

from memory_lib.reasoning.prose.reply_language import language_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Привет, как дела?", "ru"),
        ("Работаю в Microsoft Azure", "ru"),
        ("I met Олег at the station yesterday", "en"),
        ("hello", "en"),
        ("", "en"),
        ("12:30 😀", "en"),
        ("مرحبا", "en"),
    ],
)
def test_a_third_of_cyrillic_letters_makes_a_text_russian(text: str, language: str) -> None:
    assert language_of(text) == language


def test_where_no_letter_tells_the_caller_decides() -> None:
    assert language_of("42", otherwise="ru") == "ru"
