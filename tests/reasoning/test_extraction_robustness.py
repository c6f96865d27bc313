"""Whatever a message holds, extraction neither fails nor points outside it, and takes bounded time."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_lib.domain.candidates import Extraction, NodeType

from .conftest import Extract

WORDS = (
    "Я|не|люблю|вчера|потому что|моя сестра Катя|I|was|happy|because|my boss|3|18.30|в пятницу|remember that|Запомни:|если|if"
)
MARKS = ["?", ".", ":", '"', "«", "—", ",", "\n", "\x00", "\ud800", "İ", "ß", "😀", "\u202e", "مرحبا"]
PIECES = st.sampled_from([*WORDS.split("|"), *MARKS])


def spans_hold(found: Extraction, text: str) -> None:
    for candidate in found.candidates:
        assert 0 <= candidate.start < candidate.end <= len(text)
        words = text[candidate.start : candidate.end]
        assert words.strip()
        if candidate.type is not NodeType.PERSON:
            assert candidate.content == words
    for relation in found.relations:
        assert 0 <= relation.start < relation.end <= len(text)


@given(st.text(max_size=80))
@settings(max_examples=60, deadline=None)
def test_any_text(extract: Extract, text: str) -> None:
    spans_hold(extract(text), text)


@given(st.lists(PIECES, max_size=14).map(" ".join))
@settings(max_examples=150, deadline=None)
def test_any_mixture_of_words_that_rules_know(extract: Extract, text: str) -> None:
    spans_hold(extract(text, before=[("user", text), ("assistant", "Why?")]), text)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("\x00\x00Я живу в Казани\x00", "Я живу в Казани"),
        ("\ud800 I live in Oslo \udfff", "I live in Oslo"),
        ("😀😀 Я живу в Казани 😀", "Я живу в Казани"),
        ("مرحبا. I live in Oslo.", "I live in Oslo"),
        ("\u202eI live in Oslo\u202c", "I live in Oslo"),
        ("I live\u00a0in Oslo", "I live\u00a0in Oslo"),
    ],
)
def test_words_are_found_at_their_place_among_odd_characters(extract: Extract, text: str, content: str) -> None:
    assert [candidate.content for candidate in extract(text).candidates] == [content]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\x00", "😀", "a", "я", "!!!", "مرحبا بالعالم"])
def test_texts_that_say_nothing(extract: Extract, text: str) -> None:
    assert extract(text).candidates == ()


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["Я живу в Казани, потому что люблю море. ", "I like my cat and my dog. ", "а ", "!", "(", "\n", "x"]
)
def test_a_megabyte_takes_bounded_time(extract: Extract, piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    begun = time.perf_counter()
    spans_hold(extract(text), text)
    assert time.perf_counter() - begun < 30


def test_the_number_of_candidates_is_bounded(extract: Extract) -> None:
    assert len(extract("I like tea. " * 400).candidates) <= 400
