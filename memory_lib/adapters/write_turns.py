"""Waiting for the write lease of a person, on any ledger (CONTRACTS, Writing)."""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from memory_lib.domain.ids import UserId
from memory_lib.errors import StoreBusy
from memory_lib.ports.clock import Clock
from memory_lib.ports.ledger import Leases
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
    def hold(self, user: UserId) -> Iterator[Turn]:
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
            yield Turn(lease.token)
        finally:
            self._leases.release(lease)
