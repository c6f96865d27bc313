"""``disclose``: a lawful request is answered with exactly what it asks for (``usecases.disclose``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory_lib.domain.ids import MessageId, NodeId, UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.errors import InvalidInput
from memory_lib.operations.bench import Asked, OpsBench
from memory_lib.plans import Progress
from memory_lib.ports.requests import Request, RequestState
from memory_lib.usecases.disclose import OPERATION, Basis, Disclosed, Order
from memory_lib.usecases.disclose import disclose as give_out


def disclose(bench: OpsBench, user: UserId, asked: Asked, progress: Progress) -> Receipt:
    """The reviewer has it carried out; the items themselves are then fetched by the request (``fetched``)."""
    disclosed = carried_out(bench, user, asked)
    progress(1)
    return disclosed.receipt


def planned(bench: OpsBench, user: UserId, order: Order) -> tuple[Request | None, Receipt]:
    """The order kept, sealed, until its reviewer approves it; a dry run of it first, and nothing kept where that is refused.

    Raises InvalidInput, UnknownNode, UnknownMessage.
    """
    dry = _disclosed(bench, user, order, approved_by=order.reviewer, apply=False)
    if dry.receipt.refused is not None:
        return None, dry.receipt
    request = bench.requests.ask(
        user,
        OPERATION,
        now=bench.work.clock.now(),
        state=RequestState.PLANNED,
        payload=_payload(order),
        operator=order.requester,
    )
    return request, dry.receipt


def carried_out(bench: OpsBench, user: UserId, asked: Asked) -> Disclosed:
    """What the request orders, approved by ``asked.operator``; repeated, it leaves another audit row."""
    if asked.request is None:
        raise InvalidInput("a disclosure is asked for by a request; selfimprint disclose without --apply makes one")
    request = bench.requests.one(user, asked.request)
    if request.kind != OPERATION:
        raise InvalidInput("this request is for something else than a disclosure")
    order = _order(bench.requests.payload(user, asked.request), requester=request.operator)
    done = _disclosed(bench, user, order, approved_by=asked.operator, apply=asked.apply)
    if done.receipt.applied:
        bench.requests.move(user, asked.request, RequestState.DONE, now=bench.work.clock.now())
    return done


def _disclosed(bench: OpsBench, user: UserId, order: Order, *, approved_by: str, apply: bool) -> Disclosed:
    return give_out(
        user,
        order,
        approved_by=approved_by,
        people=bench.work.people,
        log=bench.work.log,
        graph=bench.work.reader,
        audit=bench.audit,
        requests=bench.requests,
        now=bench.work.clock.now(),
        apply=apply,
    )


def _payload(order: Order) -> dict[str, Any]:
    return {
        "basis": order.basis.value,
        "reviewer": order.reviewer,
        "nodes": list(order.nodes),
        "messages": list(order.messages),
        "reference": order.reference,
        "not_telling": order.not_telling,
    }


def _order(payload: Mapping[str, Any], *, requester: str) -> Order:
    try:
        basis = Basis(str(payload.get("basis", "")))
    except ValueError:
        raise InvalidInput(f"a disclosure rests on one of {', '.join(Basis)}") from None
    return Order(
        basis=basis,
        requester=requester,
        reviewer=str(payload.get("reviewer", "")),
        nodes=tuple(NodeId(str(ident)) for ident in payload.get("nodes", ())),
        messages=tuple(MessageId(str(ident)) for ident in payload.get("messages", ())),
        reference=str(payload.get("reference", "")),
        not_telling=str(payload.get("not_telling", "")),
    )
