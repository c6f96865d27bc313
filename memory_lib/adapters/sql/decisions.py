"""Answers about placements, sealed, each under the keyed hash of its question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import bindparam, select

from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.payload import pack, unpack
from memory_lib.adapters.sql.people import lock_person
from memory_lib.adapters.sql.tables import decisions
from memory_lib.domain.ids import UserId
from memory_lib.ports.keys import Sealer

KIND = "placement"

KNOWN = select(decisions.c.sealed).where(decisions.c.user_id == bindparam("user"), decisions.c.decision_key == bindparam("key"))


class SqlDecisions:
    """Implements ``ports.ledger.Decisions``."""

    def __init__(self, database: Database, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer
        self._insert = database.insert(decisions).on_conflict_do_nothing()

    def known(self, user: UserId, key: str) -> Mapping[str, Any] | None:
        with self._database.read() as connection:
            sealed = connection.execute(KNOWN, {"user": user, "key": key}).scalar_one_or_none()
        if sealed is None:
            return None
        answer: dict[str, Any] = unpack(self._sealer.opener(user)(KIND, key, sealed))
        return answer

    def keep(self, user: UserId, key: str, answer: Mapping[str, Any], *, judge: str) -> Mapping[str, Any]:
        sealed = self._sealer.sealing(user)(KIND, key, pack(dict(answer)))
        with self._database.write() as connection:
            lock_person(connection, user)
            connection.execute(self._insert, {"user_id": user, "decision_key": key, "judge": judge, "sealed": sealed})
        kept = self.known(user, key)
        return answer if kept is None else kept
