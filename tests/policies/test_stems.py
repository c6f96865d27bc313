"""Stems: Russian and English as equals, whatever the text."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_lib.policies.stems import Stemmer, StemParams, named_speaker, passage_around

PARAMS = StemParams(
    max_characters=200_000, max_words=20_000, max_word_characters=64, cached_words=1_000, window_characters=20_000
)


@pytest.fixture
def stemmer() -> Stemmer:
    return Stemmer(PARAMS)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("running", "runs"),
        ("adopted", "adopting"),
        ("собаками", "собака"),
        ("переехала", "переехали"),
        ("Ёлка", "елка"),
        ("BERLIN", "berlin"),
        ("ﬁshing", "fishing"),
        ("за\u0301мок", "замок"),
        ("и\u0306од", "йод"),
        ("went", "go"),
        ("children", "child"),
        ("детей", "ребёнок"),
        ("пошла", "пойдёт"),
        ("Melanie's", "Melanie"),
        ("Melanie’s", "melanie"),
    ],
)
def test_forms_of_one_word_share_a_stem(stemmer: Stemmer, one: str, other: str) -> None:
    assert stemmer.stems(one) == stemmer.stems(other) != []


@pytest.mark.parametrize(("one", "other"), [("кот", "код"), ("cat", "car"), ("2023", "2024"), ("o'brien", "brian")])
def test_different_words_keep_different_stems(stemmer: Stemmer, one: str, other: str) -> None:
    assert stemmer.stems(one) != stemmer.stems(other)


@pytest.mark.parametrize(
    ("text", "stems"),
    [
        ("When did you go to the park?", ["go", "park"]),
        ("Как часто я бываю в бассейне?", ["быва", "бассейн"]),
        ("I don't, I'm, they've, he'll", []),
        ("What kind of music is it?", ["music"]),
        ("room 42, flat 7a", ["room", "42", "flat", "7a"]),
        ("Я работаю в IBM с 2019 года", ["работа", "ibm", "2019", "год"]),
        ("", []),
        ("🙂🙃 — …", []),
    ],
)
def test_what_says_nothing_is_dropped_and_the_rest_kept_in_order(stemmer: Stemmer, text: str, stems: list[str]) -> None:
    assert stemmer.stems(text) == stems


def test_repeated_words_are_repeated(stemmer: Stemmer) -> None:
    assert stemmer.stems("tea, tea and more tea") == ["tea", "tea", "tea"]


def test_names_keep_words_that_are_stop_words(stemmer: Stemmer) -> None:
    assert stemmer.stems("will") == []
    assert stemmer.name_stems("Will") == ["will"]


@given(st.text(alphabet=st.characters(codec=None), max_size=300))
def test_any_text_gives_clean_stems(text: str) -> None:
    stems = Stemmer(PARAMS).stems(text)
    assert all(stem and len(stem) <= 64 + 8 for stem in stems)
    assert stems == Stemmer(PARAMS).stems(text)


def test_a_huge_text_is_bounded_and_found_by_its_beginning() -> None:
    stems = Stemmer(PARAMS).stems("слово " * 200_000)
    assert len(stems) == PARAMS.max_words
    assert len(Stemmer(PARAMS).stems("x" * 1_000_000)[0]) == PARAMS.max_word_characters


def test_the_memory_of_words_is_bounded_and_changes_nothing() -> None:
    small = Stemmer(replace(PARAMS, cached_words=2))
    text = "walking dogs walked dog walking собаки собаке"
    assert small.stems(text) == Stemmer(PARAMS).stems(text)
    assert len(small._cache) <= 2


def test_threads_share_a_stemmer(stemmer: Stemmer) -> None:
    texts = [f"walking{i} dogs{i} собаками{i} переехали{i}" for i in range(200)]
    expected = [Stemmer(PARAMS).stems(text) for text in texts]
    found: list[list[list[str]]] = []
    threads = [threading.Thread(target=lambda: found.append([stemmer.stems(text) for text in texts])) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("What did Katya cook?", None),
        ("Что Кате подарили?", "Катя"),
        ("What did Will say?", "Will Smith"),
        ("what will happen next?", None),
        ("Что сказали Катя и Борис?", None),
        ("когда Борисом был куплен дом", "Борис"),
        ("Что нового?", None),
    ],
)
def test_the_speaker_a_question_names(stemmer: Stemmer, text: str, named: str | None) -> None:
    assert named_speaker(text, ("Катя", "Борис", "Will Smith"), stemmer=stemmer) == named


def test_nobody_is_named_where_nobody_speaks(stemmer: Stemmer) -> None:
    assert named_speaker("What did Will say?", (), stemmer=stemmer) is None


@pytest.mark.parametrize(
    ("text", "question", "found"),
    [
        ("Мы купили Ёлку, ёлки красивые", "Какая елка?", [10, 16]),
        ("Trying to try, tried. O'Brien tries", "Who tries?", [0, 10, 15, 30]),
        ("catalogue concatenate cats", "cat", [22]),
        ("Nothing here", "cat", []),
    ],
)
def test_wanted_words_are_found_at_their_places(stemmer: Stemmer, text: str, question: str, found: list[int]) -> None:
    assert [place for place, _ in stemmer.places(text, frozenset(stemmer.stems(question)))] == found


def test_a_long_turn_is_cut_around_the_words_asked_for(stemmer: Stemmer) -> None:
    text = "Пустые слова идут одно за другим. " * 40 + "Кошку зовут Мурка. " + "Дальше снова пусто. " * 40
    start, end = passage_around(frozenset(stemmer.stems("Как зовут кошку?")), stemmer=stemmer)(text, 200)
    assert "Мурка" in text[start:end]
    assert end - start <= 200
    assert text[start - 1] == " "


@pytest.mark.parametrize("text", ["", "short", "x" * 500])
def test_a_passage_never_leaves_the_text(stemmer: Stemmer, text: str) -> None:
    for wanted in (frozenset[str](), frozenset({"кошк"})):
        start, end = passage_around(wanted, stemmer=stemmer)(text, 100)
        assert (start, end) == (0, min(100, len(text)))
