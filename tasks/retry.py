"""When a task tries again: on transient errors only, later each time, and not all at the same instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypedDict

from prefect import Task
from prefect.cache_policies import NO_CACHE, CachePolicy
from prefect.client.schemas import State, TaskRun
from prefect.tasks import exponential_backoff

from memory_lib.errors import Transient


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryParams:
    """``backoff_s``: the first wait; each further one is twice as long. ``jitter``: a wait is stretched by up to this share."""

    times: int
    backoff_s: float
    jitter: float


RETRY = RetryParams(
    times=3,  # ours: with the waits below, 14 s in all beside the two minutes that a writer waits for its turn by itself
    backoff_s=2.0,  # ours: a lease of a killed writer runs out after 5 s (settings, write_turns)
    jitter=0.5,  # ours: people that failed together do not come back together
)


async def transient(task: Task[Any, Any], run: TaskRun, state: State[Any]) -> bool:  # noqa: ARG001 - Prefect's shape
    """Whether the same call may go through later."""
    error = await state.aresult(raise_on_failure=False)
    return isinstance(error, Transient)


class TaskOptions(TypedDict):
    """What ``@task`` takes of what is the same everywhere."""

    retries: int
    retry_delay_seconds: list[float]
    retry_jitter_factor: float
    retry_condition_fn: Any
    persist_result: bool
    cache_policy: CachePolicy


ON_TRANSIENT = TaskOptions(
    retries=RETRY.times,
    retry_delay_seconds=exponential_backoff(RETRY.backoff_s)(RETRY.times),
    retry_jitter_factor=RETRY.jitter,
    retry_condition_fn=transient,
    persist_result=False,
    cache_policy=NO_CACHE,
)
"""Every task's options. No result is stored and none is taken from a cache: repeating is harmless by the write keys.

No tags: a tagged task asks the server for a slot of each tag before it starts, which more than doubles what it costs.
"""
