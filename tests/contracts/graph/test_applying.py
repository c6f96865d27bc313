from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.changes import (
    ABSENT,
    Action,
    Dropped,
    PutEdge,
    PutNode,
    Read,
    RecordAct,
    RemoveEdge,
    RemoveNode,
    RenameNode,
    Revision,
    field_value,
)
from memory_lib.domain.node import NodeState
from memory_lib.errors import IllegalValue, LeaseLost, StaleRead, WriteKeyConflict
from memory_lib.ports.graph import DropReason
from tests.contracts.graph.samples import NOW, change_set, edge, ident, node, node_id, person, proof, vector

ANNA = person()


def put(store, unit, *changes, token=1, actions=()):
    (applied,) = store.apply(ANNA, [change_set(ANNA, unit, *changes, actions=actions)], token=token, now=NOW)
    return applied


def read_of(entity, name):
    return Read(entity.id, name, field_value(entity, name))


def act(name, target, kind=ActKind.PIN, **fields):
    return Act(**{"id": ident(f"act {name}"), "node": node_id(target), "kind": kind, "at": NOW, "recorded_at": NOW, **fields})


def acts_of(store):
    return {a.id: a.node for a in store.load(ANNA).acts}


# -- keys, revisions, fences --


def test_each_fresh_change_set_raises_the_revision_by_one(store):
    before = store.head(ANNA).revision
    applied = store.apply(ANNA, [change_set(ANNA, u, PutNode(node(u))) for u in "abc"], token=1, now=NOW)
    assert [a.fresh for a in applied] == [True] * 3
    epochs = {a.revision.epoch for a in applied}
    assert len(epochs) == 1
    assert epochs != {before.epoch}
    assert [a.revision.n for a in applied] == [1, 2, 3]
    assert store.head(ANNA).revision == applied[-1].revision
    assert put(store, "d").revision == Revision(*epochs, 4), "also one without changes"


def test_applying_twice_is_applying_once(anna):
    sets = [
        change_set(
            ANNA,
            "1",
            PutNode(node("a"), vector(1)),
            PutNode(node("b")),
            PutEdge(edge("a", "b")),
            actions=[Action("create", "new", ("x",))],
        ),
        change_set(ANNA, "2", RecordAct(act("pin", "a")), RemoveEdge(edge("a", "b").id)),
    ]
    first = anna.apply(ANNA, sets, token=1, now=NOW)
    once, outbox = anna.load(ANNA), anna.pending(ANNA, limit=10)
    second = anna.apply(ANNA, sets, token=1, now=NOW + timedelta(days=1))
    twice = anna.load(ANNA)
    assert [a.fresh for a in first] == [True, True]
    assert [(a.fresh, a.dropped, a.revision) for a in second] == [(False, (), first[-1].revision)] * 2
    assert (twice.nodes, twice.edges, twice.acts, twice.revision) == (once.nodes, once.edges, once.acts, once.revision)
    assert anna.pending(ANNA, limit=10) == outbox


def test_the_same_change_set_twice_in_one_call_counts_once(store):
    same = change_set(ANNA, "1", PutNode(node("a")))
    assert [a.fresh for a in store.apply(ANNA, [same, same], token=1, now=NOW)] == [True, False]
    assert store.head(ANNA).revision.n == 1


def test_a_known_key_with_other_content_is_a_conflict_and_nothing_of_the_call_is_kept(store):
    put(store, "1", PutNode(node("a")))
    before = store.head(ANNA)
    sets = [change_set(ANNA, "2", PutNode(node("b"))), change_set(ANNA, "1", PutNode(node("a", "other words")))]
    with pytest.raises(WriteKeyConflict) as caught:
        store.apply(ANNA, sets, token=5, now=NOW)
    assert caught.value.key == str(sets[1].key)
    assert store.head(ANNA) == before, "neither revision nor fence"
    assert set(store.load(ANNA).nodes) == {node_id("a")}
    assert store.applied_keys(ANNA, [str(s.key) for s in sets]) == {str(sets[1].key)}


def test_a_conflict_inside_one_call_is_found_too(store):
    with pytest.raises(WriteKeyConflict):
        store.apply(
            ANNA, [change_set(ANNA, "1", PutNode(node("a"))), change_set(ANNA, "1", PutNode(node("b")))], token=1, now=NOW
        )
    assert store.load(ANNA).nodes == {}


