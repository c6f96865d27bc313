"""Every deployment as a row: what runs, when, where, how many at once. A new flow adds its row (a test compares)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

POOL = "selfimprint"
"""The process work pool of one machine."""

OWNED = "selfimprint"
"""A tag on everything registered from here, so that ``apply`` can take away what left the catalog."""


class WhenBusy(StrEnum):
    """What becomes of a run that starts while as many as ``limit`` are at work."""

    WAIT = "ENQUEUE"
    SKIP = "CANCEL_NEW"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deployment:
    """``flow``: file and function. ``limit``: runs at once.

    ``cron`` is in UTC (None: started by hand): a zone with summer time would skip or shift runs. What is due for a person at
    their local time is a policy's decision.
    """

    name: str
    flow: str
    cron: str | None
    pool: str
    limit: int
    when_busy: WhenBusy
    tags: tuple[str, ...]
    description: str


CATALOG: tuple[Deployment, ...] = (
    Deployment(
        name="ingest",
        flow="flows/ingest.py:ingest",
        cron="* * * * *",
        pool=POOL,
        limit=1,
        when_busy=WhenBusy.SKIP,  # the run at work, or the next minute's, finds the same messages
        tags=("ingest",),
        description="New messages become memories. Each conversation is read to staging, then each person's graph is formed in "
        "event order. Harmless to repeat; nothing new costs a look a person.",
    ),
    Deployment(
        name="fade",
        flow="flows/fade.py:fade",
        cron="20 2 * * *",
        pool=POOL,
        limit=1,
        when_busy=WhenBusy.WAIT,
        tags=("fade",),
        description="What has faded below the line is archived, recoverable. Weights fade on read, so a missed day changes "
        "nothing.",
    ),
    Deployment(
        name="reembed",
        flow="flows/reembed.py:reembed",
        cron=None,  # hours of work, asked for by whoever changed the embedder
        pool=POOL,
        limit=1,
        when_busy=WhenBusy.WAIT,
        tags=("reembed",),
        description="After the embedder was changed: every vector is made anew beside the old ones, which serve recall until a "
        "person's are all there. Resumes where it was stopped; nothing to do costs a look a person.",
    ),
    Deployment(
        name="rebuild",
        flow="flows/rebuild.py:rebuild",
        cron=None,  # asked for by whoever doubts a graph
        pool=POOL,
        limit=1,
        when_busy=WhenBusy.WAIT,
        tags=("rebuild",),
        description="A person's graph is made again from messages, what was read in them and recorded acts, in a new epoch. "
        "Recall serves the old one until the new one is whole; the action log says whether they are the same.",
    ),
)
