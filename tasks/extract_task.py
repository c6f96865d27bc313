"""The task of step ``extract``: read one conversation's new messages to staging."""

from __future__ import annotations

from prefect import task

from tasks import runtime
from tasks.retry import ON_TRANSIENT


@task(name="extract", task_run_name="extract {user:.8}/{conversation:.8}", **ON_TRANSIENT)
async def extract(user: str, conversation: str) -> dict[str, int]:
    """Read one conversation's new messages to staging. Both ids are internal."""
    return await runtime.piece("extract", user, conversation)
