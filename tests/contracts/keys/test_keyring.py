from __future__ import annotations

import pytest

from memory_lib.adapters.sql.people import new_user_id
from memory_lib.errors import KeyExhausted, KeyMissing
from tests.contracts.keyring_backends import PARAMS


def test_a_made_key_opens_again_and_elsewhere(reopen, keyring, tmp_path):
    user = new_user_id()
    made = keyring.create(user)
    assert len(made.key) == 32
    assert (made.user, made.generation) == (user, 1)
    for other in (keyring, reopen(tmp_path)):
        assert other.open(user) == made
        assert other.create(user) == made


def test_each_person_has_a_key_of_their_own(keyring):
    assert keyring.create(new_user_id()).key != keyring.create(new_user_id()).key


def test_no_key_opens_before_it_is_made_or_after_it_is_destroyed(keyring):
    user = new_user_id()
    assert not keyring.exists(user)
    with pytest.raises(KeyMissing):
        keyring.open(user)
    keyring.create(user)
    assert keyring.exists(user)
    keyring.destroy(user)
    keyring.destroy(user)
    assert not keyring.exists(user)
    with pytest.raises(KeyMissing):
        keyring.open(user)
    with pytest.raises(KeyMissing):
        keyring.reserve(user, 1)


def test_seals_are_counted_across_openings_up_to_the_limit(reopen, keyring, tmp_path):
    user = new_user_id()
    keyring.create(user)
    keyring.reserve(user, PARAMS.seals_a_key - 1)
    again = reopen(tmp_path)
    with pytest.raises(KeyExhausted):
        again.reserve(user, 2)
    again.reserve(user, 1)
    with pytest.raises(KeyExhausted):
        keyring.reserve(user, 1)
    assert keyring.open(user).user == user


def test_a_name_gives_the_same_tag_here_and_another_in_another_deployment(reopen, keyring, tmp_path):
    assert keyring.external_id_tag("анна") == reopen(tmp_path).external_id_tag("анна")
    assert keyring.external_id_tag("анна") != reopen(tmp_path / "other").external_id_tag("анна")
    assert keyring.external_id_tag("анна") != keyring.external_id_tag("Анна")
    assert "анна" not in keyring.external_id_tag("анна")


def test_each_purpose_has_a_deployment_key_of_its_own(reopen, keyring, tmp_path):
    assert len(keyring.deployment_key("quarantine")) == 32
    assert keyring.deployment_key("quarantine") != keyring.deployment_key("external-id")
    assert keyring.deployment_key("quarantine") == reopen(tmp_path).deployment_key("quarantine")


def test_the_id_key_is_made_once(reopen, keyring, tmp_path):
    assert keyring.id_key.hash("x") == reopen(tmp_path).id_key.hash("x")
    assert keyring.id_key.hash("x") != reopen(tmp_path / "other").id_key.hash("x")


def test_no_key_shows_itself(keyring):
    made = keyring.create(new_user_id())
    for thing in (made, keyring, keyring.id_key):
        assert made.key.hex() not in repr(thing)
        assert repr(made.key) not in repr(thing)
