"""The task of step ``reembed``: bring a person's vectors to the configured embedder."""

from __future__ import annotations

from prefect import task

from tasks import runtime
from tasks.retry import ON_TRANSIENT


@task(name="reembed", task_run_name="reembed {user:.8}", **ON_TRANSIENT)
async def reembed(user: str) -> dict[str, int]:
    """Bring a person's vectors to the configured embedder. ``user`` is an internal id."""
    return await runtime.piece("reembed", user)
