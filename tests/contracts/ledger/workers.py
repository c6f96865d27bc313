"""What other processes do to a ledger while a test watches. Run by a fork server, so that a process costs milliseconds."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from memory_lib.adapters.quarantine import Quarantine, QuarantineParams
from memory_lib.domain.ids import UserId
from memory_lib.domain.message import Message
from tests.contracts.ledger.said import NOW, said
from tests.contracts.ledger_backends import BACKENDS, keys_of

SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload([__name__])
BATCH = 40


def start(target: Callable[..., None], *arguments: object) -> tuple[Any, Connection]:
    """The running process, and our end of the pipe that it got as its last argument."""
    ours, theirs = SERVER.Pipe()
    process = SERVER.Process(target=target, args=(*arguments, theirs), daemon=True)
    process.start()
    theirs.close()
    return process, ours


def batches(root: Path, count: int) -> list[list[Message]]:
    key = keys_of(root)[0].id_key
    return [[said(key, BATCH * n + i, f"слово {n} {i} " * 30) for i in range(BATCH)] for n in range(count)]


def append_in_turn(backend: str, root: Path, name: str, order: list[int], pipe: Connection) -> None:
    """Ensure the person, append the batches in this order, say so after each."""
    keyring, sealer = keys_of(root)
    made = batches(root, len(order))
    with BACKENDS[backend].open(root, sealer, keyring) as ledger:
        user = ledger.people.ensure(name, now=NOW)
        pipe.send(user)
        pipe.recv()
        for number in order:
            ledger.messages.append(user, made[number], now=NOW)
            pipe.send(number)
    pipe.close()


def take_leases(backend: str, root: Path, user: UserId, holder: str, pipe: Connection) -> None:
    """Try for the write lease again and again, and give back each one had."""
    keyring, sealer = keys_of(root)
    tokens = []
    with BACKENDS[backend].open(root, sealer, keyring) as ledger:
        pipe.send("ready")
        pipe.recv()
        for _ in range(40):
            lease = ledger.leases.acquire(user, "write", holder=holder, ttl_s=60.0, now=NOW)
            if lease is not None:
                tokens.append(lease.token)
                ledger.leases.release(lease)
    pipe.send(tokens)
    pipe.close()


def create_keys(root: Path, users: list[UserId], pipe: Connection) -> None:
    """Open a keyring in a home that may be new, and make these people's keys."""
    pipe.send("ready")
    pipe.recv()
    keyring, _ = keys_of(root)
    opened = [keyring.create(user).key for user in users]
    for user in users:
        for _ in range(20):
            keyring.reserve(user, 3)
    pipe.send((keyring.deployment_key("quarantine"), opened))
    pipe.close()


def add_to_quarantine(root: Path, name: str, pipe: Connection) -> None:
    """Add bad records until killed, and say the id of each."""
    kept = Quarantine(root, keys_of(root)[0], params=QuarantineParams(keep_days=30.0))
    for number in range(100_000):
        pipe.send(kept.add(f"line {number}", "not JSON", b"x" * 500, source=name, now=NOW))


def open_new_home(backend: str, root: Path, pipe: Connection) -> None:
    """Open a ledger that may not exist yet, and ensure a person."""
    pipe.send("ready")
    pipe.recv()
    keyring, sealer = keys_of(root)
    with BACKENDS[backend].open(root, sealer, keyring) as ledger:
        pipe.send(ledger.people.ensure("анна", now=NOW))
    pipe.close()


def claim_all(backend: str, root: Path, kind: str, holder: str, pipe: Connection) -> None:
    """Claim three at a time, in two threads, until there is nothing to be had."""
    keyring, sealer = keys_of(root)
    mine: list[str] = []
    with BACKENDS[backend].open(root, sealer, keyring) as ledger, ThreadPoolExecutor(2) as pool:

        def claim(thread: int) -> None:
            while got := ledger.requests.claim(kind, holder=f"{holder}/{thread}", limit=3, ttl_s=60.0, now=NOW):
                mine.extend(request.id for request in got)

        pipe.send("ready")
        pipe.recv()
        list(pool.map(claim, range(2)))
    pipe.send(mine)
    pipe.close()
