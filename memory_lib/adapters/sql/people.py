"""Who is known here: an internal id a person, the external one sealed and found by its keyed tag (CONTRACTS, Ids)."""

from __future__ import annotations

import secrets
from datetime import datetime

from sqlalchemy import Connection, String, bindparam, cast, select

from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.payload import pack, unpack
from memory_lib.adapters.sql.tables import people
from memory_lib.domain.ids import ID_BYTES, UserId
from memory_lib.domain.time import from_us, offset_minutes, to_us
from memory_lib.errors import SelfImprintError, UnknownUser
from memory_lib.ports.keys import Keyring, Sealer
from memory_lib.ports.ledger import Person

KIND = "external_id"

BY_TAG = select(people.c.user_id).where(people.c.external_tag == bindparam("tag"))
EXTERNAL = select(people.c.external_sealed).where(people.c.user_id == bindparam("user"))
PERSON = select(
    people.c.created_us,
    people.c.created_offset,
    people.c.log_version,
    people.c.messages,
    people.c.last_message_us,
    people.c.last_message_offset,
    people.c.fingerprint,
).where(people.c.user_id == bindparam("user"))
EVERYONE = (
    select(people.c.user_id).where(people.c.user_id > bindparam("after")).order_by(people.c.user_id).limit(bindparam("limit"))
)
UNFORMED = (
    select(people.c.user_id)
    .where(
        people.c.user_id > bindparam("after"),
        people.c.formed.is_distinct_from(cast(people.c.log_version, String) + bindparam("code", type_=String)),
    )
    .order_by(people.c.user_id)
    .limit(bindparam("limit"))
)
MARK_FORMED = people.update().where(people.c.user_id == bindparam("user")).values(formed=bindparam("mark"))
LOCK = select(people.c.user_id).where(people.c.user_id == bindparam("user")).with_for_update()
BUMP = people.update().where(people.c.user_id == bindparam("user")).values(log_version=people.c.log_version + 1)


def new_user_id() -> UserId:
    """128 random bits; the one id that is not derived from anything."""
    return UserId(secrets.token_hex(ID_BYTES))


def unknown_user(user: UserId) -> UnknownUser:
    """The error for an internal id that names nobody."""
    return UnknownUser(f"no person {user} in this ledger; import their messages first")


def lock_person(connection: Connection, user: UserId) -> None:
    """Orders this person's writers until the transaction ends.

    Raises:
        UnknownUser: there is no such person.
    """
    if connection.execute(LOCK, {"user": user}).first() is None:
        raise unknown_user(user)


class SqlPeople:
    """Implements ``ports.ledger.People``."""

    def __init__(self, database: Database, sealer: Sealer, keyring: Keyring) -> None:
        self._database = database
        self._sealer = sealer
        self._keyring = keyring
        insert = database.insert(people)
        self._insert = insert.on_conflict_do_nothing(index_elements=[people.c.external_tag])

    def ensure(self, external: str, *, now: datetime) -> UserId:
        known = self.find(external)
        if known is not None:
            return known
        tag = self._keyring.external_id_tag(external)
        user = new_user_id()
        # the key first: a row never names a person whose records cannot be sealed
        self._keyring.create(user)
        try:
            with self._database.write() as connection:
                row = {
                    "user_id": user,
                    "external_tag": tag,
                    "external_sealed": self._sealer.seal(user, KIND, user, pack(external)),
                    "created_us": to_us(now),
                    "created_offset": offset_minutes(now),
                    "log_version": 0,
                    "messages": 0,
                }
                connection.execute(self._insert, row)
                winner = UserId(connection.execute(BY_TAG, {"tag": tag}).scalar_one())
        except BaseException:
            self._drop_key(user)
            raise
        if winner != user:
            self._keyring.destroy(user)
        return winner

    def _drop_key(self, user: UserId) -> None:
        """The key of a person who was not made; one whose commit went through although its answer was lost keeps theirs."""
        try:
            self.person(user)
        except UnknownUser:
            self._keyring.destroy(user)
        except SelfImprintError:
            # nobody can say: a key that seals nothing does no harm
            return

    def find(self, external: str) -> UserId | None:
        with self._database.read() as connection:
            found = connection.execute(BY_TAG, {"tag": self._keyring.external_id_tag(external)}).scalar_one_or_none()
        return None if found is None else UserId(found)

    def external(self, user: UserId) -> str:
        with self._database.read() as connection:
            sealed = connection.execute(EXTERNAL, {"user": user}).scalar_one_or_none()
        if sealed is None:
            raise unknown_user(user)
        return str(unpack(self._sealer.open(user, KIND, user, sealed)))

    def person(self, user: UserId) -> Person:
        with self._database.read() as connection:
            row = connection.execute(PERSON, {"user": user}).first()
        if row is None:
            raise unknown_user(user)
        created_us, created_offset, log_version, messages, last_us, last_offset, fingerprint = row
        return Person(
            user=user,
            created_at=from_us(created_us, created_offset),
            log_version=log_version,
            messages=messages,
            last_message_us=last_us,
            last_message_offset=last_offset,
            fingerprint=fingerprint,
        )

    def everyone(self, *, after: UserId | None = None, limit: int = 1000) -> tuple[UserId, ...]:
        with self._database.read() as connection:
            found = connection.execute(EVERYONE, {"after": after or "", "limit": limit}).scalars()
            return tuple(UserId(user) for user in found)

    def unformed(self, *, code: str, after: UserId | None = None, limit: int = 1000) -> tuple[UserId, ...]:
        with self._database.read() as connection:
            row = {"code": _code(code), "after": after or "", "limit": limit}
            return tuple(UserId(user) for user in connection.execute(UNFORMED, row).scalars())

    def mark_formed(self, user: UserId, *, log_version: int, code: str) -> None:
        with self._database.write() as connection:
            connection.execute(MARK_FORMED, {"user": user, "mark": f"{log_version}{_code(code)}"})


def _code(code: str) -> str:
    return f" {code}"
