from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from memory_lib.domain.receipt import Receipt
from memory_lib.errors import IllegalValue
from tests.contracts.ledger.said import MOSCOW, NOW

NODE = "0123456789abcdef" * 2


def receipt(user, ident="r1", **fields):
    return Receipt(
        **{
            "operation": "forget",
            "applied": True,
            "at": NOW.astimezone(MOSCOW),
            "user": user,
            "id": ident,
            "counts": {"graph": {"nodes": 3}, "ledger": {}},
            "ids": {"nodes": (NODE,)},
            "seconds": {"graph": 0.1 + 0.2},
            "batch": "b1",
            "notes": ("key_backups_7_days",),
            "signature": "ab" * 64,
            "key": "cd" * 32,
            **fields,
        }
    )


def nameless(ident="e1", **fields):
    return receipt(None, ident, **{"operation": "erase", "ids": {}, "batch": None, **fields})


def test_a_receipt_comes_back_as_it_was_signed(ledger, user):
    kept = receipt(user)
    ledger.receipts.keep(kept)
    back = ledger.receipts.one("r1")
    assert back == kept
    assert back.record() == kept.record()
    assert ledger.receipts.one("r2") is None


def test_the_same_receipt_twice_is_one(ledger, user):
    ledger.receipts.keep(receipt(user))
    ledger.receipts.keep(receipt(user, notes=("another",)))
    assert ledger.receipts.of(user) == (receipt(user),)


def test_a_persons_receipts_come_newest_first(ledger, user):
    other = ledger.people.ensure("bob", now=NOW)
    made = [receipt(user, f"r{n}", at=NOW + timedelta(seconds=n)) for n in (1, 3, 2)]
    for each in (*made, receipt(other, "theirs")):
        ledger.receipts.keep(each)
    assert [each.id for each in ledger.receipts.of(user)] == ["r3", "r2", "r1"]
    assert [each.id for each in ledger.receipts.of(user, limit=2)] == ["r3", "r2"]


@pytest.mark.parametrize(
    "fields",
    [{"ids": {"nodes": (NODE,)}}, {"batch": "b"}, {"notes": (NODE,)}, {"counts": {NODE: {"n": 1}}}, {"refused": f"of {NODE}"}],
)
def test_one_without_a_user_that_still_names_one_is_refused(ledger, fields):
    with pytest.raises(IllegalValue):
        ledger.receipts.keep(nameless(**fields))


def test_one_without_an_id_is_refused(ledger, user):
    with pytest.raises(IllegalValue):
        ledger.receipts.keep(replace(receipt(user), id=""))


def test_receipts_go_with_the_person_and_those_of_nobody_stay(ledger, user):
    erased = nameless(NODE)
    for each in (receipt(user), erased):
        ledger.receipts.keep(each)
    assert ledger.person_store.erase(user)["receipts"] == 1
    assert ledger.receipts.of(user) == ()
    assert ledger.receipts.one("r1") is None
    assert ledger.receipts.one(erased.id) == erased
