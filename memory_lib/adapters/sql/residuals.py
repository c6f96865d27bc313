"""Mentions that became nothing, sealed whole; ids and counts in clear."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, delete, select

from memory_lib.adapters.sql.engine import Database, chunks
from memory_lib.adapters.sql.extraction_codec import candidate_from_record, candidate_record
from memory_lib.adapters.sql.payload import pack, unpack
from memory_lib.adapters.sql.people import lock_person
from memory_lib.adapters.sql.tables import residuals
from memory_lib.domain.ids import MessageId, UserId
from memory_lib.ports.keys import Sealer
from memory_lib.ports.ledger import Residual

KIND = "residual"

ALL = (
    select(residuals.c.unit_id, residuals.c.place, residuals.c.message_id, residuals.c.sealed)
    .where(residuals.c.user_id == bindparam("user"))
    .order_by(residuals.c.unit_id, residuals.c.place)
)
OF_MESSAGES = ALL.where(residuals.c.message_id.in_(bindparam("messages", expanding=True)))
ANY = select(residuals.c.place).where(residuals.c.user_id == bindparam("user")).limit(1)
ANY_OF = ANY.where(residuals.c.message_id.in_(bindparam("messages", expanding=True)))
EVERY = delete(residuals).where(residuals.c.user_id == bindparam("user"))
FROM_MESSAGES = EVERY.where(residuals.c.message_id.in_(bindparam("messages", expanding=True)))


class SqlResiduals:
    """Implements ``ports.ledger.Residuals``."""

    def __init__(self, database: Database, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer

    def replace(self, user: UserId, messages: Sequence[MessageId] | None, residuals_: Sequence[Residual]) -> None:
        if not residuals_ and not self._any(user, messages):
            return
        seal = self._sealer.sealing(user) if residuals_ else None
        rows: list[dict[str, Any]] = []
        for residual in residuals_:
            assert seal is not None
            payload = pack({"reason": residual.reason, "candidate": candidate_record(residual.candidate)})
            rows.append(
                {
                    "user_id": user,
                    "unit_id": residual.unit,
                    "place": residual.place,
                    "message_id": residual.message,
                    "sealed": seal(KIND, f"{residual.unit}/{residual.place}", payload),
                }
            )
        with self._database.write() as connection:
            lock_person(connection, user)
            if messages is None:
                connection.execute(EVERY, {"user": user})
            else:
                for part in chunks(messages, self._database.params.chunk):
                    connection.execute(FROM_MESSAGES, {"user": user, "messages": part})
            if rows:
                connection.execute(residuals.insert(), rows)

    def of(self, user: UserId, *, messages: Sequence[MessageId] | None = None) -> tuple[Residual, ...]:
        rows: list[Any] = []
        with self._database.read() as connection:
            if messages is None:
                rows = list(connection.execute(ALL, {"user": user}))
            else:
                for part in chunks(messages, self._database.params.chunk):
                    rows += connection.execute(OF_MESSAGES, {"user": user, "messages": part})
        if not rows:
            return ()
        opened = self._sealer.opener(user)
        found: list[Residual] = []
        for unit, place, message, sealed in sorted(rows, key=lambda row: (row[0], row[1])):
            inside = unpack(opened(KIND, f"{unit}/{place}", sealed))
            found.append(
                Residual(unit, place, MessageId(message), candidate_from_record(inside["candidate"]), inside["reason"])
            )
        return tuple(found)

    def _any(self, user: UserId, messages: Sequence[MessageId] | None) -> bool:
        """Nearly always there is nothing, and looking costs no transaction."""
        with self._database.read() as connection:
            if connection.execute(ANY, {"user": user}).first() is None:
                return False
            if messages is None:
                return True
            parts = chunks(messages, self._database.params.chunk)
            return any(connection.execute(ANY_OF, {"user": user, "messages": part}).first() is not None for part in parts)

    def forget(self, user: UserId, messages: Sequence[MessageId]) -> int:
        gone = 0
        with self._database.write() as connection:
            for part in chunks(messages, self._database.params.chunk):
                gone += connection.execute(FROM_MESSAGES, {"user": user, "messages": part}).rowcount
        return gone
