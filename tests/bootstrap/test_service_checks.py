"""A look at each configured service: what it is, what is made in it, and what to do where it is not as it should be."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.bootstrap import services
from memory_lib.bootstrap.service_checks import _graph
from memory_lib.domain.service_state import ServiceState
from memory_lib.settings import Settings
from tests.servers import KmsServer, Neo4jServer, PostgresServer, S3Server


def settings(home: Path, monkeypatch: pytest.MonkeyPatch, **environment: str) -> Settings:
    for name, value in environment.items():
        monkeypatch.setenv(f"SELFIMPRINT_{name}", value)
    return Settings.load(home=home)


def only(states: tuple[ServiceState, ...]) -> ServiceState:
    (state,) = states
    return state


@pytest.fixture
def dead_port() -> Iterator[int]:
    """A port that refuses: taken, and not listened on."""
    with socket.socket() as each:
        each.bind(("127.0.0.1", 0))
        yield each.getsockname()[1]


def made_by_us(url: str, home: Path) -> None:
    """The ledger's schema in this database."""
    from memory_lib.adapters.keys.sealing import AesGcmSealer
    from memory_lib.adapters.sql.ledger import Ledger

    chosen = Settings.load(home=home)
    home.mkdir(parents=True, exist_ok=True)
    keyring = LocalKeyring(home, id_key=None, params=chosen.keyring)
    Ledger(url, AesGcmSealer(keyring, params=chosen.keyring), keyring, params=chosen.ledger).close()


def test_what_lies_in_files_is_no_service(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert services(Settings.load(home=home)) == ()
    assert services(settings(home, monkeypatch, LEDGER_URL=f"sqlite:///{home}/ledger.db")) == ()


@pytest.mark.neo4j
def test_a_shard_is_looked_at_by_its_name(home: Path, monkeypatch: pytest.MonkeyPatch, neo4j_server: Neo4jServer) -> None:
    section = json.dumps({"shards": {"north": {"uri": neo4j_server.url}}})
    state = only(services(settings(home, monkeypatch, NEO4J=section)))
    assert (state.name, state.reachable, state.version) == ("graph north", True, f"Neo4j {neo4j_server.version}")


@pytest.mark.postgres
class TestLedger:
    def test_a_new_database_is_fine_and_has_no_schema(self, home: Path, monkeypatch: Any, postgres_url: str) -> None:
        state = only(services(settings(home, monkeypatch, LEDGER_URL=postgres_url)))
        assert (state.name, state.reachable, state.usable, state.remedy) == ("ledger", True, True, "")
        assert state.version.startswith("PostgreSQL 1")
        assert state.schema == "no schema yet"

    def test_our_schema_is_named_and_another_refused(self, home: Path, monkeypatch: Any, postgres_url: str) -> None:
        import psycopg

        made_by_us(postgres_url, home)
        chosen = settings(home, monkeypatch, LEDGER_URL=postgres_url)
        state = only(services(chosen))
        assert state.usable
        assert state.schema.startswith("ledger schema r0")
        assert state.remedy == ""
        for revision, usable, said in (("r0001", True, "upgraded when"), ("r9999", False, "newer version")):
            with psycopg.connect(postgres_url.replace("+psycopg", "")) as connection:
                connection.execute("UPDATE alembic_version SET version_num = %s", (revision,))
            state = only(services(chosen))
            assert (state.reachable, state.usable) == (True, usable)
            assert said in state.remedy
            assert state.schema == f"ledger schema {revision}"

    def test_a_role_without_rights_is_told_which(
        self, home: Path, monkeypatch: Any, postgres_url: str, postgres_server: PostgresServer
    ) -> None:
        import psycopg

        role = postgres_url.rpartition("/")[2]
        administration = postgres_url.replace("+psycopg", "")
        with psycopg.connect(administration, autocommit=True) as connection:
            connection.execute(f"CREATE ROLE {role} LOGIN")
        try:
            url = postgres_url.replace("postgres@", f"{role}@")
            state = only(services(settings(home, monkeypatch, LEDGER_URL=url)))
            assert not state.usable
            assert "grant it CREATE" in state.remedy
        finally:
            with psycopg.connect(administration, autocommit=True) as connection:
                connection.execute(f"DROP ROLE {role}")

    def test_a_database_that_is_not_there(self, home: Path, monkeypatch: Any, postgres_server: PostgresServer) -> None:
        url = f"{postgres_server.url.rpartition('/')[0]}/nobody_made_this"
        state = only(services(settings(home, monkeypatch, LEDGER_URL=url)))
        assert not state.reachable
        assert "createdb" in state.remedy


@pytest.mark.parametrize("marker", [pytest.param(name, marks=getattr(pytest.mark, name)) for name in ("postgres", "s3", "kms")])
def test_a_dead_port_is_told_within_seconds(marker: str, home: Path, monkeypatch: Any, dead_port: int) -> None:
    environment = {
        "postgres": {"LEDGER_URL": f"postgresql://somebody:secret@127.0.0.1:{dead_port}/ledger"},
        "s3": {
            "S3__BUCKET": "b",
            "S3__ENDPOINT": f"http://127.0.0.1:{dead_port}",
            "S3__REGION": "r",
            "S3__ACCESS_KEY": "k",
            "S3__SECRET_KEY": "secret",
        },
        "kms": {"KMS__KEY_ID": "k", "KMS__ENDPOINT": f"http://127.0.0.1:{dead_port}", "KMS__REGION": "r"},
    }[marker]
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "local")
    state = only(services(settings(home, monkeypatch, **environment)))
    assert (state.reachable, state.usable) == (False, False)
    assert state.remedy
    assert "secret" not in repr(state)


