"""Real servers for tests: those that ``make services`` has running, else servers started for this test session.

Session fixtures (each needs its marker, a row of tests/services.py; ask for them lazily, so that a skip costs nothing):

- ``neo4j_server`` (``neo4j``), ``second_neo4j`` (``neo4j``), ``neo4j5_server`` (``neo4j5``): ``Neo4jServer`` with ``url``,
  ``database``, ``version`` and ``wipe(users)``. Tests use random user ids and wipe them.
- ``postgres_server`` (``postgres``): ``PostgresServer`` with ``url`` and ``fresh()``, a context manager with the URL of a new
  database. Fixture ``postgres_url`` is one for a test.
- ``s3_server`` (``s3``): ``S3Server`` with ``endpoint``, ``access_key``, ``secret_key``, ``region``, ``client()`` and
  ``fresh()``, a context manager with the name of a new bucket that keeps versions. Fixture ``s3_bucket`` is one for a test.
- ``kms_server`` (``kms``): ``KmsServer`` with the same four, ``client()`` and ``fresh_key()``.
- ``private_server(name)``: a server of a test's own that it may kill: ``PrivateServer`` with ``kill()`` (as a crash would),
  then ``start()`` on the same port and data, and the same addresses (``.neo4j``, ``.postgres``). Names: infra.local.catalog.

With pytest-xdist the workers share what was started, and the controller stops it at the end; a session that was killed is
tidied up after by the next one, or by ``make services-stop``.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from infra.local import control
from infra.local.catalog import KINDS, SERVERS
from infra.local.errors import ServerTrouble
from infra.local.places import REPOSITORY, Places
from infra.local.process import identity
from infra.local.server import Running

# as it was when pytest began: a test's home is temporary, and package tools keep their settings and downloads at home
PLACES = Places.here(dict(os.environ))


def session() -> str:
    """Identity of this test session's first process, also in a worker of pytest-xdist."""
    return identity(os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid())


def lacking(name: str) -> Callable[[], str | None]:
    """For tests/services.py: what this machine lacks to have the server ``name``."""

    def look() -> str | None:
        entry = SERVERS[name]
        return None if control.find(name, PLACES) else entry.kind(PLACES).lacking(PLACES)

    return look


