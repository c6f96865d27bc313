"""Copy, compare, flip, take away: how a person's graph changes its place with one living copy at every instant.

Two things make it safe, whoever is slow or dies. Stores: a move raises the fence of every store it touches to its own token,
so an older writer is refused there; what it removes, it removes under that token. Files: numbers of sets are never given twice,
and a move removes only sets numbered below its own that were not the living one after the ledger confirmed its lease; whoever
comes later has a higher number.
"""

from __future__ import annotations

import os
import secrets
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass

from memory_lib.adapters.graph_routing.comparing import differing
from memory_lib.adapters.graph_routing.opened_files import OpenedFiles
from memory_lib.adapters.graph_routing.params import TierParams
from memory_lib.adapters.graph_routing.places import Places
from memory_lib.adapters.graph_routing.session_traces import session_traces
from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Placement, Tier
from memory_lib.errors import Cancelled, DependencyDown, Permanent, SelfImprintError, StoreBusy
from memory_lib.policies.sessions import SessionParams
from memory_lib.ports.clock import Clock
from memory_lib.ports.graph import WholeGraph
from memory_lib.ports.keys import Keyring
from memory_lib.ports.ledger import Leases, MessageLog
from memory_lib.ports.person_mover import Destination, Moved
from memory_lib.ports.placements import Placements
from memory_lib.ports.write_turn import WriteTurn

