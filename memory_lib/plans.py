"""The order of things as data: the steps of ingest, fade, reembed and rebuild (CONTRACTS, Order is data).

A plan is a tuple of steps; a step names its unit of work, a conversation or a person. Prefect flows and ``run`` here walk the
same tuple, so what runs without Prefect is what runs with it; a test compares their traces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from memory_lib.domain.ids import ConversationId, IdKey, UserId
from memory_lib.errors import FingerprintMismatch, SelfImprintError
from memory_lib.policies.formation import Decider
from memory_lib.ports.clock import Clock
from memory_lib.ports.embedder import Embedder, Embedders
from memory_lib.ports.graph import GraphReader, GraphRebuilder, GraphWriter, NextNodeVectors, Outbox
from memory_lib.ports.ledger import ActionLog, Decisions, MessageLog, NextVectors, People, Residuals, RoundStore, Staging
from memory_lib.ports.parser import Parser
from memory_lib.ports.placement_judge import PlacementJudge
from memory_lib.ports.reasoner import Reasoner
from memory_lib.ports.write_turn import WriteTurn
from memory_lib.usecases.extract_conversation import Extracted, ExtractParams, extract_conversation
from memory_lib.usecases.fade import FadeParams, fade
from memory_lib.usecases.form_person import Former, FormParams
from memory_lib.usecases.judge_placements import kept_judge
from memory_lib.usecases.log_actions import log_actions
from memory_lib.usecases.reembed import ReembedParams, reembed


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbench:
    """The ports and numbers that steps work with; frozen, no methods. ``bootstrap`` makes it.

    ``embedder`` is the configured one; ``embedders`` knows which one serves a person.
    """

    people: People
    log: MessageLog
    rounds: RoundStore
    staging: Staging
    residuals: Residuals
    decisions: Decisions
    next_vectors: NextVectors
    action_log: ActionLog
    reader: GraphReader
    writer: GraphWriter
    rebuilder: GraphRebuilder
    next_nodes: NextNodeVectors
    outbox: Outbox
    write_turn: WriteTurn
    id_key: IdKey
    clock: Clock
    parser: Parser
    reasoner: Reasoner
    embedder: Embedder
    embedders: Embedders
    extract: ExtractParams
    form: FormParams
    fade: FadeParams
    reembed: ReembedParams
    judge: PlacementJudge | None = None


class UnitOfWork(StrEnum):
    """What a step is done for, a piece at a time."""

    CONVERSATION = "conversation"
    PERSON = "person"


Counts = Mapping[str, int]
"""Numbers of one piece of work, by name; what a table artifact and a summary line show."""

Progress = Callable[[int], None]
Work = Callable[[Workbench, UserId, ConversationId | None, Progress], Counts]


def _always(bench: Workbench, user: UserId) -> bool:  # noqa: ARG001 - the shape of a gate
    return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step: its name in every trace, the unit it is done for, the use case, and a gate that may leave a person out."""

    name: str
    unit: UnitOfWork
    work: Work
    gate: Callable[[Workbench, UserId], bool] = _always


def _extract(bench: Workbench, user: UserId, conversation: ConversationId | None, progress: Progress) -> Counts:
    assert conversation is not None
    try:
        done = _extracted(bench, user, conversation, progress)
    except FingerprintMismatch:
        # a reembed ended meanwhile, or another process gave the person their first vector: once more, for who serves them now
        done = _extracted(bench, user, conversation, progress)
    return {
        "messages": done.messages,
        "units": done.units,
        "candidates": done.candidates,
        "rounds": done.rounds,
        "without_vectors": done.without_vectors,
    }


def _extracted(bench: Workbench, user: UserId, conversation: ConversationId, progress: Progress) -> Extracted:
    return extract_conversation(
        user,
        conversation,
        log=bench.log,
        staging=bench.staging,
        rounds=bench.rounds,
        parser=bench.parser,
        reasoner=bench.reasoner,
        embedder=_serving(bench, user),
        id_key=bench.id_key,
        params=bench.extract,
        progress=progress,
    )


def _serving(bench: Workbench, user: UserId) -> Embedder:
    """Whose vectors the person has: another embedder's than the configured one until a reembed ends."""
    return bench.embedders.of(bench.people.person(user).fingerprint)


def _decider(bench: Workbench, user: UserId) -> Decider | None:
    """Who is asked about placements left open, each question once; None where nobody is."""
    judge = bench.judge
    return None if judge is None else kept_judge(user, judge, decisions=bench.decisions, id_key=bench.id_key)


def _former(bench: Workbench, user: UserId) -> Former:
    return Former(
        user,
        people=bench.people,
        log=bench.log,
        staging=bench.staging,
        residuals=bench.residuals,
        reader=bench.reader,
        writer=bench.writer,
        write_turn=bench.write_turn,
        reasoner=bench.reasoner,
        embedder=_serving(bench, user),
        id_key=bench.id_key,
        clock=bench.clock,
        params=bench.form,
        decider=_decider(bench, user),
    )


def _form(bench: Workbench, user: UserId, conversation: ConversationId | None, progress: Progress) -> Counts:  # noqa: ARG001
    done = _former(bench, user).form(progress)
    return {
        "units": done.units,
        "nodes": done.nodes,
        "edges": done.edges,
        "replays": int(done.replayed),
        "waiting": done.waiting,
    }


def _log(bench: Workbench, user: UserId, conversation: ConversationId | None, progress: Progress) -> Counts:  # noqa: ARG001
    return {"actions": log_actions(user, outbox=bench.outbox, action_log=bench.action_log)}


