"""The task of step ``fade``: archive what of a person has fallen below the line."""

from __future__ import annotations

from prefect import task

from tasks import runtime
from tasks.retry import ON_TRANSIENT


@task(name="fade", task_run_name="fade {user:.8}", **ON_TRANSIENT)
async def fade(user: str) -> dict[str, int]:
    """Archive what of a person has fallen below the line. ``user`` is an internal id."""
    return await runtime.piece("fade", user)
