"""``export``: a person's memory as one file for them (``usecases.export_user``)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Placement, Tier
from memory_lib.domain.receipt import Receipt
from memory_lib.errors import InvalidInput, UnknownSetting
from memory_lib.operations.bench import Asked, Exchange, OpsBench
from memory_lib.plans import Progress
from memory_lib.ports.graph import WholeGraph
from memory_lib.ports.requests import RequestState
from memory_lib.usecases.export_user import OPERATION, Exported
from memory_lib.usecases.export_user import export_user as gather
from memory_lib.usecases.show import ShowParams, show

KEY = "key"


@dataclass(frozen=True, slots=True)
class Handed:
    """An export for who asked on the spot: the ZIP, and its key, which is kept nowhere."""

    receipt: Receipt
    data: bytes
    key: str


def export_user(bench: OpsBench, user: UserId, asked: Asked, progress: Progress) -> Receipt:
    """Where nobody can be handed a file: the ZIP is kept sealed, its key in a request; the receipt's ``ids`` name the request
    by which both are fetched (``fetched``).
    """
    exported = _gathered(bench, user)
    receipt = _receipt(bench, user, exported, applied=asked.apply)
    if not asked.apply:
        return receipt
    exchange = exchange_of(bench)
    key = exchange.archives.new_key()
    data = exchange.archives.pack(exported.person, exported.readable, key=key)
    now = bench.work.clock.now()
    request = bench.requests.ask(
        user, OPERATION, now=now, state=RequestState.RUNNING, payload={KEY: key}, operator=asked.operator
    )
    exchange.exports.keep(user, request.id, data)
    bench.requests.move(user, request.id, RequestState.DONE, now=now)
    progress(1)
    return replace(receipt, ids={"request": (request.id,)})


def handed_over(bench: OpsBench, user: UserId) -> Handed:
    """The ZIP and its key at once; nothing is kept here."""
    exported = _gathered(bench, user)
    archives = exchange_of(bench).archives
    key = archives.new_key()
    data = archives.pack(exported.person, exported.readable, key=key)
    return Handed(_receipt(bench, user, exported, applied=True), data, key)


def fetched(bench: OpsBench, user: UserId, request: str) -> Handed:
    """An export that a flow made.

    Raises:
        UnknownSetting: no such request.
        UnreadableFile: it is not made yet, or was taken away.
    """
    asked = bench.requests.one(user, request)
    if asked.kind != OPERATION:
        raise InvalidInput("this request is for something else than an export; its receipt names the right one")
    key = str(bench.requests.payload(user, request)[KEY])
    data = exchange_of(bench).exports.fetch(user, request)
    return Handed(Receipt(operation=OPERATION, applied=True, at=asked.created_at, user=user), data, key)


def exchange_of(bench: OpsBench) -> Exchange:
    """Raises UnknownSetting where this memory was opened without it."""
    if bench.exchange is None:
        raise UnknownSetting("this memory was opened without what exports, imports and restores need; open it from a home")
    return bench.exchange


def place_of(bench: OpsBench, user: UserId) -> Placement:
    """Where the person's graph lives, or would be made; writes nothing."""
    if bench.work.tiers is not None:
        return bench.work.tiers.mover.where(user)
    return bench.placements.of(user) or Placement(Tier.HOT, exchange_of(bench).shard)


def whole_of(bench: OpsBench, user: UserId) -> WholeGraph:
    """The person's graph from wherever it lives."""
    place = place_of(bench, user)
    if place.tier is Tier.HOT:
        return bench.shards[place.shard].take(user)
    return bench.files[place.tier].read(user, generation=place.generation)


def _gathered(bench: OpsBench, user: UserId) -> Exported:
    now = bench.work.clock.now()
    fade = bench.work.fade
    memory = show(
        user,
        people=bench.work.people,
        log=bench.work.log,
        graph=bench.work.reader,
        params=ShowParams(clock=fade.clock, weight=fade.weight),
        now=now,
    )
    return gather(
        user,
        people=bench.work.people,
        log=bench.work.log,
        rows=exchange_of(bench).rows,
        whole=whole_of(bench, user),
        memory=memory,
        id_key=bench.work.id_key,
        now=now,
    )


def _receipt(bench: OpsBench, user: UserId, exported: Exported, *, applied: bool) -> Receipt:
    return Receipt(operation=OPERATION, applied=applied, at=bench.work.clock.now(), user=user, counts=exported.counts)
