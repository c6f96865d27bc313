"""The task of step ``log``: take a person's waiting decisions to the action log."""

from __future__ import annotations

from prefect import task

from tasks import runtime
from tasks.retry import ON_TRANSIENT


@task(name="log", task_run_name="log {user:.8}", **ON_TRANSIENT)
async def log(user: str) -> dict[str, int]:
    """Take a person's waiting decisions to the action log. ``user`` is an internal id."""
    return await runtime.piece("log", user)
