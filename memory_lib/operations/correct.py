"""``correct``: a person's own word on one memory (``usecases.correct``)."""

from __future__ import annotations

from memory_lib.domain.acts import ActKind
from memory_lib.domain.ids import NodeId, UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.errors import UnknownNode, UnknownSetting
from memory_lib.operations.bench import Asked, OpsBench
from memory_lib.operations.coming_back import brought_back
from memory_lib.plans import LOG, Progress, run, serving_graph
from memory_lib.usecases.correct import Corrected
from memory_lib.usecases.correct import correct as correct_node

OPERATION = "correct"
KINDS = (ActKind.PIN, ActKind.UNPIN, ActKind.WRONG, ActKind.SET)


def correct(bench: OpsBench, user: UserId, asked: Asked, progress: Progress) -> Receipt:
    """A dry run only looks whether there is such a node. Options ``node``, ``kind`` (pin, unpin, wrong, set); for ``set`` the
    request holds ``field`` and ``value``.

    Raises:
        UnknownNode, UnknownSetting: as ``usecases.correct``.
    """
    work = bench.work
    kind = asked.options.get("kind", "")
    if kind not in {each.value for each in KINDS}:
        raise UnknownSetting(f"correct takes kind = {', '.join(each.value for each in KINDS)}")
    node = NodeId(asked.options.get("node", ""))
    if not asked.apply:
        stored = work.reader.load(user)
        if stored.renames.get(node, node) not in stored.nodes:
            raise UnknownNode(f"node {node} is not in this person's memory; selfimprint show lists the ids")
        return Receipt(operation=OPERATION, applied=False, at=work.clock.now(), user=user, ids={"nodes": (node,)})
    said = {} if asked.request is None else bench.requests.payload(user, asked.request)
    done = corrected(bench, user, node, ActKind(kind), field=said.get("field"), value=said.get("value"))
    progress(1)
    receipt = Receipt(
        operation=OPERATION,
        applied=True,
        at=work.clock.now(),
        user=user,
        counts={"graph": {"nodes": int(done.batch is not None)}},
        ids={"nodes": (done.node.id,)},
        batch=done.batch,
        id=done.batch or "",
    )
    if done.batch is not None:
        bench.receipts.keep(receipt)
    return receipt


def corrected(
    bench: OpsBench, user: UserId, node: NodeId, kind: ActKind, *, field: str | None = None, value: str | None = None
) -> Corrected:
    """At once, and in the action log; who rests in files comes back into a store first. Raises as ``usecases.correct``."""
    brought_back(bench, user)
    work = bench.work
    done = correct_node(
        user,
        node,
        kind,
        field=field,
        value=value,
        log=work.log,
        reader=work.reader,
        writer=work.writer,
        write_turn=work.write_turn,
        embedder=serving_graph(work, user),
        id_key=work.id_key,
        now=work.clock.now(),
        params=work.correct,
    )
    run((LOG,), work, [user], workers=1)
    return done
