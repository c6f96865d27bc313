"""A forgotten node leaves nothing: no edge, act, vector or name; what stays is as it was."""

from __future__ import annotations

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.changes import ForgetNode, PutEdge, PutNode, RecordAct, RemoveNode, RenameNode
from tests.contracts.graph.samples import NOW, change_set, edge, ident, node, node_id, person, vector

ANNA = person()


def act(name, target):
    return Act(id=ident(f"act {name}"), node=node_id(target), kind=ActKind.PIN, at=NOW, recorded_at=NOW)


def test_acts_names_edges_and_vectors_go_with_a_forgotten_node(anna):
    anna.apply(
        ANNA,
        [
            change_set(
                ANNA,
                "1",
                *(PutNode(node(name), vector(1)) for name in "abc"),
                PutEdge(edge("a", "b")),
                PutEdge(edge("b", "c")),
                RecordAct(act("on a", "a")),
                RecordAct(act("on c", "c")),
                RenameNode(node_id("old a"), node_id("a")),
                RenameNode(node_id("old c"), node_id("c")),
            )
        ],
        token=1,
        now=NOW,
    )
    anna.apply(ANNA, [change_set(ANNA, "2", ForgetNode(node_id("a")))], token=1, now=NOW)
    left = anna.load(ANNA)
    assert set(left.nodes) == set(left.vectors) == {node_id("b"), node_id("c")}
    assert list(left.edges) == [edge("b", "c").id]
    assert [each.node for each in left.acts] == [node_id("c")]
    assert dict(left.renames) == {node_id("old c"): node_id("c")}


def test_a_removed_node_keeps_its_acts_and_a_forgotten_one_that_is_not_there_loses_them(anna):
    sets = [
        change_set(ANNA, "1", PutNode(node("a")), RecordAct(act("on a", "a"))),
        change_set(ANNA, "2", RemoveNode(node_id("a"))),
    ]
    anna.apply(ANNA, sets, token=1, now=NOW)
    assert len(anna.load(ANNA).acts) == 1
    applied = anna.apply(ANNA, [change_set(ANNA, "3", ForgetNode(node_id("a")))], token=1, now=NOW)
    assert (applied[0].dropped, anna.load(ANNA).acts) == ((), ())
    again = anna.apply(ANNA, [change_set(ANNA, "3", ForgetNode(node_id("a")))], token=1, now=NOW)
    assert not again[0].fresh