def test_applied_keys_are_told_from_others(store):
    put(store, "1", PutNode(node("a")))
    keys = [str(change_set(ANNA, u).key) for u in "12"]
    assert store.applied_keys(ANNA, keys) == {keys[0]}
    assert store.applied_keys(ANNA, []) == frozenset()


def test_a_lower_fencing_token_is_refused_and_the_highest_is_kept(store):
    put(store, "1", PutNode(node("a")), token=7)
    assert store.head(ANNA).fence == 7
    with pytest.raises(LeaseLost) as caught:
        put(store, "2", PutNode(node("b")), token=6)
    assert (caught.value.token, caught.value.highest) == (6, 7)
    assert set(store.load(ANNA).nodes) == {node_id("a")}
    put(store, "3", token=7)
    put(store, "1", PutNode(node("a")), token=9)
    assert store.head(ANNA).fence == 9, "seen, though nothing fresh came with it"
    with pytest.raises(LeaseLost):
        put(store, "1", PutNode(node("a")), token=8)


def test_a_write_that_rests_on_an_older_revision_is_refused_whole(store):
    empty = store.load(ANNA).revision
    sets = [change_set(ANNA, "1", PutNode(node("a")))]
    store.apply(ANNA, sets, token=1, now=NOW, based_on=empty)
    read = store.load(ANNA).revision
    put(store, "2", PutNode(node("b")), token=1)
    for older in (empty, read):
        with pytest.raises(StaleRead):
            store.apply(ANNA, [change_set(ANNA, "3", PutNode(node("c")))], token=2, now=NOW, based_on=older)
    assert set(store.load(ANNA).nodes) == {node_id("a"), node_id("b")}
    store.apply(ANNA, [change_set(ANNA, "3", PutNode(node("c")))], token=2, now=NOW, based_on=store.head(ANNA).revision)
    assert node_id("c") in store.load(ANNA).nodes


def test_a_change_set_of_another_person_is_refused(store):
    with pytest.raises(IllegalValue):
        store.apply(ANNA, [change_set(person("boris"), "1", PutNode(node("a")))], token=1, now=NOW)
    assert store.load(ANNA).nodes == {}


def test_an_empty_call_does_nothing(store):
    assert store.apply(ANNA, [], token=1, now=NOW) == ()
    assert store.head(ANNA).revision == Revision(0, 0)


# -- reads --


def test_a_change_whose_read_changed_since_is_dropped_and_the_rest_applies(store):
    seen = node("a")
    put(store, "1", PutNode(seen))
    put(store, "2", PutNode(node("a", "changed by somebody else")))
    applied = put(
        store,
        "3",
        PutNode(node("b")),
        PutNode(node("a", "decided on old words"), reads=(read_of(seen, "content"),)),
        RecordAct(act("pin", "a"), reads=(read_of(seen, "state"),)),
    )
    assert applied.fresh
    assert applied.dropped == (Dropped(1, DropReason.READ_CHANGED),)
    graph = store.load(ANNA)
    assert graph.nodes[seen.id].content == "changed by somebody else"
    assert node_id("b") in graph.nodes
    assert len(graph.acts) == 1


@pytest.mark.parametrize("gone", [False, True])
def test_a_read_may_say_that_there_was_nothing(store, gone):
    nothing = Read(node_id("a"), "content", ABSENT)
    put(store, "1", PutNode(node("a")))
    if gone:
        put(store, "2", RemoveNode(node_id("a")))
    applied = put(store, "3", PutNode(node("b"), reads=(nothing,)))
    assert applied.dropped == (() if gone else (Dropped(0, DropReason.READ_CHANGED),))


@pytest.mark.parametrize(
    "change",
    [
        PutNode(node("c")),
        PutEdge(edge("a", "b")),
        RemoveNode(node_id("a")),
        RemoveEdge(edge("b", "a").id),
        RecordAct(act("x", "a")),
        RenameNode(node_id("a"), node_id("z")),
    ],
)
def test_every_kind_of_change_is_guarded_by_its_reads(store, change):
    put(store, "1", PutNode(node("a")), PutNode(node("b")), PutEdge(edge("b", "a")))
    before = store.load(ANNA)
    stale = Read(node_id("a"), "content", '"never so"')
    assert put(store, "2", replace(change, reads=(stale,))).dropped == (Dropped(0, DropReason.READ_CHANGED),)
    after = store.load(ANNA)
    assert (after.nodes, after.edges, after.acts, after.renames) == (before.nodes, before.edges, before.acts, before.renames)


