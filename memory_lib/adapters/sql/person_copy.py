"""The ledger rows of a person, opened, and put into another ledger.

What belongs to a deployment and not to the person stays behind: requests, and where the graph lives. Of leases and placements
only the counters travel, as floors: tokens and generations given before are not given again.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Integer,
    LargeBinary,
    String,
    Table,
    Text,
    bindparam,
    func,
    select,
    update,
)

from memory_lib.adapters.sql import people as people_port
from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.leases import NOBODY
from memory_lib.adapters.sql.message_log import NEWEST, NEWEST_OWN, WROTE
from memory_lib.adapters.sql.payload import pack, pack_floats, unpack, unpack_floats
from memory_lib.adapters.sql.people import BY_TAG, LOCK, unknown_user
from memory_lib.adapters.sql.person_store import PERSONAL
from memory_lib.adapters.sql.placements import SINCE
from memory_lib.adapters.sql.sealed_columns import sealed_of
from memory_lib.adapters.sql.tables import actions, leases, messages, people, placements, receipts, requests
from memory_lib.domain.ids import UserId
from memory_lib.errors import IllegalValue, InvalidInput, Permanent, SchemaMismatch
from memory_lib.ports.keys import Keyring, Sealer

Rows = Mapping[str, list[dict[str, Any]]]
"""Table → rows by column, as JSON values; a sealed column holds its payload, vectors base64 of little-endian float32."""

_USER: Any = bindparam("user")
COPIED: tuple[Table, ...] = tuple(table for table in PERSONAL if table is not requests)
FLOORS: Mapping[str, tuple[str, ...]] = {leases.name: ("kind", "token"), placements.name: ("last_generation",)}
"""Of these tables only these columns travel."""
LARGEST = {Integer: 2**31 - 1, BigInteger: 2**63 - 1}

LOGGED = select(actions.c.seq, actions.c.write_key, actions.c.position).where(actions.c.user_id == _USER)
SAID = select(func.count()).select_from(messages).where(messages.c.user_id == _USER)
TAKE_OVER = (
    update(people)
    .where(people.c.user_id == _USER)
    .values(
        messages=bindparam("said"),
        last_message_us=bindparam("last_us"),
        last_message_offset=bindparam("last_offset"),
        last_own_us=bindparam("own_us"),
        fingerprint=func.coalesce(people.c.fingerprint, bindparam("served")),
        log_version=people.c.log_version + 1,
    )
)


class SqlPersonRows:
    """Implements ``ports.person_rows.PersonRows``."""

    def __init__(self, database: Database, sealer: Sealer, keyring: Keyring) -> None:
        self._database = database
        self._sealer = sealer
        self._keyring = keyring
        own = database.insert(leases)
        self._raise_tokens = own.on_conflict_do_update(
            index_elements=[leases.c.user_id, leases.c.kind],
            set_={"token": own.excluded.token},
            where=leases.c.token < own.excluded.token,
        )
        placed = database.insert(placements)
        self._raise_generation = placed.on_conflict_do_update(
            index_elements=[placements.c.user_id],
            set_={"last_generation": placed.excluded.last_generation},
            where=placements.c.last_generation < placed.excluded.last_generation,
        )

    def dump(self, user: UserId) -> Rows:
        """All as of one instant. Raises UnknownUser, KeyMissing (erased), SealBroken."""
        dumped: dict[str, list[dict[str, Any]]] = {}
        with self._database.snapshot() as connection:
            if connection.execute(people_port.PERSON, {"user": user}).first() is None:
                raise unknown_user(user)
            opened = self._sealer.opener(user)
            for table in COPIED:
                found = connection.execute(
                    select(table).where(table.c.user_id == _USER).order_by(*table.primary_key), {"user": user}
                )
                dumped[table.name] = [_opened(table, dict(row), opened) for row in found.mappings()]
        return dumped

    def load(self, user: UserId, dump: Rows) -> Mapping[str, int]:
        """One transaction; what is in it counts from its commit on. The person is made, with a key, where they are new.

        Raises:
            IllegalValue: a value that a column cannot hold, or the external id is already somebody else's.
            SchemaMismatch: a table or column that this version does not know.
        """
        _check(dump)
        if not dump.get(people.name) and not self._known(user):
            raise unknown_user(user)
        had_key = self._keyring.exists(user)
        self._keyring.create(user)
        try:
            return self._put(user, dump)
        except (InvalidInput, Permanent):
            if not had_key and not self._known(user):
                self._keyring.destroy(user)
            raise

    def _known(self, user: UserId) -> bool:
        with self._database.read() as connection:
            return connection.execute(people_port.PERSON, {"user": user}).first() is not None

    def _put(self, user: UserId, dump: Rows) -> Mapping[str, int]:
        seal = self._sealer.sealing(user)
        ready = {
            table.name: [_sealed(table, user, row, seal) for row in dump.get(table.name, ())]
            for table in COPIED
            if table not in (people, leases, placements)
        }
        loaded: dict[str, int] = {}
        with self._database.write() as connection:
            loaded[people.name] = self._person(connection, user, dump.get(people.name, ()), seal)
            if user_rows := ready.get(actions.name):
                ready[actions.name] = _numbered(connection, user, user_rows)
            # receipts are signed with the id in them
            ready[receipts.name] = [row for row in ready[receipts.name] if f'"{user}"' in row["record"]]
            for table in COPIED:
                if rows := ready.get(table.name):
                    # drivers do not all say how many of many rows were new
                    before = _rows_of(connection, table, user)
                    connection.execute(self._database.insert(table).on_conflict_do_nothing(), rows)
                    loaded[table.name] = _rows_of(connection, table, user) - before
            self._floors(connection, user, dump)
            served = next((row.get("fingerprint") for row in dump.get(people.name, ())), None)
            if any(loaded.values()):
                last = connection.execute(NEWEST, {"user": user}).first()
                values = {
                    "said": connection.execute(SAID, {"user": user}).scalar_one(),
                    "last_us": None if last is None else last.at_us,
                    "last_offset": None if last is None else last.at_offset,
                    "own_us": connection.execute(NEWEST_OWN, {"user": user}).scalar_one(),
                    "served": served,
                }
                connection.execute(TAKE_OVER, {"user": user, **values})
                if values["own_us"] is not None:
                    connection.execute(WROTE, {"user": user, "own_us": values["own_us"]})
        return {name: count for name, count in loaded.items() if count}

    def _person(
        self,
        connection: Connection,
        user: UserId,
        rows: list[dict[str, Any]] | tuple[()],
        seal: Callable[[str, str, bytes], bytes],
    ) -> int:
        """The person's own row, which every other one refers to; 1 where it was made."""
        if connection.execute(LOCK, {"user": user}).first() is not None:
            return 0
        if not rows:
            raise unknown_user(user)
        external = rows[0]["external_sealed"]
        if not isinstance(external, str):
            raise IllegalValue("a person's external id must be text; the file was altered")
        row = _sealed(people, user, rows[0], seal)
        row["external_tag"] = self._keyring.external_id_tag(external)
        insert = self._database.insert(people).on_conflict_do_nothing(index_elements=[people.c.external_tag])
        connection.execute(insert, row)
        if connection.execute(BY_TAG, {"tag": row["external_tag"]}).scalar_one() != user:
            raise IllegalValue("another person of this ledger goes by that external id; give another one")
        return 1

    def _floors(self, connection: Connection, user: UserId, dump: Rows) -> None:
        tokens = [
            {"user_id": user, "kind": row["kind"], "token": row["token"], "holder": NOBODY, "granted_us": 0, "expires_us": 0}
            for row in dump.get(leases.name, ())
        ]
        if tokens:
            connection.execute(self._raise_tokens, tokens)
        for row in dump.get(placements.name, ()):
            since = connection.execute(SINCE, {"user": user}).scalar_one()
            floor = {"user_id": user, "generation": 0, "last_generation": row["last_generation"], "last_us": since}
            connection.execute(self._raise_generation, floor)


