"""Sets of sealed files on a local directory: killed writers, flipped bits, forged manifests, what lies in which file."""

from __future__ import annotations

import base64
import dataclasses
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from memory_lib.adapters.blobs.directory import DirectoryBlobs
from memory_lib.adapters.synx import graph_files
from memory_lib.adapters.synx.encoding import decode, encode, pack
from memory_lib.adapters.synx.graph_files import SynxSealedGraphs
from memory_lib.adapters.synx.params import SealedFilesParams
from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.candidates import Topic
from memory_lib.domain.ids import NodeId, UserId
from memory_lib.errors import SchemaMismatch, SealBroken, UnreadableFile
from memory_lib.ports.blobs import BlobInfo
from memory_lib.ports.keys import FileSealer
from tests.adapters.synx.dying_writer import AFTER, BEFORE, USER, graphs
from tests.adapters.synx.open_sealer import OpenSealer
from tests.contracts.sealed_graphs.conftest import ANNA, sealer  # noqa: F401 - a fixture
from tests.contracts.sealed_graphs.graphs import assert_same, empty_graph, sessions_of, whole_graph

ROOT = Path(__file__).resolve().parents[3]
PARAMS = SealedFilesParams(shard_bytes=8 * 2**20, block_vectors=128, at_once=1)
FOLDER = f"ab/{ANNA}/000000000001/"


class InMemory(dict[str, bytes]):
    """Just enough of ``ports.blobs.Blobs``."""

    def put(self, path: str, data: bytes, *, replacing: str | None = None) -> BlobInfo:
        self[path] = data
        return BlobInfo(path, len(data), "")

    def list(self, prefix: str) -> tuple[BlobInfo, ...]:
        return tuple(BlobInfo(path, len(self[path]), "") for path in sorted(self) if path.startswith(prefix))

    def delete(self, paths: list[str]) -> None:
        for path in paths:
            self.pop(path, None)


# -- killed --


@pytest.fixture
def died(tmp_path: Path) -> Callable[[str, int], Iterator[SynxSealedGraphs]]:
    def run(work: str, every: int) -> Iterator[SynxSealedGraphs]:
        command = [sys.executable, "-m", "tests.adapters.synx.dying_writer", work, str(tmp_path), str(every)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr
        moments = int(done.stdout)
        for moment in sorted({*range(1, moments, every), moments}):
            yield graphs(tmp_path / str(moment))

    return run


def check_killed_writes(killed: Iterator[SynxSealedGraphs]) -> None:
    whole = 0
    for place in killed:
        assert_same(place.read(USER, generation=1), BEFORE)
        try:
            back = place.read(USER, generation=2)
        except UnreadableFile:
            place.write(USER, AFTER, sessions_of(AFTER), generation=2)
            back = place.read(USER, generation=2)
        else:
            whole += 1
        assert_same(back, AFTER)
        assert place.sessions(USER, generation=2) == sessions_of(AFTER)
        assert place.generations(USER) == (1, 2)
    assert whole >= 1


@pytest.mark.slow
def test_a_killed_writer_leaves_the_older_set_and_no_half_one(died) -> None:
    check_killed_writes(died("write", 17))


@pytest.mark.soak
def test_a_writer_killed_at_every_moment_leaves_the_older_set_and_no_half_one(died) -> None:
    check_killed_writes(died("write", 1))


@pytest.mark.slow
def test_a_killed_deletion_leaves_the_other_set_and_can_go_on(died) -> None:
    for place in died("delete", 11):
        with suppress(UnreadableFile):  # half deleted, it is no set: never a broken one
            assert_same(place.read(USER, generation=1), BEFORE)
        place.delete(USER, generation=1)
        assert place.generations(USER) == (2,)
        assert_same(place.read(USER, generation=2), AFTER)


# -- altered --


def four_kilobytes(seal: FileSealer) -> tuple[InMemory, SynxSealedGraphs]:
    """A set of a manifest and one file of 4 KB."""
    chance = np.random.default_rng(1)
    blobs = InMemory()
    place = SynxSealedGraphs(blobs, seal, params=PARAMS)
    now = datetime(2026, 5, 1, tzinfo=UTC)
    detail = {"said": base64.b64encode(chance.bytes(3800)).decode()}
    act = Act(id="a", node=NodeId("n"), kind=ActKind.SET, at=now, recorded_at=now, detail=detail)
    place.write(ANNA, dataclasses.replace(empty_graph(), acts=(act,)), (), generation=1)
    assert sorted(blobs) == [FOLDER + "history", FOLDER + "manifest"]
    assert 3900 < len(blobs[FOLDER + "history"]) < 4400
    return blobs, place


def flip_bits(seal: FileSealer, *, step: int) -> None:
    blobs, place = four_kilobytes(seal)
    for path in sorted(blobs):
        data = blobs[path]
        for bit in range(0, 8 * len(data), step):
            blobs[path] = data[: bit // 8] + bytes([data[bit // 8] ^ 1 << bit % 8]) + data[bit // 8 + 1 :]
            with pytest.raises(SealBroken, match=path):
                place.read(ANNA, generation=1)
        for length in range(0, len(data), step):
            blobs[path] = data[:length]
            with pytest.raises(SealBroken, match=path):
                place.read(ANNA, generation=1)
        for longer in (data + b"\0", data + data, b"\0" + data):
            blobs[path] = longer
            with pytest.raises(SealBroken, match=path):
                place.read(ANNA, generation=1)
        blobs[path] = data
    place.read(ANNA, generation=1)


@pytest.mark.slow
def test_flipped_bits_and_truncations_of_a_4_kb_file_are_refused_by_name(sealer: FileSealer) -> None:  # noqa: F811
    flip_bits(sealer, step=61)


@pytest.mark.soak
def test_every_flipped_bit_and_every_truncation_of_a_4_kb_file_is_refused_by_name(sealer: FileSealer) -> None:  # noqa: F811
    flip_bits(sealer, step=1)


def forged(change: Callable[[list], list]) -> SynxSealedGraphs:
    """A set whose manifest was made by somebody who has the key."""
    blobs, seal = InMemory(), OpenSealer()
    place = SynxSealedGraphs(blobs, seal, params=PARAMS)
    whole = whole_graph(3, nodes=8)
    place.write(ANNA, whole, (), generation=1)
    sections = decode(seal.open_file(ANNA, FOLDER + "manifest", 1, blobs[FOLDER + "manifest"]))
    sections["manifest"] = [change(sections["manifest"][0])]
    content = encode({name: [pack(row) for row in rows] for name, rows in sections.items()})
    blobs[FOLDER + "manifest"] = seal.seal_file(ANNA, FOLDER + "manifest", 1, content)
    return place


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda head: [head[0], UserId("ab" + "2" * 30), *head[2:]], SealBroken),
        (lambda head: [head[0], head[1], 2, *head[3:]], SealBroken),
        (lambda head: [*head[:6], head[6] | {"nodes": 9}], SealBroken),
        (lambda head: [*head[:6], head[6] | {"vectors": 0}], SealBroken),
        (lambda head: [graph_files.FORMAT + 1, *head[1:]], SchemaMismatch),
    ],
    ids=["user", "generation", "count", "vectors", "format"],
)
def test_a_manifest_that_says_something_else_than_its_place_or_files_is_refused(change, error: type[Exception]) -> None:
    forged(lambda head: head).read(ANNA, generation=1)
    with pytest.raises(error):
        forged(change).read(ANNA, generation=1)


