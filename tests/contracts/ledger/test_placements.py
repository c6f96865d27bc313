from __future__ import annotations

import re
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from sqlalchemy import text

from memory_lib.adapters.sql import placements as statements
from memory_lib.adapters.sql.people import new_user_id
from memory_lib.domain.message import Role
from memory_lib.domain.placement import Placement, Tier
from memory_lib.domain.time import DAY_US, to_us
from memory_lib.errors import IllegalValue, LeaseLost, StaleRead, UnknownUser
from tests.contracts.ledger.said import NOW, said
from tests.contracts.ledger_backends import keys_of

HOT = Placement(Tier.HOT, "main")
MANY = 20_000


def lease(ledger, user, holder="mover"):
    return ledger.leases.acquire(user, "write", holder=holder, ttl_s=60.0, now=NOW)


def test_a_person_has_no_place_until_one_is_given_and_the_first_one_counts(ledger, user):
    assert ledger.placements.of(user) is None
    assert ledger.placements.assign(user, "north") == Placement(Tier.HOT, "north")
    assert ledger.placements.assign(user, "south") == Placement(Tier.HOT, "north")
    assert ledger.placements.of(user) == Placement(Tier.HOT, "north")


def test_threads_assigning_at_once_agree(ledger, user):
    with ThreadPoolExecutor(8) as pool:
        placed = set(pool.map(lambda n: ledger.placements.assign(user, f"shard {n}"), range(8)))
    assert placed == {ledger.placements.of(user)}


def test_an_unknown_person_has_no_place_and_no_files(ledger):
    nobody = new_user_id()
    assert ledger.placements.of(nobody) is None
    for ask in (lambda: ledger.placements.assign(nobody, "main"), lambda: ledger.placements.next_generation(nobody)):
        with pytest.raises(UnknownUser):
            ask()


def test_a_flip_under_the_newest_write_lease_moves_the_living_copy(ledger, user):
    ledger.placements.assign(user, "main")
    warm = Placement(Tier.WARM, "main", ledger.placements.next_generation(user))
    ledger.placements.flip(user, warm, was=HOT, token=lease(ledger, user).token, now=NOW)
    assert ledger.placements.of(user) == warm


def test_a_flip_under_an_older_token_is_refused_and_nothing_moves(ledger, user):
    ledger.placements.assign(user, "main")
    older = lease(ledger, user)
    newer = ledger.leases.acquire(user, "write", holder="ingest", ttl_s=60.0, now=NOW + timedelta(seconds=61))
    with pytest.raises(LeaseLost) as caught:
        ledger.placements.flip(user, Placement(Tier.WARM, "main", 1), was=HOT, token=older.token, now=NOW)
    assert (caught.value.token, caught.value.highest) == (older.token, newer.token)
    assert ledger.placements.of(user) == HOT


def test_a_flip_after_the_lease_was_given_back_or_without_one_is_refused(ledger, user):
    ledger.placements.assign(user, "main")
    with pytest.raises(LeaseLost):
        ledger.placements.flip(user, Placement(Tier.WARM, "main", 1), was=HOT, token=1, now=NOW)
    held = lease(ledger, user)
    ledger.leases.release(held)
    with pytest.raises(LeaseLost):
        ledger.placements.flip(user, Placement(Tier.WARM, "main", 1), was=HOT, token=held.token, now=NOW)
    assert ledger.placements.of(user) == HOT


def test_a_lease_of_another_kind_does_not_count(ledger, user):
    ledger.placements.assign(user, "main")
    other = ledger.leases.acquire(user, "sleep", holder="s", ttl_s=60.0, now=NOW)
    with pytest.raises(LeaseLost):
        ledger.placements.flip(user, Placement(Tier.WARM, "main", 1), was=HOT, token=other.token, now=NOW)


def test_a_flip_from_where_the_person_is_not_is_refused(ledger, user):
    ledger.placements.assign(user, "main")
    token = lease(ledger, user).token
    for was in (Placement(Tier.HOT, "north"), Placement(Tier.WARM, "main", 1)):
        with pytest.raises(StaleRead):
            ledger.placements.flip(user, Placement(Tier.COLD, "main", 2), was=was, token=token, now=NOW)
    assert ledger.placements.of(user) == HOT


def test_a_flip_repeated_after_its_answer_was_lost_changes_nothing(ledger, user):
    ledger.placements.assign(user, "main")
    warm, token = Placement(Tier.WARM, "main", 1), lease(ledger, user).token
    for _ in range(2):
        ledger.placements.flip(user, warm, was=HOT, token=token, now=NOW)
    assert ledger.placements.of(user) == warm


