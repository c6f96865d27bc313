from __future__ import annotations

from datetime import timedelta

import pytest

from memory_lib.adapters.sql.people import new_user_id
from memory_lib.domain.changes import Action
from memory_lib.errors import UnknownUser
from tests.contracts.ledger.said import MOSCOW, NOW


def entry(key, position, *, reason="near_identical"):
    action = Action(action="attach", reason=reason, ids=("a" * 32, "b" * 32), numbers={"cosine": 0.925, "n": 2})
    return (key, position, NOW.astimezone(MOSCOW) + timedelta(seconds=position), action)


def test_entries_come_back_in_the_order_they_were_written(ledger, user):
    written = [entry("k1", 0), entry("k1", 1), entry("k0", 0)]
    ledger.actions.append(user, written)
    back = ledger.actions.entries(user)
    assert [(e.write_key, e.position, e.recorded_at, e.action) for e in back] == written
    assert [e.seq for e in back] == sorted({e.seq for e in back})


def test_an_entry_seen_before_is_kept_as_it_was(ledger, user):
    ledger.actions.append(user, [entry("k", 0)])
    ledger.actions.append(user, [entry("k", 0, reason="other"), entry("k", 1), entry("k", 1, reason="twice")])
    back = ledger.actions.entries(user)
    assert [(e.position, e.action.reason) for e in back] == [(0, "near_identical"), (1, "near_identical")]


def test_entries_are_read_a_page_at_a_time(ledger, user):
    ledger.actions.append(user, [entry(f"k{n}", 0) for n in range(120)])
    seen, after = [], 0
    while page := ledger.actions.entries(user, after=after, limit=50):
        seen.extend(page)
        after = page[-1].seq
    assert [e.write_key for e in seen] == [f"k{n}" for n in range(120)]


def test_people_have_logs_of_their_own(ledger, user):
    other = ledger.people.ensure("bob", now=NOW)
    ledger.actions.append(user, [entry("k", 0)])
    ledger.actions.append(other, [entry("k", 0, reason="bobs")])
    assert [e.action.reason for e in ledger.actions.entries(other)] == ["bobs"]
    assert ledger.actions.entries(new_user_id()) == ()


def test_an_unknown_person_has_no_log(ledger):
    with pytest.raises(UnknownUser):
        ledger.actions.append(new_user_id(), [entry("k", 0)])
