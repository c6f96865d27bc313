"""A person's records are sealed anew: under a new key (``rotate_keys``), or under the present one where envelopes are older
(``reseal``) (DESIGN §5, ops; CONTRACTS, Sealing and keys).

A rotation is: a new generation beside the present one, every store sealed anew, a grace for writers who took their sealer
before, every store once more, and last the old key is destroyed. How far it has come stands in the generations that are kept:
killed anywhere, the same call goes on. A store that is written all the while is written by the new key, so the rest only
shrinks.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from memory_lib.domain.ids import IdKey, UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.errors import LeaseLost, StaleRead, StoreBusy
from memory_lib.ports.clock import Clock
from memory_lib.ports.keys import KeyRotation, Sealer
from memory_lib.ports.person_store import Resealable
from memory_lib.ports.write_turn import WriteTurn

ROTATE, RESEAL = "rotate-keys", "reseal"
KEYS = "keys"
"""The part of a receipt's counts that is no store: ``generation`` in use, how many are ``kept`` and were ``destroyed``."""
ROTATION_UNDER_WAY = "rotation_under_way"
"""A note: an earlier rotation was stopped; ``rotate-keys`` goes on with it."""
KEY_BACKUPS = "key_backups_7_days"
"""A note: backups of the key store live that long; copies of old records open with them until then."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class RotateKeysParams:
    """``batch``: envelopes a call to a store. ``grace_s``: how long after the new key was made somebody may still write what
    was sealed by the old one. ``attempts``: how often in a row a store may be busy, with ``pause_s`` between.
    """

    batch: int
    grace_s: float
    attempts: int
    pause_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RotatePorts:
    """``resealables``: every place with envelopes, by name."""

    rotation: KeyRotation
    sealer: Sealer
    resealables: Mapping[str, Resealable]
    write_turn: WriteTurn
    id_key: IdKey
    clock: Clock


def rotate_keys(
    user: UserId,
    *,
    ports: RotatePorts,
    params: RotateKeysParams,
    apply: bool,
    progress: Callable[[int], None] = lambda _: None,
    pause: Callable[[float], None] = time.sleep,
) -> Receipt:
    """The person's key is replaced. Without ``apply``: which generation is in use, and what is sealed by an older one.

    Raises:
        KeyMissing: the person was erased.
        SealBroken: a record does not open; everything else is sealed anew, and the old key stays.
        StoreBusy: a store was busy all the time, or somebody else began another rotation; the same call goes on from there.
    """
    if not apply:
        return _planned(ROTATE, user, ports)
    started = ports.clock.now()
    generation = ports.rotation.begin(user)
    ports.sealer.forget(user)
    began = ports.clock.now()
    done = _seal_all(user, ports, params, progress, pause)
    # who took a sealer before ``begin`` may not have written yet; a rotation gone on with knows no better when it began
    remaining = params.grace_s - (ports.clock.now() - began).total_seconds()
    if remaining > 0:
        pause(remaining)
    done.update(_seal_all(user, ports, params, progress, pause))
    # under the write lease nothing moves from a store that was looked at to one that was looked at before
    with ports.write_turn.hold(user, renewing=True):
        left = [name for name, store in ports.resealables.items() if store.outdated(user)]
        if left:
            raise StoreBusy(
                f"the stores {', '.join(sorted(left))} of person {user} hold envelopes of an older key; run rotate-keys again"
            )
        if ports.rotation.generation(user) != generation:
            raise StoreBusy(
                f"somebody else began another rotation of the key of {user}; run rotate-keys again to go on with it"
            )
        destroyed = ports.rotation.finish(user)
    ports.sealer.forget(user)
    counts: dict[str, Mapping[str, int]] = {name: {"resealed": done[name]} for name in ports.resealables}
    counts[KEYS] = {"generation": generation, "kept": len(ports.rotation.generations(user)), "destroyed": destroyed}
    _log.info("rotate_keys.done", extra={"user": user, "generation": generation, "destroyed": destroyed})
    return Receipt(
        operation=ROTATE,
        applied=True,
        at=(now := ports.clock.now()),
        user=user,
        counts=counts,
        seconds={"all": (now - started).total_seconds()},
        notes=(KEY_BACKUPS,),
        id=ports.id_key.hash("receipt", ROTATE, user, generation),
    )


def reseal(
    user: UserId,
    *,
    ports: RotatePorts,
    params: RotateKeysParams,
    apply: bool,
    progress: Callable[[int], None] = lambda _: None,
    pause: Callable[[float], None] = time.sleep,
) -> Receipt:
    """Envelopes of an older version or key generation are made anew under the present key; no key comes or goes.

    Raises as ``rotate_keys``.
    """
    if not apply:
        return _planned(RESEAL, user, ports)
    started = ports.clock.now()
    done = _seal_all(user, ports, params, progress, pause)
    kept = ports.rotation.generations(user)
    now = ports.clock.now()
    counts: dict[str, Mapping[str, int]] = {name: {"resealed": done[name]} for name in ports.resealables}
    counts[KEYS] = {"generation": kept[-1], "kept": len(kept), "destroyed": 0}
    _log.info("reseal.done", extra={"user": user, "resealed": sum(done.values())})
    return Receipt(
        operation=RESEAL,
        applied=True,
        at=now,
        user=user,
        counts=counts,
        seconds={"all": (now - started).total_seconds()},
        notes=_notes(kept),
        id=ports.id_key.hash("receipt", RESEAL, user, now.isoformat()),
    )


def _planned(operation: str, user: UserId, ports: RotatePorts) -> Receipt:
    kept = ports.rotation.generations(user)
    counts: dict[str, Mapping[str, int]] = {
        name: {"outdated": store.outdated(user)} for name, store in ports.resealables.items()
    }
    counts[KEYS] = {"generation": kept[-1], "kept": len(kept), "outworn": int(ports.rotation.outworn(user))}
    return Receipt(operation=operation, applied=False, at=ports.clock.now(), user=user, counts=counts, notes=_notes(kept))


def _notes(kept: tuple[int, ...]) -> tuple[str, ...]:
    return (ROTATION_UNDER_WAY,) if len(kept) > 1 else ()


def _seal_all(
    user: UserId,
    ports: RotatePorts,
    params: RotateKeysParams,
    progress: Callable[[int], None],
    pause: Callable[[float], None],
) -> Counter[str]:
    """Every store until none of its envelopes is outdated; how many were made anew."""
    done: Counter[str] = Counter()
    for name, store in ports.resealables.items():
        made = busy = 0
        while store.outdated(user):
            try:
                now = store.reseal(user, limit=params.batch)
            except (StoreBusy, LeaseLost, StaleRead):
                busy += 1
                if busy >= params.attempts:
                    raise
                pause(params.pause_s)
                continue
            made += now
            progress(now)
            busy = 0 if now else busy + 1
            if busy >= params.attempts:
                raise StoreBusy(f"store {name} counts old envelopes of person {user} and makes none anew; try again later")
        done[name] = made
    return done
