"""A lawful request is answered: with exactly what it asks for, looked at by somebody else than who asks, on record before
anything is shown, and told to the person unless a recorded reason forbids (DESIGN §5, ops).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from memory_lib.domain.ids import MessageId, NodeId, UserId
from memory_lib.domain.message import Message
from memory_lib.domain.node import Node
from memory_lib.domain.recall import Source
from memory_lib.domain.receipt import Receipt
from memory_lib.domain.shapes import message_shape, node_shape
from memory_lib.domain.time import from_us
from memory_lib.errors import InvalidInput, UnknownMessage, UnknownNode
from memory_lib.ports.audit import AuditLog
from memory_lib.ports.graph import GraphReader
from memory_lib.ports.ledger import MessageLog, People
from memory_lib.ports.requests import Requests, RequestState

OPERATION = "disclose"
NOTICE = "notice"
"""The kind of request that waits until the person has been told something."""

NOT_REVIEWED, OWN_REVIEW, OTHER_REVIEWER = "not_reviewed", "reviewed_by_requester", "other_reviewer"
"""Refused: nobody reviewed; the requester did; somebody else than the named reviewer approves."""
TOLD, NOT_TOLD = "person_is_told", "person_is_not_told"
"""Notes."""


class Basis(StrEnum):
    """On what a disclosure rests."""

    COURT_ORDER = "court_order"
    WARRANT = "warrant"
    STATUTE = "statute"
    SUBJECT_REQUEST = "subject_request"
    EMERGENCY = "emergency"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be disclosed, on what basis, to whose request; ``reference``: of the case, and ``not_telling``: why the person
    must not be told ("" : they are told): words, sealed wherever they are kept.
    """

    basis: Basis
    requester: str
    reviewer: str
    nodes: tuple[NodeId, ...] = ()
    messages: tuple[MessageId, ...] = ()
    reference: str = ""
    not_telling: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosed:
    """``items``: ``{"basis", "nodes", "messages"}``: exactly what was ordered, None in a dry run or where it was refused. A
    node quotes only messages that were ordered too.
    """

    receipt: Receipt
    items: Mapping[str, Any] | None = field(default=None)


def disclose(
    user: UserId,
    order: Order,
    *,
    approved_by: str,
    people: People,
    log: MessageLog,
    graph: GraphReader,
    audit: AuditLog,
    requests: Requests,
    now: datetime,
    apply: bool,
) -> Disclosed:
    """``approved_by``: who has this carried out, by the deployment's name for them; must be the reviewer.

    Order of things: everything is checked to be there, the audit row is written, the notice to the person is kept, then the
    items are given out.

    Raises:
        InvalidInput: nothing is ordered.
        UnknownUser, UnknownNode, UnknownMessage: an item that is not there; nothing was shown and nothing kept.
    """
    if not order.nodes and not order.messages:
        raise InvalidInput("a disclosure names what is disclosed: ids of nodes, of messages, or both")
    people.person(user)
    nodes = graph.nodes(user, order.nodes)
    if missing := [ident for ident in order.nodes if ident not in nodes]:
        raise UnknownNode(f"{len(missing)} of the ordered ids name no memory of this person; selfimprint show lists the ids")
    if missing_messages := set(order.messages) - {ref.id for ref in log.refs(user)}:
        raise UnknownMessage(f"{len(missing_messages)} of the ordered ids name no message of this person")
    receipt = Receipt(
        operation=OPERATION,
        applied=False,
        at=now,
        user=user,
        counts={"items": {"nodes": len(order.nodes), "messages": len(order.messages)}},
        ids={"nodes": tuple(order.nodes), "messages": tuple(order.messages)},
        notes=(f"basis_{order.basis}", NOT_TOLD if order.not_telling.strip() else TOLD),
    )
    if (refused := _refused(order, approved_by)) is not None:
        return Disclosed(receipt=replace(receipt, refused=refused))
    if not apply:
        return Disclosed(receipt=receipt)
    row = audit.append(
        user,
        OPERATION,
        operator=order.requester,
        now=now,
        details={
            "basis": order.basis.value,
            "reviewer": order.reviewer,
            "nodes": " ".join(order.nodes),
            "messages": " ".join(order.messages),
            "told": "no" if order.not_telling.strip() else "yes",
        },
        reason="\n".join(filter(None, (order.reference, order.not_telling))),
    )
    ids: dict[str, tuple[str, ...]] = {**receipt.ids, "audit": (str(row.seq),)}
    if not order.not_telling.strip():
        notice = requests.ask(
            user,
            NOTICE,
            now=now,
            state=RequestState.WAITING,
            payload={
                "what": OPERATION,
                "basis": order.basis.value,
                "at": now.isoformat(),
                "nodes": list(order.nodes),
                "messages": list(order.messages),
            },
        )
        ids["notice"] = (notice.id,)
    said = log.messages(user, order.messages)
    external = people.external(user)
    items = {
        "basis": order.basis.value,
        "at": now.isoformat(),
        "nodes": [
            node_shape(nodes[ident], weight=nodes[ident].weight.value, sources=_quotes(nodes[ident], said))
            for ident in order.nodes
        ],
        "messages": [{"message": ident, **message_shape(said[ident], user=external)} for ident in order.messages],
    }
    return Disclosed(receipt=replace(receipt, applied=True, ids=ids), items=items)


def _refused(order: Order, approved_by: str) -> str | None:
    if not order.reviewer or not order.requester:
        return NOT_REVIEWED
    if order.reviewer == order.requester:
        return OWN_REVIEW
    return OTHER_REVIEWER if approved_by != order.reviewer else None


def _quotes(node: Node, said: Mapping[MessageId, Message]) -> Sequence[Source]:
    return [
        Source(
            message=proof.span.message,
            start=proof.span.start,
            end=proof.span.end,
            quote=said[proof.span.message].text[proof.span.start : proof.span.end],
            time=from_us(proof.at_us, proof.offset),
        )
        for proof in node.surviving
        if proof.span.message in said
    ]
