"""The graph made again from messages, staging and acts is the same graph, in a new epoch."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from memory_lib.bootstrap import Memory
from memory_lib.domain.acts import ActKind
from memory_lib.errors import StaleRead
from tests.usecases.conftest import OpenHome
from tests.usecases.dialogues import ENGLISH, RUSSIAN, message
from tests.usecases.test_edits import edited
from tests.usecases.test_recall import WordVectors

DIALOGUES = [pytest.param(RUSSIAN, 0, id="ru"), pytest.param(ENGLISH, 1, id="en")]


def lived(memory: Memory, dialogue: list[dict[str, Any]], language: int) -> None:
    """Messages in pieces, late and edited ones, corrections, fading."""
    memory.add("p", dialogue[3:])
    memory.add("p", dialogue[:3])
    nodes = memory.show("p")["nodes"]
    memory.correct("p", nodes[0]["id"], ActKind.PIN)
    memory.correct("p", nodes[1]["id"], ActKind.SET, field="topic", value="money")
    memory.correct("p", nodes[2]["id"], ActKind.WRONG)
    memory.add("p", edited(dialogue, language))
    memory.run("fade", [memory.user_id("p")])


@pytest.mark.parametrize(("dialogue", "language"), DIALOGUES)
@pytest.mark.parametrize("vectors", [False, True])
def test_rebuilt_is_the_same(open_home: OpenHome, dialogue: list[dict[str, Any]], language: int, vectors: bool) -> None:
    memory = open_home(embedder=WordVectors() if vectors else None)
    lived(memory, dialogue, language)
    user, shown, before = memory.user_id("p"), memory.show("p"), memory.graph_hash("p")
    revision = memory.bench.reader.head(user).revision
    run = memory.run("rebuild", [user])
    (done,) = [piece.counts for piece in run.done if piece.step == "rebuild"]
    assert (done["different"], done["faults"]) == (0, 0)
    assert memory.graph_hash("p") == before
    assert memory.show("p") == shown
    after = memory.bench.reader.head(user).revision
    assert after.epoch != revision.epoch
    # life goes on as if nothing had been
    other = open_home("not rebuilt", embedder=WordVectors() if vectors else None)
    lived(other, dialogue, language)
    for each in (memory, other):
        each.add("p", [message(60, 22, "I work at a zoo now."), message(61, 2, "I have a cat named Tom.")])
    assert memory.graph_hash("p") == other.graph_hash("p")
    assert [e.action.action for e in memory.bench.action_log.entries(user, limit=10_000)].count("rebuild") == 1


def test_a_graph_that_was_tampered_with_is_put_right_and_says_so(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("p", ENGLISH)
    before = memory.graph_hash("p")
    (store,) = memory.ops.shards.values()
    user = memory.user_id("p")
    whole = store.take(user)
    spoilt = {ident: replace(node, confidence=0.123, closure=None) for ident, node in whole.nodes.items()}
    with memory.bench.write_turn.hold(user) as turn:
        store.place(user, replace(whole, nodes=spoilt, edges={}), token=turn.token, key_generation=1)
    assert memory.graph_hash("p") != before
    run = memory.run("rebuild", [memory.user_id("p")])
    (done,) = [piece.counts for piece in run.done if piece.step == "rebuild"]
    assert done["different"] == 1
    assert memory.graph_hash("p") == before


def test_recall_sees_the_new_epoch(open_home: OpenHome) -> None:
    memory = open_home(embedder=WordVectors())
    memory.add("p", ENGLISH)
    first = memory.ask("p", "How are things with Bob?", now="last")
    memory.run("rebuild", [memory.user_id("p")])
    second = memory.ask("p", "How are things with Bob?", now="last")
    assert second.revision != first.revision
    assert second.context == first.context


def test_who_read_before_a_rebuild_writes_nothing_over_it(open_home: OpenHome) -> None:
    memory = open_home()
    memory.add("p", ENGLISH)
    user = memory.user_id("p")
    stale = memory.bench.reader.head(user).revision
    memory.run("rebuild", [user])
    from memory_lib.domain.changes import ChangeSet, WriteKey

    nothing = ChangeSet(WriteKey(user, "test", "u", "o", "1"), ())
    with pytest.raises(StaleRead), memory.bench.write_turn.hold(user) as turn:
        memory.bench.writer.apply(user, [nothing], token=turn.token, now=memory.bench.clock.now(), based_on=stale)
