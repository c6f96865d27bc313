from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from memory_lib.adapters.sql.people import new_user_id
from memory_lib.domain.ids import MessageId
from memory_lib.errors import FingerprintMismatch, IllegalValue, KeyMissing
from memory_lib.ports.ledger import StagedUnit, StoredRound
from tests.contracts.ledger.test_staging import unit

NEW: dict[str, Any] = {"fingerprint": "new", "dimension": 6}
WHO: dict[str, Any] = {"reasoner": "rules", "version": "1"}


def message(number):
    return MessageId(f"{number:032x}")


def vector(seed, dimension=6):
    return np.random.default_rng(seed).normal(size=dimension).astype(np.float32)


@pytest.fixture
def filled(ledger, user):
    """Three rounds (one without a vector) and three units (one without candidates, one of another reasoner)."""
    rounds = [StoredRound(message(n), f"r{n}", ("a",), None, None if n == 3 else vector(n, 4)) for n in (1, 2, 3)]
    ledger.rounds.put(user, rounds, fingerprint="old", dimension=4)
    units = [unit("u1"), unit("u2", count=0), unit("u3", reasoner="other")]
    ledger.staging.put(user, [StagedUnit(u.extraction, u.vectors, "old") for u in units])
    return ledger


def wanting(ledger, user, fingerprint="new"):
    return ledger.next_vectors.wanting(user, fingerprint=fingerprint, **WHO)


def make_all(ledger, user):
    ledger.next_vectors.put_rounds(user, {message(n): (f"r{n}", vector(10 + n)) for n in (1, 2, 3)}, **NEW)
    ledger.next_vectors.put_units(user, {"u1": np.stack([vector(20), vector(21)])}, **WHO, **NEW)


def switch(ledger, user, *, without=frozenset(), log_version=None, **changes):
    version = ledger.people.person(user).log_version if log_version is None else log_version
    return ledger.next_vectors.switch(user, **{**NEW, **changes}, log_version=version, **WHO, without=frozenset(without))


def test_the_first_vector_says_by_whom_a_person_is_served(ledger, user):
    assert ledger.people.person(user).fingerprint is None
    ledger.rounds.put(user, [StoredRound(message(1), "r1", (), None, None)], fingerprint="old", dimension=4)
    assert ledger.people.person(user).fingerprint is None
    ledger.rounds.put(user, [StoredRound(message(1), "r1", (), None, vector(1, 4))], fingerprint="old", dimension=4)
    assert ledger.people.person(user).fingerprint == "old"
    with pytest.raises(FingerprintMismatch, match="run reembed"):
        ledger.rounds.put(user, [StoredRound(message(2), "r2", (), None, vector(2))], **NEW)
    ledger.rounds.put(user, [StoredRound(message(2), "r2", (), None, None)], **NEW)
    assert ledger.people.person(user).fingerprint == "old"


def test_what_lacks_a_vector_of_one_embedder(filled, user):
    found = wanting(filled, user)
    assert (found.rounds, found.units, found.ahead) == ({message(n): f"r{n}" for n in (1, 2, 3)}, ("u1",), 0)
    found = wanting(filled, user, "old")
    assert (found.rounds, found.units) == ({message(3): "r3"}, ())


def test_what_is_made_ahead_lacks_no_more_and_serves_nobody_yet(filled, user):
    before = filled.people.person(user)
    make_all(filled, user)
    found = wanting(filled, user)
    assert (found.rounds, found.units, found.ahead) == ({}, (), 4)
    assert filled.people.person(user) == before
    assert {r.message: r.vector is not None for r in filled.rounds.load(user, fingerprint="old")} == {
        message(1): True,
        message(2): True,
        message(3): False,
    }


def test_a_vector_of_words_that_changed_since_is_not_taken(filled, user):
    filled.next_vectors.put_rounds(user, {message(1): ("an older round", vector(1))}, **NEW)
    assert message(1) in wanting(filled, user).rounds


