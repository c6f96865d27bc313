from __future__ import annotations

from dataclasses import fields
from datetime import UTC, datetime, timedelta, timezone

import numpy as np
import pytest

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.candidates import EdgeType, Modality, NodeType, Precision, Slot, Topic, Valence
from memory_lib.domain.canonical import graph_hash
from memory_lib.domain.changes import PutEdge, PutNode, RecordAct, Revision
from memory_lib.domain.ids import MessageId
from memory_lib.domain.node import Archived, Closure, Flag, NodeState, ProofKind, Refinement, Weight
from memory_lib.errors import FingerprintMismatch, LeaseLost, SealBroken
from memory_lib.policies.graph_index import is_visible
from tests.contracts.graph.samples import (
    AT_US,
    DIMENSION,
    FINGERPRINT,
    MOSCOW,
    NOW,
    change_set,
    edge,
    ident,
    node,
    node_id,
    person,
    proof,
    vector,
)
from tests.contracts.sealers import TestSealer

KATHMANDU = timezone(timedelta(hours=5, minutes=45))
ODD_TEXTS = {
    "russian": "Работаю в «Сименсе», люблю её — Марину",
    "nul": "before\x00after",
    "lone surrogates": "a\ud83db\udc00c",
    "two lone surrogates beside each other": "\ud83d\ude00",
    "emoji": "👩🏽‍🚀 радуга 🏳️‍🌈",
    "right to left": "שלום \u202eabc\u202c مرحبا",
    "quotes and controls": '"\'\\ \n\r\t\x1b[0m {"v":9} </script>',
    "empty": "",
    "a megabyte": "ы" * 500_000 + "x" * 500_000,
}

FULL_NODE = node(
    "full",
    "Марина стала директором",
    type=NodeType.EVENT,
    weight=Weight(0.1 + 0.2, AT_US + 1),
    decay=0.98,
    created_at=datetime(2023, 2, 3, 4, 5, 6, 789_012, tzinfo=KATHMANDU),
    last_reinforced_at=datetime(2024, 2, 29, 23, 59, 59, 999_999, tzinfo=timezone(-timedelta(hours=9, minutes=30))),
    recorded_at=datetime(2026, 5, 1, tzinfo=UTC),
    retracted_at=datetime(2026, 5, 2, 1, tzinfo=MOSCOW),
    state=NodeState.ARCHIVED,
    confidence=1 / 3,
    importance=0.81,
    valence=Valence.NEGATIVE,
    intensity=2 / 3,
    stated=False,
    topic=Topic.WORK,
    slot=Slot("employer", "Сименс", single=False),
    audience=("agent-2", "agent-1"),
    flags=(Flag.PRIVATE, Flag.OVER_LIMIT),
    due="2026-06-01T10:00:00+03:00",
    attributes={"name": "Марина", "роль": "директор", "empty": ""},
    modality=(Modality.HEDGED, Modality.NEGATED),
    polarity=False,
    holder="others",
    about=ident("node marina"),
    about_name="Марина",
    is_pinned=True,
    origin="hypothesis",
    rule="event.role",
    language="ru",
    valid_from="2026-03-01T00:00:00+03:00",
    precision=Precision.SEASON,
    ends="2026-12-31T00:00:00+03:00",
    closure=Closure("2026-04-01T00:00:00+03:00", MessageId(ident("message closing")), AT_US + 5, NOW),
    formed={"content": "Was die Worte sagten"},
    refined=(Refinement(MessageId(ident("message")), 1_770_000_000_000_000, {"content": "Kürzer", "due": ""}),),
    archived=Archived(datetime(2026, 5, 3, tzinfo=MOSCOW), "faded below 0.05", ident("batch")),
    proofs=(proof("m1", 3), proof("m2", 0, kind=ProofKind.MENTION, weighed=True, offset=-570, at_us=-5), proof("m1", 1)),
)
FULL_EDGE = edge(
    "full",
    "plain",
    EdgeType.CONTRADICTS,
    confidence=0.1,
    is_inferred=True,
    created_at=datetime(2023, 2, 3, 4, 5, 6, 7, tzinfo=KATHMANDU),
    recorded_at=datetime(2026, 5, 1, tzinfo=UTC),
    retracted_at=datetime(2026, 5, 2, tzinfo=MOSCOW),
    state=NodeState.DISPUTED,
    audience=("agent-1",),
    valid_from="2026-03-01T00:00:00+03:00",
    closure=Closure("2026-04-01T00:00:00+03:00", MessageId(ident("message closing")), AT_US, NOW),
    proofs=(),
)
FULL_ACT = Act(
    id=ident("act"),
    node=node_id("full"),
    kind=ActKind.SET,
    at=datetime(2026, 5, 1, 1, 2, 3, 4, tzinfo=KATHMANDU),
    recorded_at=NOW,
    detail={"field": "content", "value": "Директор — Ольга\x00"},
)