CLAIM = "tier"
FENCE = "fence"
"""What a store keeps of a person who left it (``GraphCarrier.residue``)."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """A move under way: its lease confirmed by the ledger. ``number``: its own set of files, above all given before."""

    user: UserId
    token: int
    was: Placement
    number: int


class LeasedMover:
    """Implements ``ports.person_mover.PersonMover`` over the ledger's placements and leases, the stores, and sealed files."""

    def __init__(  # noqa: PLR0913 - what a move touches
        self,
        *,
        places: Places,
        files: OpenedFiles,
        placements: Placements,
        leases: Leases,
        write_turn: WriteTurn,
        log: MessageLog,
        keys: Keyring,
        clock: Clock,
        params: TierParams,
        sessions: SessionParams,
    ) -> None:
        self._places = places
        self._files = files
        self._placements = placements
        self._leases = leases
        self._write_turn = write_turn
        self._log = log
        self._keys = keys
        self._clock = clock
        self._params = params
        self._sessions = sessions

    def where(self, user: UserId) -> Placement:
        return self._places.of(user)

    def planned(self, user: UserId, to: Destination) -> Placement:
        was = self._places.of(user)
        if to.shard is not None:
            self._places.store(to.shard)
        if to.tier is not Tier.HOT:
            self._files.of_tier(to.tier)
        return self._target(user, was, to, number=was.generation + 1) or was

    def move(self, user: UserId, to: Destination, *, unless: Callable[[], bool] = lambda: False) -> Moved:
        if to.shard is not None:
            self._places.store(to.shard)
        with self._standing(user) as standing:
            was = standing.was
            removed = Counter(self._tidied(standing, was))
            target = self._target(user, was, to, number=standing.number)
            if target is None:
                return Moved(was, was, removed=dict(removed))
            _stop_if(unless, user)
            counts = {} if _same_files(was, target) else self._copied(standing, target, unless)
            self._placements.flip(user, target, was=was, token=standing.token, now=self._clock.now())
            removed += Counter(self._tidied(standing, target))
        return Moved(was, target, counts, dict(removed))

    @contextmanager
    def _standing(self, user: UserId) -> Iterator[_Standing]:
        """The claim and the write lease, confirmed."""
        holder = f"{os.getpid()}-{secrets.token_hex(8)}"
        claim = self._leases.acquire(user, CLAIM, holder=holder, ttl_s=self._params.claim_s, now=self._clock.now())
        if claim is None:
            raise StoreBusy(f"person {user} is being moved by another process; see where they are when it is done")
        try:
            with self._write_turn.hold(user, renewing=True) as turn:
                number = self._placements.next_generation(user)
                was = self._places.settled(user)
                # nothing changes by it; it fails where somebody else has the lease by now, and then we must touch nothing
                self._placements.flip(user, was, was=was, token=turn.token, now=self._clock.now())
                yield _Standing(user, turn.token, was, number)
        finally:
            self._leases.release(claim)

    def _target(self, user: UserId, was: Placement, to: Destination, *, number: int) -> Placement | None:
        """None where the person is there already."""
        shard = to.shard or was.shard
        if to.tier is Tier.HOT and shard not in self._places.stores:
            # the store they came from is gone
            shard = self._places.for_new(user)
        if to.tier is was.tier:
            return None if shard == was.shard else Placement(was.tier, shard, was.generation)
        return Placement(to.tier, shard, 0 if to.tier is Tier.HOT else number)

    def _copied(self, standing: _Standing, target: Placement, unless: Callable[[], bool]) -> Mapping[str, int]:
        whole = self._taken(standing)
        _stop_if(unless, standing.user)
        try:
            self._copy(standing, whole, target)
            _stop_if(unless, standing.user)
        except SelfImprintError:
            self._take_back(standing, target)
            raise
        return _counts(whole)

    def _taken(self, standing: _Standing) -> WholeGraph:
        """The living copy, which no older writer can change any more."""
        user, was = standing.user, standing.was
        if was.tier is not Tier.HOT:
            return self._files.get(user, was).whole
        store = self._places.store(was.shard)
        store.fence(user, token=standing.token)
        return store.take(user)

    def _copy(self, standing: _Standing, whole: WholeGraph, target: Placement) -> None:
        user = standing.user
        if target.tier is not Tier.HOT:
            traces = session_traces(self._log.refs(user), params=self._sessions)
            # reads back and compares by itself
            self._files.of_tier(target.tier).write(user, whole, traces, generation=target.generation)
            return
        store = self._places.store(target.shard)
        generation = self._keys.open(user).generation
        store.place(user, whole, token=standing.token, key_generation=generation)
        parts = differing(whole, store.take(user), vectors_within=self._params.vectors_within)
        if parts:
            raise Permanent(
                f"the copy of person {user} in graph store {target.shard!r} differs from its source in {', '.join(parts)}; "
                "the source is untouched, check that store"
            )

    def _take_back(self, standing: _Standing, target: Placement) -> None:
        """What was copied before the flip was tried. Where that does not work either, the next move does it."""
        with suppress(SelfImprintError):
            if target.tier is Tier.HOT:
                self._places.store(target.shard).vacate(standing.user, token=standing.token)
            else:
                self._files.of_tier(target.tier).delete(standing.user, generation=target.generation)

    def _tidied(self, standing: _Standing, living: Placement) -> Mapping[str, int]:
        """Everything that is not the living copy goes: rows in stores, sets of files up to this move's own."""
        user = standing.user
        removed: Counter[str] = Counter()
        for name, store in self._places.stores.items():
            if living.tier is Tier.HOT and name == living.shard:
                continue
            # a store that this move does not read is no reason to fail it when it is down
            with nullcontext() if name == standing.was.shard else suppress(DependencyDown, StoreBusy):
                if store.residue(user).keys() - {FENCE}:
                    store.vacate(user, token=standing.token)
                    removed["stores"] += 1
        for files in self._files.everywhere:
            for generation in files.generations(user):
                if generation <= standing.number and generation != living.generation:
                    files.delete(user, generation=generation)
                    removed["sets"] += 1
        if living.tier is Tier.HOT:
            self._files.forget(user)
        return removed


def _same_files(was: Placement, target: Placement) -> bool:
    """Only which store they belong to changes."""
    return was.tier is target.tier is not Tier.HOT


def _stop_if(unless: Callable[[], bool], user: UserId) -> None:
    if unless():
        raise Cancelled(f"the move of person {user} was stopped before anything had changed; it is due again later")


def _counts(whole: WholeGraph) -> Mapping[str, int]:
    return {
        "nodes": len(whole.nodes),
        "edges": len(whole.edges),
        "acts": len(whole.acts),
        "renames": len(whole.renames),
        "vectors": len(whole.vectors),
        "write_keys": len(whole.write_keys),
        "outbox": len(whole.outbox),
    }
