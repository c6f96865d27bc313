"""What is said again weighs again, within bounds that nobody can talk past."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory_lib.bootstrap import Memory
from tests.usecases.conftest import OpenHome
from tests.usecases.dialogues import message

COFFEE = {"en": "I drink coffee every morning.", "ru": "Я пью кофе каждое утро."}


def said(number: int, when: datetime, text: str) -> dict[str, Any]:
    return {"conversation": f"c{number}", "id": f"m{number}", "role": "user", "text": text, "time": when.isoformat()}


def only(memory: Memory, **options: Any) -> Any:
    (node,) = [n for n in memory.show("p", **options)["nodes"] if n["type"] == "fact"]
    return node


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_same_in_twenty_conversations_is_one_node_with_twenty_proofs(open_home: OpenHome, language: str) -> None:
    memory = open_home()
    start = datetime(2026, 5, 1, 9, tzinfo=UTC)
    memory.add("p", [said(n, start + timedelta(days=n), COFFEE[language]) for n in range(20)])
    node = only(memory, now="last")
    assert node["proofs"] == len(node["sources"]) == 20
    assert 0.95 < node["confidence"] <= 0.99
    once = open_home("once")
    once.add("p", [said(0, start, COFFEE[language])])
    assert only(once)["confidence"] < node["confidence"]


def test_a_mention_adds_fifteen_hundredths(open_home: OpenHome) -> None:
    memory = open_home()
    first = datetime(2026, 5, 1, 9, tzinfo=UTC)
    second = first + timedelta(days=5)
    memory.add("p", [said(1, first, COFFEE["en"]), said(2, second, COFFEE["en"])])
    assert only(memory, now=second)["weight"] == pytest.approx(min(1.0, 0.92**5 + 0.15), abs=1e-6)


@pytest.mark.parametrize("language", ["ru", "en"])
def test_the_eleventh_mention_of_a_local_day_is_kept_flagged_and_without_weight(open_home: OpenHome, language: str) -> None:
    memory = open_home()
    zone = timedelta(hours=10)
    from datetime import timezone

    # 20:00 to 23:00 at home: another date in UTC from 10:00 there on
    start = datetime(2026, 5, 2, 9, tzinfo=timezone(zone))
    first = said(0, start - timedelta(days=3), COFFEE[language])
    day = [said(n, start + timedelta(minutes=70 * (n - 1)), COFFEE[language]) for n in range(1, 13)]
    memory.add("p", [first, *day])
    stored = next(n for n in memory.bench.reader.load(memory.user_id("p")).nodes.values() if n.type.value == "fact")
    assert [proof.weighed for proof in stored.proofs] == [False] + [True] * 10 + [False] * 2
    assert only(memory)["flags"] == ["over_limit"]
    memory.add("p", [said(20, start + timedelta(days=1), COFFEE[language])])
    stored = next(n for n in memory.bench.reader.load(memory.user_id("p")).nodes.values() if n.type.value == "fact")
    assert stored.proofs[-1].weighed


@pytest.mark.parametrize(
    ("first", "again", "counts"),
    [
        ("I drink coffee every morning.", "I drink coffee every morning!!", False),
        ("I really drink coffee every single morning.", "I really drink coffee every morning.", False),
        ("Я правда пью кофе каждое утро.", "Я, правда, пью кофе каждое утро...", False),
        ("Я пью кофе каждое утро.", "Мама звонила. Я пью кофе каждое утро.", True),
    ],
)
def test_near_identical_words_within_a_minute_count_once(open_home: OpenHome, first: str, again: str, counts: bool) -> None:
    memory = open_home()
    start = datetime(2026, 5, 1, 9, tzinfo=UTC)
    memory.add("p", [said(1, start, first), said(2, start + timedelta(seconds=40), again)])
    for node in memory.bench.reader.load(memory.user_id("p")).nodes.values():
        later = [proof for proof in node.proofs if proof.at_us > int(start.timestamp() * 1e6)]
        assert not any(proof.weighed for proof in later) or counts
    memory.add("p", [said(3, start + timedelta(seconds=110), first)])
    weighed = [p for n in memory.bench.reader.load(memory.user_id("p")).nodes.values() for p in n.proofs if p.weighed]
    assert weighed


@pytest.mark.parametrize("language", ["ru", "en"])
def test_what_an_assistant_repeats_supports_nothing(open_home: OpenHome, language: str) -> None:
    memory = open_home()
    memory.add("p", [message(1, 4, COFFEE[language])])
    before = memory.show("p")["nodes"]
    memory.add("p", [message(n, 4 + n, COFFEE[language], role="assistant") for n in range(2, 9)])
    assert [(n["id"], n["proofs"], n["confidence"]) for n in memory.show("p")["nodes"]] == [
        (n["id"], n["proofs"], n["confidence"]) for n in before
    ]
