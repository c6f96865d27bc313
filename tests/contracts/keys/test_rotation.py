"""Generations of a person's key, on every keyring."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from memory_lib.adapters.keys.sealing import AesGcmSealer, EnvelopeBroken, generation_of
from memory_lib.adapters.sql.people import new_user_id
from memory_lib.errors import KeyExhausted, KeyMissing
from tests.contracts.keyring_backends import PARAMS

TEXT = "чайка над пристанью".encode()


@pytest.fixture
def user(keyring):
    user = new_user_id()
    keyring.create(user)
    return user


def test_a_new_key_has_one_generation(keyring, user):
    assert keyring.generation(user) == 1
    assert keyring.generations(user) == (1,)
    assert keyring.finish(user) == 0
    assert keyring.open(user, 1) == keyring.open(user)


def test_a_rotation_makes_a_key_beside_the_present_one_everywhere_at_once(keyring, reopen, tmp_path, user):
    first = keyring.open(user)
    other = reopen(tmp_path)
    assert other.open(user) == first
    assert keyring.begin(user) == 2
    for each in (keyring, other, reopen(tmp_path)):
        assert each.generation(user) == 2
        assert each.generations(user) == (1, 2)
        assert each.open(user, 1) == first
        assert each.open(user).generation == 2
        assert each.open(user).key != first.key


def test_beginning_again_goes_on_with_the_same_generation(keyring, reopen, tmp_path, user):
    keyring.begin(user)
    made = keyring.open(user)
    assert reopen(tmp_path).begin(user) == 2
    assert keyring.open(user) == made


def test_finishing_destroys_the_older_keys_in_every_process(keyring, reopen, tmp_path, user):
    other = reopen(tmp_path)
    keyring.begin(user)
    other.open(user, 1)
    kept = other.open(user)
    assert keyring.finish(user) == 1
    for each in (keyring, other, reopen(tmp_path)):
        assert each.generations(user) == (2,)
        assert each.open(user) == kept
        with pytest.raises(KeyMissing):
            each.open(user, 1)
    assert keyring.finish(user) == 0
    assert keyring.begin(user) == 3


def test_destroying_takes_every_generation(keyring, reopen, tmp_path, user):
    keyring.begin(user)
    other = reopen(tmp_path)
    other.open(user, 1)
    keyring.destroy(user)
    assert not keyring.exists(user)
    assert not [path for path in (tmp_path / "keys" / "people").rglob("*") if path.is_file()]
    for each in (keyring, other):
        for use in (
            each.open,
            lambda who, each=each: each.open(who, 1),
            each.generation,
            each.generations,
            each.begin,
            each.finish,
        ):
            with pytest.raises(KeyMissing):
                use(user)


def test_what_was_sealed_before_a_rotation_opens_until_it_is_finished(keyring, sealer, user):
    before = sealer.seal(user, "node", "n1", TEXT)
    opened = sealer.opener(user)
    keyring.begin(user)
    after = sealer.seal(user, "node", "n2", TEXT)
    assert (generation_of(before), generation_of(after)) == (1, 2)
    for opening in (sealer.opener(user), opened):
        assert opening("node", "n1", before) == opening("node", "n2", after) == TEXT
    keyring.finish(user)
    assert sealer.open(user, "node", "n2", after) == TEXT
    with pytest.raises(EnvelopeBroken, match="generation 1"):
        sealer.open(user, "node", "n1", before)


def test_sealing_goes_over_to_the_new_key_while_it_goes_on_even_from_another_process(keyring, reopen, tmp_path, user):
    eager = AesGcmSealer(keyring, params=replace(PARAMS, checked_s=0.0))
    seal = eager.sealing(user)
    assert generation_of(seal("node", "n1", TEXT)) == 1
    reopen(tmp_path).begin(user)
    assert generation_of(seal("node", "n1", TEXT)) == 2
    reopen(tmp_path).destroy(user)
    with pytest.raises(KeyMissing):
        seal("node", "n1", TEXT)


def test_every_generation_has_a_count_of_its_own(keyring, user):
    keyring.reserve(user, PARAMS.seals_a_key)
    with pytest.raises(KeyExhausted, match="rotate-keys"):
        keyring.reserve(user, 1)
    keyring.begin(user)
    keyring.reserve(user, PARAMS.seals_a_key - 1)
    with pytest.raises(KeyExhausted):
        keyring.reserve(user, 1, generation=1)
    keyring.reserve(user, 1, generation=2)
    with pytest.raises(KeyExhausted):
        keyring.reserve(user, 1)
    keyring.finish(user)
    with pytest.raises(KeyMissing):
        keyring.reserve(user, 1, generation=1)


def test_a_key_is_worn_out_well_before_it_is_exhausted(keyring, user):
    keyring.reserve(user, PARAMS.rotate_at - 1)
    assert not keyring.outworn(user)
    keyring.reserve(user, 1)
    assert keyring.outworn(user)
    keyring.begin(user)
    assert not keyring.outworn(user)


def test_an_exhausted_key_seals_again_after_a_rotation(keyring, sealer, user):
    keyring.reserve(user, PARAMS.seals_a_key)
    with pytest.raises(KeyExhausted):
        sealer.seal(user, "node", "n1", TEXT)
    keyring.begin(user)
    assert sealer.open(user, "node", "n1", sealer.seal(user, "node", "n1", TEXT)) == TEXT


def test_a_copy_of_the_deployments_secrets_opens_nobody_who_was_destroyed_and_a_copy_of_the_wrapped_key_does(
    keyring, sealer, reopen, tmp_path, user
):
    envelope = sealer.seal(user, "node", "n1", TEXT)
    keys, copy = tmp_path / "keys", tmp_path / "copy"
    shutil.copytree(keys, copy)
    keyring.destroy(user)
    for each in copy.iterdir():
        if each.is_file():
            shutil.copy2(each, keys / each.name)
    with pytest.raises(KeyMissing):
        AesGcmSealer(reopen(tmp_path), params=PARAMS).open(user, "node", "n1", envelope)
    # what docs/keys.md says of backups of the folder, and why they live seven days
    shutil.copytree(copy / "people", keys / "people", dirs_exist_ok=True)
    assert AesGcmSealer(reopen(tmp_path), params=PARAMS).open(user, "node", "n1", envelope) == TEXT
