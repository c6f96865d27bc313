"""``kill -9`` at every write, fsync, link, rename and removal of a local directory of blobs: the old content or the new."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory_lib.adapters.blobs.directory import DirectoryBlobs
from tests.adapters.blobs.dying import NEW, OLD, PATH

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def died(tmp_path: Path) -> Callable[[str], Iterator[DirectoryBlobs]]:
    def run(work: str) -> Iterator[DirectoryBlobs]:
        command = [sys.executable, "-m", "tests.adapters.blobs.dying", work, str(tmp_path), "1"]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=100, check=False)
        assert done.returncode == 0, done.stderr
        moments = int(done.stdout)
        assert moments >= 5
        for moment in range(1, moments + 1):
            yield DirectoryBlobs(tmp_path / str(moment))

    return run


@pytest.mark.slow
def test_a_new_blob_is_whole_or_not_there(died) -> None:
    found = []
    for blobs in died("put"):
        content = blobs.get(PATH)
        found.append(content)
        assert content in (None, NEW)
        assert [info.path for info in blobs.list("")] == ([PATH] if content else [])
        left = blobs.residue("ab/ab12/").get("parts", 0)
        assert blobs.reap(older_than=datetime.now(UTC) - timedelta(hours=1)) == 0
        assert blobs.reap(older_than=datetime.now(UTC) + timedelta(hours=1)) == left
        if content is None:
            blobs.put(PATH, NEW)
        assert blobs.get(PATH) == NEW
        assert blobs.purge("ab/") == {"content": 1}
        assert blobs.residue("") == {}
    assert {None, NEW} == set(found)


@pytest.mark.slow
def test_a_replaced_blob_is_the_old_or_the_new(died) -> None:
    found = []
    for blobs in died("replace"):
        (there,) = blobs.list("")
        content = blobs.get(PATH)
        found.append(content)
        assert content in (OLD, NEW)
        # the lock of the dead holds nobody up
        blobs.put(PATH, b"next", replacing=there.etag)
        assert blobs.get(PATH) == b"next"
        parts = blobs.residue("").get("parts", 0)
        assert blobs.purge("") == {"content": 1} | ({"parts": parts} if parts else {})
    assert {OLD, NEW} == set(found)


@pytest.mark.slow
def test_a_killed_purge_can_go_on(died) -> None:
    left = set()
    for blobs in died("delete"):
        there = blobs.list("")
        left.add(len(there))
        assert all(blobs.get(info.path) == OLD for info in there)
        blobs.purge("ab/ab12/")
        assert blobs.residue("") == {}
    assert {0, 1, 2} == left
