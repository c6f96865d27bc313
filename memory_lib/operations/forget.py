"""``forget``: a topic taken out of everything, exactly as it was listed (``usecases.forget``, ``form_person``)."""

from __future__ import annotations

from collections.abc import Mapping

from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Tier
from memory_lib.domain.receipt import Receipt
from memory_lib.errors import UnknownSetting
from memory_lib.operations.bench import Asked, OpsBench
from memory_lib.operations.coming_back import brought_back
from memory_lib.plans import INGEST, Progress, former_of, run, serving_graph
from memory_lib.ports.requests import RequestState
from memory_lib.usecases.forget import ForgetPlan, ForgetPorts, Forgotten, forget_words, plan_forgetting

OPERATION = "forget"
TOPIC, LIST = "topic", "list"
"""What a request says: what to look for, or the exact list of a dry run."""
NOTHING_NAMED = "nothing_named"
"""Refused: the topic names nothing in this person's memory."""


def forget(bench: OpsBench, user: UserId, asked: Asked, progress: Progress) -> Receipt:
    """A dry run lists, and keeps the list as a planned request, whose id is in ``ids["request"]``. Applied, a request with a
    list takes exactly that; one with a topic lists and takes it.

    Raises:
        UnknownSetting: no request, or one that says neither.
    """
    if asked.request is None:
        raise UnknownSetting("forget needs a request that holds the topic or the list; selfimprint forget makes one")
    if asked.apply:
        brought_back(bench, user)
    said = bench.requests.payload(user, asked.request)
    ports = _ports(bench, user)
    request = asked.request
    if TOPIC in said:
        plan = plan_forgetting(user, str(said[TOPIC]), ports=ports, params=bench.work.forget)
        now = bench.work.clock.now()
        listed = bench.requests.ask(
            user, OPERATION, now=now, state=RequestState.PLANNED, payload={LIST: plan.record()}, operator=asked.operator
        )
        # what is to be forgotten must not stay in what asked for it
        bench.requests.clear(user, request)
        bench.requests.move(user, request, RequestState.DONE, now=now)
        request = listed.id
    elif LIST in said:
        plan = ForgetPlan.of(said[LIST])
    elif bench.requests.one(user, request).state is RequestState.DONE:
        return _receipt(bench, user, ForgetPlan(nodes={}, edges=(), spans=()), request, applied=True, counts={})
    else:
        raise UnknownSetting(f"request {request} holds neither a topic nor a list; ask anew")
    if not plan.nodes and not plan.spans:
        bench.requests.move(user, request, RequestState.DONE, now=bench.work.clock.now())
        return _receipt(bench, user, plan, request, applied=False, counts={}, refused=NOTHING_NAMED)
    if not asked.apply:
        return _receipt(bench, user, plan, request, applied=False, counts={})
    work = bench.work
    bench.requests.move(user, request, RequestState.RUNNING, now=work.clock.now())
    done = forget_words(
        user, plan, rule=request, ports=ports, params=work.forget, sessions=work.extract.sessions, now=work.clock.now()
    )
    went = former_of(work, user).forget(done.gone, rule=request, ended=plan.ended)
    _drop_former_files(bench, user)
    # rounds and vectors of what is left; and the log of what went
    run(INGEST, work, [user], workers=1, progress=lambda _step, count: progress(count))
    counts = {"graph": {"nodes": went.nodes, "edges": went.edges}, "ledger": _ledger(done)}
    bench.requests.clear(user, request)
    bench.requests.move(user, request, RequestState.DONE, now=work.clock.now())
    return _receipt(bench, user, plan, request, applied=True, counts=counts)


def _ports(bench: OpsBench, user: UserId) -> ForgetPorts:
    work = bench.work
    return ForgetPorts(
        log=work.log,
        staging=work.staging,
        reader=work.reader,
        forgetting=bench.forgetting,
        reasoner=work.reasoner,
        embedder=serving_graph(work, user),
        id_key=work.id_key,
    )


def _ledger(done: Forgotten) -> Mapping[str, int]:
    return {"messages": done.messages, "units": done.units, **done.counts}


def _drop_former_files(bench: OpsBench, user: UserId) -> None:
    """Sealed files of a person who lives in a store are leftovers, and hold what was forgotten."""
    place = bench.placements.of(user)
    if place is not None and place.tier is not Tier.HOT:
        return
    for files in bench.files.values():
        for generation in files.generations(user):
            files.delete(user, generation=generation)


def _receipt(
    bench: OpsBench,
    user: UserId,
    plan: ForgetPlan,
    request: str,
    *,
    applied: bool,
    counts: Mapping[str, Mapping[str, int]],
    refused: str | None = None,
) -> Receipt:
    listed = {"listed": {"nodes": len(plan.nodes), "edges": len(plan.edges), "spans": len(plan.spans)}}
    receipt = Receipt(
        operation=OPERATION,
        applied=applied,
        at=bench.work.clock.now(),
        user=user,
        counts={**listed, **counts},
        ids={
            "request": (request,),
            "nodes": tuple(plan.nodes),
            "edges": plan.edges,
            "spans": tuple(f"{span.message}:{span.start}-{span.end}" for span in plan.spans),
            "messages": tuple(sorted({*plan.whole, *(span.message for span in plan.spans)})),
            "ended": tuple(plan.ended),
        },
        refused=refused,
        id=request if applied else "",
    )
    if applied:
        bench.receipts.keep(receipt)
    return receipt
