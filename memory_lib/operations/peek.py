"""``peek``: one message or node in clear, with a reason, on record (``usecases.peek``)."""

from __future__ import annotations

from memory_lib.domain.ids import MessageId, NodeId, UserId
from memory_lib.operations.bench import OpsBench
from memory_lib.usecases.peek import Peeked
from memory_lib.usecases.peek import peek as look


def peek(
    bench: OpsBench, user: UserId, *, node: NodeId | None, message: MessageId | None, reason: str, operator: str
) -> Peeked:
    """At once, as it changes nothing but the audit log. No form in a user interface: what is shown may not be kept there."""
    return look(
        user,
        node=node,
        message=message,
        reason=reason,
        operator=operator,
        people=bench.work.people,
        log=bench.work.log,
        graph=bench.work.reader,
        audit=bench.audit,
        now=bench.work.clock.now(),
    )
