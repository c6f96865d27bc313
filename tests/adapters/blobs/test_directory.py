"""A local directory of blobs: what a sick disk does to it, rights, temporary files, flipped bits."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory_lib.adapters.blobs import directory
from memory_lib.adapters.blobs.directory import TRAILER_BYTES, DirectoryBlobs
from memory_lib.adapters.blobs.file_errors import FOR_NOW, TO_BE_MENDED, translated
from memory_lib.errors import DependencyDown, Permanent, SealBroken

PATH = "ab/ab12/000000000001/core"
OLD = b"old content"


@pytest.fixture
def blobs(tmp_path: Path) -> DirectoryBlobs:
    return DirectoryBlobs(tmp_path / "blobs")


def everything(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != "~lock"
    }


def failing(call: Callable, code: int, *, at: int) -> Callable:
    """``call``, of which the ``at``-th fails."""
    calls = 0

    def broken(*arguments, **options):
        nonlocal calls
        calls += 1
        if calls == at:
            raise OSError(code, os.strerror(code), str(arguments[0]))
        return call(*arguments, **options)

    return broken


SICK = [("write", 1), ("fsync", 1), ("fsync", 2), ("link", 1), ("open", 1)]


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS])
@pytest.mark.parametrize(("call", "at"), SICK)
def test_a_new_blob_on_a_sick_disk_leaves_nothing(
    blobs: DirectoryBlobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, call: str, at: int
) -> None:
    blobs.put(f"{PATH}.0", OLD)
    before = everything(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(os, call, failing(getattr(os, call), code, at=at))
        with pytest.raises(Permanent, match=errno.errorcode[code]) as raised:
            blobs.put(PATH, b"new content" * 1000)
    assert str(tmp_path) not in str(raised.value)
    assert everything(tmp_path) == before
    assert blobs.get(PATH) is None
    blobs.put(PATH, b"new content")


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO])
@pytest.mark.parametrize(("call", "at"), [("write", 1), ("fsync", 1), ("replace", 1), ("open", 1), ("open", 2)])
def test_a_replaced_blob_on_a_sick_disk_stays_as_it_was(
    blobs: DirectoryBlobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, call: str, at: int
) -> None:
    etag = blobs.put(PATH, OLD).etag
    before = everything(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(os, call, failing(getattr(os, call), code, at=at))
        with pytest.raises(Permanent, match=errno.errorcode[code]):
            blobs.put(PATH, b"new content" * 1000, replacing=etag)
    assert everything(tmp_path) == before
    assert blobs.get(PATH) == OLD
    blobs.put(PATH, b"new content", replacing=etag)


def test_a_disk_that_takes_a_few_bytes_at_a_time_gets_them_all(blobs: DirectoryBlobs, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", lambda descriptor, data: write(descriptor, bytes(data[:7])))
        blobs.put(PATH, b"x" * 100)
    assert blobs.get(PATH) == b"x" * 100


@pytest.mark.slow
def test_a_disk_that_is_really_full_leaves_nothing(
    blobs: DirectoryBlobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blobs.put(f"{PATH}.0", OLD)
    before = everything(tmp_path)
    opened = os.open
    with monkeypatch.context() as patch:
        # the kernel's own answer, from the device that is always full
        patch.setattr(
            os,
            "open",
            lambda path, flags, *mode: opened("/dev/full", os.O_WRONLY) if flags & os.O_EXCL else opened(path, flags, *mode),
        )
        with pytest.raises(Permanent, match="ENOSPC"):
            blobs.put(PATH, b"new content" * 1000)
    assert everything(tmp_path) == before


def test_what_goes_away_by_itself_is_told_from_what_must_be_mended() -> None:
    for code in FOR_NOW:
        assert isinstance(translated(OSError(code, "x"), PATH), DependencyDown)
    for code in TO_BE_MENDED:
        assert type(translated(OSError(code, "x"), PATH)) is Permanent
    assert not set(FOR_NOW) & set(TO_BE_MENDED)
    assert type(translated(OSError(errno.EXFULL, "x"), PATH)) is Permanent


def test_a_disk_that_does_not_read_says_so(blobs: DirectoryBlobs, monkeypatch: pytest.MonkeyPatch) -> None:
    blobs.put(PATH, OLD)

    def sick(_path: Path) -> bytes:
        raise OSError(errno.EIO, "x")

    with monkeypatch.context() as patch:
        patch.setattr(directory.Path, "read_bytes", sick)
        with pytest.raises(Permanent, match="EIO"):
            blobs.get(PATH)
    assert blobs.get(PATH) == OLD


def test_files_and_folders_are_for_their_owner_only(blobs: DirectoryBlobs, tmp_path: Path) -> None:
    blobs.put(PATH, OLD)
    root = tmp_path / "blobs"
    for path in [root, *root.rglob("*")]:
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path


def test_every_flipped_bit_of_a_4_kb_file_is_refused(blobs: DirectoryBlobs, tmp_path: Path) -> None:
    blobs.put(PATH, os.urandom(4096 - TRAILER_BYTES))
    file = tmp_path / "blobs" / PATH
    whole = file.read_bytes()
    assert len(whole) == 4096
    for place in [*range(0, 4096, 61), *range(4096 - TRAILER_BYTES - 1, 4096)]:
        for bit in range(8):
            file.write_bytes(whole[:place] + bytes([whole[place] ^ 1 << bit]) + whole[place + 1 :])
            with pytest.raises(SealBroken, match=PATH):
                blobs.get(PATH)
    for length in (0, 1, TRAILER_BYTES - 1, TRAILER_BYTES, 4095):
        file.write_bytes(whole[:length])
        with pytest.raises(SealBroken, match=PATH):
            blobs.get(PATH)


def test_temporary_files_count_as_parts_of_their_path_and_are_reaped_when_old(blobs: DirectoryBlobs, tmp_path: Path) -> None:
    blobs.put(PATH, OLD)
    left = tmp_path / "blobs" / f"{PATH}~0123456789abcdef"
    left.write_bytes(b"half")
    assert [info.path for info in blobs.list("")] == [PATH]
    assert blobs.residue("ab/ab12/") == {"content": 1, "parts": 1}
    assert blobs.residue("ab/ab13/") == {}
    now = datetime.now(UTC)
    assert blobs.reap(older_than=now - timedelta(hours=1)) == 0
    os.utime(left, (now.timestamp() - 7200,) * 2)
    assert blobs.reap(older_than=now - timedelta(hours=1)) == 1
    assert blobs.residue("") == {"content": 1}


def test_folders_go_with_their_last_file(blobs: DirectoryBlobs, tmp_path: Path) -> None:
    blobs.put(PATH, OLD)
    blobs.put("ab/ab13/core", OLD)
    blobs.delete([PATH])
    assert sorted(path.name for path in (tmp_path / "blobs").rglob("*")) == ["ab", "ab13", "core", "~lock"]
    blobs.purge("")
    assert [path.name for path in (tmp_path / "blobs").iterdir()] == ["~lock"]


def test_looking_makes_nothing(tmp_path: Path) -> None:
    blobs = DirectoryBlobs(tmp_path / "blobs")
    assert blobs.get(PATH) is None
    assert blobs.list("") == ()
    assert blobs.purge("") == {}
    assert not (tmp_path / "blobs").exists()


def test_a_damaged_file_can_be_replaced_by_its_listed_etag(blobs: DirectoryBlobs, tmp_path: Path) -> None:
    blobs.put(PATH, OLD)
    (tmp_path / "blobs" / PATH).write_bytes(b"x")
    (there,) = blobs.list("")
    blobs.put(PATH, b"new", replacing=there.etag)
    assert blobs.get(PATH) == b"new"
