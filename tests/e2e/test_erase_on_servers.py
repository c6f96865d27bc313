"""The same erasure where people live on servers: rows of PostgreSQL, nodes of Neo4j, versions and parts of S3."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import create_engine, inspect, text

from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import MAIN
from memory_lib.operations.bench import Asked
from memory_lib.operations.erase import erase
from memory_lib.operations.export_user import handed_over
from memory_lib.settings import Settings
from tests.e2e.erasing import CANARIES, STAYS, Evidence, fill, in_folders, in_ledger, middle, opened, readable
from tests.e2e.readable_bytes import Search
from tests.servers import Neo4jServer, PostgresServer, S3Server

pytestmark = [pytest.mark.slow, pytest.mark.neo4j, pytest.mark.postgres, pytest.mark.s3]


def nothing(_count: int) -> None:
    """No progress."""


@dataclass(frozen=True, slots=True)
class Servers:
    """A database, a bucket and a graph server of this test."""

    ledger: str
    s3: S3Server
    bucket: str
    neo4j: Neo4jServer

    def configure(self, settings: Settings) -> Settings:
        from memory_lib.adapters.neo4j.params import Neo4jServerParams

        s3 = replace(
            settings.s3,
            bucket=self.bucket,
            endpoint=self.s3.endpoint,
            region=self.s3.region,
            access_key=SecretStr(self.s3.access_key),
            secret_key=SecretStr(self.s3.secret_key),
        )
        shards = {MAIN: Neo4jServerParams(uri=self.neo4j.url, database=self.neo4j.database)}
        return settings.model_copy(
            update={"ledger_url": SecretStr(self.ledger), "s3": s3, "neo4j": replace(settings.neo4j, shards=shards)}
        )

    def everything(self, users: list[UserId]) -> dict[str, bytes]:
        """All that is kept, by place: of Neo4j, which tests share, all of these people's."""
        return {**dict(self._rows()), **dict(self._objects()), **dict(self._graph(users))}

    def _rows(self) -> Iterator[tuple[str, bytes]]:
        engine = create_engine(self.ledger)
        with engine.connect() as connection:
            for table in (*inspect(connection).get_table_names(), "pg_stats"):
                rows = connection.execute(text(f"SELECT * FROM {table}"))
                yield f"postgres {table}", b"\0".join(_bytes(value) for row in rows for value in row)
        engine.dispose()

    def _objects(self) -> Iterator[tuple[str, bytes]]:
        client = self.s3.client()
        for page in client.get_paginator("list_object_versions").paginate(Bucket=self.bucket):
            for each in page.get("Versions", []):
                body = client.get_object(Bucket=self.bucket, Key=each["Key"], VersionId=each["VersionId"])["Body"].read()
                yield f"s3 {each['Key']} {each['VersionId']}", each["Key"].encode() + b"\0" + body
            for each in page.get("DeleteMarkers", []):
                yield f"s3 marker {each['Key']}", each["Key"].encode()
        for each in client.list_multipart_uploads(Bucket=self.bucket).get("Uploads", []):
            yield f"s3 upload {each['Key']}", each["Key"].encode()
        client.close()

    def _graph(self, users: list[UserId]) -> Iterator[tuple[str, bytes]]:
        for number, (labels, properties) in enumerate(self.graph(users)):
            yield f"neo4j {labels} {number}", b"\0".join(_bytes(value) for value in properties.values())

    def graph(self, users: list[UserId]) -> list[tuple[Any, dict[str, Any]]]:
        import neo4j

        statement = (
            "MATCH (n) WHERE n.user_id IN $users RETURN labels(n) AS kind, properties(n) AS held "
            "UNION ALL MATCH ()-[r]->() WHERE r.user_id IN $users RETURN type(r) AS kind, properties(r) AS held"
        )
        with neo4j.GraphDatabase.driver(self.neo4j.url) as driver, driver.session(database=self.neo4j.database) as session:
            return [(record["kind"], record["held"]) for record in session.run(statement, users=list(users))]


def _bytes(value: Any) -> bytes:
    return bytes(value) if isinstance(value, bytes | bytearray | memoryview) else str(value).encode()


@contextmanager
def servers_of(request: pytest.FixtureRequest) -> Iterator[Servers]:
    postgres: PostgresServer = request.getfixturevalue("postgres_server")
    s3: S3Server = request.getfixturevalue("s3_server")
    neo4j: Neo4jServer = request.getfixturevalue("neo4j_server")
    with postgres.fresh() as url, s3.fresh() as bucket:
        yield Servers(url, s3, bucket, neo4j)


def evidence_of(servers: Servers, home: Path, user: UserId) -> Evidence:
    traces: list[tuple[str, bytes]] = [("internal id", user.encode())]
    with opened(home, configure=servers.configure) as (_memory, ops):
        traces += in_ledger(ops.ledger, user)
    for kind, properties in servers.graph([user]):
        for value in properties.values():
            if isinstance(value, bytes | bytearray) and len(value) >= 32:
                traces.append((f"graph {kind}", middle(bytes(value))))
            elif isinstance(value, str) and len(value) == 32:
                traces.append((f"graph {kind} id", value.encode()))
    traces += [("s3", middle(body)) for name, body in servers.everything([]).items() if name.startswith("s3") and user in name]
    return Evidence(tuple(dict.fromkeys([*traces, *in_folders(home, user)])))


def test_nothing_of_the_person_is_left_on_any_server(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    home = tmp_path / "served"
    with servers_of(request) as servers:
        user = fill(home, tmp_path, configure=servers.configure)
        evidence = evidence_of(servers, home, user)
        words = Search(CANARIES)
        with opened(home, configure=servers.configure) as (memory, ops):
            people = [user, memory.user_id(STAYS)]
            before = servers.everything(people)
            found = {where for where, trace in evidence.traces if any(trace in held for held in before.values())}
            assert {"people.user_id", "message_versions.sealed", "s3"} <= found
            assert any(where.startswith("graph") for where in found)
            assert {name for name, held in before.items() if words.found(held)} == set()
            control = readable(handed_over(ops.bench, people[1]).data)

            receipt = erase(ops.bench, user, Asked(apply=True), nothing)

            after = servers.everything(people)
            left = {
                (name, where)
                for name, held in after.items()
                for where, trace in evidence.traces
                if trace in name.encode() + held
            }
            assert left == set()
            assert evidence.found_under(home) == {}
            assert all(store.residue(user) == {} for store in ops.bench.stores.values())
            assert readable(handed_over(ops.bench, people[1]).data) == control
            counts = receipt.counts
            assert counts["ledger"]["messages"] == 4
            assert counts[f"graph:{MAIN}"]["nodes"] > 0
            assert sum(counts["files:cold"].values()) > 0
            # what no store can take out of its own log is counted, and said
            assert counts["ledger"]["log_wal_segments"] > 0
            assert "logs_stated" in receipt.notes
            servers.neo4j.wipe(people)
