"""What is denied, doubted, or holds only under a condition is labelled so."""

from __future__ import annotations

import pytest

from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.domain.candidates import Modality
from memory_lib.reasoning.clauses.clauses import clauses_of

from .conftest import Extract


@pytest.mark.parametrize(
    ("text", "modality"),
    [
        ("I was never in the navy.", Modality.NEGATED),
        ("I'm no gardener.", Modality.NEGATED),
        ("Neither of us rides.", Modality.NEGATED),
        ("What I can't do is whistle.", Modality.NEGATED),
        ("I nearly dropped the tray.", Modality.NEGATED),
        ("It's not that I dislike my flat.", Modality.NEGATED),
        ("I hardly ever cook.", Modality.NEGATED),
        ("I doubt I'll pass.", Modality.HEDGED),
        ("Я не то чтобы боюсь высоты.", Modality.NEGATED),
        ("Вряд ли я уволюсь.", Modality.HEDGED),
        ("Едва не уронил поднос.", Modality.NEGATED),
        ("Никакой я не повар.", Modality.NEGATED),
        ("If I sold the van, I'd rent a stall and travel.", Modality.CONDITIONAL),
        ("Если продам фургон, сниму ларёк.", Modality.CONDITIONAL),
    ],
)
def test_the_clause_carries_the_label(parser: BilingualParser, text: str, modality: Modality) -> None:
    assert any(clause.has(modality) for clause in clauses_of(parser.parse(text)))


@pytest.mark.parametrize("text", ["He spoke as if I were a child.", "I asked her not to hurry.", "Если честно, я люблю чай."])
def test_a_likeness_an_order_or_a_phrase_sets_no_condition_and_denies_nothing(parser: BilingualParser, text: str) -> None:
    clauses = clauses_of(parser.parse(text))
    assert not any(clause.has(m) for clause in clauses for m in (Modality.CONDITIONAL, Modality.NEGATED))


def test_only_what_hangs_on_the_condition_is_conditional(parser: BilingualParser) -> None:
    text = "Меня зовут Егор, и если опоздаю, я позвоню."
    labelled = [text[c.start : c.end] for c in clauses_of(parser.parse(text)) if c.has(Modality.CONDITIONAL)]
    assert labelled
    assert not any("Егор" in words for words in labelled)


@pytest.mark.parametrize(
    ("text", "occasion"),
    [
        ("I drink tea when I'm ill.", "ill"),
        ("When I'm ill I drink tea.", "ill"),
        ("Когда я болею, я пью чай с малиной.", "болею"),
    ],
)
def test_the_occasion_of_a_habit_is_no_plain_fact(extract: Extract, text: str, occasion: str) -> None:
    for candidate in extract(text).candidates:
        if occasion in candidate.content and "чай" not in candidate.content and "tea" not in candidate.content:
            assert candidate.modality == (Modality.CONDITIONAL,)
