"""A person's head as every graph store reads and guards it: where nothing is, a new epoch, who may write."""

from __future__ import annotations

import re
import secrets
import time
from typing import Final

from memory_lib.domain.changes import Revision
from memory_lib.domain.ids import UserId
from memory_lib.errors import IllegalValue, LeaseLost, StaleRead
from memory_lib.ports.graph import GraphHead

NOBODY: Final = GraphHead(revision=Revision(0, 0), key_generation=0, fence=0, fingerprint=None, dimension=None)
"""How a person of whom nothing is stored reads."""

_USER_ID: Final = re.compile(r"[0-9a-f]{32}")
_EPOCH_CHANCE_BITS: Final = 20


def new_epoch() -> int:
    """A number that the person never had before: seconds since 1970, then 20 random bits; below 2^53, so exact in JSON."""
    return (int(time.time()) << _EPOCH_CHANCE_BITS) | secrets.randbits(_EPOCH_CHANCE_BITS)


def is_internal(user: str) -> bool:
    """Whether it is an internal id, 32 hex digits: it becomes part of names and statements."""
    return _USER_ID.fullmatch(user) is not None


def check_user(user: UserId) -> None:
    """Raises IllegalValue where ``user`` is no internal id; what it is instead is not repeated."""
    if not is_internal(user):
        raise IllegalValue("an internal user id is 32 hex digits; look the person up in the ledger first")


def check_fence(head: GraphHead, token: int) -> None:
    """Raises LeaseLost where a later writer was here."""
    if token < head.fence:
        raise LeaseLost(token=token, highest=head.fence)


def check_unchanged(head: GraphHead, based_on: Revision | None, user: UserId) -> None:
    """Raises StaleRead where somebody wrote since ``based_on``. Who read nobody may write where nothing was written yet: an
    epoch alone comes with a person's place, not with their first change set.
    """
    if based_on is None or based_on == head.revision:
        return
    if based_on != NOBODY.revision or head.revision.n != NOBODY.revision.n:
        raise StaleRead(f"person {user} was written by somebody else since this write was prepared; read again and retry")
