"""Who may write, or run a pass, and until when; a token rises with every grant (CONTRACTS, Writing)."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import bindparam, or_, select, update

from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.tables import leases
from memory_lib.domain.ids import UserId
from memory_lib.domain.time import to_us
from memory_lib.errors import LeaseLost
from memory_lib.ports.ledger import Lease

NOBODY = ""
"""The holder of a released lease: free whatever the clock says."""

OURS = (
    leases.c.user_id == bindparam("user"),
    leases.c.kind == bindparam("lease_kind"),
    leases.c.token == bindparam("held"),
)
RENEW = update(leases).where(*OURS).values(granted_us=bindparam("now_us"), expires_us=bindparam("until_us"))
# a released lease keeps its row, so that tokens go on rising; the token moves too, so that the released one cannot be renewed
RELEASE = update(leases).where(*OURS).values(token=leases.c.token + 1, holder=NOBODY, expires_us=leases.c.granted_us)
CATCH_UP = update(leases).where(*OURS, leases.c.token < bindparam("highest")).values(token=bindparam("highest"))
HIGHEST = select(leases.c.token).where(leases.c.user_id == bindparam("user"), leases.c.kind == bindparam("lease_kind"))


class SqlLeases:
    """Implements ``ports.ledger.Leases``."""

    def __init__(self, database: Database) -> None:
        self._database = database
        insert = database.insert(leases)
        new = insert.excluded
        # ``now`` is read before the writers' lock is waited for: a grant by somebody who read the clock meanwhile is no clock
        # set back
        under_way_us = round(database.params.busy_s * 1_000_000)
        self._acquire = insert.on_conflict_do_update(
            index_elements=[leases.c.user_id, leases.c.kind],
            set_={
                "token": leases.c.token + 1,
                "holder": new.holder,
                "granted_us": new.granted_us,
                "expires_us": new.expires_us,
            },
            where=or_(
                leases.c.holder == NOBODY,
                leases.c.expires_us <= new.granted_us,
                # granted far in the future: the clock was set back, and nobody can wait for that
                leases.c.granted_us > new.expires_us + under_way_us,
                leases.c.holder == new.holder,
            ),
        ).returning(leases.c.token)

    def acquire(self, user: UserId, kind: str, *, holder: str, ttl_s: float, now: datetime) -> Lease | None:
        """The same holder asking again gets a new grant with a higher token."""
        expires_at = now + timedelta(seconds=ttl_s)
        row = {
            "user_id": user,
            "kind": kind,
            "token": 1,
            "holder": holder,
            "granted_us": to_us(now),
            "expires_us": to_us(expires_at),
        }
        with self._database.write() as connection:
            token = connection.execute(self._acquire, row).scalar_one_or_none()
        return None if token is None else Lease(user=user, kind=kind, token=token, holder=holder, expires_at=expires_at)

    def renew(self, lease: Lease, *, ttl_s: float, now: datetime) -> Lease:
        expires_at = now + timedelta(seconds=ttl_s)
        held = _held(lease)
        with self._database.write() as connection:
            changed = connection.execute(RENEW, {**held, "now_us": to_us(now), "until_us": to_us(expires_at)}).rowcount
            if not changed:
                highest = connection.execute(HIGHEST, {"user": lease.user, "lease_kind": lease.kind}).scalar_one_or_none()
                raise LeaseLost(token=lease.token, highest=highest or 0)
        return replace(lease, expires_at=expires_at)

    def release(self, lease: Lease) -> None:
        with self._database.write() as connection:
            connection.execute(RELEASE, _held(lease))

    def catch_up(self, lease: Lease, *, highest: int) -> Lease:
        with self._database.write() as connection:
            changed = connection.execute(CATCH_UP, {**_held(lease), "highest": highest}).rowcount
        return replace(lease, token=highest) if changed else lease


def _held(lease: Lease) -> dict[str, object]:
    return {"user": lease.user, "lease_kind": lease.kind, "held": lease.token}
