"""Vectors made ahead for the next embedder; the switch moves their envelopes to where the old ones lie (ADR 0008)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Select, and_, bindparam, delete, exists, func, literal, or_, select, update

from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.payload import check_vector, pack_floats
from memory_lib.adapters.sql.people import lock_person
from memory_lib.adapters.sql.rounds import VECTOR_KIND
from memory_lib.adapters.sql.staging import VECTORS_KIND, record_of
from memory_lib.adapters.sql.tables import next_vectors, people, rounds, staging
from memory_lib.domain.ids import MessageId, UserId
from memory_lib.ports.keys import Sealer
from memory_lib.ports.ledger import Wanting

ROUND = "round"
UNIT = "unit"

_FINGERPRINT: Any = bindparam("made_by")
_USER: Any = bindparam("user")
_ROUND_RECORD = rounds.c.message_id + "/" + rounds.c.round_id
_UNIT_RECORD = staging.c.unit_id + "/" + staging.c.reasoner + "/" + staging.c.version


def _made(kind: str, record: Any) -> Any:
    """The row made ahead for a row of rounds or staging."""
    return and_(
        next_vectors.c.user_id == _USER,
        next_vectors.c.kind == literal(kind),
        next_vectors.c.record == record,
        next_vectors.c.fingerprint == _FINGERPRINT,
    )


def _lacking(table: Any, kind: str, record: Any) -> Any:
    foreign = or_(table.c.fingerprint.is_(None), table.c.fingerprint != _FINGERPRINT)
    return and_(table.c.user_id == _USER, foreign, ~exists().where(_made(kind, record)))


ROUNDS_WANTING = select(rounds.c.message_id, rounds.c.round_id).where(_lacking(rounds, ROUND, _ROUND_RECORD))
UNITS_WANTING: Select[Any] = select(staging.c.unit_id).where(
    _lacking(staging, UNIT, _UNIT_RECORD),
    staging.c.reasoner == bindparam("reasoner"),
    staging.c.version == bindparam("version"),
    staging.c.candidates > 0,
)
AHEAD = select(func.count()).where(next_vectors.c.user_id == _USER, next_vectors.c.fingerprint == _FINGERPRINT)
DROP_OTHERS = delete(next_vectors).where(next_vectors.c.user_id == _USER, next_vectors.c.fingerprint != _FINGERPRINT)
DROP_ALL = delete(next_vectors).where(next_vectors.c.user_id == _USER)
LOG_VERSION = select(people.c.log_version).where(people.c.user_id == _USER)
SERVE = people.update().where(people.c.user_id == _USER).values(fingerprint=_FINGERPRINT, log_version=people.c.log_version + 1)


def _move(table: Any, kind: str, record: Any, column: str) -> tuple[Any, Any]:
    """What puts the vectors made ahead into their place, and what takes those of other embedders away."""
    made = _made(kind, record)
    sealed = select(next_vectors.c.sealed).where(made).scalar_subquery()
    put = (
        update(table)
        .where(table.c.user_id == _USER, exists().where(made))
        .values({"fingerprint": _FINGERPRINT, "dimension": bindparam("size"), column: sealed})
    )
    drop = (
        update(table)
        .where(table.c.user_id == _USER, table.c.fingerprint != _FINGERPRINT)
        .values({"fingerprint": None, "dimension": None, column: None})
    )
    return put, drop


MOVES = (*_move(rounds, ROUND, _ROUND_RECORD, "sealed_vector"), *_move(staging, UNIT, _UNIT_RECORD, "sealed_vectors"))


class SqlNextVectors:
    """Implements ``ports.ledger.NextVectors``."""

    def __init__(self, database: Database, sealer: Sealer) -> None:
        self._database = database
        self._sealer = sealer
        upsert = database.insert(next_vectors)
        self._upsert = upsert.on_conflict_do_update(
            index_elements=[next_vectors.c.user_id, next_vectors.c.kind, next_vectors.c.record],
            set_={name: upsert.excluded[name] for name in ("fingerprint", "dimension", "sealed")},
        )

    def wanting(self, user: UserId, *, fingerprint: str, reasoner: str, version: str) -> Wanting:
        values = {"user": user, "made_by": fingerprint}
        with self._database.read() as connection:
            lacking = {MessageId(message): str(texts) for message, texts in connection.execute(ROUNDS_WANTING, values)}
            units = connection.execute(UNITS_WANTING, {**values, "reasoner": reasoner, "version": version}).scalars()
            return Wanting(lacking, tuple(sorted(units)), int(connection.execute(AHEAD, values).scalar_one()))

    def put_rounds(
        self,
        user: UserId,
        vectors: Mapping[MessageId, tuple[str, NDArray[np.float32]]],
        *,
        fingerprint: str,
        dimension: int,
    ) -> None:
        """Raises IllegalValue for a vector of another dimension, UnknownUser."""
        made = {f"{message}/{texts}": vector for message, (texts, vector) in vectors.items()}
        for vector in made.values():
            check_vector(vector, (dimension,), fingerprint)
        self._put(user, ROUND, VECTOR_KIND, made, fingerprint=fingerprint, dimension=dimension)

    def put_units(
        self,
        user: UserId,
        vectors: Mapping[str, NDArray[np.float32]],
        *,
        reasoner: str,
        version: str,
        fingerprint: str,
        dimension: int,
    ) -> None:
        """Raises IllegalValue for vectors of another dimension, UnknownUser."""
        made = {record_of(unit, reasoner, version): own for unit, own in vectors.items()}
        for own in made.values():
            check_vector(own, (len(own), dimension), fingerprint)
        self._put(user, UNIT, VECTORS_KIND, made, fingerprint=fingerprint, dimension=dimension)

    def switch(
        self,
        user: UserId,
        *,
        fingerprint: str,
        dimension: int,
        log_version: int,
        reasoner: str,
        version: str,
        without: frozenset[str],
    ) -> bool:
        """Raises UnknownUser."""
        values = {"user": user, "made_by": fingerprint}
        with self._database.write() as connection:
            lock_person(connection, user)
            if connection.execute(LOG_VERSION, values).scalar_one() != log_version:
                return False
            units = connection.execute(UNITS_WANTING, {**values, "reasoner": reasoner, "version": version}).scalars()
            if set(units) - without:
                return False
            for move in MOVES:
                connection.execute(move, {**values, "size": dimension})
            connection.execute(DROP_ALL, values)
            connection.execute(SERVE, values)
        return True

    def _put(
        self,
        user: UserId,
        kind: str,
        sealed_as: str,
        made: Mapping[str, NDArray[np.float32]],
        *,
        fingerprint: str,
        dimension: int,
    ) -> None:
        if not made:
            return
        seal = self._sealer.sealing(user)
        rows = [
            {
                "user_id": user,
                "kind": kind,
                "record": record,
                "fingerprint": fingerprint,
                "dimension": dimension,
                "sealed": seal(sealed_as, f"{record}/{fingerprint}", pack_floats(vector)),
            }
            for record, vector in made.items()
        ]
        with self._database.write() as connection:
            lock_person(connection, user)
            _drop_others(connection, user, fingerprint)
            connection.execute(self._upsert, rows)


def _drop_others(connection: Connection, user: UserId, fingerprint: str) -> None:
    """A reembed to yet another embedder was begun and never ended."""
    connection.execute(DROP_OTHERS, {"user": user, "made_by": fingerprint})
