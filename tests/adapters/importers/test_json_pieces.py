from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_lib.adapters.importers.byte_source import ByteSource
from memory_lib.adapters.importers.json_pieces import BrokenText, pieces
from memory_lib.adapters.importers.limits import IMPORT_LIMITS

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=12,
)


def cut(path, *, depth, chunk_bytes=3, record_bytes=1 << 20):
    limits = replace(IMPORT_LIMITS, chunk_bytes=chunk_bytes, record_bytes=record_bytes, kept_of_oversized=8)
    with ByteSource(path, limits=limits) as source:
        yield from pieces(source, enters=lambda at: len(at) < depth, limits=limits)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(value=values, indent=st.sampled_from([None, 1]), ascii_only=st.booleans(), chunk=st.integers(1, 9))
def test_pieces_are_the_records_whatever_the_chunks(tmp_path, value, indent, ascii_only, chunk):
    path = tmp_path / "x.json"
    path.write_bytes(json.dumps([value, {"k": value}], indent=indent, ensure_ascii=ascii_only).encode())
    found = list(cut(path, depth=1, chunk_bytes=chunk))
    assert [json.loads(piece.raw) for piece in found if not piece.closed] == [value, {"k": value}]
    assert [path.read_bytes()[piece.start : piece.end] for piece in found if not piece.closed] == [
        piece.raw for piece in found if not piece.closed
    ]
    assert found[-1].closed


def test_paths_and_positions_tell_the_place(tmp_path):
    path = tmp_path / "x.json"
    path.write_text('{"a": [1, "b"], "\\u0431": {}}')
    found = [(piece.path, piece.position, piece.closed) for piece in cut(path, depth=2)]
    assert found == [(("a", 0), 0, False), (("a", 1), 1, False), (("a",), 0, True), (("б",), 1, True), ((), 0, True)]


def test_an_oversized_piece_is_cut_and_the_next_is_whole(tmp_path):
    path = tmp_path / "x.json"
    path.write_text(json.dumps(["x" * 500, 7]))
    big, small, _ = cut(path, depth=1, record_bytes=100)
    assert (big.oversized, big.raw, big.end - big.start) == (True, b'"xxxxxxx', 502)
    assert (small.oversized, small.raw) == (False, b"7")


@pytest.mark.parametrize("text", ['["a", ', '["a", "b', '["a", {"b": "c]}', '["a"', '["a", "\\', "[1, tru", '{"a"', '{"a": '])
def test_a_text_that_ends_early_says_so(tmp_path, text):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(BrokenText) as caught:
        list(cut(path, depth=1))
    assert caught.value.cut_off


@pytest.mark.parametrize("text", ["[1 2]", "[1,]", "[1] 2", '{"a" 1}', "{1: 2}", "[1}", "[,1]", "[:]"])
def test_a_text_that_stops_being_json_says_where(tmp_path, text):
    path = tmp_path / "x.json"
    path.write_text(text)
    with pytest.raises(BrokenText) as caught:
        list(cut(path, depth=1))
    assert not caught.value.cut_off
    assert 0 < caught.value.offset <= len(text)
