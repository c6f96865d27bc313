"""The sessions of a person as sealed files keep them: ids and times, from the ledger (DESIGN §4, SYNX)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from memory_lib.domain.ids import ConversationId
from memory_lib.domain.message import MessageRef
from memory_lib.policies.sessions import SessionParams, session_indices
from memory_lib.ports.sealed_graphs import SessionTrace


def session_traces(refs: Sequence[MessageRef], *, params: SessionParams) -> tuple[SessionTrace, ...]:
    """Each session of each conversation, from all of a person's messages in event order; by (conversation, index)."""
    by_conversation: dict[ConversationId, list[MessageRef]] = defaultdict(list)
    for ref in refs:
        by_conversation[ref.conversation].append(ref)
    traces: list[SessionTrace] = []
    for conversation, theirs in sorted(by_conversation.items()):
        sessions: dict[int, list[MessageRef]] = defaultdict(list)
        for ref, index in zip(theirs, session_indices(theirs, params=params), strict=True):
            sessions[index].append(ref)
        traces += [
            SessionTrace(conversation, index, tuple(ref.id for ref in session), session[0].at_us, session[-1].at_us)
            for index, session in sorted(sessions.items())
        ]
    return tuple(traces)
