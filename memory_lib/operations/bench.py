"""What operations work with, and how they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Tier
from memory_lib.domain.receipt import Receipt
from memory_lib.plans import Progress, Workbench
from memory_lib.ports.audit import AuditLog, ReceiptBook
from memory_lib.ports.blobs import Blobs
from memory_lib.ports.exports import Exports
from memory_lib.ports.forgetting import Forgetting
from memory_lib.ports.graph import GraphStore
from memory_lib.ports.keys import Keyring, KeyRotation, Sealer, Signer, Tombstones
from memory_lib.ports.person_archive import PersonArchives
from memory_lib.ports.person_rows import Backups, PersonRows
from memory_lib.ports.person_store import PersonStore, Resealable
from memory_lib.ports.placements import Placements
from memory_lib.ports.requests import Requests
from memory_lib.ports.sealed_graphs import SealedGraphs
from memory_lib.usecases.rotate_keys import RotateKeysParams


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """What people leave and come back with: ``rows`` of the ledger, ``archives`` (ZIPs), ``exports`` made by flows and waiting
    to be fetched, ``backups``. ``shard``: the graph store that newcomers go to.
    """

    rows: PersonRows
    archives: PersonArchives
    exports: Exports
    backups: Backups
    shard: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpsBench:
    """``work``: what passes work with. ``shards``: graph stores by name. ``files``: sealed files, near (warm) and far (cold),
    kept in ``blobs``.

    ``stores``: every place that keeps something of a person, by name, in the order in which an erasure empties them;
    ``resealables``: those whose envelopes a rotation makes anew.
    """

    work: Workbench
    keyring: Keyring
    rotation: KeyRotation
    sealer: Sealer
    tombstones: Tombstones
    signer: Signer
    placements: Placements
    requests: Requests
    forgetting: Forgetting
    audit: AuditLog
    receipts: ReceiptBook
    shards: Mapping[str, GraphStore]
    blobs: Mapping[Tier, Blobs]
    files: Mapping[Tier, SealedGraphs]
    stores: Mapping[str, PersonStore]
    resealables: Mapping[str, Resealable]
    rotate_keys: RotateKeysParams
    exchange: Exchange | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How an operation is asked for. ``operator``: a name given by the deployment, never a person's. ``request``: a request of
    the ledger whose sealed payload holds what may not stand in clear (a topic, the list of a dry run, a reason). ``options``:
    codes, ids and numbers by name (``to``: "cold").
    """

    apply: bool = False
    operator: str = ""
    request: str | None = None
    options: Mapping[str, str] = field(default_factory=dict)


Operation = Callable[[OpsBench, UserId, Asked, Progress], Receipt]
"""May be repeated after being killed at any moment: it goes on where it was, or finds that all is done."""
