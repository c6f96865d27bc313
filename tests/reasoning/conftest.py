"""One loaded parser for all reasoning tests, and a short way from sentences to an extraction."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta, timezone

import pytest

from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.domain.candidates import Extraction
from memory_lib.domain.ids import ConversationId, MessageId
from memory_lib.domain.message import Message, Role, Unit
from memory_lib.reasoning.extraction.extract_mentions import ExtractionParams, offline
from memory_lib.settings import Settings

WEDNESDAY = datetime(2026, 5, 13, 15, 20, tzinfo=timezone(timedelta(hours=3)))
PARAMS: ExtractionParams = Settings.model_fields["mentions"].default
Extract = Callable[..., Extraction]


@pytest.fixture(scope="session")
def parser() -> BilingualParser:
    return BilingualParser(max_characters=20_000)


@pytest.fixture(scope="session")
def extract(parser: BilingualParser) -> Extract:
    """``extract(text, role=..., speaker=..., before=[(role, text), ...])``: message ids are ``m0``, ``m1``, …"""

    def message(number: int, role: str, text: str, speaker: str | None) -> Message:
        return Message(
            id=MessageId(f"m{number}"),
            conversation=ConversationId("c"),
            conversation_name="c",
            source_id=str(number),
            role=Role(role),
            text=text,
            time=WEDNESDAY,
            text_version="v",
            speaker=speaker,
        )

    def run(text: str, *, role: str = "user", speaker: str | None = None, before: Sequence[tuple[str, str]] = ()) -> Extraction:
        earlier = tuple(message(number, who, said, None) for number, (who, said) in enumerate(before))
        own = message(len(earlier), role, text, speaker)
        parses = [parser.parse(each.text) for each in (*earlier, own)]
        return offline(Unit("u", own, earlier), parses, params=PARAMS)

    return run
