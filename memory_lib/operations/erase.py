"""``erase``: everything of a person goes (``usecases.erase``)."""

from __future__ import annotations

from memory_lib.domain.ids import UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.operations.bench import Asked, OpsBench
from memory_lib.plans import Progress
from memory_lib.usecases.erase import ErasePorts
from memory_lib.usecases.erase import erase as erase_person


def erase(bench: OpsBench, user: UserId, asked: Asked, progress: Progress) -> Receipt:
    """Also for an internal id that the ledger does not know any more."""
    receipt = erase_person(user, ports=ports_of(bench), apply=asked.apply)
    progress(1)
    return receipt


def ports_of(bench: OpsBench) -> ErasePorts:
    """What the steps of ``usecases.erase.ERASE`` take, for who walks them one by one."""
    return ErasePorts(
        people=bench.work.people,
        tombstones=bench.tombstones,
        keyring=bench.keyring,
        sealer=bench.sealer,
        signer=bench.signer,
        receipts=bench.receipts,
        write_turn=bench.work.write_turn,
        stores=bench.stores,
        clock=bench.work.clock,
    )
