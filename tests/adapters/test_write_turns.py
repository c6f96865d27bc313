from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.adapters.write_turns import WRITE, LeasedTurns, WriteTurnParams
from memory_lib.domain.ids import UserId
from memory_lib.errors import LeaseLost, StoreBusy
from memory_lib.ports.ledger import Lease
from tests.contracts.ledger_backends import BACKENDS, keys_of

SHORT = WriteTurnParams(ttl_s=0.3, wait_s=0.05, poll_s=0.01)


class Wall:
    def now(self) -> datetime:
        return datetime.now(UTC)


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    keyring, sealer = keys_of(tmp_path)
    with BACKENDS["sqlite"].open(tmp_path, sealer, keyring) as opened:
        yield opened


@pytest.fixture
def anna(ledger: Ledger) -> UserId:
    return ledger.people.ensure("anna", now=Wall().now())


def taken(ledger: Ledger, user: UserId) -> bool:
    """Whether a writer who asks now gets no turn."""
    lease = ledger.leases.acquire(user, WRITE, holder="other", ttl_s=1.0, now=Wall().now())
    return lease is None


def test_a_second_writer_waits_and_says_that_it_waited_too_long(ledger: Ledger, anna: UserId) -> None:
    turns = LeasedTurns(ledger.leases, Wall(), params=SHORT)
    with turns.hold(anna), pytest.raises(StoreBusy), turns.hold(anna):
        pass


def test_a_plain_turn_ends_with_its_lease_and_a_renewing_one_lasts(ledger: Ledger, anna: UserId) -> None:
    turns = LeasedTurns(ledger.leases, Wall(), params=SHORT)
    with turns.hold(anna, renewing=True):
        time.sleep(3 * SHORT.ttl_s)
        assert taken(ledger, anna)
    with turns.hold(anna):
        time.sleep(1.5 * SHORT.ttl_s)
        assert not taken(ledger, anna)


def test_a_renewing_turn_keeps_its_token_and_is_given_back(ledger: Ledger, anna: UserId) -> None:
    turns = LeasedTurns(ledger.leases, Wall(), params=SHORT)
    with turns.hold(anna, renewing=True) as first:
        time.sleep(SHORT.ttl_s)
    with turns.hold(anna) as second:
        assert second.token > first.token


def test_a_ledger_put_back_from_a_backup_catches_up_with_the_stores(ledger: Ledger, anna: UserId) -> None:
    turns = LeasedTurns(ledger.leases, Wall(), params=SHORT)
    with pytest.raises(LeaseLost), turns.hold(anna) as old:
        raise LeaseLost(token=old.token, highest=500)  # as a store does that has seen later grants
    with turns.hold(anna) as turn:
        assert turn.token > 500


def test_a_turn_that_really_lost_its_lease_moves_no_token(ledger: Ledger, anna: UserId) -> None:
    turns = LeasedTurns(ledger.leases, Wall(), params=SHORT)
    taken_over: list[Lease | None] = []

    def lose() -> None:
        with turns.hold(anna) as turn:
            taken_over.append(
                ledger.leases.acquire(anna, WRITE, holder="thief", ttl_s=1.0, now=datetime(2100, 1, 1, tzinfo=UTC))
            )
            raise LeaseLost(token=turn.token, highest=500)

    with pytest.raises(LeaseLost):
        lose()
    (other,) = taken_over
    assert other is not None
    assert ledger.leases.renew(other, ttl_s=1.0, now=Wall().now()).token == other.token


def test_a_renewing_turn_whose_lease_somebody_took_ends_quietly(ledger: Ledger, anna: UserId) -> None:
    turns = LeasedTurns(ledger.leases, Wall(), params=SHORT)
    with turns.hold(anna, renewing=True) as turn:
        # a holder of the same name is let in at once: what a clock that jumped would do
        stolen = ledger.leases.acquire(anna, WRITE, holder="thief", ttl_s=1.0, now=datetime(2100, 1, 1, tzinfo=UTC))
        assert stolen is not None
        assert stolen.token > turn.token
        time.sleep(SHORT.ttl_s)
