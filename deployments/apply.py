"""Register the catalog with the server that ``PREFECT_API_URL`` names: ``python -m deployments.apply``.

Repeating changes nothing; a deployment that left the catalog is removed.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from prefect import Flow
from prefect.client.orchestration import PrefectClient, get_client
from prefect.client.schemas.actions import DeploymentScheduleCreate, WorkPoolCreate
from prefect.client.schemas.filters import DeploymentFilter, DeploymentFilterTags
from prefect.client.schemas.objects import ConcurrencyLimitStrategy, ConcurrencyOptions
from prefect.client.schemas.schedules import CronSchedule
from prefect.flows import load_flow_from_entrypoint
from prefect.settings import PREFECT_API_URL
from prefect.utilities.callables import parameter_schema

from deployments.catalog import CATALOG, OWNED, Deployment
from tasks.runtime import ROOT


async def apply(catalog: Sequence[Deployment] = CATALOG, *, root: Path = ROOT) -> tuple[str, ...]:
    """Work pools and deployments of the catalog, made or updated; the registered names, ``flow/deployment``.

    ``root``: the folder that a worker runs flows from.
    """
    async with get_client() as client:
        for pool in sorted({row.pool for row in catalog}):
            await client.create_work_pool(WorkPoolCreate(name=pool, type="process"), overwrite=True)
        names = [await _register(client, row, root) for row in catalog]
        await _remove_others(client, {row.name for row in catalog})
    return tuple(names)


async def _register(client: PrefectClient, row: Deployment, root: Path) -> str:
    flow: Flow[..., Any] = load_flow_from_entrypoint(str(root / row.flow))
    await client.create_deployment(
        flow_id=await client.create_flow_from_name(flow.name),
        name=row.name,
        entrypoint=row.flow,
        pull_steps=[{"prefect.deployments.steps.set_working_directory": {"directory": str(root)}}],
        job_variables={"env": {"PYTHONPATH": str(root)}},
        work_pool_name=row.pool,
        schedules=[] if row.cron is None else [DeploymentScheduleCreate(schedule=CronSchedule(cron=row.cron, timezone="UTC"))],
        concurrency_limit=row.limit,
        concurrency_options=ConcurrencyOptions(collision_strategy=ConcurrencyLimitStrategy(row.when_busy.value)),
        parameter_openapi_schema=parameter_schema(flow).model_dump(exclude_unset=True),
        enforce_parameter_schema=True,  # a name in a form is refused by the server before anything is stored
        tags=[OWNED, *row.tags],
        description=row.description,
    )
    return f"{flow.name}/{row.name}"


async def _remove_others(client: PrefectClient, wanted: set[str]) -> None:
    ours = DeploymentFilter(tags=DeploymentFilterTags(all_=[OWNED]))
    for known in await client.read_deployments(deployment_filter=ours):
        if known.name not in wanted:
            await client.delete_deployment(known.id)


def main() -> int:
    """0, or 2 where no server is named."""
    if not PREFECT_API_URL.value():
        sys.stderr.write(
            "error: no server is named; set PREFECT_API_URL, or use `make ui`, which starts one and registers there\n"
        )
        return 2
    for name in asyncio.run(apply()):
        sys.stdout.write(f"registered {name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
