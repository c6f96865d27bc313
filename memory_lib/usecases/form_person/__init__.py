"""Form one person's graph from what is staged, in event order (DESIGN §5, ingest; CONTRACTS, Time and weight; Writing).

The usual case carries the stored graph forward by the units that are new, a few a transaction, each under its own write key.
Where a message turns up that is older than what was formed last, the person is formed again from the first unit, in memory,
from staging (no reasoner, no model), and the difference is written as one pass of kind ``replay``. Both ways end in the same
graph, and so does ``rebuild_person``.
"""

from __future__ import annotations

from memory_lib.domain.ids import IdKey, UserId
from memory_lib.policies.formation import Decider
from memory_lib.ports.clock import Clock
from memory_lib.ports.embedder import Embedder
from memory_lib.ports.graph import GraphReader, GraphRebuilder, GraphWriter
from memory_lib.ports.ledger import MessageLog, People, Residuals, Staging
from memory_lib.ports.reasoner import Reasoner
from memory_lib.ports.write_turn import WriteTurn
from memory_lib.usecases.form_person.former import Former, Progress
from memory_lib.usecases.form_person.results import Formed, FormParams, Rebuilt

__all__ = ["FormParams", "Formed", "Rebuilt", "form_person", "rebuild_person"]


def form_person(
    user: UserId,
    *,
    people: People,
    log: MessageLog,
    staging: Staging,
    residuals: Residuals,
    reader: GraphReader,
    writer: GraphWriter,
    write_turn: WriteTurn,
    reasoner: Reasoner,
    embedder: Embedder,
    id_key: IdKey,
    clock: Clock,
    params: FormParams,
    decider: Decider | None = None,
    progress: Progress = lambda _: None,
) -> Formed:
    """Forms every staged unit of the person that is not formed yet. ``decider`` is asked about placements that are left open
    (``judge_placements.kept_judge``); it must answer the same each time.

    Raises:
        StoreBusy, LeaseLost, StaleRead: somebody else kept writing this person for longer than we wait, or was quicker each
            time; the same call may be repeated.
    """
    former = Former(
        user,
        people=people,
        log=log,
        staging=staging,
        residuals=residuals,
        reader=reader,
        writer=writer,
        write_turn=write_turn,
        reasoner=reasoner,
        embedder=embedder,
        id_key=id_key,
        clock=clock,
        params=params,
        decider=decider,
    )
    return former.run(progress)


def rebuild_person(
    user: UserId,
    *,
    people: People,
    log: MessageLog,
    staging: Staging,
    residuals: Residuals,
    reader: GraphReader,
    writer: GraphWriter,
    rebuilder: GraphRebuilder,
    write_turn: WriteTurn,
    reasoner: Reasoner,
    embedder: Embedder,
    id_key: IdKey,
    clock: Clock,
    params: FormParams,
    decider: Decider | None = None,
) -> Rebuilt:
    """The person's graph made again from messages, staging and recorded acts, in place of the stored one, in a new epoch.

    Nothing of the stored graph is trusted but what nobody can form again: acts, what sleep derived, and when something was
    first recorded (ADR 0004, 0009). Units that are not staged take no part: form the person first. Recall serves the old
    epoch until the new one is whole.

    Raises:
        StoreBusy, LeaseLost, StaleRead: somebody else was writing this person; nothing has changed, ask again.
    """
    former = Former(
        user,
        people=people,
        log=log,
        staging=staging,
        residuals=residuals,
        reader=reader,
        writer=writer,
        write_turn=write_turn,
        reasoner=reasoner,
        embedder=embedder,
        id_key=id_key,
        clock=clock,
        params=params,
        decider=decider,
    )
    return former.rebuild(rebuilder)