def _rows_of(connection: Connection, table: Table, user: UserId) -> int:
    statement = select(func.count()).select_from(table).where(table.c.user_id == _USER)
    return int(connection.execute(statement, {"user": user}).scalar_one())


def _opened(table: Table, row: dict[str, Any], opened: Callable[[str, str, bytes], bytes]) -> dict[str, Any]:
    payloads: dict[str, Any] = {}
    for sealed in sealed_of(table):
        envelope = row[sealed.name]
        if envelope is None:
            continue
        inside = opened(sealed.kind(row), sealed.record(row), envelope)
        payloads[sealed.name] = base64.b64encode(inside).decode() if sealed.floats else unpack(inside)
    kept = FLOORS.get(table.name, tuple(c.name for c in table.c if c.name not in ("user_id", "external_tag")))
    return {name: payloads.get(name, row[name]) for name in kept}


def _sealed(table: Table, user: UserId, row: dict[str, Any], seal: Callable[[str, str, bytes], bytes]) -> dict[str, Any]:
    made: dict[str, Any] = {column.name: row.get(column.name) for column in table.c}
    made["user_id"] = user
    for sealed in sealed_of(table):
        inside = made[sealed.name]
        if inside is None and sealed.column.nullable:
            continue
        payload = _floats(inside) if sealed.floats else pack(inside)
        made[sealed.name] = seal(sealed.kind(made), sealed.record(made), payload)
    return made


def _floats(coded: object) -> bytes:
    try:
        return pack_floats(unpack_floats(base64.b64decode(str(coded), validate=True)).astype(np.float32))
    except (binascii.Error, ValueError):
        raise IllegalValue("a vector that is no base64 of float32; the file was altered") from None


def _check(dump: Rows) -> None:
    """What comes from a file may be anything."""
    known = {table.name: table for table in COPIED}
    for name, rows in dump.items():
        table = known.get(name)
        if table is None:
            raise _newer()
        travels = FLOORS.get(name, tuple(table.c.keys()))
        for row in rows:
            if not row.keys() <= set(travels):
                raise _newer()
            for column in table.c:
                if column.name in travels and column.name not in ("user_id", "external_tag"):
                    _check_value(column, row.get(column.name))


def _newer() -> SchemaMismatch:
    return SchemaMismatch("the person's rows were written by a newer version of SelfImprint; update this installation")


def _check_value(column: Column[Any], value: object) -> None:
    if isinstance(column.type, LargeBinary):
        return
    fits: bool
    match column.type:
        case _ if value is None:
            fits = bool(column.nullable)
        case BigInteger() | Integer():
            largest = LARGEST[BigInteger if isinstance(column.type, BigInteger) else Integer]
            fits = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= largest
        case String() | Text():
            longest = column.type.length
            fits = isinstance(value, str) and value.isprintable() and (longest is None or len(value) <= longest)
        case _:
            fits = False
    if not fits:
        raise IllegalValue(f"a value that {column.table.name}.{column.name} cannot hold; the file was altered")


def _numbered(connection: Connection, user: UserId, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Entries that are not logged here yet: under their own numbers in an empty log, else behind what is there."""
    logged = connection.execute(LOGGED, {"user": user}).all()
    if not logged:
        return rows
    seen = {(row.write_key, row.position) for row in logged}
    last = max(row.seq for row in logged)
    new = [row for row in rows if (row["write_key"], row["position"]) not in seen]
    return [{**row, "seq": last + number} for number, row in enumerate(new, start=1)]
