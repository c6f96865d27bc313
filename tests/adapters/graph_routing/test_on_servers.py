"""People between two real graph servers and a real object store."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory_lib.adapters.blobs.s3 import S3Blobs
from memory_lib.adapters.graph_routing.comparing import differing
from memory_lib.adapters.keys.file_sealing import AesGcmFileSealer
from memory_lib.adapters.synx.graph_files import SynxSealedGraphs
from memory_lib.domain.placement import Tier
from memory_lib.errors import LeaseLost
from memory_lib.ports.graph import GraphStore
from memory_lib.ports.keys import Sealer
from memory_lib.ports.person_mover import Destination
from tests.adapters.graph_routing.household import FILES, OTHER, SETTINGS, Household, neo4j_store, sealed_files, sqlite_store
from tests.contracts.graph.samples import node_id
from tests.contracts.ledger_backends import keys_of
from tests.servers import Neo4jServer, S3Server

WITHIN = 1e-5
"""What turning a vector there and back costs in float32."""


def s3_files(server: S3Server, bucket: str, home: Path) -> SynxSealedGraphs:
    from dataclasses import replace

    from pydantic import SecretStr

    params = replace(
        SETTINGS["s3"].default,
        bucket=bucket,
        endpoint=server.endpoint,
        region=server.region,
        access_key=SecretStr(server.access_key),
        secret_key=SecretStr(server.secret_key),
    )
    sealer = AesGcmFileSealer(keys_of(home)[0], params=SETTINGS["file_sealing"].default)
    return SynxSealedGraphs(S3Blobs(params), sealer, params=FILES)


@pytest.fixture
def two_servers(
    home: Path, neo4j_server: Neo4jServer, second_neo4j: Neo4jServer, open_household: Callable[..., Household]
) -> Iterator[Household]:
    servers = {"main": neo4j_server, OTHER: second_neo4j}

    def stores(sealer: Sealer) -> dict[str, GraphStore]:
        return {name: neo4j_store(server, sealer) for name, server in servers.items()}

    household = open_household(sealed=True, stores=stores)
    yield household
    for server in servers.values():
        server.wipe(household.ledger.people.everyone())


@pytest.mark.neo4j
def test_between_two_servers_a_person_lives_in_one(two_servers: Household):
    household = two_servers
    users = [household.person(name) for name in ("анна", "bob")]
    for user in users:
        household.ledger.placements.assign(user, "main")
        household.remembers(user, "a", "b", "c")
    anna, bob = users
    before, others = household.routed.take(anna), household.routed.take(bob)
    with household.turns.hold(anna) as turn:
        late = turn.token
    for to in (Destination(Tier.HOT, OTHER), Destination(Tier.WARM), Destination(Tier.HOT), Destination(Tier.HOT, "main")):
        moved = household.mover.move(anna, to)
        assert differing(before, household.routed.take(anna), vectors_within=WITHIN) == ()
        assert household.copies(anna) == [moved.now.shard if to.tier is Tier.HOT else f"warm {moved.now.generation}"]
        for store in household.shards.values():
            with pytest.raises(LeaseLost):
                store.fence(anna, token=late)
    household.remembers(anna, "d", unit="second")
    assert node_id("d") in household.routed.load(anna).nodes
    assert differing(others, household.routed.take(bob), vectors_within=0.0) == ()


@pytest.mark.neo4j
def test_from_files_of_their_own_to_a_server_and_back(
    home: Path, neo4j_server: Neo4jServer, open_household: Callable[..., Household]
):
    def stores(sealer: Sealer) -> dict[str, GraphStore]:
        return {"main": sqlite_store(home / "main", sealer), OTHER: neo4j_store(neo4j_server, sealer)}

    household = open_household(sealed=True, stores=stores)
    user = household.person()
    household.ledger.placements.assign(user, "main")
    household.remembers(user, "a", "b", "c")
    before = household.routed.take(user)
    try:
        for shard in (OTHER, "main"):
            household.mover.move(user, Destination(Tier.HOT, shard))
            assert differing(before, household.routed.take(user), vectors_within=WITHIN) == ()
            assert household.copies(user) == [shard]
    finally:
        neo4j_server.wipe([user])


@pytest.mark.s3
def test_cold_in_an_object_store_and_back(
    home: Path, s3_server: S3Server, s3_bucket: str, open_household: Callable[..., Household]
):
    keyring, _ = keys_of(home)
    files = {Tier.WARM: sealed_files(home / "warm", keyring), Tier.COLD: s3_files(s3_server, s3_bucket, home)}
    household = open_household(files=files)
    user = household.person()
    household.says(user, "Я живу в Туле.")
    household.remembers(user, "a", "b", "c")
    before = household.routed.take(user)
    for to in (Tier.WARM, Tier.COLD, Tier.HOT, Tier.COLD):
        household.mover.move(user, Destination(to))
        assert differing(before, household.routed.take(user), vectors_within=0.0) == ()
        assert len(household.copies(user)) == 1
    assert files[Tier.COLD].generations(user) == (household.mover.where(user).generation,)
    household.close()
