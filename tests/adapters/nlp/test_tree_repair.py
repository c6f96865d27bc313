"""Mends of parsed trees, on sentences that the parsers are known to take wrongly."""

from __future__ import annotations

from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.adapters.nlp.tree_repair import bind_own_name, hang_likeness, lift_finite
from memory_lib.domain.syntax import ROOT, Token


def token(text: str, pos: str, head: int, relation: str, **features: str) -> Token:
    return Token(0, len(text), text, text.lower(), pos, features, head, relation)


def test_a_finite_verb_hung_on_its_own_subject_becomes_the_root() -> None:
    mended = lift_finite(
        [
            token("Эдуард", "PROPN", ROOT, "root", Case="Nom"),
            token("уехал", "VERB", 0, "acl", Tense="Past"),
            token("домой", "ADV", 1, "advmod"),
        ]
    )
    assert [(each.head, each.relation) for each in mended] == [(1, "nsubj"), (ROOT, "root"), (1, "advmod")]


def test_a_real_relative_clause_stays_where_it_is() -> None:
    tokens = (
        token("Друг", "NOUN", ROOT, "root", Case="Nom"),
        token("который", "PRON", 2, "nsubj"),
        token("уехал", "VERB", 0, "acl", Tense="Past"),
    )
    assert lift_finite(tokens) == tokens


def test_a_name_beside_the_speaker_is_the_speakers() -> None:
    mended = bind_own_name(
        [
            token("Я", "PRON", 3, "nsubj"),
            token("Аня", "PROPN", 3, "nsubj", NameType="given"),
            token(",", "PUNCT", 3, "punct"),
            token("живу", "VERB", ROOT, "root"),
        ]
    )
    assert (mended[1].head, mended[1].relation) == (0, "appos")


def test_a_likeness_hangs_on_the_sentence_before_it() -> None:
    mended = hang_likeness(
        [token("ушла", "VERB", ROOT, "root"), token("словно", "SCONJ", 2, "mark"), token("было", "VERB", ROOT, "root")]
    )
    assert (mended[2].head, mended[2].relation) == (0, "advcl")


def test_a_word_that_can_only_be_a_noun_is_one() -> None:
    parse = BilingualParser(max_characters=1000).parse("Дочка идёт в школу в сентябре.")
    assert parse.sentences[0].tokens[0].pos == "NOUN"
