"""All rows of a person: erased, looked for, and sealed anew, in whatever table they lie.

Which tables those are is read off ``tables.metadata`` (a column ``user_id``), so that a table made later is not forgotten; the
audit log, which outlives people, loses its sealed reasons and the ids that it names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, LargeBinary, Table, and_, bindparam, delete, func, select, tuple_, update

from memory_lib.adapters.sql import audit
from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.people import LOCK
from memory_lib.adapters.sql.sealed_columns import SEALED_COLUMNS, SealedColumn
from memory_lib.adapters.sql.tables import audit as audit_table
from memory_lib.adapters.sql.tables import metadata
from memory_lib.adapters.sql.traces import take_traces_away
from memory_lib.domain.ids import UserId
from memory_lib.errors import SealBroken, StoreBusy
from memory_lib.ports.keys import Keyring, Sealer

HEADER_BYTES = 5
"""Version and key generation at the head of an envelope (``adapters/keys/sealing.py``)."""
REASONS = "audit_reasons"

PERSONAL: tuple[Table, ...] = tuple(table for table in metadata.sorted_tables if "user_id" in table.c)
"""Tables with rows of people, those referred to first."""

_USER: Any = bindparam("user")
DELETIONS = tuple((table.name, delete(table).where(table.c.user_id == _USER)) for table in reversed(PERSONAL))
COUNTS = tuple((table.name, select(func.count()).select_from(table).where(table.c.user_id == _USER)) for table in PERSONAL)


class _Envelopes:
    """The statements over one sealed column."""

    def __init__(self, sealed: SealedColumn) -> None:
        self.sealed = sealed
        table, column = sealed.table, sealed.column
        self.rest = tuple(part for part in table.primary_key if part.name != sealed.owner)
        old = and_(
            table.c[sealed.owner] == bindparam("owner"),
            # an empty one holds nothing that could be sealed
            func.length(column) > 0,
            func.substr(column, 1, HEADER_BYTES) != bindparam("header", type_=LargeBinary),
        )
        beside = [each for each in table.c if not isinstance(each.type, LargeBinary)]
        self.outdated = select(func.count()).where(old)
        self.first = select(*beside, column).where(old).order_by(*table.primary_key).limit(bindparam("rows"))
        self.next = self.first
        if self.rest:
            past = tuple_(*(bindparam(f"past_{part.name}", type_=part.type) for part in self.rest))
            self.next = self.first.where(tuple_(*self.rest) > past)
        self.replace = (
            update(table)
            .where(and_(*(part == bindparam(f"at_{part.name}") for part in table.primary_key)), column == bindparam("read"))
            .values({sealed.name: bindparam("anew")})
        )


ENVELOPES = tuple(_Envelopes(sealed) for sealed in SEALED_COLUMNS)


@dataclass(slots=True)
class _Batch:
    """What a call found: rows to replace by statement, and the first envelope that does not open."""

    replacements: list[tuple[_Envelopes, list[dict[str, Any]]]]
    broken: SealBroken | None = None

    @property
    def found(self) -> int:
        return sum(len(rows) for _, rows in self.replacements)


class SqlPersonStore:
    """Implements ``ports.person_store.PersonStore`` and ``Resealable`` for the ledger."""

    def __init__(self, database: Database, sealer: Sealer, keyring: Keyring) -> None:
        self._database = database
        self._sealer = sealer
        self._pseudonyms = audit.Pseudonyms(keyring)

    def erase(self, user: UserId) -> Mapping[str, int]:
        """Rows by table; ``audit_reasons``: sealed reasons taken off the audit log; what begins with ``log_`` is not gone but
        stated (``traces``). Raises StoreBusy, DependencyDown.
        """
        gone: dict[str, int] = {}
        with self._database.write() as connection:
            connection.execute(LOCK, {"user": user})
            for name, deletion in DELETIONS:
                gone[name] = connection.execute(deletion, {"user": user}).rowcount
            gone[REASONS] = audit.unname(connection, self._pseudonyms, user)
        left = take_traces_away(self._database, (*PERSONAL, audit_table))
        return {**{kind: count for kind, count in gone.items() if count}, **left}

    def residue(self, user: UserId) -> Mapping[str, int]:
        with self._database.read() as connection:
            found = {name: int(connection.execute(count, {"user": user}).scalar_one()) for name, count in COUNTS}
            found[REASONS] = audit.reasons_of(connection, self._pseudonyms, user)
        return {kind: count for kind, count in found.items() if count}

    def outdated(self, user: UserId) -> int:
        """Raises KeyMissing."""
        header = self._header(user)
        with self._database.read() as connection:
            return sum(
                int(connection.execute(each.outdated, {"owner": self._owner(each, user), "header": header}).scalar_one())
                for each in ENVELOPES
            )

    def reseal(self, user: UserId, *, limit: int) -> int:
        """An envelope that somebody else replaced meanwhile is left as theirs."""
        batch = self._read(user, limit)
        if not batch.found:
            if batch.broken is not None:
                raise batch.broken
            return 0
        with self._database.write() as connection:
            connection.execute(LOCK, {"user": user})
            done = sum(connection.execute(each.replace, rows).rowcount for each, rows in batch.replacements)
        if not done:
            raise StoreBusy("somebody else writes what was to be sealed anew; call again")
        return done

    def _read(self, user: UserId, limit: int) -> _Batch:
        header = self._header(user)
        opened, seal = self._sealer.opener(user), self._sealer.sealing(user)
        batch = _Batch([])
        with self._database.read() as connection:
            for each in ENVELOPES:
                if batch.found >= limit:
                    break
                sealed, anew = each.sealed, list[dict[str, Any]]()
                batch.replacements.append((each, anew))
                for row in self._rows(connection, each, user, header):
                    envelope = row[sealed.name]
                    kind, record = sealed.kind(row), sealed.record(row)
                    try:
                        payload = opened(kind, record, envelope)
                    except SealBroken as error:
                        batch.broken = batch.broken or error
                        continue
                    where = {f"at_{part.name}": row[part.name] for part in sealed.table.primary_key}
                    anew.append({**where, "read": envelope, "anew": seal(kind, record, payload)})
                    if batch.found >= limit:
                        break
        batch.replacements = [(each, rows) for each, rows in batch.replacements if rows]
        return batch

    def _rows(self, connection: Connection, each: _Envelopes, user: UserId, header: bytes) -> Iterator[Mapping[str, Any]]:
        values: dict[str, Any] = {
            "owner": self._owner(each, user),
            "header": header,
            "rows": self._database.params.chunk,
        }
        statement = each.first
        while True:
            rows = connection.execute(statement, values).mappings().all()
            yield from (dict(row) for row in rows)
            if not each.rest or len(rows) < self._database.params.chunk:
                return
            values.update({f"past_{part.name}": rows[-1][part.name] for part in each.rest})
            statement = each.next

    def _owner(self, each: _Envelopes, user: UserId) -> str:
        return user if each.sealed.owner == "user_id" else self._pseudonyms.of(user)

    def _header(self, user: UserId) -> bytes:
        """Of what is sealed from now on."""
        return self._sealer.seal(user, "header", user, b"")[:HEADER_BYTES]
