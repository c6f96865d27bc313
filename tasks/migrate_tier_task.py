"""The task of step ``migrate_tier``: bring a person to the tier that their silence asks for."""

from __future__ import annotations

from prefect import task

from tasks import runtime
from tasks.retry import ON_TRANSIENT


@task(name="migrate_tier", task_run_name="migrate_tier {user:.8}", **ON_TRANSIENT)
async def migrate_tier(user: str) -> dict[str, int]:
    """Bring a person to the tier that their silence asks for. ``user`` is an internal id."""
    return await runtime.piece("migrate_tier", user)
