from __future__ import annotations

import pytest
from cryptography.exceptions import InvalidTag
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_lib.adapters.keys.sealing import OVERHEAD, AesGcmSealer, EnvelopeBroken
from memory_lib.adapters.sql.people import new_user_id
from memory_lib.errors import KeyExhausted, KeyMissing, SealBroken
from tests.contracts.keyring_backends import PARAMS

SECRET = "тайное озеро".encode()


@pytest.fixture
def user(keyring):
    user = new_user_id()
    keyring.create(user)
    return user


@pytest.mark.parametrize("payload", [b"", b"\0", SECRET, b"x" * 1_000_000])
def test_what_was_sealed_opens_again(sealer, user, payload):
    envelope = sealer.seal(user, "node", "n1", payload)
    assert sealer.open(user, "node", "n1", envelope) == payload
    assert len(envelope) == len(payload) + OVERHEAD
    assert not payload or len(payload) < 8 or payload not in envelope


def test_the_fast_paths_are_the_same_seal(sealer, user):
    seal, opened = sealer.sealing(user), sealer.opener(user)
    assert opened("node", "n1", sealer.seal(user, "node", "n1", SECRET)) == SECRET
    assert sealer.open(user, "edge", "n1", seal("edge", "n1", SECRET)) == SECRET


def test_sealing_twice_never_gives_the_same_bytes(sealer, user):
    assert len({sealer.seal(user, "node", "n1", b"") for _ in range(50)}) == 50


def test_an_envelope_opens_only_where_it_was_made_for(sealer, keyring, user):
    other = new_user_id()
    keyring.create(other)
    envelope = sealer.seal(user, "node", "n1", SECRET)
    for place in (
        (other, "node", "n1"),
        (user, "edge", "n1"),
        (user, "node", "n2"),
        (user, "noden", "1"),
        (user, "nod", "en1"),
    ):
        with pytest.raises(SealBroken):
            sealer.open(*place, envelope)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_change_of_an_envelope_is_seen_and_said_without_its_content(sealer, user, data):
    envelope = bytearray(sealer.seal(user, "node", "n1", SECRET))
    if data.draw(st.booleans()):
        envelope[data.draw(st.integers(0, len(envelope) - 1))] ^= data.draw(st.integers(1, 255))
    else:
        del envelope[data.draw(st.integers(0, len(envelope) - 1)) :]
    for opened in (
        lambda: sealer.open(user, "node", "n1", bytes(envelope)),
        lambda: sealer.opener(user)("node", "n1", bytes(envelope)),
    ):
        with pytest.raises(SealBroken) as caught:
            opened()
        assert isinstance(caught.value, EnvelopeBroken)
        assert caught.value.kind == "node"
        assert caught.value.generation >= -1
        assert "озеро" not in str(caught.value)
        assert caught.value.__cause__ is None or not isinstance(caught.value.__cause__, InvalidTag)


def test_nothing_opens_or_seals_once_the_key_is_destroyed_even_by_another_process(reopen, sealer, user, tmp_path):
    envelope = sealer.seal(user, "node", "n1", SECRET)
    reopen(tmp_path).destroy(user)
    for attempt in (
        lambda: sealer.open(user, "node", "n1", envelope),
        lambda: sealer.seal(user, "node", "n1", SECRET),
        lambda: sealer.opener(user),
        lambda: sealer.sealing(user),
    ):
        with pytest.raises(KeyMissing):
            attempt()


def test_a_forgotten_key_is_opened_again_when_needed(sealer, user):
    envelope = sealer.seal(user, "node", "n1", SECRET)
    sealer.forget(user)
    sealer.forget(user)
    assert sealer.open(user, "node", "n1", envelope) == SECRET


def test_more_people_than_are_kept_open(sealer, keyring):
    users = [new_user_id() for _ in range(3 * PARAMS.opened_keys)]
    for user in users:
        keyring.create(user)
    envelopes = {user: sealer.seal(user, "node", "n1", user.encode()) for user in users}
    assert {user: sealer.open(user, "node", "n1", envelopes[user]) for user in users} == {u: u.encode() for u in users}


def test_seals_are_reserved_before_they_happen_and_end_at_the_limit(keyring, user):
    # a sealer that dies takes its whole reservation with it
    for _ in range(PARAMS.seals_a_key // PARAMS.seals_reserved):
        AesGcmSealer(keyring, params=PARAMS).seal(user, "node", "n1", b"")
    with pytest.raises(KeyExhausted):
        AesGcmSealer(keyring, params=PARAMS).seal(user, "node", "n1", b"")


def test_one_reservation_serves_as_many_seals_as_it_says(sealer, keyring, user, monkeypatch):
    reserved = []
    reserve = keyring.reserve
    monkeypatch.setattr(keyring, "reserve", lambda who, seals, **of: (reserved.append(seals), reserve(who, seals, **of)))
    for _ in range(3 * PARAMS.seals_reserved):
        sealer.seal(user, "node", "n1", b"")
    assert reserved == [PARAMS.seals_reserved] * 3
