"""``kill -9`` before every statement, sync, link, rename and removal of hot → warm → cold → hot: one living copy by the ledger,
the same graph, nothing acknowledged lost or doubled, and the next run ends it (CONTRACTS, Writing)."""

from __future__ import annotations

import os
import random
import shutil
import signal
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memory_lib.adapters.graph_routing.comparing import differing
from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Tier
from memory_lib.ports.graph import GraphStore, WholeGraph
from memory_lib.ports.keys import Sealer
from memory_lib.ports.person_mover import Destination
from tests.adapters.graph_routing.household import OTHER, START, Household, SetClock, neo4j_store
from tests.contracts.graph.samples import node_id
from tests.e2e.moments import Moments
from tests.servers import Neo4jServer

POINTS = 25
SERVER_POINTS = 4
JOURNEY = (Destination(Tier.WARM), Destination(Tier.COLD), Destination(Tier.HOT), Destination(Tier.HOT, OTHER))
NAMES = ("a", "b", "c", "d")


Stores = Callable[[Sealer], Mapping[str, GraphStore]]


@dataclass(frozen=True)
class Before:
    """A person at home, how the graph was, and how many moments the journey has."""

    home: Path
    stores: Stores | None
    user: UserId
    hash: str
    whole: WholeGraph
    moments: int


def opened(home: Path, stores: Stores | None, *, later: float = 0.0) -> Household:
    """``later``: seconds after the first; leases of the dead have run out after 90."""
    return Household(home, sealed=True, stores=stores, clock=SetClock(START + timedelta(seconds=later)))


def travel(household: Household, user: UserId, *, acknowledged: Path | None = None) -> None:
    """The journey, with a write in each store it comes to; what is finished is acknowledged outside the home."""
    say = None if acknowledged is None else os.open(acknowledged, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    write = getattr(os.write, "__wrapped__", os.write)
    for step, to in enumerate(JOURNEY):
        household.mover.move(user, to)
        if to.tier is Tier.HOT:
            if not _has(household, user, step):
                household.remembers(user, f"new {step}", unit=f"after {step}")
            if say is not None:
                write(say, f"{step}\n".encode())


def _has(household: Household, user: UserId, step: int) -> bool:
    return node_id(f"new {step}") in household.routed.load(user).nodes


def count_driver(moments: Moments) -> None:
    """Statements to a server and their commits are moments too."""
    from neo4j._sync.work.transaction import TransactionBase

    for name in ("run", "_commit"):
        call = getattr(TransactionBase, name)

        def counted(self: Any, *arguments: Any, _call: Any = call, **options: Any) -> Any:
            moments._pass()
            return _call(self, *arguments, **options)

        setattr(TransactionBase, name, counted)


def in_child(home: Path, stores: Stores | None, user: UserId, *, deadly: int | None, acknowledged: Path) -> tuple[int, int]:
    """The child's end, and the moments it saw where it ended well."""
    seen, tell = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.close(seen)
            end = os.write
            moments = Moments(home, deadly=deadly)
            if stores is not None:
                count_driver(moments)
            household = opened(home, stores)
            travel(household, user, acknowledged=acknowledged)
            household.close()
            end(tell, str(moments.seen).encode())
            status = 0
        except BaseException:  # noqa: BLE001 - printed; the status says it to the test
            traceback.print_exc()
        finally:
            os._exit(status)
    os.close(tell)
    with os.fdopen(seen, "rb") as stream:
        count = stream.read()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status), int(count or 0)


def at_home(fresh_ledger: Path, folder: Path, stores: Stores | None) -> Before:
    home = folder / "home"
    shutil.copytree(fresh_ledger, home)
    household = opened(home, stores)
    user = household.person()
    household.says(user, "Я живу в Туле.", "I run a small bakery.")
    household.ledger.placements.assign(user, "main")
    household.remembers(user, *NAMES)
    whole, hash_ = household.routed.take(user), household.hash(user)
    household.close()
    counted = folder / "counted"
    shutil.copytree(home, counted)
    status, moments = in_child(counted, stores, user, deadly=None, acknowledged=folder / "said")
    assert status == 0
    assert moments > 100
    return Before(home, stores, user, hash_, whole, moments)


