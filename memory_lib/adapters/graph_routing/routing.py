"""Stores, files, placements and leases put together: who reads and writes, and who moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from memory_lib.adapters.graph_routing.mover import LeasedMover
from memory_lib.adapters.graph_routing.opened_files import OpenedFiles
from memory_lib.adapters.graph_routing.params import TierParams
from memory_lib.adapters.graph_routing.places import Places
from memory_lib.adapters.graph_routing.routed_graph import RoutedGraph
from memory_lib.domain.placement import Tier
from memory_lib.policies.sessions import SessionParams
from memory_lib.policies.sharding import ShardingParams
from memory_lib.ports.clock import Clock
from memory_lib.ports.graph import GraphStore
from memory_lib.ports.keys import Keyring
from memory_lib.ports.ledger import Leases, MessageLog
from memory_lib.ports.placements import Placements
from memory_lib.ports.sealed_graphs import SealedGraphs
from memory_lib.ports.write_turn import WriteTurn


@dataclass(frozen=True, slots=True)
class Routing:
    """``graph``: everybody's, a ``GraphStore`` and ``Whereabouts``. ``mover``: a ``PersonMover``. ``opened``: what is kept in
    memory of people who rest in files.
    """

    graph: RoutedGraph
    mover: LeasedMover
    opened: OpenedFiles


def routing_of(  # noqa: PLR0913 - what a move touches
    *,
    shards: Mapping[str, GraphStore],
    files: Mapping[Tier, SealedGraphs],
    placements: Placements,
    leases: Leases,
    write_turn: WriteTurn,
    log: MessageLog,
    keys: Keyring,
    clock: Clock,
    tiers: TierParams,
    sharding: ShardingParams,
    sessions: SessionParams,
) -> Routing:
    """``shards``: graph stores by name, an installation's first one called ``main``; ``files``: near (warm) and far (cold).

    Closing the graph closes the stores.
    """
    places = Places(shards, placements, params=sharding)
    opened = OpenedFiles(files, params=tiers.files)
    mover = LeasedMover(
        places=places,
        files=opened,
        placements=placements,
        leases=leases,
        write_turn=write_turn,
        log=log,
        keys=keys,
        clock=clock,
        params=tiers,
        sessions=sessions,
    )
    return Routing(RoutedGraph(places, opened), mover, opened)
