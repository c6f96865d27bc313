"""What is kept of parses saves time and changes nothing."""

from __future__ import annotations

from datetime import UTC, datetime

from memory_lib.adapters.nlp.bilingual import BilingualParser
from memory_lib.domain.ids import ConversationId, MessageId
from memory_lib.domain.message import Message, Role, Unit
from memory_lib.reasoning.extraction.extract_mentions import offline
from memory_lib.reasoning.extraction.parse_readings import ParseReadings
from tests.reasoning.conftest import PARAMS

SAID = ("Моя сестра Ася живёт в Туле.", "She keeps two goats.", "Вчера она купила трактор.", "I fixed her fence on Monday.")


def message(number: int) -> Message:
    return Message(
        id=MessageId(f"m{number}"),
        conversation=ConversationId("c"),
        conversation_name="c",
        source_id=str(number),
        role=Role.USER,
        text=SAID[number],
        time=datetime(2026, 5, 13, tzinfo=UTC),
        text_version="v",
        speaker=None,
    )


def test_overlapping_units_read_the_same_with_and_without_it(parser: BilingualParser) -> None:
    parses = [parser.parse(text) for text in SAID]
    readings = ParseReadings(kept=8)
    for last in range(len(SAID)):
        unit = Unit("u", message(last), tuple(message(number) for number in range(last)))
        kept = offline(unit, parses[: last + 1], params=PARAMS, readings=readings)
        assert kept == offline(unit, parses[: last + 1], params=PARAMS)


def test_a_parse_is_read_once_while_it_is_kept(parser: BilingualParser) -> None:
    readings, parse = ParseReadings(kept=1), parser.parse(SAID[0])
    assert readings.of(parse) is readings.of(parse)
    first = readings.of(parse)
    readings.of(parser.parse(SAID[1]))
    assert readings.of(parse) is not first
