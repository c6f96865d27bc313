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


def _operation(name: str, flow: str, description: str) -> Deployment:
    """An operation on one person: by hand, several at once, dry unless that is switched off."""
    return Deployment(
        name=name,
        flow=f"flows/{flow}.py:{flow}",
        cron=None,
        pool=POOL,
        limit=4,  # people differ, and two operations on one wait for each other's lease
        when_busy=WhenBusy.WAIT,
        tags=("ops", name),
        description=f"{description} A dry run unless dry_run is switched off.",
    )


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
    Deployment(
        name="tier-migration",
        flow="flows/tier_migration.py:tier_migration",
        cron="40 1 * * *",
        pool=POOL,
        limit=1,
        when_busy=WhenBusy.SKIP,  # the next night looks at the same people
        tags=("tier_migration",),
        description="Who has been silent for a week rests in sealed files near by, for a month in files far away; who is back "
        "comes back. Found by an index a page at a time; yields to whoever writes.",
    ),
    Deployment(
        name="rehydrate",
        flow="flows/rehydrate.py:rehydrate",
        cron="* * * * *",
        pool=POOL,
        limit=2,  # requests are claimed, so two share them
        when_busy=WhenBusy.SKIP,
        tags=("rehydrate",),
        description="Whoever returned comes back from sealed files into a graph store; until then recall answers from the "
        "files. Nothing to do costs one look.",
    ),
    _operation(
        "erase-user",
        "erase_user",
        "Erase a person: key destroyed, every store emptied and searched, a signed receipt. Pauses for a typed confirmation; "
        "where operators are named, another one confirms.",
    ),
    _operation(
        "forget-topic",
        "forget_topic",
        "Take away exactly what a dry run on the command line listed, so that nothing brings it back.",
    ),
    _operation(
        "soft-reset",
        "soft_reset",
        "Pinned facts and the last 30 days stay, the rest is archived; undo takes it back for 30 days.",
    ),
    _operation(
        "undo",
        "undo",
        "Take back what one batch did.",
    ),
    _operation(
        "correct",
        "correct",
        "Pin, unpin or mark wrong, or set a field by a request made on the command line.",
    ),
    _operation(
        "export-user",
        "export_user",
        "Everything of a person as one file for them.",
    ),
    _operation(
        "import-user",
        "import_user",
        "An exported person comes back.",
    ),
    _operation(
        "restore",
        "restore",
        "A person comes back from sealed files or a ledger backup; nothing newer is overwritten, nobody erased comes back.",
    ),
    _operation(
        "rotate-keys",
        "rotate_keys",
        "A new data key, everything sealed anew, the old key destroyed last; goes on where it was stopped.",
    ),
    _operation(
        "reseal",
        "reseal",
        "Envelopes of an older version or key are made anew.",
    ),
    _operation(
        "move-shard",
        "move_shard",
        "A person's graph moves to another store or tier: copied, compared, switched, then taken away where it was.",
    ),
    _operation(
        "disclose",
        "disclose",
        "A lawful request is answered with exactly its items, audited.",
    ),
)
