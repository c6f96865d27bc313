"""Rows in SYNX come back exactly, or are refused: whatever is in them."""

from __future__ import annotations

import math
from contextlib import suppress
from enum import StrEnum

import hypothesis
import hypothesis.strategies as st
import pytest
import synx_native

from memory_lib.adapters.synx import encoding
from memory_lib.adapters.synx.encoding import MAX_DOCUMENT_BYTES, PIECE_CHARACTERS, decode, encode, pack
from memory_lib.errors import IllegalValue, UnreadableFile

HOSTILE = (
    "Мы едем в Тверь # завтра",
    "дом // сад",
    "// не комментарий",
    "# not a comment",
    "### block ###",
    "/* block */",
    'she said "no"',
    '"',
    '""',
    "'",
    "\\",
    "\\u0023",
    "\\n",
    "line\nbreak",
    "line\r\nbreak\rand more",
    '"\n  - "j1"\nother\n  - "j2"\n',
    "\ttab",
    " space ",
    "",
    "\x00",
    "\x01\x1b\x7f\x80\x85\x9f\xa0\xad",
    "\u2028\u2029\u200b\u200e\u202e\u2060\ufeff\ufffe\uffff",
    "👩‍👧‍👦🇷🇺🦔",
    "e\u0301 й и\u0306",
    "\ud83d",
    "\udc00\ud83d",
    "\ud83d\ude00",
    "a\ud800b😀",
    "!active",
    "!include /etc/passwd",
    "@env",
    "$HOME",
    ":env HOME",
    "key:calc 1+1",
    "{a}",
    "[1, 2]",
    "- item",
    "|",
    "|+",
    ">",
    "null",
    "true",
    "NaN",
    "-0",
    "1e999",
    "9" * 400,
    "<<<<<<<",
    "end ",
    "+",
    ".",
    "x",
    "j",
)
text = st.one_of(
    st.sampled_from(HOSTILE),
    st.text(),
    st.text(alphabet=st.characters(categories=["Cc", "Cf", "Cs", "Zs", "Zl", "Zp", "Co"])),
    st.text(alphabet=st.sampled_from([*"#/\"'\\ \n\r\t-|+.:!{}[]()<>$@~*&;,=?%^`", *"жЁы😀\ud83d\ude00\x00\u2028"])),
    st.lists(st.sampled_from(HOSTILE)).map("".join),
)
value = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.integers(min_value=-(10**300), max_value=10**300),
        st.floats(allow_nan=False, allow_infinity=False),
        text,
        st.binary(),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(text, inner, max_size=4)),
    max_leaves=12,
)


def back(rows: list) -> list:
    return decode(encode({"rows": [pack(row) for row in rows], "after": [pack(1)]}))["rows"]


@hypothesis.given(st.lists(value, max_size=6))
def test_any_rows_come_back_as_they_were(rows: list) -> None:
    # repr tells 1 from True and 1.0, and 0.0 from -0.0
    assert repr(back(rows)) == repr(rows)


def test_hostile_texts_come_back_alone_together_and_as_keys() -> None:
    for one in HOSTILE:
        for row in (one, [one], {one: one}, one * 3, f"а {one} b", [{"k": [one, {one: None}]}]):
            assert back([row]) == [row]
    assert back(list(HOSTILE)) == list(HOSTILE)


@pytest.mark.parametrize(
    "number",
    [0.0, -0.0, 5e-324, 1.7976931348623157e308, 0.1, 1 / 3, 1e16, 2**53 + 1, -(2**63) - 1, 10**4000, True, 1, 1.0],
    ids=lambda number: type(number).__name__,
)
def test_numbers_keep_their_value_and_kind(number: float) -> None:
    (same,) = back([number])
    assert repr(same) == repr(number)
    if isinstance(number, float):
        assert math.copysign(1, same) == math.copysign(1, number)


def test_bytes_and_maps_with_an_empty_key_are_told_apart() -> None:
    rows = [b"", b"\x00\xff", {"": "AA=="}, {"": b"x"}, {"": {"": [["a", 1]]}}, {"": [], "b": b"y"}, [b"a", {"": None}]]
    assert back(rows) == rows


