from __future__ import annotations

import os
import random
import signal
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.contracts.ledger.said import NOW, said
from tests.contracts.ledger.workers import BATCH, append_in_turn, batches, open_new_home, start, take_leases
from tests.contracts.ledger_backends import keys_of


def test_two_processes_appending_the_same_messages_keep_each_once(backend, root, ledger):
    orders = ([0, 1, 2, 3, 4], [4, 3, 2, 1, 0])
    running = [start(append_in_turn, backend.name, root, "анна", order) for order in orders]
    users = {pipe.recv() for _, pipe in running}
    assert len(users) == 1, "two processes ensured the same person and got two ids"
    for _, pipe in running:
        pipe.send("go")
    for process, _ in running:
        process.join(30)
        assert process.exitcode == 0
    (user,) = users
    assert ledger.people.everyone() == (user,)
    expected = {message.id: message for batch in batches(root, 5) for message in batch}
    assert ledger.messages.messages(user, expected) == expected
    person = ledger.people.person(user)
    assert (person.messages, person.log_version) == (5 * BATCH, 5)


def test_processes_opening_a_new_home_at_once_make_one_ledger(backend, another_home):
    home = another_home("new")
    running = [start(open_new_home, backend.name, home) for _ in range(3)]
    for _, pipe in running:
        pipe.recv()
    for _, pipe in running:
        pipe.send("go")
    users = {pipe.recv() for _, pipe in running}
    assert len(users) == 1
    keyring, sealer = keys_of(home)
    with backend.open(home, sealer, keyring) as ledger:
        assert ledger.people.everyone() == tuple(users)


def test_leases_are_had_by_one_process_at_a_time(backend, root, user):
    running = [start(take_leases, backend.name, root, user, holder) for holder in ("one", "two")]
    for _, pipe in running:
        pipe.recv()
    for _, pipe in running:
        pipe.send("go")
    tokens = [pipe.recv() for _, pipe in running]
    assert all(had == sorted(had) for had in tokens)
    assert not set(tokens[0]) & set(tokens[1])
    assert all(tokens), "one of the two never had it"


@pytest.mark.parametrize("seed", range(5))
def test_killed_while_appending_keeps_whole_batches_only(backend, root, seed):
    process, pipe = start(append_in_turn, backend.name, root, "анна", list(range(30)))
    user = pipe.recv()
    pipe.send("go")
    chance = random.Random(seed)
    acknowledged = 0
    for _ in range(chance.randint(0, 3)):
        pipe.recv()
        acknowledged += 1
    time.sleep(chance.uniform(0, 0.02))
    os.kill(process.pid, signal.SIGKILL)
    process.join(10)
    while pipe.poll():
        try:
            pipe.recv()
        except (EOFError, ConnectionError):
            break
        acknowledged += 1
    keyring, sealer = keys_of(root)
    with backend.open(root, sealer, keyring) as ledger:
        person = ledger.people.person(user)
        assert person.messages == len(ledger.messages.refs(user))
        assert person.messages % BATCH == 0
        assert person.messages >= acknowledged * BATCH, "an acknowledged batch was lost"
        assert person.log_version == person.messages // BATCH
        made = batches(root, 30)
        for batch in made:
            ledger.messages.append(user, batch, now=NOW)
        assert ledger.people.person(user).messages == 30 * BATCH
        assert len(ledger.messages.messages(user, [message.id for message in made[-1]])) == BATCH


def test_threads_share_a_ledger(ledger, user, keyring):
    def work(number):
        ledger.messages.append(user, [said(keyring.id_key, number), said(keyring.id_key, 0)], now=NOW)
        return len(ledger.messages.refs(user))

    with ThreadPoolExecutor(12) as pool:
        counts = list(pool.map(work, range(1, 61)))
    assert max(counts) == 61
    assert ledger.people.person(user).messages == 61
