"""The task of step ``form``: form one person's graph from what is staged, in event order."""

from __future__ import annotations

from prefect import task

from tasks import runtime
from tasks.retry import ON_TRANSIENT


@task(name="form", task_run_name="form {user:.8}", **ON_TRANSIENT)
async def form(user: str) -> dict[str, int]:
    """Form one person's graph from what is staged, in event order. ``user`` is an internal id."""
    return await runtime.piece("form", user)
