"""Take decisions from the graph's outbox to the ledger's append-only action log (CONTRACTS, Writing)."""

from __future__ import annotations

from memory_lib.domain.ids import UserId
from memory_lib.ports.graph import Outbox
from memory_lib.ports.ledger import ActionLog

_BATCH = 1000


def log_actions(user: UserId, *, outbox: Outbox, action_log: ActionLog) -> int:
    """How many entries were taken. Killed in between, the next call takes the rest; an entry is never logged twice."""
    taken = 0
    while entries := outbox.pending(user, limit=_BATCH):
        action_log.append(user, [(e.write_key, e.position, e.recorded_at, e.action) for e in entries])
        outbox.acknowledge(user, up_to=entries[-1].seq)
        taken += len(entries)
    return taken
