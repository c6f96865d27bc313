"""Which servers there are, by name: the versions that the suite is run with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from infra.local.aws import Moto, Versitygw
from infra.local.neo4j import Neo4j
from infra.local.places import Places
from infra.local.postgres import Postgres
from infra.local.server import Kind

NEO4J = Neo4j(version="2026.07.1", java=(21, 25), preferred=25)
NEO4J_5 = Neo4j(version="5.26.0", java=(17, 21), preferred=17)
POSTGRES = Postgres()
VERSITYGW = Versitygw(version="1.8.0")
MOTO = Moto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """``kinds`` in the order of preference: the first that this machine can have is taken."""

    what: str
    kinds: tuple[Kind, ...]

    def kind(self, places: Places) -> Kind:
        """The first kind that lacks nothing, else the first."""
        return next((kind for kind in self.kinds if kind.lacking(places) is None), self.kinds[0])


SERVERS: Mapping[str, Entry] = {
    "neo4j": Entry(what="graphs", kinds=(NEO4J,)),
    "neo4j-second": Entry(what="graphs, another shard", kinds=(NEO4J,)),
    "neo4j-5": Entry(what="graphs, the oldest version served", kinds=(NEO4J_5,)),
    "postgres": Entry(what="ledger", kinds=(POSTGRES,)),
    "s3": Entry(what="cold files", kinds=(VERSITYGW, MOTO)),
    "kms": Entry(what="keys", kinds=(MOTO,)),
}
KINDS: Mapping[str, Kind] = {kind.name: kind for entry in SERVERS.values() for kind in entry.kinds}
