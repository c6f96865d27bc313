"""Run a plan's flow in this process against a server, and take what it did back as values."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any

from prefect import Flow
from prefect.events.worker import EventsWorker
from prefect.settings import temporary_settings

from flows.fade import fade
from flows.ingest import ingest
from flows.rebuild import rebuild
from flows.reembed import reembed
from flows.rehydrate import rehydrate
from flows.tier_migration import tier_migration
from memory_lib.bootstrap import Memory
from memory_lib.domain.ids import UserId
from memory_lib.plans import PlanRun
from tasks.runtime import Handle, use

FLOWS: Mapping[str, Flow[..., Coroutine[Any, Any, Any]]] = {
    flow.name: flow for flow in (ingest, fade, reembed, rebuild, tier_migration, rehydrate)
}
"""Plan → flow, by name."""

LOCAL_RETRIES = 2
"""A server on this machine that does not answer for 6 s is gone; Prefect's own 5 make a minute a request."""


async def _walked(flow: Flow[..., Coroutine[Any, Any, Any]], users: Sequence[UserId]) -> None:
    await flow(list(users), return_state=True)


def run(
    memory: Memory, plan: str, users: Sequence[UserId], *, api_url: str, progress: Callable[[str, int], None]
) -> PlanRun | None:
    """What the flow run did, or None where Prefect failed before the work was done."""
    finished: list[PlanRun] = []
    # said again as settings: where somebody imported Prefect before us, the environment was read long ago
    with (
        temporary_settings(updates={"api.url": api_url, "logging.to_api.enabled": False, "client.max_retries": LOCAL_RETRIES}),
        use(Handle(memory=memory, progress=progress, finished=finished.append)),
    ):
        try:
            asyncio.run(_walked(FLOWS[plan], users))
            EventsWorker.drain_all()  # what the server has not heard yet of the last tasks
        except Exception as error:  # noqa: BLE001 - pieces keep their errors for themselves, so this is Prefect's own
            logging.getLogger(__name__).debug("flow.ended_early", extra={"error": type(error).__qualname__})
    return finished[0] if finished else None
