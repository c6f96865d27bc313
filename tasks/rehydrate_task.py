"""The task of step ``rehydrate``: bring a person's graph back from sealed files into a store."""

from __future__ import annotations

from prefect import task

from tasks import runtime
from tasks.retry import ON_TRANSIENT


@task(name="rehydrate", task_run_name="rehydrate {user:.8}", **ON_TRANSIENT)
async def rehydrate(user: str) -> dict[str, int]:
    """Bring a person's graph back from sealed files into a store. ``user`` is an internal id."""
    return await runtime.piece("rehydrate", user)
