"""A person is erased: every place that keeps something of them is emptied, in an order in which nothing can come back
(DESIGN §3; CONTRACTS, Sealing and keys).

The order is data (``ERASE``). How far it has come stands in the person's tombstone, beside the keys, so whoever is killed
half-way is gone on with by anybody who asks again; each step may be repeated.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from memory_lib.domain.ids import UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.domain.time import to_us
from memory_lib.errors import KeyMissing, Transient, UnknownUser
from memory_lib.ports.audit import ReceiptBook
from memory_lib.ports.clock import Clock
from memory_lib.ports.keys import Keyring, Sealer, Signer, Tombstone, Tombstones
from memory_lib.ports.ledger import People
from memory_lib.ports.person_store import PersonStore
from memory_lib.ports.write_turn import WriteTurn

OPERATION = "erase"

BURY, DESTROY_KEY, EMPTY_STORES, SCAN, RECEIPT = "bury", "destroy_key", "empty_stores", "scan", "receipt"

KEYS, MILLISECONDS = "keys", "milliseconds"
"""Parts of a tombstone's counts that are no stores: data keys, and how long each step took."""

KEY_BACKUPS = "key_backups_7_days"
"""Backups of the key store live that long; a copy of the person's records opens with them until then."""
LOGS_STATED = "logs_stated"
"""A store's own log may hold sealed bytes until it is recycled; the counts that begin with ``log_`` say how much."""
BACKUPS_BURIED = "backups_buried_on_open"
"""Backups of the other stores do not open any more, and are emptied of the person when one is put back."""

_LOG_KINDS = "log_"

Counts = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasePorts:
    """``stores``: every place that keeps something of a person, by name, in the order in which they are emptied. ``stopwatch``:
    seconds, of which only differences count.
    """

    people: People
    tombstones: Tombstones
    keyring: Keyring
    sealer: Sealer
    signer: Signer
    receipts: ReceiptBook
    write_turn: WriteTurn
    stores: Mapping[str, PersonStore]
    clock: Clock
    stopwatch: Callable[[], float] = time.perf_counter


@dataclass(frozen=True, slots=True)
class EraseStep:
    """A step by its name in every trace; it finds all it needs in the tombstone that the first one makes."""

    name: str
    work: Callable[[ErasePorts, UserId], Receipt | None]


def erase(user: UserId, *, ports: ErasePorts, apply: bool) -> Receipt:
    """Erase the person, also where the ledger no longer knows them; or (``apply`` off) count what there is of them.

    The receipt of an erasure names nobody: ``user`` None, counts a store, seconds a step, signed. Asked again, the one that was
    kept; where something of the person has come back meanwhile (a backup), all is done again.

    Raises:
        StoreBusy: somebody else writes the person; nothing has happened if it was the first call.
        Transient: a store does not answer, or something of the person is still there; everything that could be emptied has
            been. Ask again.
    """
    if not apply:
        return planned(user, ports=ports)
    if (kept := done(user, ports=ports)) is not None:
        return kept
    receipt: Receipt | None = None
    for step in ERASE:
        receipt = step.work(ports, user)
    assert receipt is not None
    return receipt


def planned(user: UserId, *, ports: ErasePorts) -> Receipt:
    """What an erasure would take, store by store; nothing changes. Raises Transient where a store does not answer."""
    counts = _residue(user, ports)
    if ports.keyring.exists(user):
        counts[KEYS] = {"destroyed": 1}
    return Receipt(operation=OPERATION, applied=False, at=ports.clock.now(), user=user, counts=counts, notes=_notes(counts))


def done(user: UserId, *, ports: ErasePorts) -> Receipt | None:
    """The receipt of a finished erasure of which nothing has come back; else None."""
    tombstone = _former_tombstone(ports, user)
    if tombstone is None or tombstone.stage != RECEIPT or ports.keyring.exists(user) or _residue(user, ports):
        return None
    return ports.receipts.one(_receipt_id(ports, tombstone))


def _bury(ports: ErasePorts, user: UserId) -> None:
    """Nobody else writes; that the person is erased is on record before anything of them goes."""
    with _turn(ports, user), _timed(ports, user, BURY):
        found = _residue(user, ports, of_those_that_answer=True)
        if ports.keyring.exists(user):
            found[KEYS] = {"destroyed": 1}
        before = _former_tombstone(ports, user)
        if before is None or before.stage == RECEIPT:
            mark, at_us = ports.tombstones.mark(user), to_us(ports.clock.now())
            ports.tombstones.put(Tombstone(mark=mark, at_us=at_us, stage=BURY, counts=found))
        else:
            ports.tombstones.put(replace(before, counts=_most(before.counts, found)))


def _destroy_key(ports: ErasePorts, user: UserId) -> None:
    """From here on no record of the person opens, wherever a copy of it lies."""
    with _timed(ports, user, DESTROY_KEY):
        ports.keyring.destroy(user)
        ports.sealer.forget(user)
        _reached(ports, user, DESTROY_KEY)


def _empty_stores(ports: ErasePorts, user: UserId) -> None:
    """One that does not answer keeps no other from being emptied."""
    failure: Transient | None = None
    with _turn(ports, user), _timed(ports, user, EMPTY_STORES):
        for name, store in ports.stores.items():
            try:
                gone = store.erase(user)
            except Transient as error:
                failure = failure or error
                continue
            tombstone = _tombstone(ports, user)
            ports.tombstones.put(replace(tombstone, counts=_most(tombstone.counts, {name: gone})))
        if failure is None:
            _reached(ports, user, EMPTY_STORES)
    if failure is not None:
        raise failure


