"""``reset``: pinned memories and the last days stay, the rest is archived until ``undo`` (``usecases.soft_reset``)."""

from __future__ import annotations

from memory_lib.domain.ids import UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.operations.bench import Asked, OpsBench
from memory_lib.operations.coming_back import brought_back
from memory_lib.plans import LOG, Progress, run
from memory_lib.usecases.soft_reset import soft_reset

OPERATION = "reset"


def reset(bench: OpsBench, user: UserId, asked: Asked, progress: Progress) -> Receipt:
    """``batch`` of the receipt is what ``undo`` takes."""
    if asked.apply:
        brought_back(bench, user)
    work = bench.work
    done = soft_reset(
        user,
        apply=asked.apply,
        log=work.log,
        reader=work.reader,
        writer=work.writer,
        write_turn=work.write_turn,
        id_key=work.id_key,
        now=work.clock.now(),
        params=work.reset,
    )
    progress(len(done.archived))
    receipt = Receipt(
        operation=OPERATION,
        applied=asked.apply,
        at=work.clock.now(),
        user=user,
        counts={"graph": {"archived": len(done.archived), "kept": done.kept}},
        ids={"nodes": done.archived},
        batch=done.batch,
        notes=(f"reversible_{work.undo.days:g}_days",) if done.batch else (),
        id=done.batch or "",
    )
    if done.batch is not None:
        run((LOG,), work, [user], workers=1)
        bench.receipts.keep(receipt)
    return receipt
