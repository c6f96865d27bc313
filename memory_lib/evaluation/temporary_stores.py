"""Servers that are running already, and places of one's own in them that go again: where benchmarks put their people.

Addresses come from outside, by name (``neo4j``, ``neo4j-5``, ``postgres``, ``s3``, ``kms``), each as the starter of local
servers tells it: ``{"url": …, "database": …, "version": …}`` or ``{"endpoint": …, "access_key": …, …}``.
"""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine
from sqlalchemy.exc import SQLAlchemyError

from memory_lib.adapters.sqlite.schema import SQLITE
from memory_lib.bootstrap import service_checks
from memory_lib.errors import DependencyDown, MissingExtra
from memory_lib.settings import Settings

Servers = Mapping[str, Mapping[str, str]]

PRODUCTION = ("neo4j", "postgres", "s3", "kms")
"""What the production stores need."""
EMBEDDED: Mapping[str, str] = {}
"""What a home of files alone overrides: nothing."""
_PATIENCE_S = 3
BRING = "make services"
"""The command that starts all of them."""


def servers_from(source: str | None) -> Servers:
    """Addresses out of a JSON file, or of standard input for ``-``; {} where nothing is named or nothing was said."""
    if source is None:
        return {}
    text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8")
    found: Servers = json.loads(text) if text.strip() else {}
    return found


def missing(servers: Servers, wanted: tuple[str, ...] = PRODUCTION) -> tuple[str, ...]:
    """Which of them do not run."""
    return tuple(name for name in wanted if name not in servers)


@contextmanager
def production_settings(servers: Servers, home: Path, *, neo4j: str = "neo4j") -> Iterator[Settings]:
    """Settings of a home over a database, a bucket and a key of its own, which go at the end. People's graphs lie among other
    people's: whoever makes them erases them.

    Raises:
        DependencyDown: a server does not answer, or refuses.
        MissingExtra: a driver is not installed.
    """
    graphs, s3, kms = servers[neo4j], servers["s3"], servers["kms"]
    with ExitStack() as stack:
        url = stack.enter_context(_database(servers["postgres"]["url"]))
        bucket = stack.enter_context(_bucket(s3))
        stack.enter_context(_environment(AWS_ACCESS_KEY_ID=kms["access_key"], AWS_SECRET_ACCESS_KEY=kms["secret_key"]))
        overrides = {
            "ledger_url": url,
            "neo4j.shards.main.uri": graphs["url"],
            "neo4j.shards.main.database": graphs["database"],
            "kms.key_id": _key(kms),
            "kms.endpoint": kms["endpoint"],
            "kms.region": kms["region"],
            "s3.bucket": bucket,
            **{f"s3.{name}": s3[name] for name in ("endpoint", "region", "access_key", "secret_key")},
        }
        yield Settings.load(home=home, overrides=overrides)


def versions(settings: Settings) -> dict[str, str]:
    """What each configured service says of itself; of a home of files alone, SQLite."""
    found = {state.name: state.version or "tells no version" for state in service_checks.services(settings)}
    return found or {"everything": f"SQLite {SQLITE}, local files"}


@contextmanager
def _database(url: str) -> Iterator[str]:
    name = f"bench_{secrets.token_hex(8)}"
    _administered(url, f"CREATE DATABASE {name}")
    try:
        yield f"{url.rpartition('/')[0]}/{name}"
    finally:
        _administered(url, f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


def _administered(url: str, statement: str) -> None:
    try:
        engine = create_engine(url, isolation_level="AUTOCOMMIT", connect_args={"connect_timeout": _PATIENCE_S})
        with engine.connect() as connection:
            connection.exec_driver_sql(statement)
        engine.dispose()
    except ModuleNotFoundError:
        raise MissingExtra("psycopg", "postgres") from None
    except SQLAlchemyError as error:
        raise DependencyDown("postgres", f"no database can be made there ({type(error).__name__})") from None


@contextmanager
def _bucket(server: Mapping[str, str]) -> Iterator[str]:
    """One that keeps versions, as in production."""
    client = _aws("s3", server)
    name = f"bench-{secrets.token_hex(8)}"
    with _answering("s3"):
        client.create_bucket(Bucket=name)
        client.put_bucket_versioning(Bucket=name, VersioningConfiguration={"Status": "Enabled"})
    try:
        yield name
    finally:
        for page in client.get_paginator("list_object_versions").paginate(Bucket=name):
            for each in [*page.get("Versions", []), *page.get("DeleteMarkers", [])]:
                client.delete_object(Bucket=name, Key=each["Key"], VersionId=each["VersionId"])
        client.delete_bucket(Bucket=name)
        client.close()


def _key(server: Mapping[str, str]) -> str:
    client = _aws("kms", server)
    try:
        with _answering("kms"):
            return str(client.create_key()["KeyMetadata"]["KeyId"])
    finally:
        client.close()


@contextmanager
def _answering(service: str) -> Iterator[None]:
    from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - an extra

    try:
        yield
    except (BotoCoreError, ClientError) as error:
        raise DependencyDown(service, f"nothing can be made there ({type(error).__name__})") from None


def _aws(service: str, server: Mapping[str, str]) -> Any:
    try:
        import boto3  # noqa: PLC0415 - an extra
        from botocore.config import Config  # noqa: PLC0415
    except ImportError:
        raise MissingExtra("boto3", "s3") from None
    return boto3.session.Session().client(
        service,
        endpoint_url=server["endpoint"],
        region_name=server["region"],
        aws_access_key_id=server["access_key"],
        aws_secret_access_key=server["secret_key"],
        config=Config(connect_timeout=_PATIENCE_S, retries={"total_max_attempts": 1}),
    )


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    """The key service's client finds its own keys there, and nowhere else."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
