"""``rotate-keys``: a person's records under a new key."""

from __future__ import annotations

from memory_lib.domain.ids import UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.operations.bench import Asked, OpsBench
from memory_lib.plans import Progress
from memory_lib.usecases.rotate_keys import RotatePorts
from memory_lib.usecases.rotate_keys import rotate_keys as rotate


def rotate_keys(bench: OpsBench, user: UserId, asked: Asked, progress: Progress) -> Receipt:
    """An ``Operation``; its receipt is kept where it was applied."""
    receipt = rotate(user, ports=ports_of(bench), params=bench.rotate_keys, apply=asked.apply, progress=progress)
    if receipt.applied:
        bench.receipts.keep(receipt)
    return receipt


def ports_of(bench: OpsBench) -> RotatePorts:
    """What a rotation or a reseal works with."""
    return RotatePorts(
        rotation=bench.rotation,
        sealer=bench.sealer,
        resealables=bench.resealables,
        write_turn=bench.work.write_turn,
        id_key=bench.work.id_key,
        clock=bench.work.clock,
    )
