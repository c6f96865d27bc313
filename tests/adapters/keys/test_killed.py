"""A process that changes keys is killed before each single change of a file; whoever comes next finds good keys."""

from __future__ import annotations

import itertools

import pytest

from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.adapters.keys.passphrase import PassphraseSecrets, change_passphrase
from memory_lib.adapters.sql.people import new_user_id
from tests.adapters.keys.workers import CHEAP, KILLED, PARAMS, die_at, keyring_of, start


def killed_everywhere(root, operation, prepare):
    """After each possible kill of ``operation``: the home it happened in, and what ``prepare`` returned of it."""
    for step in itertools.count():
        home = root / str(step)
        keyring, user = keyring_of(home), new_user_id()
        prepared = prepare(keyring, user)
        process, _ = start(die_at, home, operation, user, step)
        process.join()
        yield home, user, prepared
        if process.exitcode == 0:
            assert step > 3, "nothing was killed"
            return
        assert process.exitcode == KILLED


def people_files(home):
    return sorted(path.name for path in (home / "keys" / "people").rglob("*") if path.is_file())


@pytest.mark.slow
def test_a_rotation_killed_while_it_begins_leaves_one_good_key_or_two(tmp_path):
    seen = set()
    for home, user, first in killed_everywhere(tmp_path, "begin", lambda keyring, user: keyring.create(user)):
        keyring = keyring_of(home)
        seen.add(keyring.generations(user))
        assert keyring.open(user, 1) == first
        newest = keyring.open(user)
        assert keyring.begin(user) == 2
        assert keyring.generations(user) == (1, 2)
        assert newest in (first, keyring.open(user))
        assert keyring.finish(user) == 1
        assert keyring.generations(user) == (2,)
        assert people_files(home) == [f"{user}.key"]
    assert seen == {(1,), (1, 2)}


@pytest.mark.slow
def test_a_rotation_killed_while_it_finishes_keeps_the_new_key_and_never_the_old_one(tmp_path):
    def prepare(keyring, user):
        keyring.create(user)
        keyring.begin(user)
        return keyring.open(user)

    for home, user, newest in killed_everywhere(tmp_path, "finish", prepare):
        keyring = keyring_of(home)
        assert keyring.open(user) == newest
        # what is half gone counts as under way: no third key is made
        under_way = len(people_files(home)) > 1
        assert keyring.begin(user) == (2 if under_way else 3)
        keyring.finish(user)
        assert len(people_files(home)) == 1


@pytest.mark.slow
def test_a_destruction_that_was_killed_is_gone_on_with(tmp_path):
    def prepare(keyring, user):
        keyring.create(user)
        keyring.begin(user)

    for home, user, _ in killed_everywhere(tmp_path, "destroy", prepare):
        keyring = keyring_of(home)
        keyring.destroy(user)
        assert not keyring.exists(user)
        assert people_files(home) == []


@pytest.mark.slow
def test_a_change_of_the_passphrase_that_was_killed_is_gone_on_with(tmp_path):
    def prepare(keyring, user):
        return keyring.create(user), keyring.deployment_key("x")

    for home, user, (key, derived) in killed_everywhere(tmp_path, "passphrase", prepare):
        change_passphrase(home, old=None, new="сени и калитка", params=CHEAP)
        secrets = PassphraseSecrets("сени и калитка", params=CHEAP)
        keyring = LocalKeyring(home, id_key=None, params=PARAMS, secrets=secrets)
        assert (keyring.open(user), keyring.deployment_key("x")) == (key, derived)
        assert not list((home / "keys").glob("*.tmp"))
