from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import text

from memory_lib.errors import KeyMissing
from tests.contracts.ledger.said import MOSCOW, NOW

NODE = "0123456789abcdef" * 2


def peek(ledger, user, reason="жалоба 17", **details):
    return ledger.audit.append(
        user, "peek", operator="ops-1", now=NOW.astimezone(MOSCOW), details={"node": NODE, **details}, reason=reason
    )


def test_a_row_comes_back_as_it_was_written(ledger, user):
    first = peek(ledger, user)
    second = ledger.audit.append(user, "disclose", operator="ops-2", now=NOW, details={})
    assert (first.seq, second.seq) == (1, 2)
    assert first.subject == second.subject != user
    assert ledger.audit.rows(user=user) == (first, second)
    assert ledger.audit.rows(user=user)[0].at.utcoffset() == MOSCOW.utcoffset(None)


def test_people_are_told_apart_and_reasons_are_opened_for_one_person_only(ledger, user):
    other = ledger.people.ensure("bob", now=NOW)
    mine, theirs = peek(ledger, user), peek(ledger, other, "another")
    assert mine.subject != theirs.subject
    assert ledger.audit.rows(user=other) == (theirs,)
    assert [(row.seq, row.subject, row.reason) for row in ledger.audit.rows()] == [
        (1, mine.subject, ""),
        (2, theirs.subject, ""),
    ]


def test_rows_are_read_a_page_at_a_time(ledger, user):
    for number in range(7):
        peek(ledger, user, n=str(number))
    seen, after = [], 0
    while page := ledger.audit.rows(after=after, limit=3):
        assert len(page) <= 3
        seen += [row.details["n"] for row in page]
        after = page[-1].seq
    assert seen == [str(n) for n in range(7)]


def test_writers_at_once_leave_no_gap_and_no_number_twice(ledger, user):
    with ThreadPoolExecutor(8) as pool:
        numbers = list(pool.map(lambda n: peek(ledger, user, n=str(n)).seq, range(40)))
    assert sorted(numbers) == list(range(1, 41))
    assert ledger.audit.broken_at() is None


def test_the_reason_cannot_be_read_without_the_key_and_none_can_be_written(ledger, user, keyring):
    row = peek(ledger, user)
    keyring.destroy(user)
    (left,) = ledger.audit.rows(user=user)
    assert (left.seq, left.subject, left.details, left.reason) == (row.seq, row.subject, row.details, "")
    with pytest.raises(KeyMissing):
        peek(ledger, user)
    assert peek(ledger, user, reason="").seq == 2


def test_rows_outlive_an_erasure_without_reason_or_id(ledger, user, keyring):
    other = ledger.people.ensure("bob", now=NOW)
    about_user, about_other = peek(ledger, user, shard="main"), peek(ledger, other)
    keyring.destroy(user)
    gone = ledger.person_store.erase(user)
    assert gone["audit_reasons"] == 1
    row, kept = ledger.audit.rows()
    assert (row.seq, row.at, row.operator, row.act, row.subject) == (1, NOW, "ops-1", "peek", about_user.subject)
    assert row.details["shard"] == "main"
    assert NODE not in row.details["node"]
    assert ledger.audit.rows(user=user)[0].reason == ""
    assert kept.details == about_other.details
    assert ledger.audit.rows(user=other) == (about_other,)
    assert ledger.audit.broken_at() is None
    assert "audit_reasons" not in ledger.person_store.erase(user)


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE audit SET operator = 'somebody' WHERE seq = 2",
        "UPDATE audit SET details = '{}' WHERE seq = 2",
        "UPDATE audit SET at_us = at_us + 1 WHERE seq = 2",
        "DELETE FROM audit WHERE seq = 2",
    ],
)
def test_a_row_altered_or_taken_out_shows(ledger, user, harm):
    for _ in range(3):
        peek(ledger, user)
    assert ledger.audit.broken_at() is None
    with ledger._database.write() as connection:
        connection.execute(text(harm))
    assert ledger.audit.broken_at() in {2, 3}
