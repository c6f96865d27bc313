"""People over a ledger, two graph stores and two places of files: what moves between them, put together by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import numpy as np

from memory_lib.adapters.blobs.directory import DirectoryBlobs
from memory_lib.adapters.graph_routing.params import TierParams
from memory_lib.adapters.graph_routing.routing import routing_of
from memory_lib.adapters.keys.file_sealing import AesGcmFileSealer
from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.adapters.sqlite.graph_store import SqliteGraphStore
from memory_lib.adapters.synx.graph_files import SynxSealedGraphs
from memory_lib.adapters.synx.params import SealedFilesParams
from memory_lib.adapters.write_turns import LeasedTurns, WriteTurnParams
from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.canonical import graph_hash
from memory_lib.domain.changes import Action, Change, PutEdge, PutNode, RecordAct
from memory_lib.domain.ids import IdKey, UserId
from memory_lib.domain.message import Message, Role
from memory_lib.domain.placement import MAIN, Tier
from memory_lib.ports.graph import GraphFileParams, GraphStore
from memory_lib.ports.keys import Keyring, Sealer
from memory_lib.ports.sealed_graphs import SealedGraphs
from memory_lib.settings import Settings
from tests.adapters.graph_routing.kept_files import KeptFiles
from tests.contracts.backends import NEO4J_PARAMS, data_key
from tests.contracts.graph.samples import DIMENSION, FINGERPRINT, change_set, edge, node, node_id, vector
from tests.contracts.ledger_backends import BACKENDS, keys_of
from tests.servers import Neo4jServer

OTHER = "other"
START = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
PARAMS: TierParams = Settings.model_fields["tiers"].default
SETTINGS = Settings.model_fields
TURNS = WriteTurnParams(ttl_s=30.0, wait_s=0.2, poll_s=0.01)
ID_KEY = IdKey(bytes(range(32)))
FILES = SealedFilesParams(shard_bytes=8 * 2**20, block_vectors=256, at_once=2)


def sealed_files(root: Path, keyring: Keyring) -> SealedGraphs:
    """Sets of sealed files in a folder."""
    sealer = AesGcmFileSealer(keyring, params=SETTINGS["file_sealing"].default)
    return SynxSealedGraphs(DirectoryBlobs(root), sealer, params=FILES)


@dataclass
class SetClock:
    """A clock that tests set."""

    instant: datetime = START

    def now(self) -> datetime:
        return self.instant

    def pass_(self, **time: float) -> None:
        self.instant += timedelta(**time)


def sqlite_store(root: Path, sealer: Sealer) -> SqliteGraphStore:
    return SqliteGraphStore(root, sealer, params=GraphFileParams(max_open_files=8, busy_timeout_s=5.0))


def neo4j_store(server: Neo4jServer, sealer: Sealer) -> GraphStore:
    from memory_lib.adapters.neo4j.graph_store import Neo4jGraphStore
    from memory_lib.adapters.neo4j.params import Neo4jServerParams

    return Neo4jGraphStore(
        Neo4jServerParams(uri=server.url, database=server.database), sealer, keys=data_key, params=NEO4J_PARAMS
    )


class Household:
    """``root`` holds a ledger whose tables are made. ``shards``: names of SQLite stores; ``stores``: others. ``files``: others
    than dictionaries, or ``sealed``: real ones in folders of the root."""

    def __init__(
        self,
        root: Path,
        *,
        shards: tuple[str, ...] = (MAIN, OTHER),
        files: Mapping[Tier, SealedGraphs] | None = None,
        sealed: bool = False,
        stores: Callable[[Sealer], Mapping[str, GraphStore]] | None = None,
        clock: SetClock | None = None,
        params: TierParams = PARAMS,
        wait_s: float = TURNS.wait_s,
    ) -> None:
        self.keyring, self.sealer = keys_of(root)
        self.clock = clock or SetClock()
        self.ledger: Ledger = BACKENDS["sqlite"].open(root, self.sealer, self.keyring)
        self.warm, self.cold = KeptFiles(), KeptFiles()
        self.files = files or {Tier.WARM: self.warm, Tier.COLD: self.cold}
        if sealed:
            self.files = {tier: sealed_files(root / tier, self.keyring) for tier in (Tier.WARM, Tier.COLD)}
        self.shards: Mapping[str, GraphStore] = (
            {name: sqlite_store(root / name, self.sealer) for name in shards} if stores is None else stores(self.sealer)
        )
        self.turns = LeasedTurns(self.ledger.leases, self.clock, params=replace(TURNS, wait_s=wait_s))
        routing = routing_of(
            shards=self.shards,
            files=self.files,
            placements=self.ledger.placements,
            leases=self.ledger.leases,
            write_turn=self.turns,
            log=self.ledger.messages,
            keys=self.keyring,
            clock=self.clock,
            tiers=params,
            sharding=SETTINGS["sharding"].default,
            sessions=SETTINGS["sessions"].default,
        )
        self.routed, self.mover = routing.graph, routing.mover

    def close(self) -> None:
        self.routed.close()
        self.ledger.close()

    # -- people --

    def person(self, name: str = "анна") -> UserId:
        return self.ledger.people.ensure(name, now=self.clock.now())

    def says(self, user: UserId, *texts: str, at: datetime | None = None) -> None:
        """Own messages, a minute apart."""
        conversation = ID_KEY.conversation("talk")
        said = [
            Message(
                id=ID_KEY.message(conversation, f"{text} {n}"),
                conversation=conversation,
                conversation_name="talk",
                source_id=f"{text} {n}",
                role=Role.USER,
                text=text,
                time=(at or self.clock.now()) + timedelta(minutes=n),
                text_version=ID_KEY.text_version(text),
            )
            for n, text in enumerate(texts)
        ]
        self.ledger.messages.append(user, said, now=self.clock.now())

    def remembers(self, user: UserId, *names: str, unit: str = "first") -> None:
        """Nodes in a row, a vector each, an act on the first, and an action that waits in the outbox; in a turn of its own."""
        with self.turns.hold(user) as turn:
            self.write(user, *names, unit=unit, token=turn.token)

    def write(self, user: UserId, *names: str, unit: str, token: int) -> None:
        if self.routed.head(user).fingerprint is None:
            self.routed.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=DIMENSION, token=token)
        changes: list[Change] = [PutNode(node(name, f"слова {name}"), _unit(name)) for name in names]
        changes += [PutEdge(edge(a, b)) for a, b in pairwise(names)]
        pin = Act(id=f"pin-{unit}", node=node_id(names[0]), kind=ActKind.PIN, at=self.clock.now(), recorded_at=self.clock.now())
        action = Action("create", "said", tuple(node_id(name) for name in names), {"nodes": float(len(names))})
        applied = self.routed.apply(
            user, [change_set(user, unit, *changes, RecordAct(pin), actions=[action])], token=token, now=self.clock.now()
        )
        assert applied[0].fresh

    # -- what is where --

    def hash(self, user: UserId) -> str:
        stored = self.routed.load(user)
        return graph_hash(stored.nodes.values(), stored.edges.values())

    def copies(self, user: UserId) -> list[str]:
        """Every place that holds a graph of the person, the living one and leftovers."""
        found = [name for name, store in self.shards.items() if store.residue(user).keys() - {"fence"}]
        for tier, files in self.files.items():
            found += [f"{tier} {generation}" for generation in files.generations(user)]
        return found


def _unit(name: str) -> bytes:
    """A vector of length 1, exact in half precision."""
    seed = sum(name.encode())
    raw = np.frombuffer(vector(seed), np.float32)
    return (raw / np.linalg.norm(raw)).astype(np.float16).astype(np.float32).tobytes()
