"""Without models only first-person sentences are kept, whole and with less confidence."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from memory_lib.adapters.nlp import english, russian
from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.domain.ids import ConversationId, MessageId
from memory_lib.domain.message import Message, Role, Unit
from memory_lib.reasoning.extraction.extract_mentions import offline

from .conftest import PARAMS


@pytest.mark.parametrize(
    ("text", "contents"),
    [
        ("Я живу в Казани. Какая погода?", ["Я живу в Казани"]),
        ("I moved to Oslo yesterday. The sky is blue.", ["I moved to Oslo yesterday"]),
        ("Can you help me?", []),
    ],
)
def test_first_person_sentences_whole(monkeypatch: pytest.MonkeyPatch, text: str, contents: list[str]) -> None:
    monkeypatch.setattr(russian, "missing_packages", lambda: ["slovnet"])
    monkeypatch.setattr(english, "missing_packages", lambda: ["spacy"])
    message = Message(
        id=MessageId("m"),
        conversation=ConversationId("c"),
        conversation_name="c",
        source_id="1",
        role=Role.USER,
        text=text,
        time=datetime(2026, 5, 13, 12, tzinfo=UTC),
        text_version="v",
    )
    found = offline(Unit("u", message, ()), [BilingualParser(max_characters=1_000).parse(text)], params=PARAMS)
    assert [candidate.content for candidate in found.candidates] == contents
    assert all(candidate.confidence <= PARAMS.confidence_judged for candidate in found.candidates)
