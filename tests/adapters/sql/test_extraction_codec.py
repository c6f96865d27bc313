from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_lib.adapters.sql import extraction_codec
from memory_lib.adapters.sql.payload import pack, unpack
from memory_lib.domain.candidates import (
    Candidate,
    EdgeType,
    Extraction,
    Modality,
    NodeType,
    Precision,
    Relation,
    Slot,
    Topic,
    Valence,
)
from memory_lib.errors import SchemaMismatch

TEXT = st.text(alphabet=st.characters(codec=None), max_size=12)
SHARE = st.floats(0, 1)
SPAN = st.tuples(st.integers(0, 50), st.integers(1, 50)).map(lambda pair: (pair[0], pair[0] + pair[1]))


@st.composite
def candidates(draw):
    start, end = draw(SPAN)
    return Candidate(
        type=draw(st.sampled_from([kind for kind in NodeType if kind is not NodeType.HYPOTHESIS])),
        content=draw(TEXT),
        start=start,
        end=end,
        rule=draw(TEXT),
        confidence=draw(SHARE),
        importance=draw(SHARE),
        valence=draw(st.sampled_from(Valence)),
        intensity=draw(SHARE),
        stated=draw(st.booleans()),
        topic=draw(st.sampled_from(Topic)),
        slot=draw(st.none() | st.builds(Slot, key=TEXT, value=TEXT, single=st.booleans())),
        attributes=draw(st.dictionaries(TEXT, TEXT, max_size=3)),
        modality=tuple(draw(st.lists(st.sampled_from(Modality), max_size=3))),
        holder=draw(TEXT),
        about=draw(TEXT),
        about_name=draw(st.none() | TEXT),
        due=draw(st.none() | TEXT),
        valid_from=draw(st.none() | TEXT),
        precision=draw(st.sampled_from(Precision)),
        ends=draw(st.none() | TEXT),
        polarity=draw(st.booleans()),
        pinned=draw(st.booleans()),
    )


@st.composite
def extractions(draw):
    found = tuple(draw(st.lists(candidates(), max_size=3)))
    relations = []
    for start, end in draw(st.lists(SPAN, max_size=3)) if found else ():
        index = st.integers(0, len(found) - 1)
        source, target = draw(st.tuples(index, index | TEXT) | st.tuples(TEXT, index))
        relations.append(
            Relation(
                source=source,
                target=target,
                type=draw(st.sampled_from(EdgeType)),
                confidence=draw(SHARE),
                start=start,
                end=end,
                rule=draw(TEXT),
            )
        )
    return Extraction(
        unit_id=draw(TEXT),
        message=draw(TEXT),
        candidates=found,
        relations=tuple(relations),
        reasoner=draw(TEXT),
        version=draw(TEXT),
        language=draw(st.sampled_from(["ru", "en"])),
    )


@given(extractions())
def test_an_extraction_comes_back_equal_in_every_field(extraction):
    back = extraction_codec.decode(unpack(pack(extraction_codec.encode(extraction))))
    assert back == extraction
    for one, other in zip(back.candidates, extraction.candidates, strict=True):
        assert [type(v) for v in dataclasses.astuple(one)] == [type(v) for v in dataclasses.astuple(other)]


def test_every_field_is_written():
    candidate = {field.name for field in dataclasses.fields(Candidate)}
    made = Candidate(type=NodeType.FACT, content="x", start=0, end=1, rule="r", confidence=1.0)
    record = extraction_codec.encode(Extraction("u", "m", (made,), (), "r", "1", "en"))
    assert record["candidates"][0].keys() == candidate
    assert len(record) == len(dataclasses.fields(Extraction)) + 1


def test_a_newer_layout_is_refused():
    record = extraction_codec.encode(Extraction("u", "m", (), (), "r", "1", "en"))
    with pytest.raises(SchemaMismatch):
        extraction_codec.decode({**record, "v": extraction_codec.VERSION + 1})
