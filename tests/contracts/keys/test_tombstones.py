from __future__ import annotations

import errno
import json
import stat
from dataclasses import replace

import pytest

from memory_lib.adapters.keys import key_files
from memory_lib.adapters.keys.tombstones import FileTombstones
from memory_lib.adapters.sql.people import new_user_id
from memory_lib.errors import DependencyDown, IllegalValue, KeyMissing
from memory_lib.ports.keys import Tombstone


@pytest.fixture
def tombstones(keyring, tmp_path):
    return FileTombstones(tmp_path, keyring)


def stone(tombstones, user, stage="bury"):
    return Tombstone(mark=tombstones.mark(user), at_us=1_700_000_000_000_000, stage=stage, counts={"graph": {"nodes": 3}})


def test_who_was_erased_is_known_by_every_process_and_nobody_else_is(tombstones, keyring, reopen, tmp_path):
    buried, alive = new_user_id(), new_user_id()
    assert tombstones.of(buried) is None
    assert tombstones.buried([buried, alive]) == ()
    made = stone(tombstones, buried)
    tombstones.put(made)
    other = FileTombstones(tmp_path, reopen(tmp_path))
    assert other.of(buried) == made
    assert other.of(alive) is None
    assert other.buried(iter([alive, buried])) == (buried,)


def test_a_further_stage_takes_the_place_of_the_former(tombstones):
    user = new_user_id()
    first = stone(tombstones, user)
    tombstones.put(first)
    further = replace(first, stage="scan", counts={"graph": {"nodes": 3}, "ledger": {"messages": 5}})
    tombstones.put(further)
    tombstones.put(further)
    assert tombstones.of(user) == further


def test_the_state_changes_with_every_tombstone(tombstones, keyring, reopen, tmp_path):
    seen = {tombstones.state()}
    for _ in range(5):
        tombstones.put(stone(tombstones, new_user_id()))
        seen.add(tombstones.state())
    assert len(seen) == 6
    assert FileTombstones(tmp_path, reopen(tmp_path)).state() == tombstones.state()


def test_a_tombstone_leads_nowhere_without_the_id(tombstones, keyring, reopen, tmp_path):
    user = new_user_id()
    tombstones.put(stone(tombstones, user))
    content = b"".join(
        path.read_bytes() + path.name.encode() for path in (tmp_path / "keys" / "tombstones").iterdir() if path.is_file()
    )
    assert user.encode() not in content
    assert FileTombstones(tmp_path / "other", reopen(tmp_path / "other")).mark(user) != tombstones.mark(user)


def test_tombstones_are_readable_by_their_owner_only(tombstones, tmp_path):
    tombstones.put(stone(tombstones, new_user_id()))
    folder = tmp_path / "keys" / "tombstones"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()] == [0o600]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"at_us": 1}', b'{"at_us": 1, "stage": "x", "counts": 3}'])
def test_a_damaged_tombstone_still_says_that_somebody_was_erased(tombstones, tmp_path, content):
    user = new_user_id()
    tombstones.put(stone(tombstones, user))
    (tmp_path / "keys" / "tombstones" / f"{tombstones.mark(user)}.json").write_bytes(content)
    assert tombstones.buried([user]) == (user,)
    with pytest.raises(KeyMissing, match="damaged"):
        tombstones.of(user)
    tombstones.put(stone(tombstones, user, "scan"))
    assert tombstones.of(user).stage == "scan"


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_a_stage_that_cannot_be_written_leaves_the_former(tombstones, tmp_path, monkeypatch, call):
    user = new_user_id()
    tombstones.put(stone(tombstones, user))

    def fail(*_arguments, **_options):
        raise OSError(errno.ENOSPC, "planted")

    monkeypatch.setattr(key_files.os, call, fail)
    with pytest.raises(DependencyDown, match="planted"):
        tombstones.put(stone(tombstones, user, "scan"))
    monkeypatch.undo()
    assert tombstones.of(user).stage == "bury"
    folder = tmp_path / "keys" / "tombstones"
    assert len(list(folder.iterdir())) == 1
    assert json.loads(next(folder.iterdir()).read_bytes())["stage"] == "bury"


@pytest.mark.parametrize("mark", ["", "ab", "../" * 21 + "a", "А" * 64])
def test_a_mark_is_never_a_path(tombstones, mark):
    with pytest.raises(IllegalValue):
        tombstones.put(Tombstone(mark=mark, at_us=0, stage="x", counts={}))
