"""A look at each service that the settings name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from pydantic import SecretStr

from memory_lib.adapters.blobs.params import S3Params
from memory_lib.adapters.keys.params import KmsParams
from memory_lib.adapters.neo4j.params import Neo4jParams
from memory_lib.adapters.sql.params import LedgerParams
from memory_lib.domain.service_state import ServiceState
from memory_lib.errors import DependencyDown, MissingExtra, SelfImprintError
from memory_lib.settings import Settings

PATIENCE_S = 3.0  # whoever looks is waiting; a server that is there answers in milliseconds


def services(settings: Settings) -> tuple[ServiceState, ...]:
    """The state of every configured service: the ledger's server, each shard's of graphs, the bucket of cold files, the keys'.

    What is kept in the home itself is not looked at. Changes nothing, raises nothing.
    """
    return tuple(_looked_at(name, probe) for name, probe in _configured(settings))


def _looked_at(name: str, probe: Callable[[], ServiceState]) -> ServiceState:
    try:
        return probe()
    except DependencyDown as error:
        return ServiceState(name=name, reachable=False, usable=False, remedy=error.reason)
    except MissingExtra as error:
        return ServiceState(name=name, reachable=False, usable=False, remedy=str(error))
    except SelfImprintError as error:
        # it answered, and what it said is no use
        return ServiceState(name=name, reachable=True, usable=False, remedy=str(error))
    except Exception as error:  # noqa: BLE001 - whoever asks what is wrong must be told, also by a driver's own surprise
        told = f"it cannot be asked ({type(error).__name__}); look at its settings: addresses, names, regions"
        return ServiceState(name=name, reachable=False, usable=False, remedy=told)


def _configured(settings: Settings) -> Iterator[tuple[str, Callable[[], ServiceState]]]:
    if settings.ledger_url is not None and not settings.ledger_url.get_secret_value().startswith("sqlite"):
        yield "ledger", partial(_ledger, settings.ledger_url, settings.ledger)
    for shard in settings.neo4j.shards:
        yield f"graph {shard}", partial(_graph, shard, settings.neo4j)
    if settings.s3.bucket is not None:
        yield "cold files", partial(_cold_files, settings.s3)
    if settings.kms.key_id is not None:
        yield "keys", partial(_keys, settings.kms)


# Each probe's module needs its driver, an extra: it is imported when it is asked.


def _ledger(url: SecretStr, params: LedgerParams) -> ServiceState:
    from memory_lib.adapters.sql.probing import probe  # noqa: PLC0415

    impatient = replace(params, busy_s=PATIENCE_S, statement_s=PATIENCE_S, connections=1, overflow=0)
    return probe("ledger", url.get_secret_value(), params=impatient)


def _graph(shard: str, params: Neo4jParams) -> ServiceState:
    from memory_lib.adapters.neo4j.probing import probe  # noqa: PLC0415

    impatient = replace(params, connect_s=PATIENCE_S, retry_s=PATIENCE_S, pool=1)
    return probe(f"graph {shard}", params.shards[shard], params=impatient)


def _cold_files(params: S3Params) -> ServiceState:
    from memory_lib.adapters.blobs.s3_probing import probe  # noqa: PLC0415

    return probe("cold files", replace(params, connect_timeout_s=PATIENCE_S, read_timeout_s=PATIENCE_S))


def _keys(params: KmsParams) -> ServiceState:
    from memory_lib.adapters.keys.kms_probing import probe  # noqa: PLC0415

    return probe("keys", replace(params, connect_s=PATIENCE_S, read_s=PATIENCE_S, attempts=1))
