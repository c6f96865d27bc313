"""A person in real stores whose key is rotated; also by a process of its own that is killed on the way."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory_lib.adapters.blobs.directory import DirectoryBlobs
from memory_lib.adapters.keys.file_sealing import AesGcmFileSealer
from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.adapters.keys.params import FileSealParams, KeyringParams
from memory_lib.adapters.keys.sealing import AesGcmSealer
from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.adapters.synx.graph_files import SynxSealedGraphs
from memory_lib.adapters.synx.params import SealedFilesParams
from memory_lib.adapters.write_turns import LeasedTurns, WriteTurnParams
from memory_lib.domain.changes import PutNode
from memory_lib.domain.ids import NodeId, UserId
from memory_lib.domain.placement import MAIN, Placement, Tier
from memory_lib.ports.graph import GraphStore, WholeGraph
from memory_lib.ports.person_store import Resealable
from memory_lib.ports.placements import Placements
from memory_lib.ports.sealed_graphs import SealedGraphs
from memory_lib.usecases.files_reseal import FilesReseal
from memory_lib.usecases.graph_reseal import GraphReseal
from memory_lib.usecases.rotate_keys import RotateKeysParams, RotatePorts, rotate_keys
from tests.contracts.backends import open_sqlite
from tests.contracts.graph.samples import DIMENSION, FINGERPRINT, change_set, lines, node, vector
from tests.contracts.ledger.said import said
from tests.contracts.ledger_backends import BACKENDS

KEYS = KeyringParams(seals_a_key=2**32, rotate_at=2**31, seals_reserved=256, opened_keys=8, opened_s=60.0, checked_s=0.01)
PARAMS = RotateKeysParams(batch=25, grace_s=0.0, attempts=50, pause_s=0.01)
FILES = FileSealParams(level=1, content_bytes=1 << 24)
SETS = SealedFilesParams(shard_bytes=1 << 23, block_vectors=64, at_once=1)
TURNS = WriteTurnParams(ttl_s=5.0, wait_s=20.0, poll_s=0.005)
NAME = "анна"
MESSAGES = 9
KILLED = 9
SHORT = 0.3
"""Seconds of a lease whose holder is killed, and which is then waited for."""
SERVER = multiprocessing.get_context("forkserver")
SERVER.set_forkserver_preload([__name__])


class Wall:
    def now(self) -> datetime:
        return datetime.now(UTC)


@dataclass(frozen=True, kw_only=True)
class Home:
    keyring: LocalKeyring
    sealer: AesGcmSealer
    ledger: Ledger
    graph: GraphStore
    turns: LeasedTurns
    files: SealedGraphs
    placements: Placements

    @property
    def ports(self) -> RotatePorts:
        return RotatePorts(
            rotation=self.keyring,
            sealer=self.sealer,
            resealables={
                "graph": GraphReseal(self.graph, rotation=self.keyring, write_turn=self.turns),
                "ledger": self.ledger.person_store,
                "files": FilesReseal(
                    {Tier.WARM: self.files},
                    placements=self.placements,
                    write_turn=self.turns,
                    clock=Wall(),
                ),
            },
            write_turn=self.turns,
            id_key=self.keyring.id_key,
            clock=Wall(),
        )

    def say(self, user: UserId, number: int) -> None:
        message = said(self.keyring.id_key, number, f"слово {number}, word {number}")
        self.ledger.messages.append(user, [message], now=Wall().now())

    def remember(self, user: UserId, name: str) -> None:
        with self.turns.hold(user) as turn:
            change = PutNode(node(name), vector(len(name)))
            self.graph.apply(user, [change_set(user, name, change)], token=turn.token, now=Wall().now())

    def rest(self, user: UserId) -> None:
        """The graph goes to sealed files."""
        places = self.placements
        with self.turns.hold(user) as turn:
            was, whole, number = places.assign(user, MAIN), self.graph.take(user), places.next_generation(user)
            self.files.write(user, whole, (), generation=number)
            places.flip(user, Placement(Tier.WARM, MAIN, number), was=was, token=turn.token, now=Wall().now())
            self.graph.vacate(user, token=turn.token)

    def resting(self, user: UserId) -> WholeGraph:
        place = self.placements.of(user)
        assert place is not None
        return self.files.read(user, generation=place.generation)

    def everything(self, user: UserId) -> tuple[str, list[str], dict[NodeId, Any], dict[NodeId, bytes]]:
        """The name, the messages, the nodes, the vectors: all of it opened."""
        messages = self.ledger.messages
        ids = [ref.id for ref in messages.refs(user)]
        texts = [messages.messages(user, [ident])[ident].text for ident in ids]
        place = self.placements.of(user)
        resting = place is not None and place.tier is Tier.WARM
        stored = self.resting(user) if resting else self.graph.load(user)
        vectors = {name: each.tobytes() for name, each in stored.vectors.items()}
        return self.ledger.people.external(user), texts, dict(stored.nodes), vectors


@contextmanager
def opened(root: Path, *, lease_s: float = 5.0) -> Iterator[Home]:
    keyring = LocalKeyring(root, id_key=None, params=KEYS)
    sealer = AesGcmSealer(keyring, params=KEYS)
    graph = open_sqlite(root, sealer)
    try:
        with BACKENDS["sqlite"].open(root, sealer, keyring) as ledger:
            turns = LeasedTurns(ledger.leases, Wall(), params=replace(TURNS, ttl_s=lease_s))
            sealed = AesGcmFileSealer(keyring, params=FILES)
            files = SynxSealedGraphs(DirectoryBlobs(root / "warm"), sealed, params=SETS)
            yield Home(
                keyring=keyring,
                sealer=sealer,
                ledger=ledger,
                graph=graph,
                turns=turns,
                files=files,
                placements=ledger.placements,
            )
    finally:
        graph.close()


def filled(home: Home) -> UserId:
    """A person with messages, and a graph with vectors."""
    user = home.ledger.people.ensure(NAME, now=Wall().now())
    for number in range(MESSAGES):
        home.say(user, number)
    with home.turns.hold(user) as turn:
        home.graph.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=DIMENSION, token=turn.token)
        vectors = [PutNode(node(name), vector(seed)) for seed, name in enumerate("abcd")]
        changes = [*lines("a b c d"), *vectors]
        home.graph.apply(user, [change_set(user, "first", *changes)], token=turn.token, now=Wall().now())
    return user


class _Deadly:
    """Passes calls on, and kills its process before or after the n-th of them."""

    def __init__(self, of: Any, strike: Callable[[], None], names: tuple[str, ...]) -> None:
        self._of, self._strike, self._names = of, strike, names

    def __getattr__(self, name: str) -> Any:
        real = getattr(self._of, name)
        if name not in self._names:
            return real

        def call(*arguments: Any, **options: Any) -> Any:
            self._strike()
            answer = real(*arguments, **options)
            self._strike()
            return answer

        return call


def rotate_until_killed(root: Path, user: UserId, strikes: int) -> None:
    """The rotation, killed at the ``strikes``-th moment before or after a step; ends well where there are fewer."""
    left = strikes

    def strike() -> None:
        nonlocal left
        left -= 1
        if left < 0:
            os._exit(KILLED)

    with opened(root, lease_s=SHORT) as home:
        deadly = replace(
            home,
            files=_Deadly(home.files, strike, ("write", "delete")),
            placements=_Deadly(home.placements, strike, ("flip",)),
        )
        ports = deadly.ports
        stores: dict[str, Resealable] = {name: _Deadly(each, strike, ("reseal",)) for name, each in ports.resealables.items()}
        ports = replace(ports, rotation=_Deadly(ports.rotation, strike, ("begin", "finish")), resealables=stores)
        rotate_keys(user, ports=ports, params=PARAMS, apply=True, pause=lambda _: strike())
