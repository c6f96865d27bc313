"""The ledger opened: six ports over one database (DESIGN §3)."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from sqlalchemy import URL

from memory_lib.adapters.sql.action_log import SqlActionLog
from memory_lib.adapters.sql.decisions import SqlDecisions
from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.leases import SqlLeases
from memory_lib.adapters.sql.message_log import SqlMessageLog
from memory_lib.adapters.sql.model_calls import SqlModelBook
from memory_lib.adapters.sql.next_vectors import SqlNextVectors
from memory_lib.adapters.sql.params import LedgerParams
from memory_lib.adapters.sql.people import SqlPeople
from memory_lib.adapters.sql.residuals import SqlResiduals
from memory_lib.adapters.sql.rounds import SqlRoundStore
from memory_lib.adapters.sql.schema import ensure_schema
from memory_lib.adapters.sql.staging import SqlStaging
from memory_lib.ports.keys import Keyring, Sealer


class Ledger:
    """``people``, ``messages``, ``rounds``, ``staging``, ``next_vectors``, ``leases``, ``actions``, ``model_book``: one
    object a
    port, safe between threads.

    Opening creates or upgrades the tables under the writers' lock. Close it, or use it as a context manager.

    Raises:
        SchemaMismatch: written by a newer version.
        KeyMissing: made under another deployment key.
        StoreBusy, DependencyDown: the database is locked or does not answer.
    """

    def __init__(self, url: str | URL, sealer: Sealer, keyring: Keyring, *, params: LedgerParams) -> None:
        self._database = Database(url, params=params)
        try:
            ensure_schema(self._database, keyring)
        except BaseException:
            self._database.close()
            raise
        self.people = SqlPeople(self._database, sealer, keyring)
        self.messages = SqlMessageLog(self._database, sealer)
        self.rounds = SqlRoundStore(self._database, sealer)
        self.staging = SqlStaging(self._database, sealer)
        self.next_vectors = SqlNextVectors(self._database, sealer)
        self.leases = SqlLeases(self._database)
        self.actions = SqlActionLog(self._database, sealer)
        self.residuals = SqlResiduals(self._database, sealer)
        self.decisions = SqlDecisions(self._database, sealer)
        self.model_book = SqlModelBook(self._database)

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