@pytest.mark.neo4j
class TestGraph:
    @pytest.fixture
    def params(self) -> Any:
        from memory_lib.adapters.neo4j.params import Neo4jParams, Neo4jServerParams

        def of(url: str) -> Neo4jParams:
            return Neo4jParams(
                shards={"main": Neo4jServerParams(uri=url)},
                connect_s=3,
                retry_s=3,
                busy_s=5,
                bulk_s=60,
                idle_check_s=10,
                pool=2,
                batch_rows=100,
                batch_bytes=100_000,
            )

        return of

    def test_it_says_version_and_how_vectors_are_found(self, params: Any, neo4j_server: Neo4jServer) -> None:
        state = _graph("main", params(neo4j_server.url))
        assert (state.name, state.reachable) == ("graph main", True)
        assert state.version == f"Neo4j {neo4j_server.version}"
        assert "vectors searched in the index" in state.capabilities

    @pytest.mark.neo4j5
    def test_the_older_server_scans(self, params: Any, neo4j5_server: Neo4jServer) -> None:
        state = _graph("main", params(neo4j5_server.url))
        assert "vectors scanned person by person" in state.capabilities

    def test_our_schema_is_named_and_another_refused(
        self, params: Any, neo4j_server: Neo4jServer, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        from memory_lib.adapters.neo4j import probing
        from memory_lib.adapters.neo4j.schema import VERSION, ensure
        from memory_lib.adapters.neo4j.server import Server

        chosen = params(neo4j_server.url)
        connection = Server(chosen.shards["main"], params=chosen)
        ensure(connection)
        connection.close()
        state = _graph("main", chosen)
        assert (state.usable, state.schema, state.remedy) == (True, f"graph schema {VERSION}", "")
        # the database is everybody's here: the program is made older and newer instead
        monkeypatch.setattr(probing, "VERSION", VERSION - 1)
        state = _graph("main", chosen)
        assert not state.usable
        assert "newer version" in state.remedy
        monkeypatch.setattr(probing, "VERSION", VERSION + 1)
        state = _graph("main", chosen)
        assert state.usable
        assert "upgraded when" in state.remedy

    def test_a_dead_port_is_told_within_seconds(self, params: Any, dead_port: int) -> None:
        from memory_lib.bootstrap.service_checks import _looked_at

        state = _looked_at("graph main", lambda: _graph("main", params(f"bolt://127.0.0.1:{dead_port}")))
        assert (state.reachable, state.usable) == (False, False)
        assert "start it" in state.remedy


@pytest.mark.s3
class TestColdFiles:
    @pytest.fixture
    def environment(self, s3_server: S3Server, s3_bucket: str) -> dict[str, str]:
        return {
            "S3__BUCKET": s3_bucket,
            "S3__ENDPOINT": s3_server.endpoint,
            "S3__REGION": s3_server.region,
            "S3__ACCESS_KEY": s3_server.access_key,
            "S3__SECRET_KEY": s3_server.secret_key,
        }

    def test_a_bucket_says_whether_it_keeps_versions(self, home: Path, monkeypatch: Any, environment: dict[str, str]) -> None:
        state = only(services(settings(home, monkeypatch, **environment)))
        assert (state.name, state.usable, state.remedy) == ("cold files", True, "")
        assert "keeps versions" in state.capabilities

    def test_a_bucket_that_is_not_there(self, home: Path, monkeypatch: Any, environment: dict[str, str]) -> None:
        state = only(services(settings(home, monkeypatch, **{**environment, "S3__BUCKET": "nobody-made-this"})))
        assert (state.reachable, state.usable) == (True, False)
        assert "bucket" in state.remedy


@pytest.mark.kms
class TestKeys:
    @pytest.fixture(autouse=True)
    def credentials(self, monkeypatch: pytest.MonkeyPatch, kms_server: KmsServer) -> None:
        monkeypatch.setenv("AWS_ACCESS_KEY_ID", kms_server.access_key)
        monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", kms_server.secret_key)
        monkeypatch.setenv("SELFIMPRINT_KMS__ENDPOINT", kms_server.endpoint)
        monkeypatch.setenv("SELFIMPRINT_KMS__REGION", kms_server.region)

    def test_a_key_that_wraps_and_opens(self, home: Path, monkeypatch: Any, kms_server: KmsServer) -> None:
        state = only(services(settings(home, monkeypatch, KMS__KEY_ID=kms_server.fresh_key())))
        assert (state.name, state.usable, state.remedy) == ("keys", True, "")
        assert "contexts are checked" in state.capabilities

    def test_a_key_that_is_not_there(self, home: Path, monkeypatch: Any) -> None:
        state = only(services(settings(home, monkeypatch, KMS__KEY_ID="alias/nobody-made-this")))
        assert (state.reachable, state.usable) == (True, False)
        assert "kms.key_id" in state.remedy
