"""Forming a person: the same messages give the same graph, however and whenever they came."""

from __future__ import annotations

import random
from typing import Any

import pytest

from memory_lib.domain.acts import ActKind
from tests.usecases.conftest import OpenHome
from tests.usecases.dialogues import ENGLISH, RUSSIAN, message

DIALOGUES = [pytest.param(RUSSIAN, id="ru"), pytest.param(ENGLISH, id="en")]


def by_content(shown: dict[str, Any], words: str) -> dict[str, Any]:
    found = [node for node in shown["nodes"] if words in node["content"]]
    assert found, f"no node says {words!r}: {[n['content'] for n in shown['nodes']]}"
    return found[0]


@pytest.mark.parametrize("dialogue", DIALOGUES)
def test_any_order_of_import_forms_the_same_graph(open_home: OpenHome, dialogue: list[dict[str, Any]]) -> None:
    whole = open_home("whole")
    whole.add("p", dialogue)
    expected = whole.graph_hash("p")
    for seed in range(6):
        chance = random.Random(seed)
        shuffled = list(dialogue)
        chance.shuffle(shuffled)
        memory = open_home(f"shuffled-{seed}")
        while shuffled:
            count = chance.randint(1, 5)
            memory.add("p", shuffled[:count])
            del shuffled[:count]
        assert memory.graph_hash("p") == expected, f"seed {seed}"


@pytest.mark.parametrize("dialogue", DIALOGUES)
def test_the_same_messages_twice_change_nothing(open_home: OpenHome, dialogue: list[dict[str, Any]]) -> None:
    memory = open_home()
    memory.add("p", dialogue)
    shown, expected = memory.show("p"), memory.graph_hash("p")
    revision = memory.bench.reader.head(memory.user_id("p")).revision
    again = memory.add("p", dialogue)
    assert (again.new, again.edited, again.same) == (0, 0, len(dialogue))
    assert memory.graph_hash("p") == expected
    assert memory.show("p") == shown
    assert memory.bench.reader.head(memory.user_id("p")).revision == revision


@pytest.mark.parametrize("dialogue", DIALOGUES)
def test_every_source_is_found_at_its_place(open_home: OpenHome, dialogue: list[dict[str, Any]]) -> None:
    memory = open_home()
    memory.add("p", dialogue)
    shown = memory.show("p")
    user = memory.user_id("p")
    assert shown["nodes"]
    assert shown["edges"]
    for entity in shown["nodes"] + shown["edges"]:
        assert entity["sources"], entity["id"]
        for source in entity["sources"]:
            text = memory.bench.log.messages(user, [source["message"]])[source["message"]].text
            assert text[source["start"] : source["end"]] == source["quote"] != ""


@pytest.mark.parametrize(("dialogue", "old", "new"), [(RUSSIAN, "Яндекс", "Сбер"), (ENGLISH, "Initech", "Globex")])
def test_a_new_value_closes_the_old_one(open_home: OpenHome, dialogue: list[dict[str, Any]], old: str, new: str) -> None:
    memory = open_home()
    memory.add("p", dialogue)
    shown = memory.show("p")
    before = by_content(shown, old)
    after = next(n for n in shown["nodes"] if n["slot"] and n["slot"]["key"] == "employer" and n["id"] != before["id"])
    assert after["slot"]["value"] == new
    assert before["valid_until"] == "2026-05-12T10:00:00+03:00"
    assert after["valid_until"] is None
    assert any(e["type"] == "contradicts" and (e["from"], e["to"]) == (after["id"], before["id"]) for e in shown["edges"])


@pytest.mark.parametrize(("dialogue", "words"), [(RUSSIAN, "аллергия"), (ENGLISH, "allergic")])
def test_remember_that_pins(open_home: OpenHome, dialogue: list[dict[str, Any]], words: str) -> None:
    memory = open_home()
    memory.add("p", dialogue)
    node = by_content(memory.show("p"), words)
    assert node["is_pinned"]
    assert node["weight"] == 1.0
    assert by_content(memory.show("p", now=memory.instant(memory.user_id("p"), "last")), words)["weight"] == 1.0


def test_acts_follow_a_node_whose_first_proof_changed(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("p", RUSSIAN)
    job = next(n for n in memory.show("p")["nodes"] if n["slot"] and n["slot"]["value"].startswith("Сбер"))
    memory.correct("p", job["id"], ActKind.PIN)
    memory.add("p", [message(90, 11, "Я теперь работаю в Сбере!")])
    moved = next(n for n in memory.show("p")["nodes"] if n["slot"] and n["slot"]["value"].startswith("Сбер"))
    assert moved["id"] != job["id"]
    assert moved["is_pinned"]
    assert moved["proofs"] == job["proofs"] + 1
    # the old name still finds it
    assert memory.correct("p", job["id"], ActKind.UNPIN).node.id == moved["id"]


def test_an_edited_message_is_read_again(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("p", ENGLISH)
    memory.add("p", [{**ENGLISH[0], "text": "Hi, I work at Umbrella as an accountant."}])
    contents = [n["content"] for n in memory.show("p")["nodes"] if n["state"] != "stale"]
    assert not any("Initech" in content for content in contents)
    assert any("Umbrella" in content for content in contents)
    # the former text again is nothing new
    again = memory.add("p", [ENGLISH[0]])
    assert (again.new, again.edited) == (0, 0)


def test_a_repeat_within_a_minute_does_not_weigh(open_home: OpenHome) -> None:
    memory = open_home()
    first = message(1, 4, "I drink coffee every morning.")
    memory.add("p", [first, {**first, "id": "m2", "time": "2026-05-04T10:00:30+03:00"}])
    memory.add("p", [{**first, "id": "m3", "time": "2026-05-05T10:00:00+03:00"}])
    node = by_content(memory.show("p"), "coffee")
    stored = next(iter(memory.bench.reader.load(memory.user_id("p")).nodes.values()))
    assert node["proofs"] == 3
    assert [proof.weighed for proof in stored.proofs] == [False, False, True]


def test_what_the_assistant_says_is_no_evidence(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("p", [message(1, 4, "I work at Initech and I love hiking.", role="assistant")])
    assert memory.show("p")["nodes"] == []


def test_a_partner_in_the_chat_becomes_a_person(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("p", [message(1, 4, "I work at a bakery in Leeds.", role="other", speaker="Nora")])
    nodes = memory.show("p")["nodes"]
    nora = next(n for n in nodes if n["type"] == "person")
    assert all(n["about"] == nora["id"] for n in nodes if n["type"] == "fact")
    assert any(n["type"] == "fact" for n in nodes)


def test_decisions_are_logged_once(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("p", RUSSIAN)
    memory.add("p", RUSSIAN)
    user = memory.user_id("p")
    entries = memory.bench.action_log.entries(user, limit=10_000)
    assert len({(e.write_key, e.position) for e in entries}) == len(entries) > 0
    created = [e for e in entries if e.action.action == "create"]
    assert len(created) == len(memory.show("p")["nodes"])
    assert memory.bench.outbox.pending(user, limit=10) == ()
