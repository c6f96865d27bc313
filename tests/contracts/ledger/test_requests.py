from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest

from memory_lib.adapters.sql.people import new_user_id
from memory_lib.errors import IllegalValue, KeyMissing, UnknownSetting, UnknownUser
from memory_lib.ports.requests import Request, RequestState
from tests.contracts.ledger.said import MOSCOW, NOW
from tests.contracts.ledger.workers import claim_all, start

LATER = NOW + timedelta(seconds=61)


def claim(ledger, holder="one", *, limit=10, now=NOW, kind="forget"):
    return ledger.requests.claim(kind, holder=holder, limit=limit, ttl_s=60.0, now=now)


def test_a_request_is_found_again_with_what_was_asked(ledger, user):
    asked = {"topic": "лодка \ud83d", "nodes": ["a" * 32], "n": 1}
    made = ledger.requests.ask(user, "forget", now=NOW.astimezone(MOSCOW), payload=asked, operator="ops-1")
    assert made == Request(
        id=made.id, user=user, kind="forget", state=RequestState.WAITING, created_at=NOW, attempts=0, operator="ops-1"
    )
    assert ledger.requests.one(user, made.id) == made
    assert ledger.requests.one(user, made.id).created_at.utcoffset() == MOSCOW.utcoffset(None)
    assert ledger.requests.payload(user, made.id) == asked


def test_nothing_said_is_an_empty_payload(ledger, user):
    assert ledger.requests.payload(user, ledger.requests.ask(user, "rehydrate", now=NOW).id) == {}


def test_what_was_asked_cannot_be_read_without_the_key(ledger, user, keyring):
    made = ledger.requests.ask(user, "forget", now=NOW, payload={"topic": "лодка"})
    keyring.destroy(user)
    with pytest.raises(KeyMissing):
        ledger.requests.payload(user, made.id)


def test_requests_of_others_and_unknown_ones_are_not_found(ledger, user):
    other = ledger.people.ensure("bob", now=NOW)
    made = ledger.requests.ask(user, "forget", now=NOW)
    for ask in (
        lambda: ledger.requests.one(other, made.id),
        lambda: ledger.requests.payload(other, made.id),
        lambda: ledger.requests.move(other, made.id, RequestState.DONE, now=NOW),
        lambda: ledger.requests.one(user, "тайна"),
    ):
        with pytest.raises(UnknownSetting):
            ask()


def test_nobody_asks_for_an_unknown_person(ledger):
    with pytest.raises(UnknownUser):
        ledger.requests.ask(new_user_id(), "rehydrate", now=NOW)


def test_asking_again_without_words_finds_the_open_one(ledger, user):
    first = ledger.requests.ask(user, "rehydrate", now=NOW)
    assert ledger.requests.ask(user, "rehydrate", now=LATER) == first
    assert ledger.requests.ask(user, "move", now=NOW).id != first.id
    claim(ledger, kind="rehydrate")
    assert ledger.requests.ask(user, "rehydrate", now=LATER).id == first.id
    ledger.requests.move(user, first.id, RequestState.DONE, now=NOW)
    assert ledger.requests.ask(user, "rehydrate", now=LATER).id != first.id


def test_asking_again_with_words_is_another_request(ledger, user):
    asked = [ledger.requests.ask(user, "forget", now=NOW, payload={"topic": str(n)}).id for n in range(3)]
    assert len(set(asked)) == 3
    assert {request.id for request in ledger.requests.open(user=user)} == set(asked)


def test_threads_asking_at_once_make_one_request(ledger, user):
    with ThreadPoolExecutor(8) as pool:
        made = set(pool.map(lambda _: ledger.requests.ask(user, "rehydrate", now=NOW).id, range(16)))
    assert len(made) == 1


def test_a_claimed_request_runs_for_its_holder_alone(ledger, user):
    made = ledger.requests.ask(user, "forget", now=NOW, operator="ops")
    (got,) = claim(ledger)
    assert (got.id, got.state, got.attempts, got.operator) == (made.id, RequestState.RUNNING, 1, "ops")
    assert got == ledger.requests.one(user, made.id)
    assert claim(ledger, "two") == ()
    assert claim(ledger, "one") == ()


def test_when_a_holders_time_is_over_the_request_is_claimed_again(ledger, user):
    made = ledger.requests.ask(user, "forget", now=NOW)
    claim(ledger, "one")
    assert claim(ledger, "two", now=LATER - timedelta(seconds=2)) == ()
    (again,) = claim(ledger, "two", now=LATER)
    assert (again.id, again.attempts) == (made.id, 2)
    assert claim(ledger, "three", now=LATER) == ()


