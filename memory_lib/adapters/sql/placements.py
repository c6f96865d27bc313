"""Where each person's graph lives; the living copy changes in one transaction, under the newest write lease."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, case, func, select, update

from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.people import lock_person
from memory_lib.adapters.sql.tables import leases, people, placements
from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Placement, Tier
from memory_lib.domain.time import to_us
from memory_lib.errors import LeaseLost, StaleRead

WRITE_LEASE = "write"
"""The kind of lease under which a person's graph is written."""

_C = placements.c
_OURS = _C.user_id == bindparam("user")
_AFTER: Any = bindparam("after")
_LIMIT: Any = bindparam("limit")

OF = select(_C.tier, _C.shard, _C.generation).where(_OURS)
OF_LOCKED = OF.with_for_update()
SINCE = select(func.coalesce(people.c.last_own_us, people.c.created_us)).where(people.c.user_id == bindparam("user"))
TOKEN = select(leases.c.token).where(leases.c.user_id == bindparam("user"), leases.c.kind == WRITE_LEASE).with_for_update()
FLIP = (
    update(placements)
    .where(_OURS)
    .values(
        tier=bindparam("to_tier"),
        shard=bindparam("to_shard"),
        generation=bindparam("to_generation"),
        last_generation=case(
            (_C.last_generation < bindparam("to_generation"), bindparam("to_generation")), else_=_C.last_generation
        ),
        flipped_us=bindparam("now_us"),
    )
)
SILENT = (
    select(_C.user_id, _C.last_us)
    .where(_C.tier == bindparam("of_tier"), _C.user_id > _AFTER, _C.last_us < bindparam("before_us"))
    .order_by(_C.user_id)
    .limit(_LIMIT)
)
# few have said something lately, and many are away: from the times to the places
RETURNED = (
    select(_C.user_id)
    .join(people, people.c.user_id == _C.user_id)
    .where(
        _C.last_us >= bindparam("since_us"),
        _C.user_id > _AFTER,
        _C.tier != Tier.HOT.value,
        people.c.last_own_us.is_not(None),
    )
    .order_by(_C.user_id)
    .limit(_LIMIT)
)
ON = select(_C.user_id).where(_C.shard == bindparam("of_shard"), _C.user_id > _AFTER).order_by(_C.user_id).limit(_LIMIT)


class SqlPlacements:
    """Implements ``ports.placements.Placements``. ``silent`` and ``returned`` go by the person's own newest message: what
    assistants said since brings nobody back.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        placed = database.insert(placements)
        self._assign = placed.on_conflict_do_update(
            index_elements=[_C.user_id],
            set_={"tier": placed.excluded.tier, "shard": placed.excluded.shard},
            where=_C.tier.is_(None),
        )
        self._next = (
            database.insert(placements)
            .on_conflict_do_update(index_elements=[_C.user_id], set_={"last_generation": _C.last_generation + 1})
            .returning(_C.last_generation)
        )

    def of(self, user: UserId) -> Placement | None:
        with self._database.read() as connection:
            return _placement(connection.execute(OF, {"user": user}).first())

    def assign(self, user: UserId, shard: str) -> Placement:
        known = self.of(user)
        if known is not None:
            return known
        row: dict[str, Any] = {"user_id": user, "tier": Tier.HOT.value, "shard": shard, "generation": 0, "last_generation": 0}
        with self._database.write() as connection:
            lock_person(connection, user)
            row["last_us"] = connection.execute(SINCE, {"user": user}).scalar_one()
            connection.execute(self._assign, row)
            placed = _placement(connection.execute(OF, {"user": user}).first())
        assert placed is not None
        return placed

    def flip(self, user: UserId, to: Placement, *, was: Placement, token: int, now: datetime) -> None:
        """A repeated flip, to where the person is already, changes nothing."""
        with self._database.write() as connection:
            _check_token(connection, user, token)
            stands = _placement(connection.execute(OF_LOCKED, {"user": user}).first())
            if stands == to:
                return
            if stands != was:
                raise StaleRead(f"person {user} is not where this move began; look again and start anew")
            where = {"to_tier": to.tier.value, "to_shard": to.shard, "to_generation": to.generation}
            connection.execute(FLIP, {"user": user, **where, "now_us": to_us(now)})

    def next_generation(self, user: UserId) -> int:
        row: dict[str, Any] = {"user_id": user, "tier": None, "shard": None, "generation": 0, "last_generation": 1}
        with self._database.write() as connection:
            lock_person(connection, user)
            row["last_us"] = connection.execute(SINCE, {"user": user}).scalar_one()
            return int(connection.execute(self._next, row).scalar_one())

    def silent(
        self, *, tier: Tier, before_us: int, after: UserId | None = None, limit: int = 1000
    ) -> tuple[tuple[UserId, int], ...]:
        values = {"of_tier": tier.value, "before_us": before_us, "after": after or "", "limit": limit}
        with self._database.read() as connection:
            return tuple((UserId(user), int(last)) for user, last in connection.execute(SILENT, values))

    def returned(self, *, since_us: int, after: UserId | None = None, limit: int = 1000) -> tuple[UserId, ...]:
        with self._database.read() as connection:
            found = connection.execute(RETURNED, {"since_us": since_us, "after": after or "", "limit": limit})
            return tuple(UserId(user) for user in found.scalars())

    def on(self, shard: str, *, after: UserId | None = None, limit: int = 1000) -> tuple[UserId, ...]:
        with self._database.read() as connection:
            found = connection.execute(ON, {"of_shard": shard, "after": after or "", "limit": limit})
            return tuple(UserId(user) for user in found.scalars())


def _placement(row: Any) -> Placement | None:
    if row is None or row.tier is None:
        return None
    return Placement(Tier(row.tier), row.shard, row.generation)


def _check_token(connection: Connection, user: UserId, token: int) -> None:
    """Holds the lease's row until the transaction ends, so that nobody is granted a newer one meanwhile."""
    newest = connection.execute(TOKEN, {"user": user}).scalar_one_or_none()
    if newest != token:
        raise LeaseLost(token=token, highest=newest or 0)
