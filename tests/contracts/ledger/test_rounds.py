from __future__ import annotations

import numpy as np
import pytest

from memory_lib.adapters.sql.people import new_user_id
from memory_lib.domain.ids import MessageId
from memory_lib.errors import IllegalValue, UnknownUser
from memory_lib.ports.ledger import StoredRound


def turn(number, *, vector=None, round_id="a", stems=("работ", "walk"), speaker="Анна"):
    return StoredRound(message=MessageId(f"{number:032x}"), round_id=round_id, stems=stems, speaker=speaker, vector=vector)


def vector(seed, dimension=8):
    return np.random.default_rng(seed).normal(size=dimension).astype(np.float32)


def loaded(ledger, user, fingerprint="e5"):
    return {item.message: item for item in ledger.rounds.load(user, fingerprint=fingerprint)}


def test_a_round_comes_back_as_it_was(ledger, user):
    stored = turn(1, vector=vector(1), stems=("\ud83d", "\ud83d\ude00", "", "слов"), speaker=None)
    ledger.rounds.put(user, [stored, turn(2, stems=())], fingerprint="e5", dimension=8)
    back = loaded(ledger, user)
    assert (back[stored.message].stems, back[stored.message].speaker, back[stored.message].round_id) == (
        stored.stems,
        None,
        "a",
    )
    assert back[stored.message].vector.dtype == np.float32
    assert np.array_equal(back[stored.message].vector, stored.vector)
    assert back[turn(2).message] == turn(2, stems=())


def test_a_vector_of_another_embedder_is_not_given(ledger, user):
    ledger.rounds.put(user, [turn(1, vector=vector(1))], fingerprint="e5", dimension=8)
    for fingerprint in ("other", None):
        (item,) = ledger.rounds.load(user, fingerprint=fingerprint)
        assert item.vector is None
        assert item.stems == turn(1).stems


def test_have_tells_rounds_and_vectors_apart(ledger, user):
    ledger.rounds.put(user, [turn(1, vector=vector(1)), turn(2, round_id="b")], fingerprint="e5", dimension=8)
    one, two = turn(1).message, turn(2).message
    assert ledger.rounds.have(user, fingerprint="e5") == {one: ("a", True), two: ("b", False)}
    assert ledger.rounds.have(user, fingerprint="e5", among=[two, "unknown"]) == {two: ("b", False)}
    assert ledger.rounds.have(user, fingerprint="e5", among=[]) == {}
    assert ledger.rounds.have(user, fingerprint="other") == {one: ("a", False), two: ("b", False)}
    assert ledger.rounds.have(user, fingerprint=None) == {one: ("a", False), two: ("b", False)}


def test_putting_again_replaces(ledger, user):
    ledger.rounds.put(user, [turn(1)], fingerprint=None, dimension=None)
    ledger.rounds.put(user, [turn(1, round_id="b", vector=vector(2), stems=("x",))], fingerprint="e5", dimension=8)
    back = loaded(ledger, user)[turn(1).message]
    assert (back.round_id, back.stems) == ("b", ("x",))
    assert np.array_equal(back.vector, vector(2))
    ledger.rounds.put(user, [turn(1, round_id="c")], fingerprint=None, dimension=None)
    assert loaded(ledger, user)[turn(1).message].vector is None


def test_the_log_version_rises_with_each_put(ledger, user):
    ledger.rounds.put(user, [turn(n) for n in range(5)], fingerprint=None, dimension=None)
    ledger.rounds.put(user, [], fingerprint=None, dimension=None)
    assert ledger.people.person(user).log_version == 1


@pytest.mark.parametrize(("fingerprint", "dimension"), [(None, 8), ("e5", None), ("e5", 9)])
def test_a_vector_that_could_not_be_told_apart_later_is_refused(ledger, user, fingerprint, dimension):
    with pytest.raises(IllegalValue):
        ledger.rounds.put(user, [turn(1, vector=vector(1))], fingerprint=fingerprint, dimension=dimension)
    assert ledger.rounds.load(user, fingerprint="e5") == ()


def test_people_do_not_share_rounds(ledger, user):
    ledger.rounds.put(user, [turn(1)], fingerprint=None, dimension=None)
    assert ledger.rounds.load(new_user_id(), fingerprint=None) == ()


def test_an_unknown_person_has_no_rounds(ledger, keyring):
    user = new_user_id()
    keyring.create(user)
    with pytest.raises(UnknownUser):
        ledger.rounds.put(user, [turn(1)], fingerprint=None, dimension=None)
