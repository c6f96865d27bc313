"""What is handed in as somebody's exported memory may be anything: it is refused in a sentence, and fills no memory first."""

from __future__ import annotations

import copy
import io
import zipfile
from collections.abc import Mapping
from datetime import UTC, datetime

import pytest

from memory_lib.adapters.synx import person_archive
from memory_lib.adapters.synx.encoding import MAX_DOCUMENT_BYTES, encode, pack
from memory_lib.adapters.synx.person_archive import SynxPersonArchives
from memory_lib.domain.changes import Revision
from memory_lib.domain.ids import UserId
from memory_lib.errors import SelfImprintError, UnreadableFile
from memory_lib.ports.graph import WholeGraph
from memory_lib.ports.person_archive import ArchivedPerson, ReadablePerson
from memory_lib.settings import Settings

KEY = "0f" * 32
ARCHIVES = SynxPersonArchives(params=Settings().files)
PERSON = ArchivedPerson(
    user=UserId("a" * 32),
    external="anna",
    id_key="k",
    at=datetime(2026, 5, 1, tzinfo=UTC),
    graph_hash="h",
    whole=WholeGraph(Revision(1, 1), None, None, {}, {}, (), {}, {}, (), ()),
    rows={"people": [{"external_sealed": "anna"}]},
)
WHOLE = ARCHIVES.pack(PERSON, ReadablePerson(messages=(), memory={}, page=""), key=KEY)


def test_what_was_packed_is_unpacked() -> None:
    assert ARCHIVES.unpack(WHOLE, key=KEY).rows == PERSON.rows


def test_members_that_lie_over_one_another_are_refused() -> None:
    out = io.BytesIO(WHOLE)
    with zipfile.ZipFile(out, "a") as archive:
        member = archive.getinfo("sealed/head")
        archive.filelist += [copy.copy(member) for _ in range(len(WHOLE) // member.file_size + 1)]
        archive.writestr("another", b"")
    with pytest.raises(UnreadableFile):
        ARCHIVES.unpack(out.getvalue(), key=KEY)


def test_sealed_members_that_unpack_are_refused() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("sealed/head", bytes(10_000_000))
    with pytest.raises(UnreadableFile):
        ARCHIVES.unpack(out.getvalue(), key=KEY)


def headed(content: bytes) -> bytes:
    sealer = person_archive._OneTimeSealer(bytes.fromhex(KEY))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("sealed/head", sealer.seal_head(content))
    return out.getvalue()


def test_a_part_that_unpacks_to_more_than_a_document_can_be_is_refused() -> None:
    with pytest.raises(UnreadableFile):
        ARCHIVES.unpack(headed(bytes(MAX_DOCUMENT_BYTES + 1)), key=KEY)


def test_parts_that_together_unpack_to_too_much_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(person_archive, "UNPACKED_BYTES", 0)
    monkeypatch.setattr(person_archive, "UNPACKED_TIMES", 0)
    with pytest.raises(UnreadableFile):
        ARCHIVES.unpack(WHOLE, key=KEY)


HEAD = {
    "format": 1,
    "user": PERSON.user,
    "external": "anna",
    "id_key": "k",
    "at": "2026-05-01T00:00:00+00:00",
    "graph_hash": "h",
    "tables": [],
}


@pytest.mark.parametrize(
    "head",
    [
        {},
        {"format": 1},
        {**HEAD, "user": "../../keys"},
        {**HEAD, "user": 7},
        {**HEAD, "at": "yesterday"},
        {**HEAD, "tables": 7},
        {**HEAD, "tables": [["people"]]},
        {**HEAD, "format": []},
    ],
)
def test_a_head_with_the_right_key_and_anything_in_it_is_refused_in_a_sentence(head: Mapping[str, object]) -> None:
    with pytest.raises(SelfImprintError):
        ARCHIVES.unpack(headed(encode({"head": [pack(dict(head))], "files": []})), key=KEY)


def test_a_head_of_no_rows_is_refused_in_a_sentence() -> None:
    with pytest.raises(UnreadableFile):
        ARCHIVES.unpack(headed(encode({"head": [], "files": [pack("x")]})), key=KEY)
