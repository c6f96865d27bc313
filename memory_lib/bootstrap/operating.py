"""What operations on people work with, put together; and what is looked at before anything is served."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from memory_lib.adapters.exports import SealedExports
from memory_lib.adapters.keys.file_keyring import FileKeyring
from memory_lib.adapters.keys.file_sealing import AesGcmFileSealer
from memory_lib.adapters.keys.signing import Ed25519Signer
from memory_lib.adapters.keys.tombstones import FileTombstones
from memory_lib.adapters.person_views import CachedPersonViews
from memory_lib.adapters.quarantine import Quarantine
from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.adapters.synx.person_archive import SynxPersonArchives
from memory_lib.bootstrap.backups import HomeBackups
from memory_lib.bootstrap.stores import blobs_of, files_in, files_of
from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import MAIN, Tier
from memory_lib.operations.bench import Exchange, OpsBench
from memory_lib.plans import Workbench
from memory_lib.ports.blobs import Blobs
from memory_lib.ports.graph import GraphStore
from memory_lib.ports.keys import FileSealer, Sealer
from memory_lib.ports.person_store import PersonStore, Resealable
from memory_lib.ports.sealed_graphs import SealedGraphs
from memory_lib.settings import Settings
from memory_lib.usecases.files_reseal import FilesReseal
from memory_lib.usecases.graph_reseal import GraphReseal
from memory_lib.usecases.reapply_tombstones import reapply_tombstones


@dataclass(frozen=True, slots=True)
class InMemory:
    """Implements ``PersonStore`` for what this process keeps opened of people. Others see at their next use that the person's
    key and ledger row are gone.
    """

    forget: tuple[Callable[[UserId], None], ...]

    def erase(self, user: UserId) -> Mapping[str, int]:
        for each in self.forget:
            each(user)
        return {}

    def residue(self, user: UserId) -> Mapping[str, int]:  # noqa: ARG002 - nothing of memory is at rest
        return {}


def ops_of(  # noqa: PLR0913 - all that there is
    settings: Settings,
    *,
    work: Workbench,
    keyring: FileKeyring,
    sealer: Sealer,
    file_sealer: FileSealer,
    ledger: Ledger,
    shards: Mapping[str, GraphStore],
    blobs: Mapping[Tier, Blobs],
    files: Mapping[Tier, SealedGraphs],
    views: CachedPersonViews,
    quarantine: Quarantine,
    forget_opened: Callable[[UserId], None],
) -> OpsBench:
    """Every store that keeps something of a person is named here, the ledger last: its row of the person carries the lease."""
    exports = SealedExports(settings.home, file_sealer)
    stores: dict[str, PersonStore] = {f"graph:{name}": store for name, store in shards.items()}
    stores |= {f"files:{tier.value}": each for tier, each in files.items()}
    stores |= {
        "exports": exports,
        "quarantine": quarantine,
        "memory": InMemory((views.forget, forget_opened, sealer.forget)),
        "ledger": ledger.person_store,
    }
    resealables: dict[str, Resealable] = {
        f"graph:{name}": GraphReseal(store, rotation=keyring, write_turn=work.write_turn) for name, store in shards.items()
    }
    resealables |= {
        "files": FilesReseal(files, placements=ledger.placements, write_turn=work.write_turn, clock=work.clock),
        "exports": exports,
        "ledger": ledger.person_store,
    }
    return OpsBench(
        work=work,
        keyring=keyring,
        rotation=keyring,
        sealer=sealer,
        tombstones=FileTombstones(settings.home, keyring),
        signer=Ed25519Signer(keyring),
        placements=ledger.placements,
        requests=ledger.requests,
        forgetting=ledger.forgetting,
        audit=ledger.audit,
        receipts=ledger.receipts,
        shards=shards,
        blobs=blobs,
        files=files,
        stores=stores,
        resealables=resealables,
        rotate_keys=settings.rotate_keys,
        exchange=Exchange(
            rows=ledger.person_rows,
            archives=SynxPersonArchives(params=settings.files),
            exports=exports,
            backups=_backups(settings, keyring, sealer, file_sealer),
            shard=MAIN if MAIN in shards else min(shards),
        ),
    )


def _backups(settings: Settings, keyring: FileKeyring, sealer: Sealer, file_sealer: FileSealer) -> HomeBackups:
    def of_home(home: Path) -> Mapping[Tier, SealedGraphs]:
        local = replace(settings.s3, bucket=None)
        there = settings.model_copy(update={"home": home, "s3": local})
        return files_of(there, blobs_of(there), file_sealer)

    return HomeBackups(
        scratch=settings.home,
        keyring=keyring,
        sealer=sealer,
        ledger=settings.ledger,
        graph_files=settings.graph_files,
        files_at=lambda folder: files_in(folder, settings, file_sealer),
        files_of=of_home,
    )


def bury_again(ops: OpsBench, ledger: Ledger) -> None:
    """Whoever was erased and is there again (a backup was put back) goes again, before anything is served."""
    reapply_tombstones(
        values=ledger.deployment_values,
        tombstones=ops.tombstones,
        keyring=ops.keyring,
        sealer=ops.sealer,
        listings=[
            lambda after, limit: ledger.people.everyone(after=after, limit=limit),
            *((lambda after, limit, store=store: store.people(after=after, limit=limit)) for store in ops.shards.values()),
        ],
        stores=ops.stores,
    )


def file_sealer_of(settings: Settings, keyring: FileKeyring) -> AesGcmFileSealer:
    """Who seals files of people."""
    return AesGcmFileSealer(keyring, params=settings.file_sealing)