def test_of_two_movers_one_wins_and_the_other_is_told(ledger, user):
    ledger.placements.assign(user, "main")
    token = lease(ledger, user).token

    def move(generation):
        try:
            ledger.placements.flip(user, Placement(Tier.WARM, "main", generation), was=HOT, token=token, now=NOW)
        except StaleRead:
            return None
        return generation

    with ThreadPoolExecutor(6) as pool:
        won = [generation for generation in pool.map(move, range(1, 7)) if generation is not None]
    assert len(won) == 1
    assert ledger.placements.of(user).generation == won[0]


def test_generations_rise_and_never_repeat_whatever_became_of_them(ledger, user):
    with ThreadPoolExecutor(8) as pool:
        given = list(pool.map(lambda _: ledger.placements.next_generation(user), range(40)))
    assert sorted(given) == list(range(1, 41))
    assert ledger.placements.of(user) is None
    ledger.placements.assign(user, "main")
    token = lease(ledger, user).token
    ledger.placements.flip(user, Placement(Tier.COLD, "main", 90), was=HOT, token=token, now=NOW)
    ledger.placements.flip(user, HOT, was=Placement(Tier.COLD, "main", 90), token=token, now=NOW)
    assert ledger.placements.next_generation(user) == 91


def test_a_hot_place_has_no_files():
    with pytest.raises(IllegalValue):
        Placement(Tier.HOT, "main", 3)


def test_the_silent_go_by_their_own_newest_message(ledger, keyring):
    key = keyring.id_key
    long_ago, lately, never = (ledger.people.ensure(name, now=NOW) for name in ("давно", "недавно", "никогда"))
    for user in (long_ago, lately, never):
        ledger.placements.assign(user, "main")
    ledger.messages.append(long_ago, [said(key, 1, at=NOW - timedelta(days=40))], now=NOW)
    ledger.messages.append(long_ago, [said(key, 2, at=NOW, role=Role.ASSISTANT)], now=NOW)
    ledger.messages.append(lately, [said(key, 1, at=NOW - timedelta(days=1))], now=NOW)
    week_ago = to_us(NOW - timedelta(days=7))
    assert ledger.placements.silent(tier=Tier.HOT, before_us=week_ago) == ((long_ago, to_us(NOW - timedelta(days=40))),)
    found = dict(ledger.placements.silent(tier=Tier.HOT, before_us=to_us(NOW) + 1))
    assert found == {
        long_ago: to_us(NOW - timedelta(days=40)),
        lately: to_us(NOW - timedelta(days=1)),
        never: to_us(NOW),
    }
    assert ledger.placements.silent(tier=Tier.WARM, before_us=to_us(NOW) + 1) == ()


def test_an_edit_that_moves_the_newest_message_moves_the_silence(ledger, user, keyring):
    ledger.placements.assign(user, "main")
    ledger.messages.append(user, [said(keyring.id_key, 1, "раз", at=NOW)], now=NOW)
    ledger.messages.append(user, [said(keyring.id_key, 1, "два", at=NOW - timedelta(days=9))], now=NOW)
    assert ledger.placements.silent(tier=Tier.HOT, before_us=to_us(NOW)) == ((user, to_us(NOW - timedelta(days=9))),)


def test_who_wrote_and_is_not_hot_has_returned(ledger, keyring):
    key = keyring.id_key
    back, away, hot = (ledger.people.ensure(name, now=NOW) for name in ("back", "away", "hot"))
    for user, days in ((back, 0), (away, 3), (hot, 0)):
        ledger.placements.assign(user, "main")
        ledger.messages.append(user, [said(key, 1, at=NOW - timedelta(days=days))], now=NOW)
        if user != hot:
            token = lease(ledger, user).token
            ledger.placements.flip(user, Placement(Tier.WARM, "main", 1), was=HOT, token=token, now=NOW)
    assert ledger.placements.returned(since_us=to_us(NOW)) == (back,)
    assert ledger.placements.returned(since_us=to_us(NOW - timedelta(days=3))) == tuple(sorted((back, away)))
    assert ledger.placements.returned(since_us=to_us(NOW) + 1) == ()


def test_a_shard_lists_its_people_a_page_at_a_time(ledger):
    users = sorted(ledger.people.ensure(f"user {n}", now=NOW) for n in range(7))
    for number, user in enumerate(users):
        ledger.placements.assign(user, "north" if number % 2 else "south")
    seen, after = [], None
    while page := ledger.placements.on("south", after=after, limit=3):
        assert len(page) <= 3
        seen.extend(page)
        after = page[-1]
    assert seen == users[::2]


