"""One message or one node in clear, for a reason, on record: so that sealed stores stay workable for engineers (DESIGN §5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory_lib.domain.ids import MessageId, NodeId, UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.domain.shapes import message_shape, node_shape
from memory_lib.errors import InvalidInput, UnknownMessage, UnknownNode
from memory_lib.ports.audit import AuditLog
from memory_lib.ports.graph import GraphReader
from memory_lib.ports.ledger import MessageLog, People

OPERATION = "peek"


@dataclass(frozen=True, slots=True, kw_only=True)
class Peeked:
    """``shown``: the message in the import format, or the node in the shape of ``show``, without quotes of other messages and
    at its stored weight; None in a dry run. ``receipt`` says no word of it.
    """

    receipt: Receipt
    shown: Mapping[str, Any] | None


def peek(
    user: UserId,
    *,
    node: NodeId | None = None,
    message: MessageId | None = None,
    reason: str,
    operator: str,
    people: People,
    log: MessageLog,
    graph: GraphReader,
    audit: AuditLog,
    now: datetime,
    apply: bool = True,
) -> Peeked:
    """The audit row is on disk before anything is opened; looking for what is not there leaves one too.

    Raises:
        InvalidInput: no reason, or not exactly one of ``node`` and ``message``.
        UnknownUser, UnknownNode, UnknownMessage.
    """
    if not reason.strip():
        raise InvalidInput("looking at somebody's words needs a reason; give one with --reason")
    if (node is None) is (message is None):
        raise InvalidInput("give exactly one thing to look at: a node's id or a message's id")
    people.person(user)
    kind, ident = ("node", str(node)) if node is not None else ("message", str(message))
    receipt = Receipt(operation=OPERATION, applied=apply, at=now, user=user, ids={f"{kind}s": (ident,)})
    if not apply:
        return Peeked(receipt=receipt, shown=None)
    audit.append(user, OPERATION, operator=operator, now=now, details={kind: ident}, reason=reason)
    if node is not None:
        found = graph.nodes(user, [node]).get(node)
        if found is None:
            raise UnknownNode("no memory of this person by this id; selfimprint show lists the ids")
        return Peeked(receipt=receipt, shown=node_shape(found, weight=found.weight.value, sources=()))
    assert message is not None
    said = log.messages(user, [message]).get(message)
    if said is None:
        raise UnknownMessage("no message of this person by this id; selfimprint why NODE lists the ids of its messages")
    return Peeked(receipt=receipt, shown={"message": message, **message_shape(said, user=people.external(user))})
