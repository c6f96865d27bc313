"""The benchmark of stores: every figure is there, on whatever stores there are, and what misses is told."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from memory_lib.evaluation.store_benchmark import QUICK as STORE_QUICK
from memory_lib.evaluation.store_benchmark import stores
from memory_lib.evaluation.store_table import COLUMNS, ROWS, Row, found, holds, missed, table
from memory_lib.evaluation.temporary_stores import missing, servers_from
from memory_lib.evaluation.tier_benchmark import FROM_FILES
from memory_lib.evaluation.tier_benchmark import QUICK as TIER_QUICK
from memory_lib.evaluation.timing import best_of, crowding, often, once, spread
from tests.production import MARKS
from tests.servers import KmsServer, Neo4jServer, PostgresServer, S3Server

OF_A_SERVER_ALONE = {"search_ms.p50", "true_of_20.least"}


@pytest.fixture(scope="module")
def embedded() -> dict[str, Any]:
    return stores({}, sizes=TIER_QUICK, store_sizes=STORE_QUICK)


def lacking(report: dict[str, Any], part: str) -> list[str]:
    return [row.path for row in ROWS if not isinstance(found(report[part], row.path), int | float)]


def looked_at(figures: dict[str, Any]) -> None:
    """What must be so whatever the machine does."""
    assert all(math.isfinite(found(figures, row.path)) for row in ROWS if row.path not in OF_A_SERVER_ALONE)
    for tier in ("warm", "cold"):
        first = figures["first_recall"][tier]
        assert first["notes"] == [FROM_FILES]
        assert first["items"] > 0
        assert figures["files"][tier]["mb"] > 0
    assert figures["rotation"]["resealed"]["graph:main"] >= TIER_QUICK.nodes + TIER_QUICK.edges
    gone = figures["erase"]["counts"]
    assert gone["graph:main"]["nodes"] == gone["ledger"]["messages"] == gone["ledger"]["rounds"] == TIER_QUICK.erased
    assert gone["graph:main"]["edges"] == 2 * TIER_QUICK.erased


@pytest.mark.slow
def test_without_servers_the_embedded_stores_are_measured_and_the_rest_is_told_with_its_command(
    embedded: dict[str, Any],
) -> None:
    assert set(lacking(embedded, "embedded")) == OF_A_SERVER_ALONE
    looked_at(embedded["embedded"])
    assert [each["figures"] for each in embedded["left_out"]] == ["production", "neo4j", "neo4j-5"]
    assert {each["bring"] for each in embedded["left_out"]} == {"make services"}
    assert json.loads(json.dumps(embedded)) == embedded


@pytest.mark.slow
def test_the_table_has_a_row_a_figure_and_says_what_was_left_out(embedded: dict[str, Any]) -> None:
    told = table(embedded)
    shown = [line for line in told.splitlines() if line.startswith("| ")]
    assert len(shown) == 1 + len(ROWS) - len(OF_A_SERVER_ALONE)
    assert "SQLite 3." in told
    assert "left out: production (neo4j, postgres, s3, kms not running); to have it: make services" in told


@pytest.mark.slow
def test_a_server_that_does_not_answer_is_left_out_with_the_reason() -> None:
    nobody = {"url": "bolt://127.0.0.1:1", "database": "neo4j", "version": "0"}
    report = stores({"neo4j": nobody}, sizes=TIER_QUICK, store_sizes=STORE_QUICK)
    reasons = {each["figures"]: each["reason"] for each in report["left_out"]}
    assert "neo4j" not in report
    assert "not available" in reasons["neo4j"]
    assert reasons["neo4j-5"] == "neo4j-5 not running"


@pytest.mark.slow
@pytest.mark.parametrize("_", [pytest.param(None, marks=[*MARKS, pytest.mark.neo4j5])])
def test_with_servers_every_figure_is_there_with_their_versions(
    _: None,
    neo4j_server: Neo4jServer,
    neo4j5_server: Neo4jServer,
    postgres_server: PostgresServer,
    s3_server: S3Server,
    kms_server: KmsServer,
) -> None:
    aws = ("endpoint", "access_key", "secret_key", "region")
    servers = {
        "neo4j": {"url": neo4j_server.url, "database": neo4j_server.database},
        "neo4j-5": {"url": neo4j5_server.url, "database": neo4j5_server.database},
        "postgres": {"url": postgres_server.url},
        "s3": {name: getattr(s3_server, name) for name in aws},
        "kms": {name: getattr(kms_server, name) for name in aws},
    }
    report = stores(servers, sizes=TIER_QUICK, store_sizes=STORE_QUICK)
    assert report["left_out"] == []
    assert set(lacking(report, "production")) == OF_A_SERVER_ALONE
    looked_at(report["production"])
    services = report["production"]["services"]
    assert services["graph main"].endswith(neo4j_server.version)
    assert services["ledger"].startswith("PostgreSQL")
    for part, server, way in (("neo4j", neo4j_server, "index"), ("neo4j-5", neo4j5_server, "scan")):
        assert report[part]["server"].endswith(server.version)
        assert report[part]["search_by"] == way
        assert report[part]["true_of_20"]["least"] == 20
    assert [server_column in table(report) for server_column in COLUMNS.values()] == [True] * len(COLUMNS)


def test_what_is_above_its_bound_is_named_and_marked() -> None:
    times = {"s": 5.1, "cpu_s": 0.5, "crowding": 3.0}
    figures = {"services": {"graph main": "Neo4j 1"}, "place": times, "read": {"load": {**times, "s": 0.5}}}
    report = {"production": figures, "embedded": figures, "left_out": [], "load_before": [1.0], "load_after": [1.0]}
    assert missed(report) == (("bulk load", "production"),)
    told = table(report)
    assert "| bulk load | ≤ 5 s | 5.1 (cpu 0.5, 3×) | **5.1 (cpu 0.5, 3×)** |" in told
    assert "| 0.5 (cpu 0.5, 3×) |" in told


def test_bounds_hold_for_the_parts_they_are_asked_of() -> None:
    row = Row(name="x", path="x", unit="ms", most={"embedded": 3.0, "production": 5.0})
    assert row.asked() == "≤ 3 / 5 ms"
    assert holds(row, "production", 4.0)
    assert not holds(row, "embedded", 4.0)
    assert holds(row, "neo4j", 400.0)
    fewest = Row(name="y", path="y", unit="", least=20)
    assert not holds(fewest, "neo4j", 19)


def test_times_say_what_else_the_machine_did() -> None:
    assert crowding() >= 1.0
    result, took = once(lambda: sum(range(200_000)))
    assert result == sum(range(200_000))
    assert 0 < took["cpu_s"] <= took["s"] + 0.001
    assert best_of([{"s": 2.0, "n": 1}, {"s": 1.0, "n": 2}]) == {"s": 1.0, "n": 2, "each_s": [2.0, 1.0]}
    assert set(often(lambda _: None, times=3)) == {"least", "p50", "p95", "p99", "cpu_p50", "crowding"}
    assert spread([float(i) for i in range(1, 101)]) == {"least": 1.0, "p50": 50.5, "p95": 96.0, "p99": 100.0}


def test_addresses_come_from_a_file_or_there_are_none(tmp_path: Any) -> None:
    file = tmp_path / "servers.json"
    file.write_text('{"neo4j": {"url": "bolt://127.0.0.1:1"}}', encoding="utf-8")
    assert missing(servers_from(str(file))) == ("postgres", "s3", "kms")
    assert servers_from(None) == {}
    file.write_text("", encoding="utf-8")
    assert servers_from(str(file)) == {}
