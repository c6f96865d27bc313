"""Backups opened beside the living stores: a ledger, a folder of sealed files, or the copy of a whole home."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from memory_lib.adapters.sql.engine import sqlite_url
from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.adapters.sql.params import LedgerParams
from memory_lib.adapters.sqlite.graph_store import SqliteGraphStore
from memory_lib.bootstrap.stores import LEDGER
from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Tier
from memory_lib.errors import UnreadableFile
from memory_lib.ports.graph import GraphFileParams, WholeGraph
from memory_lib.ports.keys import Keyring, Sealer
from memory_lib.ports.person_rows import Backup
from memory_lib.ports.sealed_graphs import SealedGraphs

GRAPHS = "graphs"
SCRATCH = "restore-"
_SQLITE = b"SQLite format 3\0"


@dataclass(frozen=True, slots=True, kw_only=True)
class HomeBackups:
    """Implements ``ports.person_rows.Backups``. What is opened is a copy under ``scratch`` (sealed as it was, gone at the
    end), so that nothing at the place itself changes.

    ``files_at``: the sealed files in a folder; ``files_of``: those of a home by tier, as this installation lays them out.
    """

    scratch: Path
    keyring: Keyring
    sealer: Sealer
    ledger: LedgerParams
    graph_files: GraphFileParams
    files_at: Callable[[Path], SealedGraphs]
    files_of: Callable[[Path], Mapping[Tier, SealedGraphs]]

    @contextmanager
    def open(self, place: str) -> Iterator[Backup]:
        """See the port."""
        if "://" in place:
            with Ledger(place, self.sealer, self.keyring, params=self.ledger) as ledger:
                yield Backup(people=ledger.people, rows=ledger.person_rows, files={})
            return
        path = Path(place).expanduser()
        with self._folder() as folder:
            if path.is_file():
                with self._ledger(path, folder) as ledger:
                    yield Backup(people=ledger.people, rows=ledger.person_rows, files={})
            elif (path / LEDGER).is_file():
                graphs = SqliteGraphStore(folder, self.sealer, params=self.graph_files)
                try:
                    with self._ledger(path / LEDGER, folder) as ledger:
                        yield Backup(
                            people=ledger.people,
                            rows=ledger.person_rows,
                            graph=_CopiedGraphs(path / GRAPHS, folder / GRAPHS, graphs),
                            files=self.files_of(path),
                        )
                finally:
                    graphs.close()
            elif path.is_dir():
                yield Backup(files={Tier.WARM: self.files_at(path)})
            else:
                raise UnreadableFile(
                    "there is no backup at that place; name a ledger, a folder of sealed files, or a home's copy"
                )

    @contextmanager
    def _ledger(self, file: Path, folder: Path) -> Iterator[Ledger]:
        with file.open("rb") as opened:
            if opened.read(len(_SQLITE)) != _SQLITE:
                raise UnreadableFile("the file is no ledger; name ledger.db of a backup, or a folder of sealed files")
        _copied(file, folder / LEDGER)
        with Ledger(sqlite_url(folder / LEDGER), self.sealer, self.keyring, params=self.ledger) as ledger:
            yield ledger

    @contextmanager
    def _folder(self) -> Iterator[Path]:
        for left in self.scratch.glob(f"{SCRATCH}*"):
            if not _lives(left.name.removeprefix(SCRATCH).partition("-")[0]):
                shutil.rmtree(left, ignore_errors=True)
        folder = self.scratch / f"{SCRATCH}{os.getpid()}-{secrets.token_hex(8)}"
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)


@dataclass(frozen=True, slots=True)
class _CopiedGraphs:
    """People's graph files, each copied when it is asked for."""

    source: Path
    target: Path
    store: SqliteGraphStore

    def take(self, user: UserId) -> WholeGraph:
        file = self.source / user[:2] / f"{user}.db"
        if file.is_file():
            copy = self.target / user[:2] / file.name
            copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _copied(file, copy)
        return self.store.take(user)


def _copied(file: Path, to: Path) -> None:
    """With its write-ahead log, where the copy was made of files in use."""
    for suffix in ("", "-wal"):
        with suppress(FileNotFoundError):
            shutil.copyfile(f"{file}{suffix}", f"{to}{suffix}")
            Path(f"{to}{suffix}").chmod(0o600)


def _lives(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True
