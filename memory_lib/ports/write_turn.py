"""A turn at writing one person: the write lease, waited for, held briefly, given back (CONTRACTS, Writing)."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from memory_lib.domain.ids import UserId


@dataclass(frozen=True, slots=True)
class Turn:
    """``token``: the fencing token to hand to the store."""

    token: int


class WriteTurn(Protocol):
    """Gives turns at writing a person, one at a time over all processes."""

    def hold(self, user: UserId, *, renewing: bool = False) -> AbstractContextManager[Turn]:
        """Waits for the write lease, holds it for the block, releases it. Raises StoreBusy when it waited too long.

        ``renewing``: for a block that may take longer than a lease lasts (a load, a move): it is renewed meanwhile.
        """
        ...
