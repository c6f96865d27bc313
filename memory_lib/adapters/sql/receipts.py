"""Receipts of operations, as they were signed: ids, codes and numbers, in clear."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select

from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.tables import receipts
from memory_lib.domain.ids import UserId
from memory_lib.domain.receipt import Receipt
from memory_lib.domain.time import to_us
from memory_lib.errors import IllegalValue

_C = receipts.c
_ID = re.compile(r"(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])")
UNNAMED = ("id", "signature", "key")
"""What of a receipt is no statement about a person."""

ONE = select(_C.record).where(_C.receipt_id == bindparam("receipt"))
OF = select(_C.record).where(_C.user_id == bindparam("user")).order_by(_C.at_us.desc(), _C.receipt_id).limit(bindparam("limit"))


class SqlReceiptBook:
    """Implements ``ports.audit.ReceiptBook``."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._insert = database.insert(receipts).on_conflict_do_nothing()

    def keep(self, receipt: Receipt) -> None:
        """Also raises IllegalValue for a receipt without an id."""
        if not receipt.id:
            raise IllegalValue("a receipt without an id cannot be kept; give it one")
        record = receipt.record()
        if receipt.user is None:
            said = json.dumps({name: value for name, value in record.items() if name not in UNNAMED})
            if receipt.ids or receipt.batch is not None or _ID.search(said):
                raise IllegalValue("a receipt without a user still names ids of one; leave ids and batch out")
        row = {
            "receipt_id": receipt.id,
            "user_id": receipt.user,
            "operation": receipt.operation,
            "at_us": to_us(receipt.at),
            "record": json.dumps(record),
        }
        with self._database.write() as connection:
            connection.execute(self._insert, row)

    def one(self, receipt: str) -> Receipt | None:
        with self._database.read() as connection:
            record = connection.execute(ONE, {"receipt": receipt}).scalar_one_or_none()
        return None if record is None else from_record(json.loads(record))

    def of(self, user: UserId, *, limit: int = 100) -> tuple[Receipt, ...]:
        with self._database.read() as connection:
            records = connection.execute(OF, {"user": user, "limit": limit}).scalars().all()
        return tuple(from_record(json.loads(record)) for record in records)


def from_record(record: dict[str, Any]) -> Receipt:
    """What ``Receipt.record`` gave."""
    user = record["user"]
    return Receipt(
        operation=record["operation"],
        applied=record["applied"],
        at=datetime.fromisoformat(record["at"]),
        user=None if user is None else UserId(user),
        counts=record["counts"],
        ids={kind: tuple(each) for kind, each in record["ids"].items()},
        seconds=record["seconds"],
        batch=record["batch"],
        notes=tuple(record["notes"]),
        refused=record["refused"],
        id=record["id"],
        signature=record["signature"],
        key=record["key"],
    )