COUNTED = f"WITH RECURSIVE counted(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counted WHERE n < {MANY - 1}) "
IDENT = f"substr('{'0' * 32}' || CAST(n AS text), length(CAST(n AS text)) + 1)"
PEOPLE = f"""
INSERT INTO people
(user_id, external_tag, external_sealed, created_us, created_offset, log_version, messages, last_own_us)
{COUNTED} SELECT {IDENT}, {IDENT}, {{blob}}, 0, 0, 0, 1, :now - CAST(n * 7919 % {MANY} AS bigint) * {DAY_US // 200} FROM counted
"""
PLACES = f"""
INSERT INTO placements (user_id, tier, shard, generation, last_generation, last_us)
{COUNTED} SELECT {IDENT},
CASE WHEN n % 10 = 0 THEN 'hot' WHEN n % 10 < 6 THEN 'warm' ELSE 'cold' END, 'shard ' || CAST(n % 3 AS text), 1, 1,
:now - CAST(n * 7919 % {MANY} AS bigint) * {DAY_US // 200} FROM counted
"""


@pytest.fixture
def crowd(backend, another_home):
    """Twenty thousand people: a tenth hot, half warm, the rest cold; the newest message of each up to a hundred days old."""
    home = another_home("crowd")
    keyring, sealer = keys_of(home)
    with backend.open(home, sealer, keyring) as ledger:
        blob = "decode('00', 'hex')" if backend.name == "postgres" else "x'00'"
        with ledger._database.write() as connection:
            connection.execute(text(PEOPLE.format(blob=blob)), {"now": to_us(NOW)})
            connection.execute(text(PLACES), {"now": to_us(NOW)})
            connection.execute(text("ANALYZE"))
        yield ledger


def in_pages(ask):
    """What was asked for, whole, and the seconds of each page."""
    seen, took, after = [], [], None
    while True:
        began = time.perf_counter()
        page = ask(after)
        took.append(time.perf_counter() - began)
        if not page:
            return seen, took
        seen.extend(page)
        after = page[-1] if isinstance(page[-1], str) else page[-1][0]


def plan_of(ledger, statement, values):
    with ledger._database.read() as connection:
        compiled = statement.compile(connection)
        bound = {**compiled.params, **values}
        word = "EXPLAIN QUERY PLAN " if ledger._database.dialect == "sqlite" else "EXPLAIN "
        given = tuple(bound[name] for name in compiled.positiontup) if compiled.positional else bound
        return "\n".join(str(row) for row in connection.exec_driver_sql(word + str(compiled), given))


@pytest.mark.slow
def test_pages_over_twenty_thousand_people_come_by_index_and_at_once(crowd):
    days = [n * 7919 % MANY / 200 for n in range(MANY)]
    month_ago, hour_ago = to_us(NOW - timedelta(days=30)), to_us(NOW - timedelta(hours=1))
    places = crowd.placements
    asked = {
        "silent": (
            lambda after: places.silent(tier=Tier.WARM, before_us=month_ago, after=after, limit=500),
            sum(0 < n % 10 < 6 and day > 30 for n, day in enumerate(days)),
        ),
        "nobody silent": (lambda after: places.silent(tier=Tier.WARM, before_us=1, after=after, limit=500), 0),
        "returned": (
            lambda after: places.returned(since_us=hour_ago, after=after, limit=500),
            sum(n % 10 != 0 and day <= 1 / 24 for n, day in enumerate(days)),
        ),
        "on": (lambda after: places.on("shard 1", after=after, limit=500), sum(n % 3 == 1 for n in range(MANY))),
    }
    for name, (ask, expected) in asked.items():
        seen, took = in_pages(ask)
        assert len(seen) == expected, name
        assert seen == sorted(set(seen)), name
        assert statistics.median(took) < 0.05, f"{name}: {took}"
    page = {"after": f"{100:032}", "limit": 500}
    for statement, values in (
        (statements.SILENT, {"of_tier": "warm", "before_us": month_ago}),
        (statements.RETURNED, {"since_us": hour_ago}),
        (statements.ON, {"of_shard": "shard 1"}),
    ):
        plan = plan_of(crowd, statement, {**values, **page})
        assert "Seq Scan" not in plan, plan
        assert not re.search(r"SCAN (?!.*USING .*INDEX)", plan), plan
        assert "index" in plan.lower(), plan