def test_a_person_without_a_graph_reads_as_an_empty_one(store):
    user = person("nobody")
    assert store.head(user).revision == Revision(0, 0)
    assert (store.head(user).fence, store.head(user).fingerprint, store.head(user).dimension) == (0, None, None)
    index = store.index(user)
    assert (index.ids, index.vectors.shape, index.edge_source.shape, index.fingerprint) == ((), (0, 0), (0,), None)
    graph = store.load(user)
    assert (graph.revision, graph.nodes, graph.edges, graph.acts, graph.renames, graph.vectors) == (
        Revision(0, 0),
        {},
        {},
        (),
        {},
        {},
    )
    assert store.nodes(user, [node_id("a")]) == {}
    assert store.edges_among(user, [node_id("a"), node_id("b")]) == ()
    assert store.chains(user, edge_type=EdgeType.CAUSED_BY, min_length=1, limit=5) == ()
    assert store.applied_keys(user, ["k"]) == frozenset()
    assert store.pending(user, limit=10) == ()
    store.acknowledge(user, up_to=3)
    assert store.head(user).revision == Revision(0, 0), "reading and acknowledging make nobody"


def test_a_backend_declares_what_its_row_says(backend, store):
    assert store.capabilities == backend.capabilities


def test_every_field_comes_back_as_it_was(anna, open_store):
    # a sample that leaves a field at its default would not show that the field is lost
    plain = node("plain")
    same = {f.name for f in fields(plain) if getattr(plain, f.name) == getattr(FULL_NODE, f.name)}
    assert same == {"is_inference", "reasoner", "version"}
    changes = [PutNode(FULL_NODE), PutNode(plain), PutEdge(FULL_EDGE), PutEdge(edge("plain", "full")), RecordAct(FULL_ACT)]
    anna.apply(person(), [change_set(person(), "1", *changes)], token=1, now=NOW)
    for store in (anna, open_store()):
        graph = store.load(person())
        assert graph.nodes == {FULL_NODE.id: FULL_NODE, plain.id: plain}
        assert graph.edges == {e.id: e for e in (FULL_EDGE, edge("plain", "full"))}
        assert graph.acts == (FULL_ACT,)
        found = graph.nodes[FULL_NODE.id]
        # instants are equal on any clock: compare the clocks too
        for name in ("created_at", "last_reinforced_at", "recorded_at", "retracted_at"):
            assert getattr(found, name).utcoffset() == getattr(FULL_NODE, name).utcoffset()
        assert graph.edges[FULL_EDGE.id].created_at.utcoffset() == FULL_EDGE.created_at.utcoffset()
        assert graph.acts[0].at.utcoffset() == FULL_ACT.at.utcoffset()
        assert graph_hash(graph.nodes.values(), graph.edges.values()) == graph_hash(
            [plain, FULL_NODE], [FULL_EDGE, edge("plain", "full")]
        )
        assert store.nodes(person(), [FULL_NODE.id]) == {FULL_NODE.id: FULL_NODE}


def test_an_inferred_node_without_proofs_comes_back(anna):
    hypothesis = node("h", type=NodeType.HYPOTHESIS, is_inference=True, proofs=(), decay=1.0)
    anna.apply(person(), [change_set(person(), "1", PutNode(hypothesis))], token=1, now=NOW)
    assert anna.nodes(person(), [hypothesis.id]) == {hypothesis.id: hypothesis}


@pytest.mark.parametrize("text", ODD_TEXTS.values(), ids=ODD_TEXTS.keys())
def test_any_text_comes_back_as_it_was(anna, text):
    odd = node("odd", text, attributes={"name": text}, slot=Slot("employer", text), about_name=text, audience=(text,))
    act = Act(id=ident("act"), node=odd.id, kind=ActKind.SET, at=NOW, recorded_at=NOW, detail={"value": text})
    anna.apply(person(), [change_set(person(), "1", PutNode(odd), RecordAct(act))], token=1, now=NOW)
    graph = anna.load(person())
    assert graph.nodes[odd.id] == odd
    assert graph.acts == (act,)