def _fade(bench: Workbench, user: UserId, conversation: ConversationId | None, progress: Progress) -> Counts:  # noqa: ARG001
    done = fade(
        user,
        log=bench.log,
        reader=bench.reader,
        writer=bench.writer,
        write_turn=bench.write_turn,
        id_key=bench.id_key,
        clock=bench.clock,
        params=bench.fade,
    )
    return {"nodes": done.looked_at, "archived": done.archived}


def _reembed(bench: Workbench, user: UserId, conversation: ConversationId | None, progress: Progress) -> Counts:  # noqa: ARG001
    done = reembed(
        user,
        people=bench.people,
        log=bench.log,
        staging=bench.staging,
        next_vectors=bench.next_vectors,
        next_nodes=bench.next_nodes,
        reader=bench.reader,
        write_turn=bench.write_turn,
        reasoner=bench.reasoner,
        embedder=bench.embedder,
        id_key=bench.id_key,
        clock=bench.clock,
        params=bench.reembed,
        progress=progress,
    )
    return {
        "rounds": done.rounds,
        "units": done.units,
        "nodes": done.nodes,
        "unusable": done.unusable,
        "switched": int(done.switched),
    }


def _rebuild(bench: Workbench, user: UserId, conversation: ConversationId | None, progress: Progress) -> Counts:  # noqa: ARG001
    done = _former(bench, user).rebuild(bench.rebuilder)
    return {
        "nodes": done.nodes,
        "edges": done.edges,
        "different": int(done.before != done.after),
        "faults": len(done.faults),
    }


LOG = Step(name="log", unit=UnitOfWork.PERSON, work=_log)

INGEST: tuple[Step, ...] = (
    Step(name="extract", unit=UnitOfWork.CONVERSATION, work=_extract),
    Step(name="form", unit=UnitOfWork.PERSON, work=_form),
    LOG,
)
"""New messages: extraction to staging a conversation, then forming a person in event order, then the action log."""

FADE: tuple[Step, ...] = (
    Step(name="fade", unit=UnitOfWork.PERSON, work=_fade),
    LOG,
)
"""Daily: archive what has fallen below the line."""

REEMBED: tuple[Step, ...] = (
    Step(name="reembed", unit=UnitOfWork.PERSON, work=_reembed),
    LOG,
)
"""The embedder was changed: every person's vectors are made anew, the old ones serve until all are there."""

REBUILD: tuple[Step, ...] = (
    *INGEST[:2],
    Step(name="rebuild", unit=UnitOfWork.PERSON, work=_rebuild),
    LOG,
)
"""Asked for by an operator: what waits is formed, then the graph is made again from messages, staging and acts."""

PLANS: Mapping[str, tuple[Step, ...]] = {"ingest": INGEST, "fade": FADE, "reembed": REEMBED, "rebuild": REBUILD}


@dataclass(frozen=True, slots=True)
class Done:
    """One finished piece of work. ``error``: the kind of error that ended it, None where it went well."""

    step: str
    user: UserId
    conversation: ConversationId | None
    counts: Counts
    error: SelfImprintError | None = None


@dataclass(frozen=True, slots=True)
class PlanRun:
    """All pieces of work in the order they were planned."""

    done: tuple[Done, ...]

    @property
    def failures(self) -> tuple[Done, ...]:
        return tuple(d for d in self.done if d.error is not None)

    @property
    def trace(self) -> tuple[tuple[str, UserId, ConversationId | None], ...]:
        return tuple((d.step, d.user, d.conversation) for d in self.done)

    def total(self, name: str) -> int:
        """The sum of one count over every step."""
        return sum(d.counts.get(name, 0) for d in self.done)


def pieces(step: Step, bench: Workbench, users: Sequence[UserId]) -> list[tuple[UserId, ConversationId | None]]:
    """The pieces of work of one step, in order: what a flow makes a task of."""
    gated = [user for user in users if step.gate(bench, user)]
    if step.unit is UnitOfWork.PERSON:
        return [(user, None) for user in gated]
    return [(user, conversation) for user in gated for conversation in bench.log.conversations(user)]


def do(step: Step, bench: Workbench, user: UserId, conversation: ConversationId | None, progress: Progress) -> Done:
    """One piece of work; an error of ours is kept in the record, so that one bad person fails nobody else."""
    try:
        return Done(step.name, user, conversation, step.work(bench, user, conversation, progress))
    except SelfImprintError as error:
        return Done(step.name, user, conversation, {}, error)


def run(
    plan: Sequence[Step],
    bench: Workbench,
    users: Sequence[UserId],
    *,
    workers: int,
    progress: Callable[[str, int], None] = lambda _step, _count: None,
) -> PlanRun:
    """Walks the plan for these people: step after step, at most ``workers`` pieces of a step at once.

    A person whose step failed takes no part in later steps. ``progress(step, n)``: n more messages or units are done.
    """
    done: list[Done] = []
    failed: set[UserId] = set()
    for step in plan:
        todo = pieces(step, bench, [user for user in users if user not in failed])
        with ThreadPoolExecutor(max_workers=max(1, workers), thread_name_prefix=step.name) as pool:
            count = partial(progress, step.name)
            futures = {
                pool.submit(do, step, bench, user, conversation, count): place
                for place, (user, conversation) in enumerate(todo)
            }
            try:
                results = {futures[future]: future.result() for future in as_completed(futures)}
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        finished = [results[place] for place in sorted(results)]
        failed |= {d.user for d in finished if d.error is not None}
        done += finished
    return PlanRun(tuple(done))