@pytest.mark.parametrize("length", [PIECE_CHARACTERS - 1, PIECE_CHARACTERS, PIECE_CHARACTERS + 1, 3 * PIECE_CHARACTERS])
@pytest.mark.parametrize("letter", ["a", "ж", "😀", "#", "/", '"', "\\", "\n", "\ud83d", " "])
def test_very_long_texts_come_back(length: int, letter: str) -> None:
    assert back(["before", letter * length, "after"]) == ["before", letter * length, "after"]


def test_sections_are_kept_apart_and_may_be_empty() -> None:
    sections = {"nodes": [pack("#")], "edges": [], "Zz_9": [pack([]), pack({})]}
    assert decode(encode(sections)) == {"nodes": ["#"], "edges": [], "Zz_9": [[], {}]}
    assert decode(encode({})) == {}


class Colour(StrEnum):
    RED = "red"


@pytest.mark.parametrize(
    "refused",
    [
        float("nan"),
        float("inf"),
        -float("inf"),
        [1, float("nan")],
        {1: 2},
        {None: 2},
        {("a",): 2},
        (1, 2),
        [(1, 2)],
        {"a": {"b": (1,)}},
        {1, 2},
        object(),
        bytearray(b"x"),
        1j,
        10**5000,
        {"": {1: 2}},
    ],
    ids=lambda refused: type(refused).__name__,
)
def test_what_would_not_come_back_is_refused(refused: object) -> None:
    with pytest.raises(IllegalValue):
        encode({"rows": [pack(refused)]})


def test_a_ring_and_a_tower_are_refused() -> None:
    ring: list = []
    ring.append(ring)
    tower: list = []
    for _ in range(100_000):
        tower = [tower]
    for refused in (ring, tower):
        with pytest.raises(IllegalValue):
            encode({"rows": [pack(refused)]})


def test_a_name_of_an_enumeration_is_kept_as_its_text() -> None:
    assert back([Colour.RED]) == ["red"]


@pytest.mark.parametrize("name", ["", "1a", "a b", "a-b", "ключ", "a\n", "a.b", "#", "_a"])
def test_a_section_that_is_no_plain_name_is_refused(name: str) -> None:
    with pytest.raises(IllegalValue):
        encode({name: [pack(1)]})


@pytest.mark.slow
def test_a_document_that_might_be_cut_is_refused() -> None:
    row = pack("x" * 1_000_000)
    assert len(encode({"rows": [row] * 15})) <= MAX_DOCUMENT_BYTES
    with pytest.raises(IllegalValue, match="split"):
        encode({"rows": [row] * 16})


@pytest.mark.slow
def test_more_rows_than_the_parser_keeps_are_refused() -> None:
    # the parser drops list items after 1,048,576 of them without a word
    with pytest.raises(IllegalValue):
        encode({"rows": [pack(1)] * 1_050_000})


def test_a_parser_that_loses_something_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    parse = synx_native.parse
    monkeypatch.setattr(encoding.synx_native, "parse", lambda written: parse(written.replace("Тверь", "Твер")))
    with pytest.raises(IllegalValue, match="does not read back"):
        encode({"rows": [pack("Тверь")]})


def test_the_size_of_a_row_is_its_share_of_the_document() -> None:
    rows = [pack("жук # 1"), pack("a" * (PIECE_CHARACTERS + 5)), pack([])]
    assert len(encode({"rows": rows})) == len("rows\n") + sum(row.size for row in rows)


@pytest.mark.parametrize(
    "document",
    [
        b"\xff\xfe",
        b"rows\n  - 1\n",
        b'rows "j1"\n',
        b'rows\n  - ""\n',
        b'rows\n  - "q1"\n',
        b'rows\n  - "j1,2"\n',
        b'rows\n  - "j{"\n',
        b'rows\n  - "xAAA"\n',
        b'rows\n  - "+j1"\n',
        b'rows\n  - "+j1"\n  - "j2"\n',
        b'rows\n  - ".1"\n',
        b'rows\n  - "."\n',
        b"rows\n  a 1\n",
    ],
)
def test_what_is_no_document_of_ours_is_refused(document: bytes) -> None:
    with pytest.raises(UnreadableFile):
        decode(document)


@hypothesis.given(st.binary(max_size=200) | st.text(max_size=200).map(lambda said: said.encode("utf-8", "replace")))
def test_no_bytes_make_anything_but_rows_or_a_refusal(data: bytes) -> None:
    with suppress(UnreadableFile):
        decode(data)
