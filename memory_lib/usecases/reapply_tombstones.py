"""Whoever was erased stays erased: a backup that was put back is emptied of them before anything is served (CONTRACTS, Sealing
and keys).

Tombstones lie beside the keys, the state of them that was last applied in the ledger; a ledger of yesterday says another state
than the tombstones of today, and then everybody it knows is looked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from memory_lib.domain.ids import UserId
from memory_lib.errors import Transient
from memory_lib.ports.keys import Keyring, Sealer, Tombstones
from memory_lib.ports.person_store import PersonStore

APPLIED = "tombstones"
"""Under which name the ledger keeps the state of the tombstones that was last applied."""

PAGE = 1000


class DeploymentValues(Protocol):
    """Short texts of the whole deployment, kept in the ledger."""

    def value(self, name: str) -> str | None: ...

    def set(self, name: str, value: str) -> None: ...


Listing = Callable[[UserId | None, int], Sequence[UserId]]
"""(after, limit) → whom a place keeps something of, in id order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reapplied:
    """``people``: erased ones of whom something had come back; ``counts``: how much of them went again, by store. ``whole``
    False: a store did not answer, and it is looked at again the next time.
    """

    people: int
    counts: Mapping[str, Mapping[str, int]]
    whole: bool


UNCHANGED = Reapplied(people=0, counts={}, whole=True)


def reapply_tombstones(
    *,
    values: DeploymentValues,
    tombstones: Tombstones,
    keyring: Keyring,
    sealer: Sealer,
    listings: Sequence[Listing],
    stores: Mapping[str, PersonStore],
    always: bool = False,
) -> Reapplied:
    """Empties every store of everybody in ``listings`` (the ledger's people, those of graph stores and of sealed files) who was
    erased. One read where nothing has changed since the last time, unless ``always``.
    """
    state = tombstones.state()
    if not always and values.value(APPLIED) == state:
        return UNCHANGED
    counts: dict[str, dict[str, int]] = {}
    again: set[UserId] = set()
    whole = True
    for listing in listings:
        try:
            for page in _pages(listing):
                for user in tombstones.buried(page):
                    if user not in again:
                        again.add(user)
                        keyring.destroy(user)
                        sealer.forget(user)
                        whole &= _emptied(user, stores, counts)
        except Transient:
            whole = False
    if whole:
        values.set(APPLIED, state)
    return Reapplied(people=len(again), counts=counts, whole=whole)


def _pages(listing: Listing) -> Iterator[Sequence[UserId]]:
    after: UserId | None = None
    while page := listing(after, PAGE):
        yield page
        after = page[-1]


def _emptied(user: UserId, stores: Mapping[str, PersonStore], counts: dict[str, dict[str, int]]) -> bool:
    answered = True
    for name, store in stores.items():
        try:
            gone = store.erase(user)
        except Transient:
            answered = False
            continue
        for kind, count in gone.items():
            kinds = counts.setdefault(name, {})
            kinds[kind] = kinds.get(kind, 0) + count
    return answered
