"""The task of step ``rebuild``: make a person's graph again from messages, staging and acts."""

from __future__ import annotations

from prefect import task

from tasks import runtime
from tasks.retry import ON_TRANSIENT


@task(name="rebuild", task_run_name="rebuild {user:.8}", **ON_TRANSIENT)
async def rebuild(user: str) -> dict[str, int]:
    """Make a person's graph again from messages, staging and acts. ``user`` is an internal id."""
    return await runtime.piece("rebuild", user)
