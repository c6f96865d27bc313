from __future__ import annotations

import os
import stat
from dataclasses import replace

import pytest

from memory_lib.adapters.keys import key_files, local_keyring
from memory_lib.adapters.keys.local_keyring import LocalKeyring, read_id_key
from memory_lib.adapters.keys.params import KeyringParams
from memory_lib.adapters.sql.people import new_user_id
from memory_lib.errors import IllegalValue, KeyExhausted, KeyMissing, UnknownSetting
from tests.contracts.ledger.workers import create_keys, start

PARAMS = KeyringParams(seals_a_key=2**32, rotate_at=2**31, seals_reserved=4096, opened_keys=8, opened_s=60.0, checked_s=0.2)


def opened(root, id_key=None):
    return LocalKeyring(root, id_key=id_key, params=PARAMS)


def person_file(root, user):
    return root / "keys" / "people" / user[:2] / f"{user}.key"


def test_everything_is_readable_by_its_owner_only(tmp_path):
    opened(tmp_path).create(new_user_id())
    for path in (tmp_path / "keys").rglob("*"):
        assert stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600), path
    assert stat.S_IMODE((tmp_path / "keys").stat().st_mode) == 0o700


def test_rights_that_are_too_wide_are_tightened(tmp_path):
    user = new_user_id()
    key = opened(tmp_path).create(user)
    for path in [tmp_path / "keys", *(tmp_path / "keys").rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert opened(tmp_path).create(user) == key
    for path in (
        tmp_path / "keys",
        tmp_path / "keys" / "deployment.key",
        tmp_path / "keys" / "id.key",
        person_file(tmp_path, user),
    ):
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path


def test_rights_that_cannot_be_tightened_are_refused(tmp_path, monkeypatch):
    opened(tmp_path)
    (tmp_path / "keys" / "deployment.key").chmod(0o644)

    def refuse(*_arguments, **_options):
        raise PermissionError

    monkeypatch.setattr(key_files.os, "fchmod", refuse)
    with pytest.raises(KeyMissing, match="chmod 600"):
        opened(tmp_path)


def test_no_wrapped_key_file_holds_the_key(tmp_path):
    user = new_user_id()
    key = opened(tmp_path).create(user).key
    content = person_file(tmp_path, user).read_bytes()
    assert key not in content
    assert key.hex().encode() not in content


@pytest.mark.parametrize("name", ["deployment.key", "id.key"])
def test_a_lost_secret_is_never_made_anew_while_people_exist(tmp_path, name):
    opened(tmp_path).create(new_user_id())
    (tmp_path / "keys" / name).unlink()
    for _ in range(2):
        with pytest.raises(KeyMissing, match=r"restore"):
            opened(tmp_path)
        assert not (tmp_path / "keys" / name).exists()


@pytest.mark.parametrize("name", ["deployment.key", "id.key"])
@pytest.mark.parametrize("content", [b"", b"abc", b"\xff" * 64])
def test_a_damaged_secret_is_refused(tmp_path, name, content):
    opened(tmp_path)
    (tmp_path / "keys" / name).write_bytes(content)
    with pytest.raises(KeyMissing):
        opened(tmp_path)


def test_another_deployment_key_opens_no_person(tmp_path):
    user = new_user_id()
    opened(tmp_path).create(user)
    (tmp_path / "keys" / "deployment.key").write_text("ab" * 32)
    with pytest.raises(KeyMissing, match=r"deployment\.key"):
        opened(tmp_path).open(user)


def test_a_key_file_moved_to_another_person_does_not_open(tmp_path):
    keyring = opened(tmp_path)
    one, two = new_user_id(), new_user_id()
    keyring.create(one)
    keyring.create(two)
    person_file(tmp_path, two).write_bytes(person_file(tmp_path, one).read_bytes())
    with pytest.raises(KeyMissing):
        opened(tmp_path).open(two)


@pytest.mark.parametrize("length", [0, 10, 79])
def test_a_cut_key_file_does_not_open(tmp_path, length):
    user = new_user_id()
    opened(tmp_path).create(user)
    os.truncate(person_file(tmp_path, user), length)
    keyring = opened(tmp_path)
    for use in (keyring.open, lambda who: keyring.reserve(who, 1)):
        with pytest.raises(KeyMissing):
            use(user)


def test_an_unreadable_count_stops_sealing_and_not_reading(tmp_path):
    keyring, user = opened(tmp_path), new_user_id()
    key = keyring.create(user)
    with person_file(tmp_path, user).open("r+b") as file:
        file.seek(70)
        file.write(b"\xff")
    with pytest.raises(KeyExhausted):
        keyring.reserve(user, 1)
    assert keyring.open(user) == key


def test_destroying_overwrites_the_bytes_and_what_a_killed_maker_left(tmp_path):
    keyring, user = opened(tmp_path), new_user_id()
    keyring.create(user)
    path = person_file(tmp_path, user)
    left = path.with_name(f"{path.name}.0123456789abcdef.tmp")
    os.link(path, left)
    kept = tmp_path / "kept"
    os.link(path, kept)
    keyring.destroy(user)
    assert set(kept.read_bytes()) == {0}
    assert list(path.parent.iterdir()) == []


def test_the_id_key_may_be_given_and_is_not_written(tmp_path):
    given = bytes(range(32))
    keyring = opened(tmp_path, given)
    assert not (tmp_path / "keys" / "id.key").exists()
    assert all(given.hex() not in path.read_text("latin1") for path in (tmp_path / "keys").rglob("*") if path.is_file())
    assert keyring.id_key.hash("x") == opened(tmp_path, given).id_key.hash("x")


def test_another_id_key_than_the_homes_is_refused(tmp_path):
    opened(tmp_path, bytes(32))
    with pytest.raises(IllegalValue):
        opened(tmp_path, bytes([1] * 32))
    with pytest.raises(KeyMissing):
        opened(tmp_path)


def test_two_homes_that_share_the_id_key_share_ids_and_nothing_else(tmp_path):
    one, two = (opened(tmp_path / name, bytes(32)) for name in ("one", "two"))
    assert one.id_key.hash("x") == two.id_key.hash("x")
    assert one.external_id_tag("анна") != two.external_id_tag("анна")


def test_the_id_key_setting_is_digits_or_a_file(tmp_path):
    (tmp_path / "id").write_text("0f" * 32 + "\n")
    (tmp_path / "id").chmod(0o600)
    assert read_id_key("0f" * 32) == read_id_key(str(tmp_path / "id")) == b"\x0f" * 32
    (tmp_path / "wrong").write_text("secret")
    (tmp_path / "wrong").chmod(0o600)
    (tmp_path / "open").write_text("0f" * 32)
    (tmp_path / "open").chmod(0o644)
    for value in ("0f" * 31, str(tmp_path), *(str(tmp_path / name) for name in ("none", "wrong", "open")), ""):
        with pytest.raises(UnknownSetting) as caught:
            read_id_key(value)
        assert not value or value not in str(caught.value)
    assert stat.S_IMODE((tmp_path / "open").stat().st_mode) == 0o644, "a file that is not ours was changed"


def test_the_file_that_was_looked_at_is_the_one_that_is_read(tmp_path, monkeypatch):
    given = tmp_path / "id"
    given.write_text("0f" * 32)
    given.chmod(0o600)
    look = os.fstat

    def swapped(descriptor):
        found = look(descriptor)
        (tmp_path / "other").write_text("0a" * 32)
        (tmp_path / "other").replace(given)
        return found

    monkeypatch.setattr(local_keyring.os, "fstat", swapped)
    assert read_id_key(str(given)) == b"\x0f" * 32


def test_a_pipe_in_place_of_a_key_file_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe", 0o600)
    with pytest.raises(UnknownSetting):
        read_id_key(str(tmp_path / "pipe"))
    (tmp_path / "keys").mkdir(mode=0o700)
    os.mkfifo(tmp_path / "keys" / "id.key", 0o600)
    with pytest.raises(KeyMissing):
        opened(tmp_path)


def test_a_folder_in_place_of_a_key_file_is_left_as_it_is(tmp_path):
    (tmp_path / "keys" / "id.key").mkdir(parents=True, mode=0o755)
    with pytest.raises(KeyMissing):
        opened(tmp_path)
    assert stat.S_IMODE((tmp_path / "keys" / "id.key").stat().st_mode) == 0o755


@pytest.mark.parametrize("user", ["", "a", "../../etc/passwd", "анна", "ab/cd"])
def test_a_user_id_is_never_a_path(tmp_path, user):
    keyring = opened(tmp_path)
    for use in (keyring.create, keyring.open, keyring.exists, keyring.destroy, lambda who: keyring.reserve(who, 1)):
        with pytest.raises(KeyMissing):
            use(user)


def test_processes_making_keys_at_once_in_a_new_home_get_the_same(tmp_path):
    users = [new_user_id() for _ in range(5)]
    running = [start(create_keys, tmp_path, users) for _ in range(3)]
    for _, pipe in running:
        pipe.recv()
    for _, pipe in running:
        pipe.send("go")
    answers = [pipe.recv() for _, pipe in running]
    assert answers[0] == answers[1] == answers[2]
    limited = LocalKeyring(tmp_path, id_key=bytes(range(32)), params=replace(PARAMS, seals_a_key=180))
    for user in users:
        with pytest.raises(KeyExhausted):
            limited.reserve(user, 1)
    assert not list((tmp_path / "keys").rglob("*.tmp"))
