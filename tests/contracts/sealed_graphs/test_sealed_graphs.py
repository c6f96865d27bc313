"""What every place of sealed files promises (ports/sealed_graphs.py)."""

from __future__ import annotations

import dataclasses
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from memory_lib.adapters.keys.file_sealing import AesGcmFileSealer
from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.adapters.keys.params import FileSealParams
from memory_lib.adapters.synx.graph_files import KEPT, SynxSealedGraphs
from memory_lib.adapters.synx.params import SealedFilesParams
from memory_lib.domain.changes import Revision
from memory_lib.domain.ids import UserId
from memory_lib.errors import DependencyDown, IllegalValue, Permanent, SealBroken, StaleRead, UnreadableFile
from memory_lib.ports.blobs import Blobs
from memory_lib.ports.graph import WholeGraph
from memory_lib.ports.keys import FileSealer
from tests.contracts.sealed_graphs.conftest import ANNA, BEN, KEYS, PARAMS, Place
from tests.contracts.sealed_graphs.graphs import assert_same, empty_graph, sessions_of, whole_graph

NAMES = ["manifest", "core", "edges", "history", "writes", "vectors", "sessions/all", "domain/work"]
NOBODY = UserId("cd" + "3" * 30)


@pytest.mark.parametrize("seed", [1, 2])
def test_every_field_of_every_record_comes_back(place: Place, seed: int) -> None:
    whole = whole_graph(seed)
    place.graphs.write(ANNA, whole, sessions_of(whole), generation=5)
    assert_same(place.graphs.read(ANNA, generation=5), whole)
    assert place.graphs.sessions(ANNA, generation=5) == sessions_of(whole)


def test_a_field_that_whole_graph_gains_must_get_a_place() -> None:
    assert {field.name for field in dataclasses.fields(WholeGraph)} == KEPT


def test_a_graph_of_nothing_comes_back(place: Place) -> None:
    place.graphs.write(ANNA, empty_graph(), (), generation=1)
    assert_same(place.graphs.read(ANNA, generation=1), empty_graph())
    assert place.graphs.sessions(ANNA, generation=1) == ()


def test_vectors_find_the_same_neighbours_as_before(place: Place) -> None:
    whole = whole_graph(3, nodes=100, dimension=64, edges=1)
    place.graphs.write(ANNA, whole, (), generation=1)
    back = place.graphs.read(ANNA, generation=1)
    ids = list(whole.vectors)
    before, after = (np.stack([each.vectors[one] for one in ids]) for each in (whole, back))
    tops = [np.argsort(-(rows @ rows.T), axis=1)[:, :10] for rows in (before, after)]
    overlap = np.mean([len(set(a) & set(b)) / 10 for a, b in zip(*tops, strict=True)])
    assert overlap >= 0.99


def test_a_set_lies_in_files_by_topic_under_person_and_generation(place: Place) -> None:
    whole = whole_graph(4)
    place.graphs.write(ANNA, whole, sessions_of(whole), generation=12)
    folder = f"ab/{ANNA}/000000000012/"
    topics = {node.topic.value for node in whole.nodes.values() if not node.is_pinned}
    names = [*NAMES[:-1], *(f"domain/{topic}" for topic in topics)]
    assert place.paths(ANNA, 12) == sorted(folder + name for name in names)


def test_no_word_lies_in_clear(place: Place) -> None:
    whole = whole_graph(5)
    place.graphs.write(ANNA, whole, sessions_of(whole), generation=1)
    at_rest = b"".join(place.blobs.get(path) or b"" for path in place.paths(ANNA, 1))
    for word in ("Тверь", "долго", "left"):
        for encoding in ("utf-8", "utf-16-le"):
            assert word.encode(encoding) not in at_rest
    assert not any(one.encode() in at_rest for one in whole.nodes)


def test_a_large_graph_goes_on_in_further_files(place: Place, sealer: FileSealer) -> None:
    graphs = SynxSealedGraphs(place.blobs, sealer, params=SealedFilesParams(shard_bytes=20_000, block_vectors=7, at_once=2))
    whole = whole_graph(6, nodes=40)
    graphs.write(ANNA, whole, sessions_of(whole), generation=1)
    names = {path.split("/", 3)[3] for path in place.paths(ANNA, 1)}
    assert {"edges", "edges.2", "edges.3", "vectors", "core.2"} <= names
    assert_same(graphs.read(ANNA, generation=1), whole)
    assert graphs.sessions(ANNA, generation=1) == sessions_of(whole)
    # how files are cut is the writer's affair
    assert_same(place.graphs.read(ANNA, generation=1), whole)


def test_there_is_no_set_where_none_was_written(place: Place) -> None:
    with pytest.raises(UnreadableFile):
        place.graphs.read(NOBODY, generation=1)
    place.graphs.write(ANNA, empty_graph(), (), generation=1)
    with pytest.raises(UnreadableFile):
        place.graphs.read(ANNA, generation=2)
    with pytest.raises(UnreadableFile):
        place.graphs.sessions(ANNA, generation=2)
    assert place.graphs.generations(NOBODY) == ()