def test_a_read_of_an_edge_is_compared_too(store):
    put(store, "1", PutNode(node("a")), PutNode(node("b")), PutEdge(edge("a", "b")))
    seen = store.edges_among(ANNA, [node_id("a"), node_id("b")])[0]
    put(store, "2", PutEdge(edge("a", "b", confidence=0.5)))
    assert put(store, "3", RemoveEdge(seen.id, reads=(read_of(seen, "confidence"),))).dropped == (
        Dropped(0, DropReason.READ_CHANGED),
    )
    assert put(store, "4", RemoveEdge(seen.id, reads=(read_of(seen, "state"),))).dropped == ()
    assert store.load(ANNA).edges == {}


def test_reads_agree_with_the_state_before_the_change_set_or_as_it_left_it(store):
    first, second, third = node("a", "1"), node("a", "2"), node("a", "3")
    put(store, "1", PutNode(first))
    applied = put(
        store,
        "2",
        PutNode(second, reads=(read_of(first, "content"),)),
        PutNode(third, reads=(read_of(first, "content"),)),
        PutNode(node("b"), reads=(read_of(third, "content"),)),
        PutNode(node("c"), reads=(read_of(second, "content"),)),
    )
    assert applied.dropped == (Dropped(3, DropReason.READ_CHANGED),), "2 was neither before nor is now"


def test_reads_see_the_change_sets_before_theirs_in_the_same_call(store):
    first, second = node("a", "1"), node("a", "2")
    put(store, "0", PutNode(first))
    sets = [
        change_set(ANNA, "1", PutNode(second)),
        change_set(ANNA, "2", PutNode(node("b"), reads=(read_of(second, "content"),))),
        change_set(ANNA, "3", PutNode(node("c"), reads=(read_of(first, "content"),))),
        change_set(ANNA, "4", RemoveNode(node_id("a"))),
        change_set(ANNA, "5", PutNode(node("d"), reads=(Read(node_id("a"), "content", ABSENT),))),
    ]
    dropped = [a.dropped for a in store.apply(ANNA, sets, token=1, now=NOW)]
    assert dropped == [(), (), (Dropped(0, DropReason.READ_CHANGED),), (), ()]


def test_removing_a_node_is_seen_by_reads_of_its_edges(store):
    put(store, "1", PutNode(node("a")), PutNode(node("b")), PutEdge(edge("a", "b")))
    gone = Read(edge("a", "b").id, "state", ABSENT)
    applied = put(store, "2", PutNode(node("c"), reads=(gone,)), RemoveNode(node_id("a")), PutNode(node("d"), reads=(gone,)))
    assert applied.dropped == (Dropped(0, DropReason.READ_CHANGED),)


def test_a_read_of_a_field_that_does_not_exist_is_refused(store):
    put(store, "1", PutNode(node("a")))
    with pytest.raises(IllegalValue, match="colour"):
        put(store, "2", PutNode(node("b"), reads=(Read(node_id("a"), "colour", '"red"'),)))
    assert node_id("b") not in store.load(ANNA).nodes


# -- edges and removals --


def test_an_edge_without_one_of_its_nodes_is_dropped(store):
    applied = put(store, "1", PutNode(node("a")), PutEdge(edge("a", "nobody")), PutEdge(edge("nobody", "a")))
    assert applied.dropped == (Dropped(1, DropReason.MISSING_END), Dropped(2, DropReason.MISSING_END))
    assert store.load(ANNA).edges == {}


def test_an_edge_may_stand_before_its_nodes_and_falls_with_a_dropped_one(store):
    never = Read(node_id("x"), "content", '"never so"')
    applied = put(
        store,
        "1",
        PutEdge(edge("a", "b")),
        PutEdge(edge("a", "c")),
        PutEdge(edge("a", "d")),
        PutNode(node("a")),
        PutNode(node("b")),
        PutNode(node("c"), reads=(never,)),
        PutNode(node("d")),
        RemoveNode(node_id("d")),
    )
    missing, stale = DropReason.MISSING_END, DropReason.READ_CHANGED
    assert applied.dropped == (Dropped(1, missing), Dropped(2, missing), Dropped(5, stale))
    assert list(store.load(ANNA).edges) == [edge("a", "b").id]


