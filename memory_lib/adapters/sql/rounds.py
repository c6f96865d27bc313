"""Turns as the rounds arm needs them: stems, speaker and vector, sealed; recomputed by nobody, only replaced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam, case, null, select

from memory_lib.adapters.sql.engine import Database, chunks
from memory_lib.adapters.sql.payload import check_vector, pack, pack_floats, unpack, unpack_floats
from memory_lib.adapters.sql.people import BUMP, lock_person
from memory_lib.adapters.sql.tables import people, rounds
from memory_lib.domain.ids import MessageId, UserId
from memory_lib.errors import FingerprintMismatch, IllegalValue
from memory_lib.ports.keys import Sealer
from memory_lib.ports.ledger import StoredRound

KIND = "round"
VECTOR_KIND = "round_vector"

# a row has a fingerprint where it has a vector, and only there
HAS_VECTOR = rounds.c.fingerprint == bindparam("fingerprint")
HAVE = select(rounds.c.message_id, rounds.c.round_id, case((HAS_VECTOR, 1), else_=0)).where(
    rounds.c.user_id == bindparam("user")
)
HAVE_AMONG = HAVE.where(rounds.c.message_id.in_(bindparam("messages", expanding=True)))
LOAD = select(
    rounds.c.message_id, rounds.c.round_id, rounds.c.sealed, case((HAS_VECTOR, rounds.c.sealed_vector), else_=null())
).where(rounds.c.user_id == bindparam("user"))

SERVED_BY = select(people.c.fingerprint).where(people.c.user_id == bindparam("user"))
SERVE_BY = people.update().where(people.c.user_id == bindparam("user")).values(fingerprint=bindparam("served"))


class SqlRoundStore:
    """Implements ``ports.ledger.RoundStore``."""

    def __init__(self, database: Database, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer
        upsert = database.insert(rounds)
        columns = ("round_id", "fingerprint", "dimension", "sealed", "sealed_vector")
        self._upsert = upsert.on_conflict_do_update(
            index_elements=[rounds.c.user_id, rounds.c.message_id],
            set_={name: upsert.excluded[name] for name in columns},
        )

    def put(self, user: UserId, batch: Sequence[StoredRound], *, fingerprint: str | None, dimension: int | None) -> None:
        """Raises FingerprintMismatch, IllegalValue for a vector without fingerprint or of another dimension, UnknownUser."""
        if not batch:
            return
        any_vector = any(item.vector is not None for item in batch)
        if any_vector and dimension is None:
            raise IllegalValue("vectors of rounds without their dimension; give fingerprint and dimension")
        seal = self._sealer.sealing(user)
        rows: dict[str, dict[str, Any]] = {}
        for item in batch:
            sealed_vector = None
            if item.vector is not None:
                check_vector(item.vector, (dimension or 0,), fingerprint)
                sealed_vector = seal(VECTOR_KIND, f"{item.message}/{item.round_id}/{fingerprint}", pack_floats(item.vector))
            rows[item.message] = {
                "user_id": user,
                "message_id": item.message,
                "round_id": item.round_id,
                "fingerprint": None if sealed_vector is None else fingerprint,
                "dimension": None if sealed_vector is None else dimension,
                "sealed": seal(KIND, f"{item.message}/{item.round_id}", pack([item.speaker, *item.stems])),
                "sealed_vector": sealed_vector,
            }
        with self._database.write() as connection:
            lock_person(connection, user)
            if any_vector:
                served = connection.execute(SERVED_BY, {"user": user}).scalar_one()
                if served is None:
                    connection.execute(SERVE_BY, {"user": user, "served": fingerprint})
                elif served != fingerprint:
                    raise FingerprintMismatch(f"person {user} is served by embedder {served}, not {fingerprint}; run reembed")
            connection.execute(self._upsert, list(rows.values()))
            connection.execute(BUMP, {"user": user})

    def have(
        self, user: UserId, *, fingerprint: str | None, among: Sequence[MessageId] | None = None
    ) -> Mapping[MessageId, tuple[str, bool]]:
        values = {"user": user, "fingerprint": fingerprint}
        with self._database.read() as connection:
            if among is None:
                rows = list(connection.execute(HAVE, values))
            else:
                parts = chunks(among, self._database.params.chunk)
                rows = [row for part in parts for row in connection.execute(HAVE_AMONG, {**values, "messages": part})]
        return {MessageId(message): (round_id, bool(vector)) for message, round_id, vector in rows}

    def load(self, user: UserId, *, fingerprint: str | None) -> tuple[StoredRound, ...]:
        with self._database.read() as connection:
            rows = connection.execute(LOAD, {"user": user, "fingerprint": fingerprint}).all()
        if not rows:
            return ()
        opened = self._sealer.opener(user)
        loaded: list[StoredRound] = []
        for message, round_id, sealed, sealed_vector in rows:
            speaker, *stems = unpack(opened(KIND, f"{message}/{round_id}", sealed))
            vector = None
            if sealed_vector is not None:
                vector = unpack_floats(opened(VECTOR_KIND, f"{message}/{round_id}/{fingerprint}", sealed_vector))
            loaded.append(StoredRound(message, round_id, tuple(stems), speaker, vector))
        return tuple(loaded)
