"""Waiting for the write lease of a person, on any ledger (CONTRACTS, Writing)."""

from __future__ import annotations

import os
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from memory_lib.domain.ids import UserId
from memory_lib.errors import LeaseLost, StoreBusy, Transient
from memory_lib.ports.clock import Clock
from memory_lib.ports.ledger import Lease, Leases
from memory_lib.ports.write_turn import Turn

WRITE = "write"


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteTurnParams:
    """``ttl_s``: after this a dead holder's lease is free (fencing keeps a slow one from writing). ``wait_s``: how long a
    writer waits for its turn before it says StoreBusy. ``poll_s``: how often it asks.
    """

    ttl_s: float
    wait_s: float
    poll_s: float


class LeasedTurns:
    """Implements ``WriteTurn`` over the ``Leases`` port."""

    def __init__(self, leases: Leases, clock: Clock, *, params: WriteTurnParams) -> None:
        self._leases = leases
        self._clock = clock
        self._params = params

    @contextmanager
    def hold(self, user: UserId, *, renewing: bool = False) -> Iterator[Turn]:
        holder = f"{os.getpid()}-{secrets.token_hex(8)}"
        deadline = time.monotonic() + self._params.wait_s
        while True:
            lease = self._leases.acquire(user, WRITE, holder=holder, ttl_s=self._params.ttl_s, now=self._clock.now())
            if lease is not None:
                break
            if time.monotonic() >= deadline:
                raise StoreBusy(
                    f"person {user} has been written by another process for {self._params.wait_s:.0f} s; try again later"
                )
            time.sleep(self._params.poll_s)
        try:
            with self._renewed(lease) if renewing else nullcontext():
                yield Turn(lease.token)
        except LeaseLost as lost:
            # where ours is still the newest grant, the ledger was put back from a backup: the next turn goes through
            lease = self._leases.catch_up(lease, highest=lost.highest)
            raise
        finally:
            self._leases.release(lease)

    @contextmanager
    def _renewed(self, lease: Lease) -> Iterator[None]:
        """Renews the lease three times in its length until the block ends, or somebody else has it."""
        ended = threading.Event()

        def renew() -> None:
            held = lease
            while not ended.wait(self._params.ttl_s / 3):
                try:
                    held = self._leases.renew(held, ttl_s=self._params.ttl_s, now=self._clock.now())
                except LeaseLost:
                    return  # the store refuses our token, or the flip does: the block hears of it there
                except Transient:
                    continue

        thread = threading.Thread(target=renew, name="renew-lease", daemon=True)
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()
