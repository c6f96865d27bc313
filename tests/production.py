"""Homes whose stores are the production ones: Neo4j, PostgreSQL, S3 and KMS on real servers, as settings name them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import pytest

from tests.servers import KmsServer, Neo4jServer, PostgresServer, S3Server

SERVICES = ("neo4j", "postgres", "s3", "kms")
MARKS = tuple(getattr(pytest.mark, name) for name in SERVICES)

EMBEDDED, PRODUCTION = "embedded", "production"
BOTH = (pytest.param(EMBEDDED), pytest.param(PRODUCTION, marks=[*MARKS, pytest.mark.slow]))
"""Parameters of the fixture ``stores`` for suites that hold on either."""


@dataclass(slots=True)
class ProductionHomes:
    """``settings(name)``: what a home of this name is opened with; the same name is the same database, bucket and key."""

    neo4j: Neo4jServer
    postgres: PostgresServer
    s3: S3Server
    kms: KmsServer
    _stack: ExitStack = field(default_factory=ExitStack)
    _known: dict[str, Mapping[str, str]] = field(default_factory=dict)

    def settings(self, name: str) -> Mapping[str, str]:
        if name not in self._known:
            self._known[name] = {
                "ledger_url": self._stack.enter_context(self.postgres.fresh()),
                "neo4j.shards.main.uri": self.neo4j.url,
                "neo4j.shards.main.database": self.neo4j.database,
                "s3.bucket": self._stack.enter_context(self.s3.fresh()),
                "s3.endpoint": self.s3.endpoint,
                "s3.region": self.s3.region,
                "s3.access_key": self.s3.access_key,
                "s3.secret_key": self.s3.secret_key,
                "kms.key_id": self.kms.fresh_key(),
                "kms.endpoint": self.kms.endpoint,
                "kms.region": self.kms.region,
            }
        return self._known[name]

    def close(self) -> None:
        self._stack.close()


@contextmanager
def production_homes(request: pytest.FixtureRequest) -> Iterator[ProductionHomes]:
    """Inside, the AWS SDK finds this machine's keys in its environment."""
    homes = ProductionHomes(
        neo4j=request.getfixturevalue("neo4j_server"),
        postgres=request.getfixturevalue("postgres_server"),
        s3=request.getfixturevalue("s3_server"),
        kms=request.getfixturevalue("kms_server"),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", homes.kms.access_key)
        patch.setenv("AWS_SECRET_ACCESS_KEY", homes.kms.secret_key)
        try:
            yield homes
        finally:
            homes.close()