def test_the_switch_moves_everything_and_nothing_of_the_old_is_left(filled, user):
    make_all(filled, user)
    version = filled.people.person(user).log_version
    assert switch(filled, user)
    person = filled.people.person(user)
    assert person.fingerprint == "new"
    assert person.log_version > version
    rounds = {r.message: r for r in filled.rounds.load(user, fingerprint="new")}
    for number in (1, 2, 3):
        np.testing.assert_array_equal(rounds[message(number)].vector, vector(10 + number))
        assert rounds[message(number)].stems == ("a",)
    (one,) = filled.staging.units(user, ["u1"], **WHO)
    np.testing.assert_array_equal(one.vectors, np.stack([vector(20), vector(21)]))
    assert one.fingerprint == "new"
    (other,) = filled.staging.units(user, ["u3"], reasoner="other", version="1")
    assert (other.vectors, other.fingerprint) == (None, None)
    assert wanting(filled, user).ahead == 0
    assert all(r.vector is None for r in filled.rounds.load(user, fingerprint="old"))


def test_it_refuses_while_a_unit_lacks_its_vectors(filled, user):
    filled.next_vectors.put_rounds(user, {message(n): (f"r{n}", vector(n)) for n in (1, 2, 3)}, **NEW)
    assert not switch(filled, user)
    assert filled.people.person(user).fingerprint == "old"
    assert wanting(filled, user).ahead == 3
    assert switch(filled, user, without=["u1"])
    (one,) = filled.staging.units(user, ["u1"], **WHO)
    assert one.vectors is None


def test_it_refuses_where_the_log_has_moved_on(filled, user):
    make_all(filled, user)
    version = filled.people.person(user).log_version
    filled.rounds.put(user, [StoredRound(message(4), "r4", (), None, vector(4, 4))], fingerprint="old", dimension=4)
    assert not switch(filled, user, log_version=version)
    assert filled.people.person(user).fingerprint == "old"


def test_a_round_without_a_new_vector_keeps_no_old_one(filled, user):
    filled.next_vectors.put_units(user, {"u1": np.stack([vector(20), vector(21)])}, **WHO, **NEW)
    assert switch(filled, user)
    assert all(r.vector is None for r in filled.rounds.load(user, fingerprint="new"))
    assert set(filled.rounds.have(user, fingerprint="new").values()) == {(f"r{n}", False) for n in (1, 2, 3)}


def test_for_a_third_embedder_what_was_made_for_the_second_goes(filled, user):
    make_all(filled, user)
    filled.next_vectors.put_rounds(user, {message(1): ("r1", vector(5, 3))}, fingerprint="third", dimension=3)
    assert wanting(filled, user).ahead == 0
    assert wanting(filled, user, "third").ahead == 1
    assert switch(filled, user, fingerprint="third", dimension=3, without=["u1"])
    vectors = {r.message: r.vector for r in filled.rounds.load(user, fingerprint="third")}
    np.testing.assert_array_equal(vectors[message(1)], vector(5, 3))
    assert vectors[message(2)] is None


def test_missing_vectors_of_the_serving_embedder_are_filled_in_beside_the_others(filled, user):
    filled.next_vectors.put_rounds(user, {message(3): ("r3", vector(3, 4))}, fingerprint="old", dimension=4)
    assert switch(filled, user, fingerprint="old", dimension=4)
    assert all(r.vector is not None for r in filled.rounds.load(user, fingerprint="old"))


def test_people_do_not_share_what_is_made_ahead(filled, user):
    make_all(filled, user)
    from tests.contracts.ledger.said import NOW

    other = filled.people.ensure("борис", now=NOW)
    assert wanting(filled, other).ahead == 0
    filled.next_vectors.put_rounds(other, {message(1): ("r1", vector(1, 3))}, fingerprint="third", dimension=3)
    assert wanting(filled, user).ahead == 4


@pytest.mark.parametrize("given", [vector(1, 5), vector(1).reshape(1, 6)])
def test_a_vector_of_another_size_is_refused(filled, user, given):
    with pytest.raises(IllegalValue):
        filled.next_vectors.put_rounds(user, {message(1): ("r1", given)}, **NEW)
    assert wanting(filled, user).ahead == 0


def test_nobody_has_nothing_to_make(ledger):
    assert wanting(ledger, new_user_id()).rounds == {}
    with pytest.raises(KeyMissing):
        ledger.next_vectors.put_rounds(new_user_id(), {message(1): ("r1", vector(1))}, **NEW)
