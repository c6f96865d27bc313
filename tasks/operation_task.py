"""The task of every operation on a person: one task run, its receipt as the result in memory."""

from __future__ import annotations

from typing import Any

from prefect import task

from tasks import runtime
from tasks.retry import ON_TRANSIENT


@task(name="operation", task_run_name="{operation} {user:.8}", **ON_TRANSIENT)
async def perform(
    operation: str, user: str, *, apply: bool, operator: str, request: str | None, options: dict[str, str]
) -> dict[str, Any]:
    """Carry an operation out, or list what it would do. Ids, codes and numbers in, a receipt's record out."""
    return await runtime.operation(operation, user, apply=apply, operator=operator, request=request, options=options)