def test_the_oldest_come_first_and_no_more_than_asked_for(ledger, user):
    made = [ledger.requests.ask(user, "forget", now=NOW + timedelta(seconds=n), payload={"n": n}).id for n in (3, 1, 2, 0)]
    in_order = [made[3], made[1], made[2], made[0]]
    assert [request.id for request in ledger.requests.open()] == in_order
    assert [request.id for request in claim(ledger, limit=3)] == in_order[:3]
    assert [request.id for request in claim(ledger, limit=3)] == in_order[3:]


def test_a_planned_request_waits_for_approval(ledger, user):
    made = ledger.requests.ask(user, "forget", now=NOW, state=RequestState.PLANNED, payload={"topic": "лодка"})
    assert claim(ledger) == ()
    assert ledger.requests.open() == (made,)
    ledger.requests.move(user, made.id, RequestState.WAITING, now=NOW)
    assert [request.id for request in claim(ledger)] == [made.id]


@pytest.mark.parametrize("end", [RequestState.DONE, RequestState.FAILED])
def test_what_has_ended_is_open_no_more(ledger, user, end):
    made = ledger.requests.ask(user, "forget", now=NOW)
    claim(ledger)
    ledger.requests.move(user, made.id, end, now=NOW)
    ledger.requests.move(user, made.id, end, now=NOW)
    assert ledger.requests.open() == ()
    assert claim(ledger, now=LATER) == ()
    assert ledger.requests.one(user, made.id).state is end


def test_what_failed_may_be_tried_again_and_what_is_done_stays_done(ledger, user):
    made = ledger.requests.ask(user, "forget", now=NOW)
    ledger.requests.move(user, made.id, RequestState.FAILED, now=NOW)
    ledger.requests.move(user, made.id, RequestState.WAITING, now=NOW)
    assert [request.id for request in claim(ledger)] == [made.id]
    ledger.requests.move(user, made.id, RequestState.DONE, now=NOW)
    with pytest.raises(IllegalValue):
        ledger.requests.move(user, made.id, RequestState.WAITING, now=NOW)


def test_what_is_open_is_listed_by_kind_and_person(ledger, user):
    other = ledger.people.ensure("bob", now=NOW)
    ledger.requests.ask(user, "forget", now=NOW)
    ledger.requests.ask(other, "forget", now=LATER)
    ledger.requests.ask(other, "move", now=LATER + timedelta(seconds=1))
    assert [(r.user, r.kind) for r in ledger.requests.open()] == [(user, "forget"), (other, "forget"), (other, "move")]
    assert [r.user for r in ledger.requests.open(kind="forget")] == [user, other]
    assert [r.kind for r in ledger.requests.open(user=other)] == ["forget", "move"]
    assert len(ledger.requests.open(limit=2)) == 2
    assert claim(ledger, kind="nothing") == ()


def ask_many(ledger, count):
    users = [ledger.people.ensure(f"user {n}", now=NOW) for n in range(5)]
    return {ledger.requests.ask(users[n % 5], "forget", now=NOW, payload={"n": n}).id for n in range(count)}


def test_eight_threads_never_claim_the_same_one(ledger):
    asked = ask_many(ledger, 64)

    def work(number):
        mine = []
        while got := claim(ledger, f"thread {number}", limit=3):
            mine += [request.id for request in got]
        return mine

    with ThreadPoolExecutor(8) as pool:
        had = [request for mine in pool.map(work, range(8)) for request in mine]
    assert len(had) == len(set(had))
    # who looked while others were claiming may have left; what they left is there for the next one
    had += [request.id for request in claim(ledger, limit=64)]
    assert sorted(had) == sorted(asked)


@pytest.mark.slow
def test_processes_with_threads_never_claim_the_same_one(backend, root, ledger):
    asked = ask_many(ledger, 80)
    running = [start(claim_all, backend.name, root, "forget", f"process {n}") for n in range(4)]
    for _, pipe in running:
        pipe.recv()
    for _, pipe in running:
        pipe.send("go")
    had = [request for _, pipe in running for request in pipe.recv()]
    for process, _ in running:
        process.join(30)
    assert len(had) == len(set(had))
    had += [request.id for request in claim(ledger, limit=80)]
    assert sorted(had) == sorted(asked)
