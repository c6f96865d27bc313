"""Scraps that tell something are kept whole; what is asked, ordered or only polite is not."""

from __future__ import annotations

import pytest

from memory_lib.domain.candidates import NodeType

from .conftest import Extract


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Левша и при этом реставратор витражей.", "self"),
        ("Окна на запад, этаж девятый.", "self"),
        ("Вес пятьдесят восемь.", "self"),
        ("Спать днём мне привычно.", "self"),
        ("Height 194 and shoe size 47.", "self"),
    ],
)
def test_a_scrap_is_kept(extract: Extract, text: str, about: str) -> None:
    told = [c for c in extract(text).candidates if c.type is not NodeType.PERSON]
    assert told
    assert {c.about for c in told} == {about}


@pytest.mark.parametrize(
    "text",
    [
        "Какие шторы глушат свет?",
        "Составь таблицу на двадцать строк.",
        "Спасибо большое!",
        "What a lovely idea!",
        "Art is such a source of joy.",
        "Thanks for the tip.",
        "Sounds great, Nora!",
        "That's so true.",
    ],
)
def test_what_tells_nothing_of_the_person_is_left(extract: Extract, text: str) -> None:
    assert [c for c in extract(text).candidates if c.type in {NodeType.FACT, NodeType.EVENT}] == []
