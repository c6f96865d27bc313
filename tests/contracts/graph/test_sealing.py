from __future__ import annotations

import base64

import pytest

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.candidates import Modality, Slot, Topic
from memory_lib.domain.changes import PutEdge, PutNode, RecordAct, RemoveNode
from memory_lib.domain.ids import MessageId
from memory_lib.domain.node import Archived, Closure, NodeState
from tests.contracts.graph.samples import (
    AT_US,
    DIMENSION,
    FINGERPRINT,
    NOW,
    change_set,
    edge,
    ident,
    node,
    node_id,
    person,
    vector,
)
from tests.contracts.sealers import OpenSealer

FIELDS = [
    "content",
    "attribute",
    "attribute-name",
    "slot-key",
    "slot-value",
    "due",
    "holder",
    "about",
    "about-name",
    "origin",
    "valid-from",
    "ends",
    "valid-until",
    "audience",
    "archive-reason",
    "archive-batch",
    "edge-audience",
    "edge-from",
    "edge-until",
    "act-detail",
]
CANARIES = {name: f"канарейка-{name}-canary" for name in FIELDS}


def fill(store):
    # twice each: a word that lies across two pages of a file would not be found
    user, say = person(), {name: f"{word} {word}" for name, word in CANARIES.items()}
    store.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=DIMENSION, token=1)
    secret = node(
        "a",
        say["content"],
        attributes={say["attribute-name"]: say["attribute"]},
        slot=Slot(say["slot-key"], say["slot-value"]),
        due=say["due"],
        holder=say["holder"],
        about=say["about"],
        about_name=say["about-name"],
        origin=say["origin"],
        topic=Topic.RELATIONSHIPS,
        modality=(Modality.CONDITIONAL,),
        valid_from=say["valid-from"],
        ends=say["ends"],
        audience=(say["audience"],),
        closure=Closure(say["valid-until"], MessageId(ident("m")), AT_US, NOW),
        state=NodeState.ARCHIVED,
        archived=Archived(NOW, say["archive-reason"], say["archive-batch"]),
    )
    link = edge(
        "a",
        "b",
        audience=(say["edge-audience"],),
        valid_from=say["edge-from"],
        closure=Closure(say["edge-until"], MessageId(ident("m")), AT_US, NOW),
    )
    correction = Act(
        id=ident("act"), node=node_id("a"), kind=ActKind.SET, at=NOW, recorded_at=NOW, detail={"value": say["act-detail"]}
    )
    changes = (PutNode(secret, vector(1)), PutNode(node("b", say["content"]), vector(2)), PutEdge(link), RecordAct(correction))
    store.apply(user, [change_set(user, "1", *changes)], token=1, now=NOW)


def traces(word: str) -> list[bytes]:
    """How a text looks to one who searches a disk for it."""
    utf8 = word.encode()
    inside = [base64.b64encode(b"x" * shift + utf8)[4:-4] for shift in range(3)]
    return [utf8, word.encode("utf-16-le"), word.encode("utf-16-be"), word.encode("unicode-escape"), *inside]


def found_at_rest(backend, root) -> set[str]:
    blobs = list(backend.at_rest(root, [person()]))
    assert sum(map(len, blobs)) > 0, "nothing was written: the search would prove nothing"
    told = {name for name, word in CANARIES.items() if any(trace in blob for trace in traces(word) for blob in blobs)}
    closed = {"topic": b"relationships", "modality": b"conditional", "vector": vector(1)[:12]}
    return told | {name for name, trace in closed.items() if any(trace in blob for blob in blobs)}


@pytest.mark.parametrize("moment", ["while open", "after closing", "after removing"])
def test_no_word_and_no_vector_can_be_read_at_rest(backend, open_store, tmp_path, moment):
    store = open_store()
    fill(store)
    if moment == "after removing":
        store.apply(person(), [change_set(person(), "2", RemoveNode(node_id("a")))], token=1, now=NOW)
    if moment != "while open":
        store.close()
    assert found_at_rest(backend, tmp_path) == set()


@pytest.mark.parametrize("moment", ["while open", "after closing"])
def test_the_search_finds_every_word_when_nothing_is_sealed(backend, open_store, tmp_path, moment):
    store = open_store(OpenSealer())
    fill(store)
    if moment == "after closing":
        store.close()
    assert found_at_rest(backend, tmp_path) == {*FIELDS, "topic", "modality", "vector"}
