"""``undo``: what one batch did to a graph is taken back (``usecases.undo``)."""

from __future__ import annotations

from memory_lib.domain.ids import UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.errors import UnknownSetting
from memory_lib.operations.bench import Asked, OpsBench
from memory_lib.operations.coming_back import brought_back
from memory_lib.plans import LOG, Progress, run, serving_graph
from memory_lib.usecases.undo import undo as take_back

OPERATION = "undo"
BATCH = "batch"


def undo(bench: OpsBench, user: UserId, asked: Asked, progress: Progress) -> Receipt:
    """Takes option ``batch``. An undo has a batch of its own, so it can be undone.

    Raises:
        UnknownSetting: no batch, or none of this person's.
        InvalidInput: too long ago.
    """
    batch = asked.options.get(BATCH, "")
    if not batch:
        raise UnknownSetting("undo takes the batch of what is to be taken back, as its receipt names it")
    if asked.apply:
        brought_back(bench, user)
    work = bench.work
    done = take_back(
        user,
        batch,
        apply=asked.apply,
        log=work.log,
        reader=work.reader,
        writer=work.writer,
        write_turn=work.write_turn,
        embedder=serving_graph(work, user),
        id_key=work.id_key,
        now=work.clock.now(),
        params=work.undo,
    )
    progress(len(done.nodes))
    receipt = Receipt(
        operation=OPERATION,
        applied=asked.apply,
        at=work.clock.now(),
        user=user,
        counts={"graph": {"nodes": len(done.nodes), "edges": len(done.edges)}},
        ids={"undone": (batch,), "nodes": done.nodes, "edges": done.edges},
        batch=done.batch,
        notes=() if done.nodes else ("nothing_left_to_undo",),
        id=done.batch or "",
    )
    if done.batch is not None:
        run((LOG,), work, [user], workers=1)
        bench.receipts.keep(receipt)
    return receipt
