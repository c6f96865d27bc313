from __future__ import annotations

from datetime import timedelta

import pytest

from memory_lib.adapters.sql.people import new_user_id
from memory_lib.errors import LeaseLost, UnknownUser
from tests.contracts.ledger.said import NOW

MINUTE = timedelta(seconds=60)


def take(ledger, user, holder, *, now=NOW, kind="write", ttl_s=60.0):
    return ledger.leases.acquire(user, kind, holder=holder, ttl_s=ttl_s, now=now)


def test_one_holder_at_a_time(ledger, user):
    lease = take(ledger, user, "one")
    assert (lease.user, lease.kind, lease.holder, lease.expires_at) == (user, "write", "one", NOW + MINUTE)
    assert take(ledger, user, "two") is None
    assert take(ledger, user, "two", now=NOW + MINUTE - timedelta(microseconds=1)) is None


def test_an_expired_lease_goes_to_the_next_with_a_higher_token(ledger, user):
    first = take(ledger, user, "one")
    second = take(ledger, user, "two", now=NOW + MINUTE)
    assert second.token > first.token


def test_tokens_rise_whatever_happened_between(ledger, user):
    tokens = []
    for n in range(4):
        lease = take(ledger, user, f"holder {n}")
        tokens.append(lease.token)
        ledger.leases.release(lease)
        ledger.leases.release(lease)
    assert tokens == sorted(set(tokens))


def test_a_lease_from_the_future_counts_as_expired(ledger, user):
    future = take(ledger, user, "one", now=NOW + timedelta(days=365))
    taken = take(ledger, user, "two")
    assert taken.token > future.token
    with pytest.raises(LeaseLost):
        ledger.leases.renew(future, ttl_s=60.0, now=NOW)


@pytest.mark.parametrize("earlier", [timedelta(microseconds=1), timedelta(seconds=1), MINUTE])
def test_who_read_the_clock_a_little_earlier_does_not_take_a_running_lease(ledger, user, earlier):
    take(ledger, user, "one")
    assert take(ledger, user, "two", now=NOW - earlier) is None


def test_a_released_lease_is_free_although_the_clock_was_set_back(ledger, user):
    ledger.leases.release(take(ledger, user, "one"))
    assert take(ledger, user, "two", now=NOW - timedelta(seconds=1)) is not None


def test_a_renewed_lease_lasts_longer(ledger, user):
    lease = take(ledger, user, "one")
    renewed = ledger.leases.renew(lease, ttl_s=60.0, now=NOW + timedelta(seconds=50))
    assert renewed.token == lease.token
    assert renewed.expires_at == NOW + timedelta(seconds=110)
    assert take(ledger, user, "two", now=NOW + timedelta(seconds=100)) is None


def test_a_lease_that_ran_out_may_be_renewed_while_nobody_took_it(ledger, user):
    lease = take(ledger, user, "one")
    assert ledger.leases.renew(lease, ttl_s=60.0, now=NOW + 5 * MINUTE).token == lease.token


def test_a_lease_that_somebody_took_cannot_be_renewed(ledger, user):
    lease = take(ledger, user, "one")
    second = take(ledger, user, "two", now=NOW + MINUTE)
    with pytest.raises(LeaseLost) as caught:
        ledger.leases.renew(lease, ttl_s=60.0, now=NOW + MINUTE)
    assert (caught.value.token, caught.value.highest) == (lease.token, second.token)
    ledger.leases.release(lease)
    assert take(ledger, user, "three", now=NOW + MINUTE) is None


def test_a_released_lease_is_free_and_cannot_be_renewed(ledger, user):
    lease = take(ledger, user, "one")
    ledger.leases.release(lease)
    with pytest.raises(LeaseLost):
        ledger.leases.renew(lease, ttl_s=60.0, now=NOW)
    assert take(ledger, user, "two") is not None


def test_the_same_holder_asking_again_gets_a_newer_grant(ledger, user):
    first, second = take(ledger, user, "one"), take(ledger, user, "one")
    assert second.token > first.token
    with pytest.raises(LeaseLost):
        ledger.leases.renew(first, ttl_s=60.0, now=NOW)


def test_kinds_and_people_are_apart(ledger, user):
    other = ledger.people.ensure("bob", now=NOW)
    assert take(ledger, user, "one")
    assert take(ledger, user, "two", kind="sleep")
    assert take(ledger, other, "two")


def test_nobody_leases_an_unknown_person(ledger):
    with pytest.raises(UnknownUser):
        take(ledger, new_user_id(), "one")