# -- what lies where --


def test_each_node_lies_in_its_file_and_sessions_say_which_messages_carry_which_nodes() -> None:
    blobs, seal = InMemory(), OpenSealer()
    whole = whole_graph(4, nodes=60)
    SynxSealedGraphs(blobs, seal, params=PARAMS).write(ANNA, whole, sessions_of(whole), generation=1)

    def rows(name: str, section: str) -> list:
        path = FOLDER + name
        return decode(seal.open_file(ANNA, path, 1, blobs[path]))[section] if path in blobs else []

    expected = {"core": {each.id for each in whole.nodes.values() if each.is_pinned}}
    for topic in Topic:
        expected[f"domain/{topic}"] = {each.id for each in whole.nodes.values() if each.topic is topic and not each.is_pinned}
    assert {name: {row[0] for row in rows(name, "nodes")} for name in expected} == expected
    traces = dict(rows("sessions/all", "traces"))
    for message, resting in traces.items():
        carried = [each.id for each in whole.nodes.values() if any(proof.span.message == message for proof in each.proofs)]
        assert resting == sorted(carried)
    assert len(traces) == len({proof.span.message for each in whole.nodes.values() for proof in each.proofs})
    # a session says ids and times, never words
    said = seal.open_file(ANNA, FOLDER + "sessions/all", 1, blobs[FOLDER + "sessions/all"]).decode()
    assert not any(each.content in said for each in whole.nodes.values() if len(each.content) > 3)


def test_a_directory_of_many_people_keeps_them_apart(tmp_path: Path) -> None:
    blobs = DirectoryBlobs(tmp_path)
    place = SynxSealedGraphs(blobs, OpenSealer(), params=PARAMS)
    people = [UserId(f"{number:032x}") for number in (1, 2, 2**124)]
    for number, user in enumerate(people):
        place.write(user, whole_graph(number, nodes=3), (), generation=1)
    place.erase(people[0])
    assert place.generations(people[0]) == ()
    for number, user in enumerate(people[1:], 1):
        assert_same(place.read(user, generation=1), whole_graph(number, nodes=3))


@pytest.mark.slow
def test_ten_thousand_nodes_are_fine() -> None:
    sample = whole_graph(5, nodes=50, dimension=8, edges=1)
    short = {"content": "запись", "attributes": {}, "refined": (), "formed": {}, "slot": None}
    plain = [dataclasses.replace(each, **short, proofs=each.proofs[:1]) for each in sample.nodes.values()]
    nodes = [dataclasses.replace(each, id=NodeId(f"{each.id}{copy:04x}")) for copy in range(200) for each in plain]
    whole = dataclasses.replace(sample, nodes={each.id: each for each in nodes}, edges={}, vectors={})
    blobs = InMemory()
    place = SynxSealedGraphs(blobs, OpenSealer(), params=SealedFilesParams(shard_bytes=2**20, block_vectors=128, at_once=1))
    place.write(ANNA, whole, (), generation=1)
    assert place.read(ANNA, generation=1).nodes == whole.nodes
    assert FOLDER + "core.2" in blobs
    assert max(map(len, blobs.values())) < 2**20 + 50_000
