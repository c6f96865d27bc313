"""``move``: a person's graph to another store or tier (``usecases.move_shard``)."""

from __future__ import annotations

from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Placement, Tier
from memory_lib.domain.receipt import Receipt
from memory_lib.errors import UnknownSetting
from memory_lib.operations.bench import Asked, OpsBench
from memory_lib.plans import Progress
from memory_lib.usecases.move_shard import move_shard

TO = "to"
"""The option: hot, warm, cold, or shard:NAME."""


def move(bench: OpsBench, user: UserId, asked: Asked, progress: Progress) -> Receipt:
    """An ``Operation``. Its notes are ``from:…``, ``to:…`` (tier and store) and ``already_there``; its counts say what was, or
    would be, carried (``graph``) and taken away where it no longer lives (``removed``).

    Raises UnknownSetting: no ``to``, an unknown one, or a deployment that keeps nobody elsewhere.
    """
    tiers = bench.work.tiers
    if tiers is None:
        raise UnknownSetting("this memory keeps everybody in one store; configure stores or tiers before moving anybody")
    if TO not in asked.options:
        raise UnknownSetting("where to? name hot, warm, cold or shard:NAME")
    done = move_shard(user, asked.options[TO], mover=tiers.mover, reader=bench.work.reader, apply=asked.apply)
    progress(1)
    notes = [f"from:{_place(done.was)}", f"to:{_place(done.now)}"]
    if done.was == done.now:
        notes.append("already_there")
    counts = {"graph": done.counts, "removed": done.removed}
    now = bench.work.clock.now()
    receipt = Receipt(
        id=bench.work.id_key.hash("receipt", "move", user, now.isoformat()),
        operation="move",
        applied=asked.apply,
        at=now,
        user=user,
        counts={part: dict(each) for part, each in counts.items() if each},
        notes=tuple(notes),
    )
    if receipt.applied:
        bench.receipts.keep(receipt)
    return receipt


def _place(place: Placement) -> str:
    """``hot/NAME``; of who rests in files, the store they come back to."""
    return f"{place.tier.value}/{place.shard}" if place.tier is Tier.HOT else f"{place.tier.value}/for:{place.shard}"
