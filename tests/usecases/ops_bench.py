"""What operations work with, over a home's embedded stores; and the stores alone, opened without anything that cleans them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from memory_lib.adapters.blobs.directory import DirectoryBlobs
from memory_lib.adapters.keys.file_sealing import AesGcmFileSealer
from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.adapters.keys.sealing import AesGcmSealer
from memory_lib.adapters.sql.engine import sqlite_url
from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.adapters.sqlite.graph_store import SqliteGraphStore
from memory_lib.adapters.synx.graph_files import SynxSealedGraphs
from memory_lib.bootstrap import Memory
from memory_lib.bootstrap.stores import ledger_url_of
from memory_lib.domain.placement import MAIN, Tier
from memory_lib.operations.bench import OpsBench
from memory_lib.ports.graph import GraphStore
from memory_lib.ports.keys import Sealer
from memory_lib.ports.person_store import PersonStore
from memory_lib.ports.sealed_graphs import SealedGraphs
from memory_lib.settings import Settings

GRAPH = f"graph:{MAIN}"


@dataclass(frozen=True, slots=True)
class Opened:
    """``bench``: the memory's own; ``ledger``: opened once more beside it."""

    bench: OpsBench
    ledger: Ledger
    graph: GraphStore
    files: Mapping[Tier, SealedGraphs]

    def with_stores(self, stores: Mapping[str, PersonStore]) -> OpsBench:
        assert stores.keys() <= self.bench.stores.keys()
        return replace(self.bench, stores={**self.bench.stores, **stores})

    def without(self, *names: str) -> OpsBench:
        assert set(names) <= self.bench.stores.keys()
        return replace(self.bench, stores={name: store for name, store in self.bench.stores.items() if name not in names})


@contextmanager
def opened_ops(memory: Memory) -> Iterator[Opened]:
    """Operations on the people of this memory."""
    ops, settings = memory.ops, memory.settings
    with Ledger(ledger_url_of(settings), ops.sealer, memory.keyring, params=settings.ledger) as ledger:
        yield Opened(ops, ledger, ops.shards[MAIN], ops.files)


@dataclass(frozen=True, slots=True)
class Stores:
    """What lies in a home, as whoever holds its keys folder can open it."""

    sealer: Sealer
    ledger: Ledger
    graph: SqliteGraphStore
    files: Mapping[Tier, SealedGraphs]


@contextmanager
def stores_of(home: Path, *, id_key: str) -> Iterator[Stores]:
    """The stores and keys of a home; nothing is put in order by opening them so."""
    settings = Settings.load(home=home)
    keyring = LocalKeyring(home, id_key=bytes.fromhex(id_key), params=settings.keyring)
    sealer = AesGcmSealer(keyring, params=settings.keyring)
    file_sealer = AesGcmFileSealer(keyring, params=settings.file_sealing)
    files = {
        tier: SynxSealedGraphs(DirectoryBlobs(home / "files" / tier.value), file_sealer, params=settings.files)
        for tier in (Tier.WARM, Tier.COLD)
    }
    graph = SqliteGraphStore(home, sealer, params=settings.graph_files)
    with Ledger(sqlite_url(home / "ledger.db"), sealer, keyring, params=settings.ledger) as ledger:
        try:
            yield Stores(sealer, ledger, graph, files)
        finally:
            graph.close()
