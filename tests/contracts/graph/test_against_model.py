from __future__ import annotations

from itertools import count

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.changes import (
    ABSENT,
    Action,
    ChangeSet,
    PutEdge,
    PutNode,
    Read,
    RecordAct,
    RemoveEdge,
    RemoveNode,
    RenameNode,
)
from memory_lib.errors import LeaseLost, WriteKeyConflict
from tests.contracts.graph.model import Model
from tests.contracts.graph.samples import (
    DIMENSION,
    FINGERPRINT,
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

NAMES = "abcd"
WORDS = ("one", "два", "three")
names = st.sampled_from(NAMES)
pairs = st.permutations(NAMES).map(lambda p: (p[0], p[1]))
edge_types = st.sampled_from([EdgeType.CAUSED_BY, EdgeType.CONTRADICTS])
node_reads = st.builds(Read, names.map(node_id), st.just("content"), st.sampled_from([ABSENT, *(f'"{w}"' for w in WORDS)]))
edge_reads = st.builds(
    lambda pair, kind, value: Read(edge(*pair, kind).id, "confidence", value),
    pairs,
    edge_types,
    st.sampled_from([ABSENT, "0.5", "0.9"]),
)
reads = st.lists(st.one_of(node_reads, edge_reads), max_size=1).map(tuple)


@st.composite
def puts(draw):
    name = draw(names)
    proofs = tuple(proof(m) for m in draw(st.lists(st.sampled_from("pqrs"), min_size=1, max_size=3)))
    embedded = draw(st.none() | st.integers(0, 3).map(vector))
    return PutNode(node(name, draw(st.sampled_from(WORDS)), proofs=proofs), embedded, draw(reads))


changes = st.one_of(
    puts(),
    puts(),
    st.builds(
        lambda pair, kind, c, r: PutEdge(edge(*pair, kind, confidence=c), r),
        pairs,
        edge_types,
        st.sampled_from([0.5, 0.9]),
        reads,
    ),
    st.builds(lambda name, r: RemoveNode(node_id(name), r), names, reads),
    st.builds(lambda pair, kind, r: RemoveEdge(edge(*pair, kind).id, r), pairs, edge_types, reads),
    st.builds(
        lambda number, name, r: RecordAct(
            Act(id=ident(f"act {number}"), node=node_id(name), kind=ActKind.PIN, at=NOW, recorded_at=NOW), r
        ),
        st.integers(0, 5),
        names,
        reads,
    ),
    st.builds(lambda pair, r: RenameNode(node_id(pair[0]), node_id(pair[1]), r), pairs, reads),
)
units = st.integers(0, 30).map(str)
bodies = st.tuples(units, st.lists(changes, max_size=6), st.booleans())
calls = st.lists(st.tuples(st.lists(bodies, min_size=1, max_size=3), st.integers(1, 3)), min_size=1, max_size=5)
people = count()


def test_a_backend_does_what_the_model_does(backend, store):
    @settings(max_examples=backend.examples)
    @given(calls=calls)
    def compared(calls):
        compare(store, calls)

    compared()


def compare(store, calls):
    user = person(f"model {next(people)}")
    model = Model(fence=1)
    store.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=DIMENSION, token=1)
    earlier: dict[str, ChangeSet] = {}
    for sets, token in calls:
        handed = []
        for unit, body, repeat in sets:
            # a key seen before comes back with its own content, mostly
            made = change_set(user, unit, *body, actions=[Action("did", "because", (unit,))])
            handed.append(earlier.get(unit, made) if repeat else made)
        try:
            expected = model.apply(handed, token=token)
        except (LeaseLost, WriteKeyConflict) as error:
            expected = type(error)
        else:
            earlier |= {unit: c for (unit, _, _), c in zip(sets, handed, strict=True)}
        if isinstance(expected, type):
            with pytest.raises(expected):
                store.apply(user, handed, token=token, now=NOW)
        else:
            applied = store.apply(user, handed, token=token, now=NOW)
            assert [(a.fresh, a.dropped, a.revision.n) for a in applied] == expected
        graph = store.load(user)
        assert graph.nodes == model.nodes
        assert graph.edges == model.edges
        assert {i: v.tobytes() for i, v in graph.vectors.items()} == model.vectors
        assert {a.id: a for a in graph.acts} == model.acts
        assert graph.renames == model.renames
        assert graph.revision.n == model.n
        assert store.head(user).fence == model.fence
        assert [(e.write_key, e.position, e.action) for e in store.pending(user, limit=1000)] == model.actions
        assert store.applied_keys(user, [*model.keys, "never"]) == set(model.keys)
