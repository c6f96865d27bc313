"""What every store of blobs promises (ports/blobs.py)."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from memory_lib.errors import IllegalValue, SealBroken, StaleRead
from memory_lib.ports.blobs import Blobs
from tests.contracts.blobs.backends import BlobBackend

PATH = "ab/ab12/000000000001/domain/work"


def test_what_was_put_comes_back_byte_by_byte(blobs: Blobs) -> None:
    for number, data in enumerate((b"", b"\0", bytes(range(256)) * 40, os.urandom(70_000))):
        info = blobs.put(f"{PATH}.{number}", data)
        assert (info.path, info.size) == (f"{PATH}.{number}", len(data))
        assert blobs.get(f"{PATH}.{number}") == data


def test_nothing_is_there_before(blobs: Blobs) -> None:
    assert blobs.get(PATH) is None
    assert blobs.list("") == ()
    assert blobs.residue("ab/") == {}
    assert blobs.purge("ab/") == {}
    blobs.delete([PATH])
    blobs.delete([])


def test_a_taken_path_is_refused_and_keeps_its_content(blobs: Blobs) -> None:
    blobs.put(PATH, b"first")
    with pytest.raises(StaleRead):
        blobs.put(PATH, b"second")
    with pytest.raises(StaleRead):
        blobs.put(PATH, b"first")
    assert blobs.get(PATH) == b"first"


def test_replacing_names_the_content_that_goes(blobs: Blobs) -> None:
    first = blobs.put(PATH, b"first")
    second = blobs.put(PATH, b"second", replacing=first.etag)
    assert blobs.get(PATH) == b"second"
    assert second.etag != first.etag
    with pytest.raises(StaleRead):
        blobs.put(PATH, b"third", replacing=first.etag)
    assert blobs.get(PATH) == b"second"
    assert blobs.list(PATH) == (second,)


def test_nothing_can_be_replaced_where_nothing_is(blobs: Blobs) -> None:
    etag = blobs.put(PATH, b"first").etag
    blobs.delete([PATH])
    with pytest.raises(StaleRead):
        blobs.put(PATH, b"second", replacing=etag)
    assert blobs.get(PATH) is None


def test_a_path_is_free_again_after_deletion(blobs: Blobs) -> None:
    blobs.put(PATH, b"first")
    blobs.delete([PATH])
    assert blobs.get(PATH) is None
    assert blobs.list("") == ()
    blobs.put(PATH, b"second")
    assert blobs.get(PATH) == b"second"


def test_a_list_is_of_a_prefix_in_path_order_with_sizes_and_etags(blobs: Blobs) -> None:
    paths = ["ab/ab12/2/core", "ab/ab12/10/core", "ab/ab12/2/domain/work", "ab/ab12/2/domain/work.2", "ab/ab123/2/core", "cd/x"]
    put = {path: blobs.put(path, path.encode()) for path in paths}
    assert blobs.list("") == tuple(put[path] for path in sorted(paths))
    assert [info.path for info in blobs.list("ab/ab12/")] == sorted(paths[:4])
    assert [info.path for info in blobs.list("ab/ab12")] == sorted(paths[:5])
    assert [info.path for info in blobs.list("ab/ab12/2/domain/work")] == sorted(paths[2:4])
    assert blobs.list("ab/ab12/3") == ()


def test_one_of_many_writers_of_a_free_path_wins(blobs: Blobs) -> None:
    contents = [f"writer {number}".encode() for number in range(8)]

    def put(data: bytes) -> bytes | None:
        try:
            blobs.put(PATH, data)
        except StaleRead:
            return None
        return data

    with ThreadPoolExecutor(4) as pool:
        won = [data for data in pool.map(put, contents) if data is not None]
    assert len(won) == 1
    assert blobs.get(PATH) == won[0]


def test_one_of_many_replacers_wins(blobs: Blobs) -> None:
    etag = blobs.put(PATH, b"first").etag

    def replace(number: int) -> bytes | None:
        data = f"writer {number}".encode()
        try:
            blobs.put(PATH, data, replacing=etag)
        except StaleRead:
            return None
        return data

    with ThreadPoolExecutor(4) as pool:
        won = [data for data in pool.map(replace, range(8)) if data is not None]
    assert len(won) == 1
    assert blobs.get(PATH) == won[0]


@pytest.mark.parametrize(
    "change",
    [lambda data: data[:-1], lambda data: bytes([data[0] ^ 1]) + data[1:], lambda data: data + b"\0", lambda _data: b""],
    ids=["cut", "flipped", "longer", "emptied"],
)
def test_what_rotted_is_refused_by_name(blobs: Blobs, backend: BlobBackend, change) -> None:
    blobs.put(PATH, b"sealed bytes")
    backend.damage(blobs, PATH, change)
    with pytest.raises(SealBroken, match=PATH):
        blobs.get(PATH)


def test_purging_takes_everything_below_and_nothing_beside(blobs: Blobs, backend: BlobBackend) -> None:
    paths = ["ab/ab12/1/core", "ab/ab12/1/manifest", "ab/ab12/2/core"]
    for path in [*paths, "ab/ab13/1/core"]:
        blobs.put(path, b"first")
    blobs.put(paths[0], b"second", replacing=blobs.list(paths[0])[0].etag)
    counted = {"content": 3} | ({"versions": 1} if backend.keeps_versions else {})
    assert blobs.residue("ab/ab12/") == counted
    assert blobs.purge("ab/ab12/") == counted
    assert blobs.residue("ab/ab12/") == {}
    assert blobs.list("ab/ab12/") == ()
    assert blobs.get("ab/ab13/1/core") == b"first"


def test_deleting_leaves_no_former_version(blobs: Blobs) -> None:
    first = blobs.put(PATH, b"first")
    blobs.put(PATH, b"second", replacing=first.etag)
    blobs.put(PATH + ".2", b"beside")
    blobs.delete([PATH, "ab/nobody"])
    assert blobs.residue(PATH + ".2") == {"content": 1}
    assert blobs.residue(PATH) == {"content": 1}


def test_reaping_leaves_what_is_whole(blobs: Blobs) -> None:
    blobs.put(PATH, b"first")
    assert blobs.reap(older_than=datetime.now(UTC) + timedelta(days=1)) == 0
    assert blobs.get(PATH) == b"first"


@pytest.mark.parametrize(
    "path", ["", "/ab", "ab/", "ab//cd", "../ab", "ab/../cd", "ab/.", "Ab", "ab c", "ab\ncd", "анна", "ab~1", "ab\0", "ab\\cd"]
)
def test_a_path_that_leads_elsewhere_is_refused(blobs: Blobs, path: str) -> None:
    with pytest.raises(IllegalValue):
        blobs.put(path, b"x")
    with pytest.raises(IllegalValue):
        blobs.get(path)
    with pytest.raises(IllegalValue):
        blobs.delete([path])
    if path not in ("", "ab/"):
        with pytest.raises(IllegalValue):
            blobs.purge(path)


def test_a_blob_of_many_parts_comes_back(blobs: Blobs) -> None:
    data = os.urandom(1 << 20) * 11
    first = blobs.put(PATH, data)
    assert blobs.get(PATH) == data
    assert blobs.list(PATH) == (first,)
    with pytest.raises(StaleRead):
        blobs.put(PATH, data[:-1])
    second = blobs.put(PATH, data[1:], replacing=first.etag)
    assert blobs.get(PATH) == data[1:]
    with pytest.raises(StaleRead):
        blobs.put(PATH, data, replacing=first.etag)
    assert blobs.list(PATH) == (second,)
    assert "uploads" not in blobs.residue(PATH)