def test_a_whole_set_is_never_written_over(place: Place) -> None:
    whole = whole_graph(7, nodes=20)
    place.graphs.write(ANNA, whole, (), generation=1)
    with pytest.raises(StaleRead):
        place.graphs.write(ANNA, empty_graph(), (), generation=1)
    assert_same(place.graphs.read(ANNA, generation=1), whole)


def test_what_a_killed_writer_left_is_written_over(place: Place) -> None:
    older, whole = whole_graph(8, nodes=40), whole_graph(9, nodes=5)
    place.graphs.write(ANNA, older, sessions_of(older), generation=1)
    manifest = f"ab/{ANNA}/000000000001/manifest"
    place.blobs.delete([manifest])
    with pytest.raises(UnreadableFile):
        place.graphs.read(ANNA, generation=1)
    assert place.graphs.generations(ANNA) == (1,)
    place.graphs.write(ANNA, whole, (), generation=1)
    assert_same(place.graphs.read(ANNA, generation=1), whole)
    sealed = {path for path in place.paths(ANNA, 1) if "/domain/" in path}
    assert len(sealed) < 6, "files of the killed writer are still there"


class Failing:
    """Blobs of which the n-th put, get or deletion fails, and every later one where ``for_good``."""

    def __init__(self, blobs: Blobs, fail_at: int, *, rots: bool = False) -> None:
        self._blobs, self._left, self._rots = blobs, fail_at, rots

    def _step(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise DependencyDown("files", "its server does not answer")

    def put(self, path, data, *, replacing=None):
        self._step()
        if self._rots and path.endswith("/edges"):
            data = data[:-1] + bytes([data[-1] ^ 1])
        return self._blobs.put(path, data, replacing=replacing)

    def get(self, path):
        self._step()
        return self._blobs.get(path)

    def __getattr__(self, name):
        return getattr(self._blobs, name)


@pytest.mark.parametrize("fail_at", [0, 1, 9, 20, 25])
def test_a_writer_that_fails_leaves_no_set_and_can_go_again(place: Place, sealer: FileSealer, fail_at: int) -> None:
    before, whole = whole_graph(10, nodes=2), whole_graph(11, nodes=30)
    place.graphs.write(ANNA, before, (), generation=1)
    failing = SynxSealedGraphs(Failing(place.blobs, fail_at), sealer, params=replace(PARAMS, at_once=1))
    with pytest.raises(DependencyDown):
        failing.write(ANNA, whole, sessions_of(whole), generation=2)
    with pytest.raises(UnreadableFile):
        place.graphs.read(ANNA, generation=2)
    place.graphs.write(ANNA, whole, sessions_of(whole), generation=2)
    assert_same(place.graphs.read(ANNA, generation=2), whole)
    assert_same(place.graphs.read(ANNA, generation=1), before)


def test_a_store_that_keeps_other_bytes_than_it_was_given_is_noticed(place: Place, sealer: FileSealer) -> None:
    whole = whole_graph(12, nodes=12)
    rotting = SynxSealedGraphs(Failing(place.blobs, 10_000, rots=True), sealer, params=PARAMS)
    with pytest.raises(Permanent):
        rotting.write(ANNA, whole, (), generation=1)
    with pytest.raises(UnreadableFile):
        place.graphs.read(ANNA, generation=1)


def test_a_vector_that_float16_cannot_hold_is_refused(place: Place) -> None:
    whole = whole_graph(13, nodes=3)
    first = next(iter(whole.vectors))
    for number in (np.float32(7e4), np.float32("nan"), np.float32("inf")):
        vectors = dict(whole.vectors) | {first: np.full(16, number, np.float32)}
        with pytest.raises(IllegalValue):
            place.graphs.write(ANNA, replace(whole, vectors=vectors), (), generation=1)
    with pytest.raises(IllegalValue):
        place.graphs.write(ANNA, replace(whole, dimension=8), (), generation=1)
    assert place.paths(ANNA, 1) == []


def test_generations_are_listed_whole_or_not_and_deleted_one_by_one(place: Place) -> None:
    for generation in (3, 11, 2):
        place.graphs.write(ANNA, empty_graph(), (), generation=generation)
    place.blobs.delete([f"ab/{ANNA}/000000000011/manifest"])
    whole = whole_graph(14, nodes=8)
    place.graphs.write(ANNA, whole, (), generation=20)
    place.graphs.write(BEN, whole, (), generation=3)
    assert place.graphs.generations(ANNA) == (2, 3, 20)
    place.graphs.delete(ANNA, generation=3)
    place.graphs.delete(ANNA, generation=3)
    place.graphs.delete(ANNA, generation=400)
    assert place.graphs.generations(ANNA) == (2, 20)
    assert_same(place.graphs.read(BEN, generation=3), whole)


def test_files_of_an_older_key_are_counted_until_they_are_written_anew(place: Place, tmp_path: Path) -> None:
    keyring = LocalKeyring(tmp_path / "keys", id_key=None, params=KEYS)
    keyring.create(ANNA)
    sealer = AesGcmFileSealer(keyring, params=FileSealParams(level=3, content_bytes=64 * 2**20))
    graphs = SynxSealedGraphs(place.blobs, sealer, params=PARAMS)
    whole = whole_graph(19, nodes=3)
    graphs.write(ANNA, whole, (), generation=1)
    assert graphs.outdated(ANNA, generation=1) == 0
    keyring.begin(ANNA)
    assert graphs.outdated(ANNA, generation=1) == len(place.paths(ANNA, 1))
    graphs.write(ANNA, graphs.read(ANNA, generation=1), (), generation=2)
    assert graphs.outdated(ANNA, generation=2) == 0
    assert graphs.outdated(NOBODY, generation=1) == 0


def test_erasing_leaves_nothing_of_the_person_and_all_of_the_other(place: Place) -> None:
    whole = whole_graph(15, nodes=8)
    for generation in (1, 2):
        place.graphs.write(ANNA, whole, (), generation=generation)
    place.graphs.delete(ANNA, generation=1)
    place.graphs.write(BEN, whole, (), generation=1)
    there = place.graphs.residue(ANNA)
    assert there["content"] == len(place.paths(ANNA, 2))
    assert place.graphs.erase(ANNA) == there
    assert place.graphs.residue(ANNA) == {}
    assert place.graphs.erase(ANNA) == {}
    assert place.graphs.generations(ANNA) == ()
    assert_same(place.graphs.read(BEN, generation=1), whole)


# -- what was tampered with --


@pytest.fixture
def two_sets(place: Place) -> Place:
    """Anna's sets 1 and 2 and Ben's set 1, of the same files."""
    for user, generation, seed in ((ANNA, 1, 16), (ANNA, 2, 17), (BEN, 1, 18)):
        whole = whole_graph(seed, nodes=33)
        place.graphs.write(user, whole, sessions_of(whole), generation=generation)
    return place


def refused(place: Place, path: str) -> None:
    with pytest.raises(SealBroken, match=path):
        place.graphs.read(ANNA, generation=2)


def test_a_file_of_another_person_or_an_older_set_is_refused(two_sets: Place) -> None:
    for name in NAMES:
        path = f"ab/{ANNA}/000000000002/{name}"
        mine = two_sets.blobs.get(path)
        assert mine is not None
        for other in (f"ab/{BEN}/000000000001/{name}", f"ab/{ANNA}/000000000001/{name}"):
            theirs = two_sets.blobs.get(other)
            assert theirs is not None
            two_sets.swap(path, theirs)
            refused(two_sets, path)
        two_sets.swap(path, mine)
    two_sets.graphs.read(ANNA, generation=2)


def test_a_missing_file_is_named(two_sets: Place) -> None:
    for name in NAMES[1:]:
        path = f"ab/{ANNA}/000000000002/{name}"
        mine = two_sets.blobs.get(path)
        assert mine is not None
        two_sets.blobs.delete([path])
        refused(two_sets, path)
        two_sets.swap(path, mine)
    two_sets.graphs.read(ANNA, generation=2)


def test_an_older_set_put_back_as_a_whole_is_refused(two_sets: Place) -> None:
    for path in two_sets.paths(ANNA, 2):
        two_sets.blobs.delete([path])
    for path in two_sets.paths(ANNA, 1):
        data = two_sets.blobs.get(path)
        assert data is not None
        two_sets.swap(path.replace("000000000001", "000000000002"), data)
    refused(two_sets, f"ab/{ANNA}/000000000002/manifest")


def test_rot_below_the_seal_is_refused(two_sets: Place) -> None:
    for name in ("edges", "manifest"):
        path = f"ab/{ANNA}/000000000002/{name}"
        two_sets.damage(path, lambda data: data[: len(data) // 2])
        refused(two_sets, path)


def test_what_the_manifest_does_not_list_is_not_read(two_sets: Place) -> None:
    before = two_sets.graphs.read(ANNA, generation=2)
    two_sets.blobs.put(f"ab/{ANNA}/000000000002/edges.2", b"from nowhere")
    two_sets.blobs.put(f"ab/{ANNA}/000000000002/domain/none", b"from nowhere")
    assert_same(two_sets.graphs.read(ANNA, generation=2), before)


def test_the_revision_travels(place: Place) -> None:
    whole = replace(empty_graph(), revision=Revision(2**40, 2**41), fingerprint="e5/1:384", dimension=384)
    place.graphs.write(ANNA, whole, (), generation=1)
    assert place.graphs.read(ANNA, generation=1).revision == whole.revision
