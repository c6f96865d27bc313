"""Starting over, and taking back: resets and corrections are reversible, once, for 30 days; replays and rebuilds keep them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from memory_lib.bootstrap import FixedClock, Memory
from memory_lib.domain.acts import ActKind
from memory_lib.domain.candidates import EdgeType, NodeType
from memory_lib.domain.changes import ChangeSet, PutEdge, PutNode, WriteKey
from memory_lib.domain.ids import NodeId
from memory_lib.domain.node import Edge, Node, Weight
from memory_lib.domain.time import to_us
from memory_lib.errors import InvalidInput, UnknownSetting
from tests.usecases.conftest import OpenHome
from tests.usecases.dialogues import message
from tests.usecases.operating import operated

NOW = datetime(2026, 6, 20, 12, tzinfo=UTC)
SAID = [
    message(1, 4, "I drink coffee every morning."),
    message(2, 5, "Я живу в Туле."),
    {**message(3, 6, "I have a cat named Tom."), "time": "2026-06-10T10:00:00+00:00"},
]


def node(memory: Memory, words: str) -> dict[str, Any]:
    return next(n for n in memory.show("p")["nodes"] if words in n["content"])


def later(memory: Memory, days: float) -> Memory:
    bench = replace(memory.bench, clock=FixedClock(NOW + timedelta(days=days)))
    return replace(memory, bench=bench, ops=replace(memory.ops, work=bench))


def lived(open_home: OpenHome) -> Memory:
    memory = open_home(now=NOW)
    memory.add("p", SAID)
    return memory


def test_a_reset_archives_all_but_pinned_and_recent_and_undo_brings_it_back(open_home: OpenHome) -> None:
    memory = lived(open_home)
    memory.correct("p", node(memory, "Туле")["id"], ActKind.PIN)
    before, graph = memory.show("p"), memory.graph_hash("p")
    listed = operated(memory, "reset", apply=False)
    assert memory.graph_hash("p") == graph
    done = operated(memory, "reset")
    assert done.ids["nodes"] == listed.ids["nodes"] == (node(memory, "coffee")["id"],)
    assert node(memory, "coffee")["archived"] == {"at": NOW.isoformat(), "reason": "reset", "batch": done.batch}
    assert {n["state"] for n in memory.show("p")["nodes"] if "coffee" not in n["content"]} == {"stable"}
    assert "coffee" not in memory.ask("p", "coffee", now="last").context
    memory.add("p", [message(9, 1, "Good evening, I play chess.")])  # older than all: a replay
    memory.run("rebuild", [memory.user_id("p")])
    assert node(memory, "coffee")["state"] == "archived"
    assert done.batch is not None
    undone = operated(memory, "undo", batch=done.batch)
    assert undone.ids["nodes"] == done.ids["nodes"]
    assert node(memory, "coffee")["archived"] is None
    kept = {n["id"]: n for n in memory.show("p")["nodes"]}
    assert all(kept[n["id"]]["state"] == n["state"] for n in before["nodes"])
    memory.run("rebuild", [memory.user_id("p")])
    assert node(memory, "coffee")["state"] == "stable"


def test_undo_twice_is_once_and_can_itself_be_undone(open_home: OpenHome) -> None:
    memory = lived(open_home)
    batch = operated(memory, "reset").batch or ""
    first = operated(memory, "undo", batch=batch)
    graph, revision = memory.graph_hash("p"), memory.bench.reader.head(memory.user_id("p")).revision
    again = operated(later(memory, 1), "undo", batch=batch)
    assert (again.batch, again.notes) == (None, ("nothing_left_to_undo",))
    assert (memory.graph_hash("p"), memory.bench.reader.head(memory.user_id("p")).revision) == (graph, revision)
    operated(later(memory, 2), "undo", batch=first.batch or "")
    assert node(memory, "coffee")["state"] == "archived"


def test_after_thirty_days_it_stays(open_home: OpenHome) -> None:
    memory = lived(open_home)
    batch = operated(memory, "reset").batch or ""
    with pytest.raises(InvalidInput, match="more than 30 days ago"):
        operated(later(memory, 31), "undo", batch=batch)
    operated(later(memory, 29), "undo", batch=batch)
    with pytest.raises(UnknownSetting):
        operated(memory, "undo", batch="0" * 32)


def test_a_correction_closes_the_old_value_and_undo_opens_it(open_home: OpenHome) -> None:
    memory = lived(open_home)
    ident = node(memory, "coffee")["id"]
    done = later(memory, 1).correct("p", ident, ActKind.SET, field="content", value="I drink tea every morning")
    (before,) = [n for n in memory.show("p", known_at=NOW)["nodes"] if n["id"] == ident]
    assert before["content"] == "I drink coffee every morning"
    (former,) = memory.why("p", node=ident)["history"]
    assert (former["field"], former["value"], former["stands"]) == ("content", "I drink coffee every morning", True)
    assert former["until"] == (NOW + timedelta(days=1)).isoformat()
    operated(later(memory, 2), "undo", batch=done.batch or "")
    assert node(memory, "coffee")["id"] == ident
    memory.run("rebuild", [memory.user_id("p")])
    assert node(memory, "coffee")["id"] == ident
    (former,) = memory.why("p", node=ident)["history"]
    assert former["stands"] is False


FIELDS = [
    ("content", "I drink cocoa", "I drink cocoa"),
    ("topic", "home", "home"),
    ("valence", "positive", "positive"),
    ("intensity", "0.5", 0.5),
    ("about", "others", "others"),
    ("modality", "hedged", ["hedged"]),
    ("valid_until", "2026-06-01T00:00:00+00:00", "2026-06-01T00:00:00+00:00"),
]


@pytest.mark.parametrize(("field", "value", "shown"), FIELDS)
def test_every_field_is_set_kept_by_a_rebuild_and_undone(open_home: OpenHome, field: str, value: str, shown: object) -> None:
    memory = lived(open_home)
    before = node(memory, "coffee")
    done = memory.correct("p", before["id"], ActKind.SET, field=field, value=value)

    def now() -> dict[str, Any]:
        return next(n for n in memory.show("p")["nodes"] if n["id"] == before["id"])

    assert now()[field] == shown
    memory.run("rebuild", [memory.user_id("p")])
    assert now()[field] == shown
    operated(later(memory, 1), "undo", batch=done.batch or "")
    assert now() == before


def test_a_closing_by_a_message_can_be_corrected_and_comes_back(open_home: OpenHome) -> None:
    memory = open_home(now=NOW)
    memory.add("p", [message(1, 4, "I work as a cook."), message(2, 9, "I work as a baker now.")])
    cook = node(memory, "cook")
    assert cook["valid_until"] is not None
    done = memory.correct("p", cook["id"], ActKind.SET, field="valid_until", value="")
    assert node(memory, "cook")["valid_until"] is None
    assert "value" in memory.why("p", node=cook["id"])["history"][0]
    operated(later(memory, 1), "undo", batch=done.batch or "")
    assert node(memory, "cook") == cook


def with_derived(memory: Memory) -> tuple[NodeId, NodeId]:
    """A derived node that rests on the coffee, one that rests on that one, and an inferred edge beside."""
    user, bench = memory.user_id("p"), memory.bench
    coffee = NodeId(node(memory, "coffee")["id"])
    cat = NodeId(node(memory, "cat")["id"])
    one, two = NodeId("d1" * 16), NodeId("d2" * 16)

    def derived(ident: NodeId) -> Node:
        return Node(
            id=ident, type=NodeType.FACT, content="a habit of mornings", weight=Weight(0.5, to_us(NOW)), decay=0.95,
            created_at=NOW, last_reinforced_at=NOW, recorded_at=NOW, is_inference=True, origin="hypothesis", rule="by hand",
            reasoner="test", version="1",
        )  # fmt: skip

    def edge(source: NodeId, target: NodeId) -> Edge:
        return Edge(
            source=source, target=target, type=EdgeType.ASSOCIATED_WITH, confidence=0.5, is_inferred=True, created_at=NOW,
            recorded_at=NOW, rule="by hand", reasoner="test", version="1",
        )  # fmt: skip

    changes = (PutNode(derived(one)), PutNode(derived(two)), PutEdge(edge(one, coffee)), PutEdge(edge(two, one)))
    key = WriteKey(user, "sleep", "by hand", "test", "1")
    with bench.write_turn.hold(user) as turn:
        bench.writer.apply(user, [ChangeSet(key, (*changes, PutEdge(edge(cat, coffee))))], token=turn.token, now=NOW)
    return one, two


@pytest.mark.parametrize("kind", [ActKind.WRONG, ActKind.SET])
def test_what_rests_on_a_corrected_memory_is_disputed_until_it_is_undone(open_home: OpenHome, kind: ActKind) -> None:
    memory = lived(open_home)
    one, two = with_derived(memory)
    shown = memory.show("p")
    field, value = ("content", "I drink tea") if kind is ActKind.SET else (None, None)
    done = memory.correct("p", node(memory, "coffee")["id"], kind, field=field, value=value)

    def states() -> dict[str, str]:
        now = memory.show("p")
        return {each["id"]: each["state"] for each in (*now["nodes"], *now["edges"])}

    disputed = {ident for ident, state in states().items() if state == "disputed"}
    assert disputed == {one, two, *(each["id"] for each in shown["edges"] if each["is_inferred"])}
    memory.run("rebuild", [memory.user_id("p")])
    assert {ident for ident, state in states().items() if state == "disputed"} == disputed
    operated(later(memory, 1), "undo", batch=done.batch or "")
    assert memory.show("p") == shown


def test_what_was_derived_goes_with_what_is_forgotten(open_home: OpenHome) -> None:
    memory = lived(open_home)
    one, two = with_derived(memory)
    listed = operated(memory, "forget", apply=False, said={"topic": "coffee"})
    assert {one, two} <= set(listed.ids["nodes"])
    operated(memory, "forget", request=listed.ids["request"][0])
    left = memory.show("p")
    assert {one, two, *listed.ids["nodes"]} & {each["id"] for each in left["nodes"]} == set()
    assert not [each for each in left["edges"] if each["is_inferred"]]
    assert node(memory, "cat")["state"] == "stable"


def test_what_a_forgotten_statement_had_ended_stays_ended(open_home: OpenHome) -> None:
    memory = open_home(now=NOW)
    memory.add("p", [message(1, 4, "I work as a cook."), message(2, 9, "I work as a baker now. I like tea.")])
    before = node(memory, "cook")
    listed = operated(memory, "forget", apply=False, said={"topic": "the work as a baker"})
    assert listed.ids["ended"] == (before["id"],)
    operated(memory, "forget", request=listed.ids["request"][0])
    assert not [n for n in memory.show("p")["nodes"] if "baker" in n["content"]]
    assert node(memory, "cook")["valid_until"] == before["valid_until"] is not None
    memory.run("ingest", [memory.user_id("p")])
    memory.run("rebuild", [memory.user_id("p")])
    assert node(memory, "cook")["valid_until"] == before["valid_until"]


def test_an_operator_corrects_with_words_that_lie_in_a_request(open_home: OpenHome) -> None:
    memory = lived(open_home)
    ident, said = node(memory, "coffee")["id"], {"field": "content", "value": "I drink tea"}
    dry = operated(memory, "correct", apply=False, said=said, node=ident, kind="set")
    assert (dry.applied, dry.ids["nodes"]) == (False, (ident,))
    assert node(memory, "coffee")["id"] == ident
    done = operated(memory, "correct", said=said, node=ident, kind="set")
    assert node(memory, "tea")["id"] == ident
    assert "tea" not in repr(done)
    operated(later(memory, 1), "undo", batch=done.batch or "")
    assert node(memory, "coffee")["id"] == ident
