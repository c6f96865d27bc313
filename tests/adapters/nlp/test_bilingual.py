"""The parser of both languages: places, language by sentence, one label set, and what happens without models."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_lib.adapters.nlp import english, russian
from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.adapters.nlp.segmentation import printable
from memory_lib.domain.syntax import EntityKind, Parse
from memory_lib.ports.parser import Parser


@pytest.fixture(scope="module")
def parser() -> BilingualParser:
    return BilingualParser(max_characters=20_000)


def relations(parse: Parse) -> dict[str, tuple[str, str]]:
    """Word → (relation, governor's word)."""
    return {
        token.text: (token.relation, "" if token.head < 0 else sentence.tokens[token.head].text)
        for sentence in parse.sentences
        for token in sentence.tokens
    }


def test_it_is_a_parser(parser: BilingualParser) -> None:
    port: Parser = parser
    assert "slovnet" in port.version
    assert "en-core-web-sm" in port.version


def test_each_sentence_goes_to_its_own_language(parser: BilingualParser) -> None:
    parse = parser.parse("Работаю в Microsoft. My boss is nice. Завтра в отпуск!")
    assert [sentence.language for sentence in parse.sentences] == ["ru", "en", "ru"]
    assert parse.language == "ru"


@given(st.text(max_size=120))
@settings(max_examples=60, deadline=None)
def test_tokens_stand_where_they_say(parser: BilingualParser, text: str) -> None:
    clean = printable(text)
    assert len(clean) == len(text)
    for sentence in parser.parse(text).sentences:
        for token in sentence.tokens:
            assert clean[token.start : token.end] == token.text


def test_sentences_end_without_a_capital_after_them(parser: BilingualParser) -> None:
    assert len(parser.parse("горжусь им очень. ладно, хватит об отце").sentences) == 2
    assert len(parser.parse("I saw Dr. Smith at 5 p.m. yesterday.").sentences) == 1


def test_english_labels_are_universal(parser: BilingualParser) -> None:
    found = relations(parser.parse("I am a nurse in the city because of my mother."))
    assert found["am"] == ("cop", "nurse")
    assert found["nurse"] == ("root", "")
    assert found["in"] == ("case", "city")
    assert found["of"] == ("case", "mother")
    assert found["my"] == ("nmod:poss", "mother")
    assert relations(parser.parse("The flat is cold, I bought a heater."))["cold"][0] == "parataxis"
    assert relations(parser.parse("He left and I stayed."))["and"] == ("cc", "stayed")


def test_russian_has_lemmas_cases_and_one_root(parser: BilingualParser) -> None:
    (sentence,) = parser.parse("Моя сестра Катя рада, что живёт в Казани").sentences
    words = {token.text: token for token in sentence.tokens}
    assert (words["рада"].lemma, words["живёт"].lemma, words["Казани"].lemma) == ("рад", "жить", "казань")
    assert words["Казани"].features["Case"] == "Loc"
    assert [token.text for token in sentence.tokens if token.head < 0] == ["рада"]


def test_orders_without_a_capital_are_seen(parser: BilingualParser) -> None:
    (sentence,) = parser.parse("перечисли мне героев").sentences
    assert sentence.tokens[0].features["Mood"] == "Imp"


def test_names_of_both_languages(parser: BilingualParser) -> None:
    text = "Вчера приехал Иван Петров из Тулы. My friend Kate works at Google."
    found = {(text[entity.start : entity.end], entity.kind) for entity in parser.parse(text).entities}
    assert {("Иван Петров", EntityKind.PERSON), ("Тулы", EntityKind.PLACE), ("Kate", EntityKind.PERSON)} <= found


def test_only_the_beginning_of_a_long_text_is_read() -> None:
    parse = BilingualParser(max_characters=30).parse("Я живу в Казани. Я работаю в школе. Я люблю море.")
    assert parse.sentences[-1].end <= 30


def test_threads_get_what_one_would_get(parser: BilingualParser) -> None:
    texts = ["Я живу в Казани.", "I live in Oslo.", "Мама приехала.", "My boss left."] * 6
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(parser.parse, texts)) == [parser.parse(text) for text in texts]


def test_without_models_sentences_are_plain_and_the_version_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(russian, "missing_packages", lambda: ["slovnet"])
    monkeypatch.setattr(english, "missing_packages", lambda: ["spacy"])
    parser = BilingualParser(max_characters=1_000)
    parse = parser.parse("Я живу в Казани. I live in Oslo.")
    assert "ru=plain" in parser.version
    assert "en=plain" in parser.version
    assert [sentence.has_tree for sentence in parse.sentences] == [False, False]
    assert [token.text for token in parse.sentences[0].tokens] == ["Я", "живу", "в", "Казани", "."]
