"""A person who is back: their graph out of sealed files into a store (DESIGN §4, Tiers; §5, rehydrate)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Placement, Tier
from memory_lib.errors import SelfImprintError
from memory_lib.ports.clock import Clock
from memory_lib.ports.person_mover import Destination, PersonMover
from memory_lib.ports.requests import Request, Requests, RequestState

KIND = "rehydrate"
"""The request's kind in the ledger."""


@dataclass(frozen=True, slots=True)
class Rehydrated:
    """``counts``: what was carried; empty where the person was in a store already."""

    was: Placement
    now: Placement
    counts: Mapping[str, int] = field(default_factory=dict)


def ask_back(user: UserId, *, requests: Requests, clock: Clock) -> Request:
    """That this person shall be brought back; asked twice, it is one request."""
    return requests.ask(user, KIND, now=clock.now())


def rehydrate(user: UserId, *, mover: PersonMover, requests: Requests, clock: Clock, attempts: int) -> Rehydrated:
    """Moves the person into their store and closes the request for it.

    The request is made before anything moves and closed when nothing is left to remove, so whoever is killed in between is
    finished by the next who claims it. After ``attempts`` claims that failed it is given up as failed: an operator looks.

    Raises as ``PersonMover.move``.
    """
    was = mover.where(user)
    known = requests.open(kind=KIND, user=user, limit=1)
    if was.tier is Tier.HOT and not known:
        return Rehydrated(was, was)
    asked = known[0] if known else ask_back(user, requests=requests, clock=clock)
    try:
        moved = mover.move(user, Destination(Tier.HOT))
    except SelfImprintError:
        if asked.attempts >= attempts:
            requests.move(user, asked.id, RequestState.FAILED, now=clock.now())
        # else it is tried again when its claim runs out, not at once
        raise
    requests.move(user, asked.id, RequestState.DONE, now=clock.now())
    return Rehydrated(moved.was, moved.now, moved.counts)


def claimed(requests: Requests, *, holder: str, limit: int, ttl_s: float, clock: Clock) -> tuple[UserId, ...]:
    """Who shall be brought back, now ours to do: up to ``limit`` of them, in no order, nobody twice."""
    found = requests.claim(KIND, holder=holder, limit=limit, ttl_s=ttl_s, now=clock.now())
    return tuple(dict.fromkeys(request.user for request in found))