def running(name: str) -> Running:
    """The server of this name, started for the session where it does not run."""
    try:
        return control.start(name, SERVERS[name].kind(PLACES), PLACES, owner=session())
    except ServerTrouble as error:
        pytest.fail(str(error), pytrace=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Neo4jServer:
    """One Neo4j; ``url`` is a bolt:// address without authentication."""

    url: str
    database: str
    version: str

    def wipe(self, users: Iterable[str]) -> None:
        """Remove everything of these people."""
        import neo4j

        with neo4j.GraphDatabase.driver(self.url) as driver, driver.session(database=self.database) as session:
            session.run(
                "MATCH (n) WHERE n.user_id IN $users CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 1000 ROWS",
                users=list(users),
            ).consume()


@dataclass(frozen=True, slots=True, kw_only=True)
class PostgresServer:
    """One PostgreSQL; ``url`` is SQLAlchemy's, of its superuser and the database ``postgres``."""

    url: str

    @contextmanager
    def fresh(self) -> Iterator[str]:
        """The URL of a new, empty database, dropped afterwards (whoever is still connected is disconnected)."""
        import psycopg

        name = f"t{secrets.token_hex(8)}"
        administration = self.url.replace("+psycopg", "")
        with psycopg.connect(administration, autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        try:
            yield f"{self.url.rpartition('/')[0]}/{name}"
        finally:
            with psycopg.connect(administration, autocommit=True) as connection:
                connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


@dataclass(frozen=True, slots=True, kw_only=True)
class AwsServer:
    """What a boto3 client is made with."""

    endpoint: str
    access_key: str
    secret_key: str
    region: str

    def _client(self, service: str, **options: Any) -> Any:
        import boto3

        return boto3.client(
            service,
            endpoint_url=self.endpoint,
            aws_access_key_id=self.access_key,
            aws_secret_access_key=self.secret_key,
            region_name=self.region,
            **options,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class S3Server(AwsServer):
    """One S3."""

    def client(self) -> Any:
        """A boto3 client of it."""
        return self._client("s3")

    @contextmanager
    def fresh(self) -> Iterator[str]:
        """The name of a new bucket that keeps versions, emptied and removed afterwards."""
        client = self.client()
        name = f"t{secrets.token_hex(8)}"
        client.create_bucket(Bucket=name)
        client.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
        try:
            yield name
        finally:
            for upload in client.list_multipart_uploads(Bucket=name).get("Uploads", []):
                client.abort_multipart_upload(Bucket=name, Key=upload["Key"], UploadId=upload["UploadId"])
            for page in client.get_paginator("list_object_versions").paginate(Bucket=name):
                for each in [*page.get("Versions", []), *page.get("DeleteMarkers", [])]:
                    client.delete_object(Bucket=name, Key=each["Key"], VersionId=each["VersionId"])
            client.delete_bucket(Bucket=name)
            client.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class KmsServer(AwsServer):
    """One KMS."""

    def client(self) -> Any:
        """A boto3 client of it."""
        return self._client("kms")

    def fresh_key(self) -> str:
        """The id of a new key-encryption key."""
        client = self.client()
        try:
            return str(client.create_key()["KeyMetadata"]["KeyId"])
        finally:
            client.close()


def neo4j_of(address: Mapping[str, str]) -> Neo4jServer:
    return Neo4jServer(url=address["url"], database=address["database"], version=address["version"])


class PrivateServer:
    """A server of one test's own, with data of its own."""

    def __init__(self, of: str) -> None:
        self.kind = SERVERS[of].kind(PLACES)
        self.name = f"{of}-private-{secrets.token_hex(4)}"
        self.running = control.start(self.name, self.kind, PLACES, owner=session())

    @property
    def address(self) -> Mapping[str, str]:
        return self.running.address

    @property
    def neo4j(self) -> Neo4jServer:
        return neo4j_of(self.address)

    @property
    def postgres(self) -> PostgresServer:
        return PostgresServer(url=self.address["url"])

    def kill(self) -> None:
        """End it by SIGKILL; data stays."""
        control.kill(self.name, PLACES)

    def start(self) -> None:
        """Start it again on its old port, with its data, and wait until it answers."""
        self.running = control.start(self.name, self.kind, PLACES, owner=session(), port=self.running.port)

    def close(self) -> None:
        """Stop it and remove its data."""
        control.stop(self.name, self.kind, PLACES)
        (PLACES.root / "locks" / f"{self.name}.lock").unlink(missing_ok=True)  # nobody else ever has this name


def pytest_unconfigure(config: pytest.Config) -> None:
    """At the very end of the session, in its first process: stop what was started for it."""
    # a session inside a test (pytester) lies elsewhere
    if not hasattr(config, "workerinput") and config.rootpath == REPOSITORY and PLACES.records.is_dir():
        control.release(session(), dict(KINDS), PLACES)


@pytest.fixture(scope="session")
def neo4j_server(require: Callable[[str], None]) -> Neo4jServer:
    require("neo4j")
    return neo4j_of(running("neo4j").address)


@pytest.fixture(scope="session")
def second_neo4j(require: Callable[[str], None]) -> Neo4jServer:
    require("neo4j")
    return neo4j_of(running("neo4j-second").address)


@pytest.fixture(scope="session")
def neo4j5_server(require: Callable[[str], None]) -> Neo4jServer:
    require("neo4j5")
    return neo4j_of(running("neo4j-5").address)


@pytest.fixture(scope="session")
def postgres_server(require: Callable[[str], None]) -> PostgresServer:
    require("postgres")
    return PostgresServer(url=running("postgres").address["url"])


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    with postgres_server.fresh() as url:
        yield url


@pytest.fixture(scope="session")
def s3_server(require: Callable[[str], None]) -> S3Server:
    require("s3")
    return S3Server(**running("s3").address)


@pytest.fixture
def s3_bucket(s3_server: S3Server) -> Iterator[str]:
    with s3_server.fresh() as name:
        yield name


@pytest.fixture(scope="session")
def kms_server(require: Callable[[str], None]) -> KmsServer:
    require("kms")
    return KmsServer(**running("kms").address)


@pytest.fixture
def private_server() -> Iterator[Callable[[str], PrivateServer]]:
    """``private_server("neo4j")``: one the test may kill; each is stopped after the test."""
    started: list[PrivateServer] = []

    def start(of: str) -> PrivateServer:
        started.append(PrivateServer(of))
        return started[-1]

    yield start
    for each in started:
        each.close()
