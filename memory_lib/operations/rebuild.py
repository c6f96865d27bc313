"""``rebuild``: a person's graph made again from what was said and done, or only compared with it (plan ``rebuild``)."""

from __future__ import annotations

from memory_lib.domain.canonical import graph_hash
from memory_lib.domain.ids import UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.operations.bench import Asked, OpsBench
from memory_lib.plans import REBUILD, Progress, former_of, run

OPERATION = "rebuild"
DIFFERENT = "different"
"""A note: what is stored is not what messages and acts make."""


def rebuild(bench: OpsBench, user: UserId, asked: Asked, progress: Progress) -> Receipt:
    """Applied, what waits is formed first and the plan ``rebuild`` is walked; else the graph is made in memory and compared.

    Notes: ``before:`` and ``after:`` with both graph hashes. Raises as the plan's steps.
    """
    work = bench.work
    before = _hash(bench, user)
    if asked.apply:
        done = run(REBUILD, work, [user], workers=1, progress=lambda _step, count: progress(count)).or_raise()
        (counts,) = (piece.counts for piece in done.done if piece.step == OPERATION)
        after = _hash(bench, user)
    else:
        rebuilt = former_of(work, user).rebuild(None)
        counts = {"nodes": rebuilt.nodes, "edges": rebuilt.edges, "faults": len(rebuilt.faults)}
        after = rebuilt.after
    return Receipt(
        operation=OPERATION,
        applied=asked.apply,
        at=work.clock.now(),
        user=user,
        counts={"graph": {name: counts[name] for name in ("nodes", "edges", "faults")}},
        notes=(f"before:{before}", f"after:{after}", *((DIFFERENT,) if before != after else ())),
    )


def _hash(bench: OpsBench, user: UserId) -> str:
    stored = bench.work.reader.load(user)
    return graph_hash(stored.nodes.values(), stored.edges.values())
