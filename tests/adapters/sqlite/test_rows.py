from __future__ import annotations

from dataclasses import replace

import hypothesis.strategies as st
import pytest
from hypothesis import given

from memory_lib.adapters.stored_graph.rows import (
    NODE_COLUMNS,
    action_from_text,
    action_text,
    edge_from_row,
    edge_row,
    node_from_row,
    node_row,
    opened,
    payload,
    proof_rows,
    proofs_by_owner,
)
from memory_lib.domain.candidates import Slot
from memory_lib.domain.changes import Action
from memory_lib.errors import SchemaMismatch
from tests.contracts.graph.samples import edge, node, person, proof

ANY_TEXT = st.text(st.characters(), max_size=30)


def unsealed(_kind, _record, data):
    return data


def test_a_payload_is_canonical_and_leaves_defaults_out():
    assert payload(b="я", a=1, c=None) == '{"a":1,"b":"я","v":1}'.encode()
    assert node_row(node("a", "x"), unsealed)[-1] == b'{"content":"x","language":"en","v":1}'
    assert edge_row(edge("a", "b"), unsealed)[-1] == b'{"v":1}'
    first = node("a", attributes={"x": "1", "y": "2"})
    assert node_row(first, unsealed) == node_row(replace(first, attributes={"y": "2", "x": "1"}), unsealed)


def test_a_payload_of_a_newer_version_is_refused():
    with pytest.raises(SchemaMismatch, match="version 2"):
        opened(b'{"content":"x","v":2}')


@given(
    ANY_TEXT, ANY_TEXT, st.dictionaries(ANY_TEXT, ANY_TEXT, max_size=3), st.lists(ANY_TEXT, min_size=1, max_size=3).map(tuple)
)
def test_any_text_in_any_sealed_field_comes_back(first, second, attributes, audience):
    odd = node("a", first, attributes=attributes, slot=Slot(first, second), about=second, due=first, audience=audience)
    row = node_row(odd, unsealed)
    assert len(row) == len(NODE_COLUMNS.split(", "))
    assert node_from_row(row, odd.proofs, unsealed) == odd
    link = edge("a", "b", audience=audience, valid_from=first)
    assert edge_from_row(edge_row(link, unsealed), link.proofs, unsealed) == link


def test_nothing_that_was_said_stands_in_a_clear_column():
    secret = "тайна"
    told = node(
        "a", secret, attributes={secret: secret}, slot=Slot(secret, secret), about_name=secret, origin=secret, ends=secret
    )
    assert all(secret not in str(column) for column in node_row(told, unsealed)[:-1])


def test_proofs_keep_their_order_and_their_owners_apart():
    first, second = (proof("m2"), proof("m1", 4), proof("m1")), (proof("m3"),)
    assert proofs_by_owner([*proof_rows("a", first), *proof_rows("b", second)]) == {"a": first, "b": second}
    assert proofs_by_owner([]) == {}


def test_an_action_comes_back():
    action = Action("attach", "same_slot", ("a.caused_by.b",), {"weight": 0.25, "n": 3.0})
    assert action_from_text(action_text(action, person())) == action
