"""``reseal``: a person's records in the present envelope, under the present key."""

from __future__ import annotations

from memory_lib.domain.ids import UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.operations.bench import Asked, OpsBench
from memory_lib.operations.rotate_keys import ports_of
from memory_lib.plans import Progress
from memory_lib.usecases.rotate_keys import reseal as seal_anew


def reseal(bench: OpsBench, user: UserId, asked: Asked, progress: Progress) -> Receipt:
    """An ``Operation``; its receipt is kept where it was applied."""
    receipt = seal_anew(user, ports=ports_of(bench), params=bench.rotate_keys, apply=asked.apply, progress=progress)
    if receipt.applied:
        bench.receipts.keep(receipt)
    return receipt
