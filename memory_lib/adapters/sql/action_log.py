"""What was decided, append-only, numbered a person; the entries sealed (CONTRACTS, Sealing: reasons are)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, func, select

from memory_lib.adapters.sql.engine import Database, chunks
from memory_lib.adapters.sql.payload import pack, unpack
from memory_lib.adapters.sql.people import lock_person
from memory_lib.adapters.sql.tables import actions
from memory_lib.domain.changes import Action, action_fields, action_from_fields
from memory_lib.domain.ids import UserId
from memory_lib.domain.time import from_us, offset_minutes, to_us
from memory_lib.ports.keys import Sealer
from memory_lib.ports.ledger import LoggedAction

KIND = "action"

SEEN = select(actions.c.write_key, actions.c.position).where(
    actions.c.user_id == bindparam("user"), actions.c.write_key.in_(bindparam("keys", expanding=True))
)
LAST = select(func.coalesce(func.max(actions.c.seq), 0)).where(actions.c.user_id == bindparam("user"))
ENTRIES = (
    select(
        actions.c.seq,
        actions.c.write_key,
        actions.c.position,
        actions.c.recorded_us,
        actions.c.recorded_offset,
        actions.c.sealed,
    )
    .where(actions.c.user_id == bindparam("user"), actions.c.seq > bindparam("after"))
    .order_by(actions.c.seq)
    .limit(bindparam("limit"))
)


class SqlActionLog:
    """Implements ``ports.ledger.ActionLog``. ``seq`` counts 1, 2, 3 … for each person, in the order of commits."""

    def __init__(self, database: Database, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer

    def append(self, user: UserId, entries: Sequence[tuple[str, int, datetime, Action]]) -> None:
        if not entries:
            return
        with self._database.write() as connection:
            lock_person(connection, user)
            seen: set[tuple[str, int]] = set()
            for keys in chunks(list(dict.fromkeys(entry[0] for entry in entries)), self._database.params.chunk):
                seen.update((key, position) for key, position in connection.execute(SEEN, {"user": user, "keys": keys}))
            seq = connection.execute(LAST, {"user": user}).scalar_one()
            seal = self._sealer.sealing(user)
            rows: list[dict[str, Any]] = []
            for write_key, position, recorded_at, action in entries:
                if (write_key, position) in seen:
                    continue
                seen.add((write_key, position))
                seq += 1
                payload = pack(action_fields(action))
                rows.append(
                    {
                        "user_id": user,
                        "seq": seq,
                        "write_key": write_key,
                        "position": position,
                        "recorded_us": to_us(recorded_at),
                        "recorded_offset": offset_minutes(recorded_at),
                        "sealed": seal(KIND, f"{write_key}/{position}", payload),
                    }
                )
            if rows:
                connection.execute(actions.insert(), rows)

    def entries(self, user: UserId, *, after: int = 0, limit: int = 1000) -> tuple[LoggedAction, ...]:
        with self._database.read() as connection:
            rows = connection.execute(ENTRIES, {"user": user, "after": after, "limit": limit}).all()
        if not rows:
            return ()
        opened = self._sealer.opener(user)
        logged: list[LoggedAction] = []
        for seq, write_key, position, recorded_us, recorded_offset, sealed in rows:
            logged.append(
                LoggedAction(
                    seq=seq,
                    write_key=write_key,
                    position=position,
                    recorded_at=from_us(recorded_us, recorded_offset),
                    action=action_from_fields(unpack(opened(KIND, f"{write_key}/{position}", sealed))),
                )
            )
        return tuple(logged)