@pytest.fixture(scope="module")
def before(fresh_ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> Before:
    return at_home(fresh_ledger, tmp_path_factory.mktemp("journey"), None)


@pytest.fixture(scope="module")
def on_servers(
    fresh_ledger: Path,
    tmp_path_factory: pytest.TempPathFactory,
    neo4j_server: Neo4jServer,
    second_neo4j: Neo4jServer,
) -> Iterator[Before]:
    servers = {"main": neo4j_server, OTHER: second_neo4j}
    found = at_home(
        fresh_ledger,
        tmp_path_factory.mktemp("servers"),
        lambda sealer: {name: neo4j_store(server, sealer) for name, server in servers.items()},
    )
    yield found
    for server in servers.values():
        server.wipe([found.user])


def start_again(before: Before, home: Path) -> None:
    """The person as they were; on servers, what the last run left is taken away and put back by hand."""
    shutil.copytree(before.home, home)
    if before.stores is not None:
        household = opened(home, before.stores)
        for store in household.shards.values():
            store.erase(before.user)
        token = 1
        household.shards["main"].place(before.user, before.whole, token=token, key_generation=1)
        household.close()


def expect_one_living_copy(before: Before, folder: Path, deadly: int) -> None:
    where = f"killed before moment {deadly} of {before.moments}"
    home, acknowledged = folder / str(deadly), folder / f"{deadly}.acknowledged"
    start_again(before, home)
    status, _ = in_child(home, before.stores, before.user, deadly=deadly, acknowledged=acknowledged)
    assert status == -signal.SIGKILL, where
    said = acknowledged.read_text().split() if acknowledged.exists() else []
    household = opened(home, before.stores, later=90.0)
    living = household.mover.where(before.user)
    store = household.shards[living.shard]
    # what the ledger names is whole, and holds all that was promised
    if living.tier is Tier.HOT:
        graph = store.take(before.user)
    else:
        graph = household.files[living.tier].read(before.user, generation=living.generation)
    written = [step for step in (2, 3) if node_id(f"new {step}") in graph.nodes]
    assert set(map(int, said)) <= set(written), where
    for name in NAMES:
        assert graph.nodes[node_id(name)] == before.whole.nodes[node_id(name)], where
    if not written:
        assert household.hash(before.user) == before.hash, where
        assert differing(before.whole, graph, vectors_within=1e-5) == (), where
    assert len(graph.outbox) == 1 + len(written), where

    travel(household, before.user)
    assert household.copies(before.user) == [OTHER], where
    final = household.routed.take(before.user)
    assert len(final.nodes) == len(NAMES) + 2, where
    assert max(Counter((entry.write_key, entry.position) for entry in final.outbox).values()) == 1, where
    assert len(final.outbox) == len(final.write_keys) == 3, where
    household.close()
    shutil.rmtree(home)


def expect_all(before: Before, folder: Path, points: Sequence[int]) -> None:
    for deadly in points:
        expect_one_living_copy(before, folder, deadly)


@pytest.mark.slow
def test_killed_anywhere_on_the_way_there_is_one_living_copy(before: Before, tmp_path: Path):
    points = random.Random("moments").sample(range(1, before.moments + 1), POINTS)
    expect_all(before, tmp_path, sorted(points))


@pytest.mark.neo4j
@pytest.mark.slow
def test_killed_anywhere_between_two_servers_there_is_one_living_copy(on_servers: Before, tmp_path: Path):
    points = random.Random("servers").sample(range(1, on_servers.moments + 1), SERVER_POINTS)
    expect_all(on_servers, tmp_path, sorted(points))


@pytest.mark.neo4j
@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_killed_at_every_moment_between_two_servers_there_is_one_living_copy(on_servers: Before, tmp_path: Path):
    expect_all(on_servers, tmp_path, range(1, on_servers.moments + 1))


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_killed_at_every_moment_there_is_one_living_copy(before: Before, tmp_path: Path):
    expect_all(before, tmp_path, range(1, before.moments + 1))