def test_the_same_edge_again_replaces_its_fields_and_proofs(store):
    put(store, "1", PutNode(node("a")), PutNode(node("b")), PutEdge(edge("a", "b", proofs=(proof("m1"), proof("m2")))))
    again = edge("a", "b", confidence=0.4, state=NodeState.WEAKENED, proofs=(proof("m3"),))
    put(store, "2", PutEdge(again))
    assert store.load(ANNA).edges == {again.id: again}


def test_removing_a_node_takes_its_vector_proofs_and_edges(anna):
    put(
        anna,
        "1",
        PutNode(node("a"), vector(1)),
        PutNode(node("b"), vector(2)),
        PutNode(node("c")),
        PutEdge(edge("a", "b")),
        PutEdge(edge("c", "a")),
        PutEdge(edge("b", "c")),
        RecordAct(act("pin", "a")),
    )
    put(anna, "2", RemoveNode(node_id("a")))
    graph = anna.load(ANNA)
    assert (set(graph.nodes), set(graph.edges), set(graph.vectors)) == (
        {node_id("b"), node_id("c")},
        {edge("b", "c").id},
        {node_id("b")},
    )
    assert [a.id for a in graph.acts] == [ident("act pin")], "a replay may make the node again: its acts wait"
    put(anna, "3", PutNode(node("a", proofs=(proof("new"),))), PutEdge(edge("a", "b", proofs=(proof("new"),))))
    graph = anna.load(ANNA)
    assert graph.nodes[node_id("a")].proofs == (proof("new"),)
    assert graph.edges[edge("a", "b").id].proofs == (proof("new"),)
    assert node_id("a") not in graph.vectors


def test_removing_what_is_not_there_is_no_error(store):
    assert put(store, "1", RemoveNode(node_id("a")), RemoveEdge(edge("a", "b").id)).dropped == ()


def test_removing_an_edge_leaves_its_nodes_and_other_edges(store):
    put(store, "1", PutNode(node("a")), PutNode(node("b")), PutEdge(edge("a", "b")), PutEdge(edge("b", "a")))
    put(store, "2", RemoveEdge(edge("a", "b").id))
    graph = store.load(ANNA)
    assert (len(graph.nodes), list(graph.edges.values())) == (2, [edge("b", "a")])


# -- acts and names --


def test_an_act_is_recorded_once_by_its_id(store):
    put(store, "1", PutNode(node("a")), RecordAct(act("pin", "a")))
    put(store, "2", RecordAct(act("pin", "a", ActKind.WRONG, detail={"why": "x"})))
    assert store.load(ANNA).acts == (act("pin", "a"),)


def test_acts_come_in_the_order_of_their_instants_then_ids(store):
    acts = [act(str(i), "a", at=NOW + timedelta(minutes=minute)) for i, minute in enumerate((5, 0, 5, 3))]
    put(store, "1", *(RecordAct(a) for a in acts))
    assert store.load(ANNA).acts == tuple(sorted(acts, key=lambda a: a.order))


def test_acts_follow_a_renamed_node_now_and_later_and_over_several_renames(store):
    put(store, "1", PutNode(node("a")), RecordAct(act("1", "a")))
    put(
        store,
        "2",
        PutNode(node("b")),
        RemoveNode(node_id("a")),
        RenameNode(node_id("a"), node_id("b")),
        RecordAct(act("2", "a")),
    )
    put(store, "3", PutNode(node("c")), RemoveNode(node_id("b")), RenameNode(node_id("b"), node_id("c")))
    put(store, "4", RecordAct(act("3", "a")), RecordAct(act("4", "b")), RecordAct(act("5", "c")))
    assert acts_of(store) == {ident(f"act {i}"): node_id("c") for i in "12345"}
    assert store.load(ANNA).renames == {node_id("a"): node_id("c"), node_id("b"): node_id("c")}


def test_a_node_renamed_back_is_live_again(store):
    put(store, "1", PutNode(node("a")), RecordAct(act("1", "a")))
    put(store, "2", PutNode(node("b")), RemoveNode(node_id("a")), RenameNode(node_id("a"), node_id("b")))
    put(store, "3", PutNode(node("a")), RemoveNode(node_id("b")), RenameNode(node_id("b"), node_id("a")))
    put(store, "4", RecordAct(act("2", "a")), RecordAct(act("3", "b")))
    assert acts_of(store) == {ident(f"act {i}"): node_id("a") for i in "123"}
    assert store.load(ANNA).renames == {node_id("b"): node_id("a")}


