"""The person is the authority: pin, unpin, wrong, set, and what later messages make of it; and fading."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from memory_lib.domain.acts import ActKind
from memory_lib.errors import UnknownNode, UnknownSetting
from tests.usecases.conftest import OpenHome
from tests.usecases.dialogues import ENGLISH, message


def node_of(memory, words: str) -> dict:  # type: ignore[no-untyped-def, type-arg]
    return next(n for n in memory.show("p")["nodes"] if words in n["content"])


def test_a_corrected_content_is_shown_kept_and_still_attached_to(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("p", [message(1, 4, "I drink coffee every morning.")])
    node = node_of(memory, "coffee")
    memory.correct("p", node["id"], ActKind.SET, field="content", value="I drink tea every morning")
    memory.add("p", [message(2, 5, "I drink coffee every morning.")])
    (after,) = [n for n in memory.show("p")["nodes"] if n["id"] == node["id"]]
    assert after["content"] == "I drink tea every morning"
    assert after["proofs"] == 2
    memory.add("p", [message(3, 3, "Hello there, I live in Leeds.")])
    assert node_of(memory, "tea")["proofs"] == 2


def test_marked_wrong_is_gone_from_recall_until_said_again(open_home: OpenHome) -> None:
    memory = open_home(now=datetime(2026, 5, 6, tzinfo=UTC))
    memory.add("p", [message(1, 4, "I drink coffee every morning.")])
    node = node_of(memory, "coffee")
    memory.correct("p", node["id"], ActKind.WRONG)
    assert node_of(memory, "coffee")["retracted_at"] is not None
    assert memory.show("p", live=True)["nodes"] == []
    assert memory.ask("p", "coffee", now="last").items == ()
    memory.add("p", [message(2, 9, "I drink coffee every morning.")])
    assert node_of(memory, "coffee")["retracted_at"] is None
    assert memory.ask("p", "coffee", now="last").items != ()


def test_asking_for_what_is_so_changes_nothing(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("p", ENGLISH)
    user, node = memory.user_id("p"), node_of(memory, "flat")
    memory.correct("p", node["id"], ActKind.PIN)
    head = memory.bench.reader.head(user)
    memory.correct("p", node["id"], ActKind.PIN)
    memory.correct("p", node["id"], ActKind.SET, field="topic", value=node["topic"])
    assert memory.bench.reader.head(user) == head
    memory.correct("p", node["id"], ActKind.UNPIN)
    memory.correct("p", node["id"], ActKind.UNPIN)
    assert memory.bench.reader.head(user).revision.n == head.revision.n + 1


def test_pins_and_corrections_survive_a_replay(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("p", ENGLISH)
    node = node_of(memory, "flat")
    memory.correct("p", node["id"], ActKind.PIN)
    memory.correct("p", node["id"], ActKind.SET, field="topic", value="money")
    memory.add("p", [message(70, 1, "Good evening, I live in Leeds.")])
    after = node_of(memory, "flat")
    assert (after["is_pinned"], after["topic"], after["weight"]) == (True, "money", 1.0)


def test_what_cannot_be_corrected_says_so(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("p", ENGLISH)
    with pytest.raises(UnknownNode):
        memory.correct("p", "0" * 32, ActKind.PIN)
    with pytest.raises(UnknownSetting):
        memory.correct("p", node_of(memory, "flat")["id"], ActKind.SET, field="weight", value="1")
    with pytest.raises(UnknownSetting):
        memory.correct("p", node_of(memory, "flat")["id"], ActKind.SET)


def test_what_fades_is_archived_and_comes_back_when_mentioned(open_home: OpenHome) -> None:
    chatter = [message(i, 1 + i, f"Good morning number {i}, how is the weather?") for i in range(2, 28)]
    memory = open_home(now=datetime(2026, 5, 30, tzinfo=UTC))
    memory.add("p", [message(1, 2, "I am so sad about it."), *chatter])
    sad = node_of(memory, "sad")
    user = memory.user_id("p")
    assert memory.run("fade", [user]).total("archived") >= 1
    archived = node_of(memory, "sad")
    assert archived["state"] == "archived"
    assert archived["archived"]["reason"] == "faded"
    assert datetime.fromisoformat(archived["archived"]["at"]) < datetime(2026, 5, 8, tzinfo=UTC)
    assert memory.run("fade", [user]).total("archived") == 0
    memory.add("p", [message(90, 29, "I am so sad about it.")])
    back = node_of(memory, "sad")
    assert back["id"] == sad["id"]
    assert (back["state"], back["archived"]) == ("stable", None)
    said_again = datetime(2026, 5, 29, 7, tzinfo=UTC)
    (then,) = [n for n in memory.show("p", now=said_again)["nodes"] if n["id"] == sad["id"]]
    assert 0.15 <= then["weight"] < 0.2


def test_fading_again_or_late_archives_the_same(open_home: OpenHome) -> None:
    dialogue = [message(1, 2, "I am so sad about it.")] + [message(i, 1 + i, "Good morning!") for i in range(2, 28)]
    hashes = set()
    for name, days in (("soon", 1), ("late", 400), ("wrong clock", 27_000)):
        memory = open_home(name, now=datetime(2026, 5, 30, tzinfo=UTC) + timedelta(days=days))
        memory.add("p", dialogue)
        memory.run("fade", [memory.user_id("p")])
        memory.run("fade", [memory.user_id("p")])
        hashes.add(memory.graph_hash("p"))
        assert node_of(memory, "sad")["archived"]["at"].startswith("2026-05-06")
    assert len(hashes) == 1
