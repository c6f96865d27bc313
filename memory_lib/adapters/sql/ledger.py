"""The ledger opened: its ports over one database (DESIGN §3)."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import URL

from memory_lib.adapters.sql.action_log import SqlActionLog
from memory_lib.adapters.sql.audit import SqlAuditLog
from memory_lib.adapters.sql.backup import back_up
from memory_lib.adapters.sql.decisions import SqlDecisions
from memory_lib.adapters.sql.deployment_values import SqlDeploymentValues
from memory_lib.adapters.sql.engine import Database
from memory_lib.adapters.sql.forgetting import SqlForgetting
from memory_lib.adapters.sql.leases import SqlLeases
from memory_lib.adapters.sql.message_log import SqlMessageLog
from memory_lib.adapters.sql.model_calls import SqlModelBook
from memory_lib.adapters.sql.next_vectors import SqlNextVectors
from memory_lib.adapters.sql.params import LedgerParams
from memory_lib.adapters.sql.people import SqlPeople
from memory_lib.adapters.sql.person_copy import SqlPersonRows
from memory_lib.adapters.sql.person_store import SqlPersonStore
from memory_lib.adapters.sql.placements import SqlPlacements
from memory_lib.adapters.sql.receipts import SqlReceiptBook
from memory_lib.adapters.sql.requests import SqlRequests
from memory_lib.adapters.sql.residuals import SqlResiduals
from memory_lib.adapters.sql.rounds import SqlRoundStore
from memory_lib.adapters.sql.schema import ensure_schema
from memory_lib.adapters.sql.staging import SqlStaging
from memory_lib.ports.keys import Keyring, Sealer


class Ledger:
    """One object a port, safe between threads: ``people``, ``messages``, ``rounds``, ``staging``, ``next_vectors``,
    ``leases``, ``actions``, ``residuals``, ``decisions``, ``model_book``, ``placements``, ``requests``, ``audit``,
    ``receipts``; ``person_store`` (erased and sealed anew) and ``person_rows`` (opened, and put in elsewhere) are all of a
    person's.

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
        self.forgetting = SqlForgetting(self._database, sealer, keyring.id_key)
        self.model_book = SqlModelBook(self._database)
        self.placements = SqlPlacements(self._database)
        self.requests = SqlRequests(self._database, sealer)
        self.audit = SqlAuditLog(self._database, sealer, keyring)
        self.receipts = SqlReceiptBook(self._database)
        self.person_store = SqlPersonStore(self._database, sealer, keyring)
        self.person_rows = SqlPersonRows(self._database, sealer, keyring)
        self.deployment_values = SqlDeploymentValues(self._database)

    def backup(self, to: Path) -> None:
        """A copy as of one instant, made while the ledger is in use; ``to`` opens like the ledger itself.

        Raises:
            UnknownSetting: a ledger on PostgreSQL, which ``pg_dump`` backs up: a database restored from that opens by its URL.
            IllegalValue: there is a file already.
        """
        back_up(self._database, to)

    def close(self) -> None:
        self._database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