def _scan(ports: ErasePorts, user: UserId) -> None:
    """Looks everywhere once more."""
    with _timed(ports, user, SCAN):
        left = _residue(user, ports)
        if ports.keyring.exists(user):
            left[KEYS] = {"present": 1}
        if left:
            raise Transient(
                f"something of an erased person is still in {', '.join(sorted(left))} "
                f"({sum(sum(kinds.values()) for kinds in left.values())} in all); run the erasure again"
            )
        _reached(ports, user, SCAN)


def _receipt(ports: ErasePorts, user: UserId) -> Receipt:
    """Signed, kept where nothing leads from it to the person."""
    tombstone = _tombstone(ports, user)
    ident = _receipt_id(ports, tombstone)
    kept = ports.receipts.one(ident)
    if kept is None:
        counts = {part: dict(kinds) for part, kinds in tombstone.counts.items() if part != MILLISECONDS and kinds}
        took = tombstone.counts.get(MILLISECONDS, {})
        unsigned = Receipt(
            id=ident,
            operation=OPERATION,
            applied=True,
            at=ports.clock.now(),
            user=None,
            counts=counts,
            seconds={step.name: took[step.name] / 1000 for step in ERASE if step.name in took},
            notes=_notes(counts),
        )
        kept = signed(_hashed(unsigned), ports.signer)
        ports.receipts.keep(kept)
    _reached(ports, user, RECEIPT)
    return kept


ERASE: tuple[EraseStep, ...] = (
    EraseStep(BURY, _bury),
    EraseStep(DESTROY_KEY, _destroy_key),
    EraseStep(EMPTY_STORES, _empty_stores),
    EraseStep(SCAN, _scan),
    EraseStep(RECEIPT, _receipt),
)
"""The order of an erasure; ``erase`` and its flow walk this tuple."""


def signed(receipt: Receipt, signer: Signer) -> Receipt:
    """The same, signed by the deployment."""
    named = replace(receipt, key=signer.public_key.hex())
    return replace(named, signature=signer.sign(named.signed_bytes()).hex())


def _residue(user: UserId, ports: ErasePorts, *, of_those_that_answer: bool = False) -> dict[str, Mapping[str, int]]:
    found: dict[str, Mapping[str, int]] = {}
    for name, store in ports.stores.items():
        try:
            kinds = store.residue(user)
        except Transient:
            if not of_those_that_answer:
                raise
            continue
        if kinds:
            found[name] = kinds
    return found


def _turn(ports: ErasePorts, user: UserId) -> AbstractContextManager[Any]:
    """The person's write lease, as long as the ledger knows the person; who it does not know nobody writes."""
    try:
        ports.people.person(user)
    except UnknownUser:
        return nullcontext()
    return ports.write_turn.hold(user, renewing=True)


@contextmanager
def _timed(ports: ErasePorts, user: UserId, step: str) -> Iterator[None]:
    """Adds the time of the block to the step's, killed runs' finished ones included."""
    started = ports.stopwatch()
    yield
    tombstone = _tombstone(ports, user)
    took = dict(tombstone.counts.get(MILLISECONDS, {}))
    took[step] = took.get(step, 0) + round((ports.stopwatch() - started) * 1000)
    ports.tombstones.put(replace(tombstone, counts={**tombstone.counts, MILLISECONDS: took}))


def _former_tombstone(ports: ErasePorts, user: UserId) -> Tombstone | None:
    """None too where there is one that cannot be read any more: it is made anew."""
    try:
        return ports.tombstones.of(user)
    except KeyMissing:
        return None


def _tombstone(ports: ErasePorts, user: UserId) -> Tombstone:
    found = ports.tombstones.of(user)
    assert found is not None, "the first step makes it"
    return found


def _reached(ports: ErasePorts, user: UserId, stage: str) -> None:
    tombstone = _tombstone(ports, user)
    if _ORDER[stage] > _ORDER[tombstone.stage]:
        ports.tombstones.put(replace(tombstone, stage=stage))


_ORDER = {step.name: place for place, step in enumerate(ERASE)}


def _most(before: Counts, now: Counts) -> dict[str, Mapping[str, int]]:
    """Kind by kind the larger count: what was found before anything went, or what went, whichever a kill has not cut short."""
    merged = {part: dict(kinds) for part, kinds in before.items()}
    for part, kinds in now.items():
        into = merged.setdefault(part, {})
        for kind, count in kinds.items():
            into[kind] = max(into.get(kind, 0), count)
    return dict(merged)


def _notes(counts: Counts) -> tuple[str, ...]:
    logs = any(kind.startswith(_LOG_KINDS) and count for kinds in counts.values() for kind, count in kinds.items())
    return (KEY_BACKUPS, BACKUPS_BURIED, *((LOGS_STATED,) if logs else ()))


def _hashed(receipt: Receipt) -> Receipt:
    """With the hash of all it says among its notes."""
    return replace(receipt, notes=(*receipt.notes, f"sha256:{hashlib.sha256(receipt.signed_bytes()).hexdigest()}"))


def _receipt_id(ports: ErasePorts, tombstone: Tombstone) -> str:
    """Chance to whoever lacks the deployment's id key, and the same for each attempt at one erasure."""
    return ports.keyring.id_key.hash("erasure receipt", tombstone.mark, tombstone.at_us)