def test_a_name_that_is_put_again_is_followed_no_more(store):
    put(store, "1", PutNode(node("a")), RecordAct(act("1", "a")))
    put(store, "2", PutNode(node("b")), RemoveNode(node_id("a")), RenameNode(node_id("a"), node_id("b")))
    put(store, "3", PutNode(node("a", "another thing by the same id")), RecordAct(act("2", "a")))
    assert acts_of(store) == {ident("act 1"): node_id("b"), ident("act 2"): node_id("a")}
    assert store.load(ANNA).renames == {}


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_renames_of_one_change_set_are_one_mapping(store, order):
    put(store, "1", *(PutNode(node(n)) for n in "ab"), RecordAct(act("on a", "a")), RecordAct(act("on b", "b")))
    renames = [RenameNode(node_id("a"), node_id("b")), RenameNode(node_id("b"), node_id("c"))]
    put(store, "2", *(renames[i] for i in order), PutNode(node("c")), RemoveNode(node_id("a")))
    assert acts_of(store) == {ident("act on a"): node_id("b"), ident("act on b"): node_id("c")}
    assert store.load(ANNA).renames == {node_id("a"): node_id("b")}


def test_a_second_new_name_for_one_node_is_dropped(store):
    put(store, "1", PutNode(node("a")), RecordAct(act("1", "a")))
    applied = put(store, "2", *(RenameNode(node_id("a"), node_id(new)) for new in "bcb"))
    assert applied.dropped == (Dropped(1, DropReason.RENAMED_TWICE),)
    assert acts_of(store) == {ident("act 1"): node_id("b")}


def test_a_node_renamed_to_itself_is_nothing(store):
    put(store, "1", PutNode(node("a")), RecordAct(act("1", "a")), RenameNode(node_id("a"), node_id("a")))
    assert (acts_of(store), store.load(ANNA).renames) == ({ident("act 1"): node_id("a")}, {})


# -- outbox --


def test_actions_wait_in_order_until_they_are_acknowledged(store):
    first = Action("create", "new_fact", (node_id("a"), ident("m")), {"weight": 1.0, "n": 3.0})
    second, third = Action("attach", "same_slot", ()), Action("drop", "echo", ("x.caused_by.y",))
    put(store, "1", PutNode(node("a")), actions=(first, second))
    put(store, "2", actions=(third,))
    entries = store.pending(ANNA, limit=10)
    assert [(e.position, e.action) for e in entries] == [(0, first), (1, second), (0, third)]
    assert [e.write_key for e in entries] == [str(change_set(ANNA, u).key) for u in "112"]
    assert all(e.recorded_at == NOW and e.recorded_at.utcoffset() == NOW.utcoffset() for e in entries)
    assert store.pending(ANNA, limit=2) == entries[:2]
    store.acknowledge(ANNA, up_to=entries[1].seq)
    assert store.pending(ANNA, limit=10) == entries[2:]
    store.acknowledge(ANNA, up_to=entries[2].seq)
    store.acknowledge(ANNA, up_to=entries[0].seq)
    put(store, "3", actions=(first,))
    assert store.pending(ANNA, limit=10)[0].seq > entries[2].seq, "a number is given once"


def test_actions_of_a_call_that_failed_are_not_there(store):
    put(store, "1", PutNode(node("a")))
    with pytest.raises(WriteKeyConflict):
        store.apply(ANNA, [change_set(ANNA, "2", actions=(Action("a", "b", ()),)), change_set(ANNA, "1")], token=1, now=NOW)
    assert store.pending(ANNA, limit=10) == ()


@pytest.mark.parametrize(
    "action",
    [
        Action("create", "she said so", ()),
        Action("создать", "new", ()),
        Action("create", "new", ("Марина",)),
        Action("create", "new", ("x" * 300,)),
        Action("create", "new", (), {"Anna Smith": 1.0}),
        Action("create", "new", (), {"n": float("nan")}),
    ],
)
def test_an_action_that_may_hold_words_is_refused(store, action):
    with pytest.raises(IllegalValue):
        put(store, "1", PutNode(node("a")), actions=(action,))
    assert store.load(ANNA).nodes == {}