def test_putting_a_node_again_replaces_its_fields_and_proofs_and_keeps_its_vector_and_edges(anna):
    first = node("a", proofs=(proof("m1"), proof("m2"), proof("m3")))
    anna.apply(
        person(),
        [change_set(person(), "1", PutNode(first, vector(1)), PutNode(node("b")), PutEdge(edge("a", "b")))],
        token=1,
        now=NOW,
    )
    for unit, proofs in (("2", (proof("m1"), proof("m4"))), ("3", (proof("m0"), proof("m1"), proof("m4"), proof("m5")))):
        again = node("a", f"content {unit}", proofs=proofs, state=NodeState.WEAKENED)
        anna.apply(person(), [change_set(person(), unit, PutNode(again))], token=1, now=NOW)
        graph = anna.load(person())
        assert graph.nodes[again.id] == again
        assert graph.vectors[again.id].tobytes() == vector(1)
        assert list(graph.edges.values()) == [edge("a", "b")]


def test_vectors_come_back_bit_for_bit_and_can_be_replaced(anna):
    anna.apply(person(), [change_set(person(), "1", PutNode(node("a"), vector(1)), PutNode(node("b")))], token=1, now=NOW)
    assert anna.load(person()).vectors[node_id("a")].tobytes() == vector(1)
    assert set(anna.load(person()).vectors) == {node_id("a")}
    anna.apply(person(), [change_set(person(), "2", PutNode(node("a"), vector(2)))], token=1, now=NOW)
    assert anna.load(person()).vectors[node_id("a")].tobytes() == vector(2)


def test_vectors_need_a_known_embedder_of_their_dimension(store):
    user = person()
    with pytest.raises(FingerprintMismatch):
        store.apply(user, [change_set(user, "1", PutNode(node("a"), vector(1)))], token=1, now=NOW)
    store.set_fingerprint(user, fingerprint="first", dimension=4, token=1)
    with pytest.raises(FingerprintMismatch):
        store.apply(user, [change_set(user, "1", PutNode(node("a"), vector(1, 8)))], token=1, now=NOW)
    store.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=8, token=1)
    store.apply(user, [change_set(user, "1", PutNode(node("a"), vector(1, 8)))], token=1, now=NOW)
    store.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=8, token=1)
    with pytest.raises(FingerprintMismatch):
        store.set_fingerprint(user, fingerprint="other", dimension=8, token=1)
    with pytest.raises(LeaseLost):
        store.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=8, token=0)
    head = store.head(user)
    assert (head.fingerprint, head.dimension) == (FINGERPRINT, 8)
    assert store.index(user).fingerprint == FINGERPRINT


def test_the_index_says_the_same_as_the_whole_graph(anna):
    user = person()
    archived = {"state": NodeState.ARCHIVED, "archived": Archived(NOW, "faded", "b")}
    closure = Closure("2026-04-01", MessageId(ident("m")), AT_US, NOW)
    nodes = [
        node("a", weight=Weight(0.25, AT_US + 7), is_pinned=True, decay=1.0),
        node("b", type=NodeType.PERSON, audience=("agent",)),
        node("c", retracted_at=NOW),
        node("d", **archived),
        node("e", closure=closure, last_reinforced_at=NOW + timedelta(days=3)),
    ]
    edges = [
        edge("a", "b"),
        edge("b", "c", EdgeType.FOLLOWED_BY),
        edge("a", "e", retracted_at=NOW),
        edge("e", "a", confidence=0.25),
    ]
    vectors = {node_id("e"): vector(5), node_id("b"): vector(2)}
    changes = [*(PutNode(n, vectors.get(n.id)) for n in nodes), *(PutEdge(e) for e in edges)]
    anna.apply(user, [change_set(user, "1", *changes)], token=1, now=NOW)
    index, graph = anna.index(user), anna.load(user)
    assert index.revision == graph.revision == anna.head(user).revision
    assert index.ids == tuple(sorted(graph.nodes))
    place = {id_: i for i, id_ in enumerate(index.ids)}
    for id_, i in place.items():
        whole = graph.nodes[id_]
        assert index.types[i] is whole.type
        assert (index.weight[i], index.weight_at_us[i], index.decay[i]) == (whole.weight.value, whole.weight.at_us, whole.decay)
        assert index.created_us[i] == round(whole.created_at.timestamp() * 1e6)
        assert index.last_us[i] == round(whole.last_reinforced_at.timestamp() * 1e6)
        assert index.visible[i] == is_visible(whole)
        assert index.closed[i] == (whole.closure is not None)
        assert index.pinned[i] == whole.is_pinned
        assert index.private[i] == (whole.audience != ("*",))
        assert index.has_vector[i] == (id_ in vectors)
        assert index.vectors[i].tobytes() == vectors.get(id_, bytes(4 * DIMENSION))
    assert index.vectors.dtype == np.float32
    assert index.edge_confidence.dtype == np.float64
    told = {
        (index.ids[s], index.ids[t], kind, c)
        for s, t, kind, c in zip(index.edge_source, index.edge_target, index.edge_type, index.edge_confidence, strict=True)
    }
    assert told == {(e.source, e.target, e.type, e.confidence) for e in graph.edges.values() if e.retracted_at is None}
    assert len(index.edge_type) == 3


