"""Exports that wait: sealed, in parts where they are large, gone with the person."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from memory_lib.adapters import exports
from memory_lib.adapters.exports import SealedExports
from memory_lib.adapters.keys.file_sealing import AesGcmFileSealer
from memory_lib.domain.ids import UserId
from memory_lib.errors import IllegalValue, KeyMissing, SealBroken, UnreadableFile
from memory_lib.settings import Settings
from tests.contracts.ledger_backends import keys_of

ANNA, BEN, NAME = UserId("a" * 32), UserId("b" * 32), "c" * 32


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SealedExports:
    monkeypatch.setattr(exports, "PART_BYTES", 100)
    keyring, _ = keys_of(tmp_path)
    for user in (ANNA, BEN):
        keyring.create(user)
    return SealedExports(tmp_path, AesGcmFileSealer(keyring, params=Settings().file_sealing))


@pytest.mark.parametrize("size", [0, 1, 100, 101, 1050])
def test_whatever_is_kept_comes_back(kept: SealedExports, tmp_path: Path, size: int) -> None:
    data = bytes(number % 251 for number in range(size))
    kept.keep(ANNA, NAME, data)
    assert kept.fetch(ANNA, NAME) == data
    files = [path for path in (tmp_path / "exports").rglob("*") if path.is_file()]
    assert len(files) == max(1, -(-size // 100))
    assert kept.residue(ANNA) == {"files": len(files)}


def test_parts_do_not_change_places(kept: SealedExports, tmp_path: Path) -> None:
    kept.keep(ANNA, NAME, bytes(300))
    second, third = (tmp_path / "exports" / ANNA / f"{NAME}.{number}.sealed" for number in (2, 3))
    second.write_bytes(third.read_bytes())
    with pytest.raises(SealBroken):
        kept.fetch(ANNA, NAME)


def test_they_go_with_the_person_and_nobody_elses(kept: SealedExports, tmp_path: Path) -> None:
    kept.keep(ANNA, NAME, bytes(300))
    kept.keep(BEN, NAME, bytes(3))
    (tmp_path / "exports" / ANNA / "half.tmp").write_bytes(b"left by a killed one")
    assert kept.erase(ANNA) == {"files": 4}
    assert kept.residue(ANNA) == kept.erase(ANNA) == {}
    with pytest.raises(UnreadableFile):
        kept.fetch(ANNA, NAME)
    assert kept.fetch(BEN, NAME) == bytes(3)


def test_without_the_key_nothing_opens(kept: SealedExports, tmp_path: Path) -> None:
    kept.keep(ANNA, NAME, b"words")
    keys_of(tmp_path)[0].destroy(ANNA)
    with pytest.raises(KeyMissing):
        kept.fetch(ANNA, NAME)


@pytest.mark.parametrize("name", ["", "..", "../" + "c" * 32, "C" * 32])
def test_a_name_is_an_id(kept: SealedExports, name: str) -> None:
    with pytest.raises(IllegalValue):
        kept.keep(ANNA, name, b"")
    with pytest.raises(IllegalValue):
        kept.residue(UserId(name))


def test_after_a_rotation_they_are_sealed_anew_and_open(kept: SealedExports, tmp_path: Path) -> None:
    kept.keep(ANNA, NAME, bytes(250))
    keyring, _ = keys_of(tmp_path)
    assert (kept.outdated(ANNA), kept.reseal(ANNA, limit=10)) == (0, 0)
    keyring.begin(ANNA)
    fresh = SealedExports(tmp_path, AesGcmFileSealer(keyring, params=Settings().file_sealing))
    assert fresh.outdated(ANNA) == 3
    assert (fresh.reseal(ANNA, limit=2), fresh.reseal(ANNA, limit=2), fresh.reseal(ANNA, limit=2)) == (2, 1, 0)
    keyring.finish(ANNA)
    assert fresh.fetch(ANNA, NAME) == bytes(250)


def test_who_has_exports_is_for_the_owner_alone(kept: SealedExports, tmp_path: Path) -> None:
    kept.keep(ANNA, NAME, b"data")
    for path in (tmp_path / "exports", *(tmp_path / "exports").rglob("*")):
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path
