"""Administrative acts, append-only: who, what, when, and a keyed pseudonym of whom.

``chain`` of a row is an HMAC over the former row's chain and all of this row that outlives the person, so that a row taken out
or altered shows. Ids of a person (32 hex digits) go into the chain as keyed marks: an erasure puts the marks in the ids' place
and takes the sealed reasons away, and the chain still holds.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, text, update

from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.payload import pack, unpack
from memory_lib.adapters.sql.tables import audit
from memory_lib.domain.ids import UserId
from memory_lib.domain.time import from_us, offset_minutes, to_us
from memory_lib.errors import KeyMissing
from memory_lib.ports.audit import AuditRow
from memory_lib.ports.keys import Keyring, Sealer

KIND = "audit_reason"
SUBJECT_KEY = "audit subject"
CHAIN_KEY = "audit chain"
_ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")

_C = audit.c
# writers one after another, readers not disturbed: numbers without gaps, in the order of commits
ALONE = text("LOCK TABLE audit IN SHARE ROW EXCLUSIVE MODE")
LAST = select(_C.seq, _C.chain).order_by(_C.seq.desc()).limit(1)
_COLUMNS = (_C.seq, _C.at_us, _C.at_offset, _C.operator, _C.act, _C.subject, _C.details, _C.chain, _C.sealed)
ROWS = select(*_COLUMNS).where(_C.seq > bindparam("after")).order_by(_C.seq).limit(bindparam("limit"))
ROWS_OF = ROWS.where(_C.subject == bindparam("of_subject"))
TO_UNMARK = select(_C.seq, _C.details).where(_C.subject == bindparam("of_subject"))
UNMARK = update(audit).where(_C.seq == bindparam("of_seq")).values(details=bindparam("marked"), sealed=None)
READABLE = select(func.count()).where(_C.subject == bindparam("of_subject"), _C.sealed.is_not(None))


class Pseudonyms:
    """Keyed marks of ids, under a deployment key: the same id gives the same mark, and no mark leads back."""

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring

    def of(self, ident: str) -> str:
        """64 hex digits."""
        key = self._keyring.deployment_key(SUBJECT_KEY)
        return hmac.new(key, ident.encode(), hashlib.sha256).hexdigest()

    def marked(self, details: str) -> str:
        """``details`` with every id replaced by its mark; marks stay as they are."""
        return _ID.sub(lambda found: self.of(found.group()), details)


class SqlAuditLog:
    """Implements ``ports.audit.AuditLog``."""

    def __init__(self, database: Database, sealer: Sealer, keyring: Keyring) -> None:
        self._database = database
        self._sealer = sealer
        self._keyring = keyring
        self._pseudonyms = Pseudonyms(keyring)

    def append(
        self, user: UserId, act: str, *, operator: str, now: datetime, details: Mapping[str, str], reason: str = ""
    ) -> AuditRow:
        """Raises KeyMissing where there is a reason and the person's key is gone."""
        subject = self._pseudonyms.of(user)
        written = json.dumps(dict(details), ensure_ascii=True, sort_keys=True)
        with self._database.write() as connection:
            if self._database.dialect == "postgresql":
                connection.execute(ALONE)
            last = connection.execute(LAST).first()
            seq, former = (1, "") if last is None else (last.seq + 1, last.chain)
            row = {
                "seq": seq,
                "at_us": to_us(now),
                "at_offset": offset_minutes(now),
                "operator": operator,
                "act": act,
                "subject": subject,
                "details": written,
            }
            row["chain"] = self._link(former, row)
            row["sealed"] = self._sealer.seal(user, KIND, str(seq), pack(reason)) if reason else None
            connection.execute(audit.insert(), row)
        return AuditRow(seq=seq, at=now, operator=operator, act=act, subject=subject, details=dict(details), reason=reason)

    def rows(self, *, user: UserId | None = None, after: int = 0, limit: int = 1000) -> tuple[AuditRow, ...]:
        """Reasons are opened where ``user`` is given; among rows of everybody they are ""."""
        values: dict[str, Any] = {"after": after, "limit": limit}
        statement = ROWS
        if user is not None:
            statement, values = ROWS_OF, {**values, "of_subject": self._pseudonyms.of(user)}
        with self._database.read() as connection:
            rows = connection.execute(statement, values).all()
        return tuple(
            AuditRow(
                seq=row.seq,
                at=from_us(row.at_us, row.at_offset),
                operator=row.operator,
                act=row.act,
                subject=row.subject,
                details=json.loads(row.details),
                reason="" if user is None else self._reason(user, row.seq, row.sealed),
            )
            for row in rows
        )

    def broken_at(self) -> int | None:
        """Reads every row; the first whose chain does not follow from the one before."""
        former, expected, after = "", 1, 0
        while True:
            with self._database.read() as connection:
                rows = connection.execute(ROWS, {"after": after, "limit": self._database.params.chunk}).mappings().all()
            for row in map(dict, rows):
                if row["seq"] != expected or row["chain"] != self._link(former, row):
                    return int(row["seq"])
                former, expected, after = row["chain"], expected + 1, row["seq"]
            if not rows:
                return None

    def _link(self, former: str, row: Mapping[str, Any]) -> str:
        details = self._pseudonyms.marked(row["details"])
        kept = [former, row["seq"], row["at_us"], row["at_offset"], row["operator"], row["act"], row["subject"], details]
        key = self._keyring.deployment_key(CHAIN_KEY)
        return hmac.new(key, pack(kept), hashlib.sha256).hexdigest()

    def _reason(self, user: UserId, seq: int, sealed: bytes | None) -> str:
        if sealed is None:
            return ""
        try:
            return str(unpack(self._sealer.open(user, KIND, str(seq), sealed)))
        except KeyMissing:
            return ""


def unname(connection: Connection, pseudonyms: Pseudonyms, user: UserId) -> int:
    """Take the reasons away and put marks in place of ids in the rows about this person; how many reasons went."""
    subject = pseudonyms.of(user)
    reasons = int(connection.execute(READABLE, {"of_subject": subject}).scalar_one())
    rows = connection.execute(TO_UNMARK, {"of_subject": subject}).all()
    marked = [{"of_seq": seq, "marked": pseudonyms.marked(details)} for seq, details in rows]
    if marked:
        connection.execute(UNMARK, marked)
    return reasons


def reasons_of(connection: Connection, pseudonyms: Pseudonyms, user: UserId) -> int:
    """How many sealed reasons there are about this person."""
    return int(connection.execute(READABLE, {"of_subject": pseudonyms.of(user)}).scalar_one())
