"""compose.yaml: pinned versions that match the local servers, loopback only, health checks, named volumes, no secrets."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml

from infra.local.catalog import NEO4J, VERSITYGW
from infra.local.places import REPOSITORY

FOLDER = REPOSITORY / "infra"
COMPOSE: dict[str, Any] = yaml.safe_load((FOLDER / "compose.yaml").read_text(encoding="utf-8"))
SERVICES = COMPOSE["services"]
EXAMPLE = (FOLDER / ".env.example").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_is_pinned_watched_and_on_loopback(name: str) -> None:
    service = SERVICES[name]
    assert re.fullmatch(r"[a-z0-9/]+:v?\d+(\.\d+)+(-[a-z]+)?", service["image"])
    assert all(re.fullmatch(r"127\.0\.0\.1:\$\{[A-Z0-9_]+:-\d+\}:\d+", port) for port in service["ports"])
    assert {"test", "interval", "timeout", "retries", "start_period"} <= service["healthcheck"].keys()


def test_the_versions_are_those_the_suite_runs_against() -> None:
    assert SERVICES["neo4j"]["image"] == f"neo4j:{NEO4J.version}-community"
    assert SERVICES["s3"]["image"] == f"versity/versitygw:v{VERSITYGW.version}"
    assert SERVICES["postgres"]["image"].startswith("postgres:15.")
    locked = re.search(
        r"^moto==(\S+)", (REPOSITORY / "requirements" / "dev.txt").read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    assert locked is not None
    assert SERVICES["kms"]["image"] == f"motoserver/moto:{locked[1]}"


def test_data_lies_in_named_volumes() -> None:
    used = {volume.partition(":")[0] for service in SERVICES.values() for volume in service.get("volumes", ())}
    assert used == set(COMPOSE["volumes"])


def test_secrets_come_from_the_environment_and_have_no_default() -> None:
    said = {name: str(value) for service in SERVICES.values() for name, value in service.get("environment", {}).items()}
    secrets = {name: value for name, value in said.items() if re.search("PASSWORD|SECRET|KEY|AUTH", name)}
    assert len(secrets) >= 4
    assert all(re.fullmatch(r"(neo4j/)?\$\{[A-Z0-9_]+:\?[^}]+\}", value) for value in secrets.values())


def test_the_example_names_every_variable_and_gives_no_secret() -> None:
    asked = dict(re.findall(r"\$\{([A-Z0-9_]+)(:[-?])", str(COMPOSE)))
    given = dict(re.findall(r"^(?:# )?([A-Z0-9_]+)=(.*)$", EXAMPLE, flags=re.MULTILINE))
    assert given.keys() == asked.keys()
    assert all(not given[name] for name, kind in asked.items() if kind == ":?")


def test_the_filled_in_file_is_not_committed() -> None:
    assert ".env" in (REPOSITORY / ".gitignore").read_text(encoding="utf-8").splitlines()
