"""Messages that are edited: what the words were taken from weakens or goes stale, in whatever order everything came in."""

from __future__ import annotations

import random
from typing import Any

import pytest

from memory_lib.bootstrap import Memory
from memory_lib.domain.acts import ActKind
from memory_lib.domain.canonical import edge_record, node_record
from memory_lib.domain.lineage import lineage_faults
from memory_lib.domain.node import NodeState, ProofKind
from tests.usecases.conftest import OpenHome
from tests.usecases.dialogues import ENGLISH, RUSSIAN, message

EDITS = {
    "m1": ("Привет! Я живу в Казани.", "Hi, I live in Leeds."),
    "m6": ("Я пью чай каждое утро.", "I drink tea every morning."),
    "m9": ("Ничего не надо решать.", "Never mind."),
    "m12": ("Мама не приехала.", "My sister Kate did not come."),
}
DIALOGUES = [pytest.param(RUSSIAN, 0, id="ru"), pytest.param(ENGLISH, 1, id="en")]


def edited(dialogue: list[dict[str, Any]], language: int) -> list[dict[str, Any]]:
    return [{**m, "text": EDITS[m["id"]][language]} for m in dialogue if m["id"] in EDITS]


def standing(memory: Memory) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is said now: without what went stale, without the sources that went."""
    stored = memory.bench.reader.load(memory.user_id("p"))
    nodes = {}
    for node in stored.nodes.values():
        if node.state is not NodeState.STALE:
            record = node_record(node)
            record["proofs"] = [proof for proof in record["proofs"] if proof[5] != ProofKind.STALE.value]
            record["state"] = "stable" if record["state"] == "weakened" else record["state"]
            nodes[node.id] = record
    return nodes, {edge.id: edge_record(edge) for edge in stored.edges.values()}


@pytest.mark.parametrize(("dialogue", "language"), DIALOGUES)
def test_an_edited_history_is_a_fresh_one_and_what_went_stale(
    open_home: OpenHome, dialogue: list[dict[str, Any]], language: int
) -> None:
    memory, fresh = open_home("edited"), open_home("fresh")
    memory.add("p", dialogue)
    before = {n["id"] for n in memory.show("p", live=True)["nodes"]}
    memory.add("p", edited(dialogue, language))
    news = {m["id"]: m for m in edited(dialogue, language)}
    fresh.add("p", [news.get(m["id"], m) for m in dialogue])
    assert standing(memory) == standing(fresh)
    shown = memory.show("p")["nodes"]
    stale = [n for n in shown if n["state"] == "stale"]
    assert stale
    assert before & {n["id"] for n in stale}
    assert all(n["confidence"] == 0.0 for n in stale)
    live = memory.show("p", live=True)["nodes"]
    assert live
    assert not [n for n in live if n["state"] == "stale"]
    stored = memory.bench.reader.load(memory.user_id("p"))
    assert lineage_faults(stored.nodes.values(), stored.edges.values()) == ()


@pytest.mark.parametrize(("dialogue", "language"), DIALOGUES)
def test_any_order_split_or_repeat_of_edits_gives_the_same_graph(
    open_home: OpenHome, dialogue: list[dict[str, Any]], language: int
) -> None:
    changes = edited(dialogue, language)
    memory = open_home("whole")
    memory.add("p", [*dialogue, *changes])
    expected = memory.graph_hash("p")
    memory.add("p", [*dialogue, *changes])
    assert memory.graph_hash("p") == expected
    for seed in range(4):
        chance = random.Random(seed)
        waiting = list(dialogue)
        chance.shuffle(waiting)
        for change in changes:
            after = next(i for i, m in enumerate(waiting) if m["id"] == change["id"]) + 1
            waiting.insert(chance.randint(after, len(waiting)), change)
        other = open_home(f"split-{seed}")
        while waiting:
            count = chance.randint(1, 6)
            other.add("p", waiting[:count])
            del waiting[:count]
        assert other.graph_hash("p") == expected, f"seed {seed}"


def test_a_statement_that_others_still_make_is_weakened_and_keeps_its_pin(open_home: OpenHome) -> None:
    memory = open_home()
    first = message(1, 4, "I drink coffee every morning.")
    memory.add("p", [first, message(2, 6, "I drink coffee every morning.")])
    (node,) = memory.show("p")["nodes"]
    memory.correct("p", node["id"], ActKind.PIN)
    memory.add("p", [{**first, "text": "Good morning!"}])
    (after,) = [n for n in memory.show("p")["nodes"] if n["type"] == node["type"]]
    assert (after["state"], after["is_pinned"], after["proofs"]) == ("weakened", True, 2)
    assert after["created_at"].startswith("2026-05-06")
    assert after["confidence"] <= node["confidence"]
    # said by hand again under the old name
    assert memory.correct("p", node["id"], ActKind.UNPIN).node.id == after["id"]


def test_reworded_is_not_taken_back(open_home: OpenHome) -> None:
    memory = open_home()
    first = message(1, 4, "I work at Initech as an accountant.")
    memory.add("p", [first])
    memory.add("p", [{**first, "text": "Well, I work at Initech as an accountant, you know."}])
    assert {n["state"] for n in memory.show("p")["nodes"]} == {"stable"}


def test_stale_words_come_alive_when_they_are_said_again(open_home: OpenHome) -> None:
    memory = open_home()
    first = message(1, 4, "I drink coffee every morning.")
    memory.add("p", [first])
    memory.add("p", [{**first, "text": "Good morning!"}])
    (gone,) = [n for n in memory.show("p")["nodes"] if "coffee" in n["content"]]
    assert gone["state"] == "stale"
    assert memory.ask("p", "coffee", now="last").items == ()
    memory.add("p", [message(2, 9, "I drink coffee every morning.")])
    (back,) = [n for n in memory.show("p")["nodes"] if "coffee" in n["content"]]
    assert back["state"] == "weakened"
    assert back["proofs"] == 2


def test_a_message_edited_to_nothing_takes_everything_with_it(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("p", [message(1, 4, "My colleague Bob yelled at me and I was upset because of it.")])
    assert memory.show("p", live=True)["nodes"]
    memory.add("p", [message(1, 4, "")])
    shown = memory.show("p")
    assert memory.show("p", live=True)["nodes"] == []
    assert {n["state"] for n in shown["nodes"]} == {"stale"}
    assert shown["edges"] == []