def test_an_index_of_a_person_all_of_whose_nodes_have_vectors(anna):
    changes = [PutNode(node(name), vector(seed)) for seed, name in enumerate("zyxwv")]
    anna.apply(person(), [change_set(person(), "1", *changes)], token=1, now=NOW)
    index = anna.index(person())
    assert index.has_vector.all()
    assert {i: v.tobytes() for i, v in zip(index.ids, index.vectors, strict=True)} == {
        node_id(name): vector(seed) for seed, name in enumerate("zyxwv")
    }


def test_edges_among_have_both_ends_in_the_list_and_come_in_id_order(anna):
    edges = [edge("a", "b"), edge("b", "a"), edge("a", "c"), edge("c", "d"), edge("a", "b", EdgeType.REINFORCES)]
    anna.apply(
        person(),
        [change_set(person(), "1", *(PutNode(node(n)) for n in "abcd"), *(PutEdge(e) for e in edges))],
        token=1,
        now=NOW,
    )
    ids = [node_id("b"), node_id("a"), node_id("unknown"), node_id("a")]
    expected = sorted((edges[0], edges[1], edges[4]), key=lambda e: e.id)
    assert anna.edges_among(person(), ids) == tuple(expected)
    assert anna.edges_among(person(), []) == ()


def test_unknown_ids_are_left_out(anna):
    anna.apply(person(), [change_set(person(), "1", PutNode(node("a")))], token=1, now=NOW)
    assert set(anna.nodes(person(), [node_id("x"), node_id("a"), node_id("a")])) == {node_id("a")}
    assert anna.nodes(person(), []) == {}


def test_two_people_with_the_same_node_ids_stay_apart(store):
    for name in ("anna", "boris"):
        user = person(name)
        store.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=DIMENSION, token=1)
        changes = [PutNode(node("a", f"of {name}"), vector(len(name))), PutNode(node("b")), PutEdge(edge("a", "b"))]
        store.apply(user, [change_set(user, "1", *changes)], token=1, now=NOW)
    store.apply(person("boris"), [change_set(person("boris"), "2", PutNode(node("c")))], token=1, now=NOW)
    anna, boris = store.load(person("anna")), store.load(person("boris"))
    assert anna.nodes[node_id("a")].content == "of anna"
    assert boris.nodes[node_id("a")].content == "of boris"
    assert anna.vectors[node_id("a")].tobytes() != boris.vectors[node_id("a")].tobytes()
    assert (len(anna.nodes), len(boris.nodes)) == (2, 3)
    assert store.applied_keys(person("anna"), [str(change_set(person("boris"), "2").key)]) == frozenset()


def test_a_row_that_was_sealed_otherwise_does_not_open(anna, open_store):
    class OtherKeys(TestSealer):
        @staticmethod
        def _key(user):
            return TestSealer._key(user + "x")

    anna.apply(person(), [change_set(person(), "1", PutNode(node("a"), vector(1)))], token=1, now=NOW)
    other = open_store(OtherKeys())
    for read in (lambda: other.nodes(person(), [node_id("a")]), lambda: other.load(person()), lambda: other.index(person())):
        with pytest.raises(SealBroken):
            read()
    assert other.head(person()).revision.n == 1, "the head opens no seal"
