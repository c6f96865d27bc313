"""Walk a plan as Prefect tasks: the order is the plan's, ``plans.run`` gives the same trace without Prefect."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from prefect import Task
from prefect.client.schemas import State
from prefect.states import Completed, Failed

from flows.artifacts import StepRow, publish
from memory_lib import plans
from memory_lib.domain.ids import ConversationId, UserId
from memory_lib.errors import SelfImprintError
from memory_lib.plans import Done, PlanRun, Step
from tasks import runtime
from tasks.extract_task import extract
from tasks.fade_task import fade
from tasks.form_task import form
from tasks.log_task import log
from tasks.migrate_tier_task import migrate_tier
from tasks.rebuild_task import rebuild
from tasks.reembed_task import reembed
from tasks.rehydrate_task import rehydrate

TASKS: Mapping[str, Task[..., Any]] = {
    task.name: task for task in (extract, form, log, fade, reembed, rebuild, migrate_tier, rehydrate)
}
"""Step → task, by name. In which order they run is the plan's."""


async def walk(plan: str, users: Sequence[str] | None) -> State[None]:
    """The whole plan for these people (None: those that the plan is for), and the state that the flow run ends in.

    At most ``settings.workers`` pieces of a step run at once. A person with a failed piece takes no part in later steps; the
    others go on, and the run ends as Failed with a sentence that counts what failed; the artifacts name it by ids.

    Raises:
        IllegalValue: something that is no internal id, before any work.
    """
    pages = await runtime.guarded(_pages, plan, users)
    by_step: dict[str, list[Done]] = {step.name: [] for step in plans.PLANS[plan]}
    seconds = dict.fromkeys(by_step, 0.0)
    people = 0
    while (page := await runtime.guarded(next, pages, None)) is not None:
        people += len(page)
        failed: set[UserId] = set()
        for step in plans.PLANS[plan]:
            started = time.monotonic()
            finished = await _step(step, [user for user in page if user not in failed])
            failed |= {piece.user for piece in finished if piece.error is not None}
            by_step[step.name] += finished
            seconds[step.name] += time.monotonic() - started
    run = PlanRun(tuple(done for finished in by_step.values() for done in finished))
    runtime.handle().finished(run)  # before the server is asked for anything more: the work is done whatever it answers
    rows = [StepRow.of(name, finished, seconds=seconds[name]) for name, finished in by_step.items()]
    await publish(plan, rows, run)
    return _state(run, people=people)


def _pages(plan: str, users: Sequence[str] | None) -> Iterator[Sequence[UserId]]:
    """Those named; else those that the plan is for, a page at a time."""
    if users is not None:
        return iter([[runtime.user_id(user) for user in users]])
    memory = runtime.handle().memory
    if plan in plans.DUE:
        return plans.DUE[plan](memory.bench)
    return iter([memory.user_ids()])


async def _step(step: Step, users: Sequence[UserId]) -> list[Done]:
    """A few workers take pieces from one list: tasks start in the plan's order, and as many as are at work exist."""
    memory = runtime.handle().memory
    todo = await runtime.guarded(plans.pieces, step, memory.bench, users)
    finished: dict[int, Done] = {}
    waiting = iter(enumerate(todo))

    async def worker() -> None:
        for place, (user, conversation) in waiting:
            finished[place] = await _piece(step, user, conversation)

    await asyncio.gather(*(worker() for _ in range(max(1, min(memory.settings.workers, len(todo))))))
    return [finished[place] for place in sorted(finished)]


async def _piece(step: Step, user: UserId, conversation: ConversationId | None) -> Done:
    ids = (user,) if conversation is None else (user, conversation)
    try:
        counts = await TASKS[step.name](*ids)
    except SelfImprintError as error:
        return Done(step.name, user, conversation, {}, error)
    return Done(step.name, user, conversation, counts)


def _state(run: PlanRun, *, people: int) -> State[None]:
    if not run.failures:
        return Completed(message=f"{len(run.done)} pieces of work for {people} people")
    kinds = Counter(type(piece.error).__name__ for piece in run.failures)
    which = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    return Failed(
        message=f"{len(run.failures)} of {len(run.done)} pieces of work failed ({which}), everybody else's went through; the "
        "failures artifact has the ids and what to do, and running again repeats nothing that is done"
    )
