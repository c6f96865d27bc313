"""The order of things as data: the steps of ingest, fade, reembed, rebuild, tier_migration and rehydrate (CONTRACTS, Order is
data).

A plan is a tuple of steps; a step names its unit of work, a conversation or a person. Prefect flows and ``run`` here walk the
same tuple, so what runs without Prefect is what runs with it; a test compares their traces.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Self

from memory_lib.domain.ids import ConversationId, IdKey, UserId
from memory_lib.domain.placement import Tier
from memory_lib.errors import FingerprintMismatch, SelfImprintError
from memory_lib.policies.forgetting import ForgetParams
from memory_lib.policies.formation import VERSION as FORMATION
from memory_lib.policies.formation import Decider
from memory_lib.policies.tiering import TieringParams
from memory_lib.ports.clock import Clock
from memory_lib.ports.embedder import Embedder, Embedders
from memory_lib.ports.forgetting import Forgetting
from memory_lib.ports.graph import GraphReader, GraphRebuilder, GraphWriter, NextNodeVectors, Outbox
from memory_lib.ports.ledger import ActionLog, Decisions, MessageLog, NextVectors, People, Residuals, RoundStore, Staging
from memory_lib.ports.parser import Parser
from memory_lib.ports.person_mover import PersonMover
from memory_lib.ports.placement_judge import PlacementJudge
from memory_lib.ports.placements import Placements
from memory_lib.ports.reasoner import Reasoner
from memory_lib.ports.requests import Requests
from memory_lib.ports.write_turn import WriteTurn
from memory_lib.usecases.correct import CorrectParams
from memory_lib.usecases.extract_conversation import Extracted, ExtractParams, extract_conversation
from memory_lib.usecases.fade import FadeParams, fade
from memory_lib.usecases.form_person import Former, FormParams
from memory_lib.usecases.judge_placements import kept_judge
from memory_lib.usecases.log_actions import log_actions
from memory_lib.usecases.migrate_tier import YIELDED, due, migrate_tier
from memory_lib.usecases.reembed import ReembedParams, reembed
from memory_lib.usecases.rehydrate import claimed, rehydrate
from memory_lib.usecases.soft_reset import ResetParams
from memory_lib.usecases.undo import UndoParams


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiers:
    """What moves people between stores and files. ``attempts``: how often a return is tried before it is given up. ``page``:
    people looked at, and requests claimed for ``claim_s`` seconds, at a time.
    """

    mover: PersonMover
    placements: Placements
    requests: Requests
    silence: TieringParams
    attempts: int
    page: int
    claim_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Workbench:
    """The ports and numbers that steps work with; frozen, no methods. ``bootstrap`` makes it.

    ``embedder`` is the configured one; ``embedders`` knows which one serves a person. ``tiers``: None where everybody stays in
    the one store there is.
    """

    people: People
    log: MessageLog
    rounds: RoundStore
    staging: Staging
    residuals: Residuals
    decisions: Decisions
    forgetting: Forgetting
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
    forget: ForgetParams
    correct: CorrectParams
    reset: ResetParams
    undo: UndoParams
    judge: PlacementJudge | None = None
    tiers: Tiers | None = None


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
        forgetting=bench.forgetting,
        parser=bench.parser,
        reasoner=bench.reasoner,
        embedder=serving(bench, user),
        id_key=bench.id_key,
        clock=bench.clock,
        params=bench.extract,
        progress=progress,
    )


def serving(bench: Workbench, user: UserId) -> Embedder:
    """Whose vectors the person has: another embedder's than the configured one until a reembed ends."""
    return bench.embedders.of(bench.people.person(user).fingerprint)


def serving_graph(bench: Workbench, user: UserId) -> Embedder:
    """Whose vectors the person's nodes have."""
    return bench.embedders.of(bench.reader.head(user).fingerprint)


def _decider(bench: Workbench, user: UserId) -> Decider | None:
    """Who is asked about placements left open, each question once; None where nobody is."""
    judge = bench.judge
    return None if judge is None else kept_judge(user, judge, decisions=bench.decisions, id_key=bench.id_key)


def former_of(bench: Workbench, user: UserId) -> Former:
    """Who forms this person with these ports, for one call."""
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
        embedder=serving(bench, user),
        id_key=bench.id_key,
        clock=bench.clock,
        params=bench.form,
        decider=_decider(bench, user),
    )


def _form(bench: Workbench, user: UserId, conversation: ConversationId | None, progress: Progress) -> Counts:  # noqa: ARG001
    version = bench.people.person(user).log_version
    done = former_of(bench, user).form(progress)
    if not done.waiting and _is_embedded(bench, user):
        bench.people.mark_formed(user, log_version=version, code=formed_by(bench))
    return {
        "units": done.units,
        "nodes": done.nodes,
        "edges": done.edges,
        "replays": int(done.replayed),
        "waiting": done.waiting,
    }


def formed_by(bench: Workbench) -> str:
    """Names the code and models that graphs are formed by: another name, and everybody is formed anew where it matters."""
    reasoner, embedder = bench.reasoner, bench.embedder
    names = f"{reasoner.name} {reasoner.version} {FORMATION} {embedder.fingerprint}"
    return hashlib.sha256(names.encode()).hexdigest()[:32]


def _is_embedded(bench: Workbench, user: UserId) -> bool:
    """Whether every round has its vector: while an embedder is away there is more to do."""
    have = bench.rounds.have(user, fingerprint=serving(bench, user).fingerprint)
    return all(embedded for _, embedded in have.values())


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
    done = former_of(bench, user).rebuild(bench.rebuilder)
    return {
        "nodes": done.nodes,
        "edges": done.edges,
        "different": int(done.before != done.after),
        "faults": len(done.faults),
    }


def _can_rest(bench: Workbench, user: UserId) -> bool:  # noqa: ARG001 - the shape of a gate
    return bench.tiers is not None


def _is_away(bench: Workbench, user: UserId) -> bool:
    return bench.tiers is not None and bench.tiers.mover.where(user).tier is not Tier.HOT


def _is_here(bench: Workbench, user: UserId) -> bool:
    return not _is_away(bench, user)


def _is_awaited(bench: Workbench, user: UserId) -> bool:
    """Away, and something new is to be formed into their graph."""
    return _is_away(bench, user) and former_of(bench, user).has_unformed()


def _rehydrate(bench: Workbench, user: UserId, conversation: ConversationId | None, progress: Progress) -> Counts:  # noqa: ARG001
    tiers = bench.tiers
    assert tiers is not None
    done = rehydrate(user, mover=tiers.mover, requests=tiers.requests, clock=bench.clock, attempts=tiers.attempts)
    return {"moved": int(done.was != done.now), "nodes": done.counts.get("nodes", 0), "edges": done.counts.get("edges", 0)}


def _migrate_tier(bench: Workbench, user: UserId, conversation: ConversationId | None, progress: Progress) -> Counts:  # noqa: ARG001
    tiers = bench.tiers
    assert tiers is not None

    def interrupted() -> bool:
        progress(0)  # raises where the run was asked to end
        return False

    done = migrate_tier(
        user,
        people=bench.people,
        log=bench.log,
        reader=bench.reader,
        mover=tiers.mover,
        clock=bench.clock,
        params=tiers.silence,
        interrupted=interrupted,
    )
    to = {f"to_{tier}": int(done.moved and done.now.tier is tier) for tier in Tier}
    return {**to, "yielded": int(done.reason == YIELDED), "nodes": done.counts.get("nodes", 0)}


LOG = Step(name="log", unit=UnitOfWork.PERSON, work=_log)

RETURN = Step(name="rehydrate", unit=UnitOfWork.PERSON, work=_rehydrate, gate=_is_away)
"""Whoever rests in files comes back into a store: before what writes them, whoever they are."""

INGEST: tuple[Step, ...] = (
    Step(name="extract", unit=UnitOfWork.CONVERSATION, work=_extract),
    replace(RETURN, gate=_is_awaited),
    Step(name="form", unit=UnitOfWork.PERSON, work=_form),
    LOG,
)
"""New messages: extraction to staging a conversation, then (who was away comes back) forming a person in event order, then the
action log.
"""

FADE: tuple[Step, ...] = (
    Step(name="fade", unit=UnitOfWork.PERSON, work=_fade, gate=_is_here),
    LOG,
)
"""Daily: archive what has fallen below the line. Who rests in files is looked at when they are back."""

REEMBED: tuple[Step, ...] = (
    RETURN,
    Step(name="reembed", unit=UnitOfWork.PERSON, work=_reembed),
    LOG,
)
"""The embedder was changed: every person's vectors are made anew, the old ones serve until all are there."""

REBUILD: tuple[Step, ...] = (
    INGEST[0],
    RETURN,
    INGEST[2],
    Step(name="rebuild", unit=UnitOfWork.PERSON, work=_rebuild),
    LOG,
)
"""Asked for by an operator: what waits is formed, then the graph is made again from messages, staging and acts."""

TIER_MIGRATION: tuple[Step, ...] = (
    LOG,
    Step(name="migrate_tier", unit=UnitOfWork.PERSON, work=_migrate_tier, gate=_can_rest),
)
"""Nightly: each person to the tier that their silence asks for (``usecases.migrate_tier.due`` pages through whom)."""

REHYDRATE: tuple[Step, ...] = (replace(RETURN, gate=_can_rest),)
"""On return: requests that recall or somebody else made (``usecases.rehydrate.claimed``)."""

PLANS: Mapping[str, tuple[Step, ...]] = {
    "ingest": INGEST,
    "fade": FADE,
    "reembed": REEMBED,
    "rebuild": REBUILD,
    "tier_migration": TIER_MIGRATION,
    "rehydrate": REHYDRATE,
}


Due = Callable[[Workbench], Iterator[Sequence[UserId]]]
"""Whom a plan is for when nobody is named, a page at a time: never all of them in memory."""


def _silent_or_back(bench: Workbench) -> Iterator[Sequence[UserId]]:
    if bench.tiers is not None:
        tiers = bench.tiers
        yield from due(tiers.placements, clock=bench.clock, params=tiers.silence, page=tiers.page)


def _awaited(bench: Workbench) -> Iterator[Sequence[UserId]]:
    """Claimed a page at a time until none is left; whose return failed a moment ago is tried again by the next run."""
    tiers = bench.tiers
    if tiers is None:
        return
    holder, seen = secrets.token_hex(8), set[UserId]()
    while found := claimed(tiers.requests, holder=holder, limit=tiers.page, ttl_s=tiers.claim_s, clock=bench.clock):
        page = [user for user in found if user not in seen]
        if not page:
            return
        seen |= set(page)
        yield page


def _with_news(bench: Workbench) -> Iterator[Sequence[UserId]]:
    code, after = formed_by(bench), None
    while page := bench.people.unformed(code=code, after=after):
        yield page
        after = page[-1]


DUE: Mapping[str, Due] = {"ingest": _with_news, "tier_migration": _silent_or_back, "rehydrate": _awaited}
"""Plans whose people the ledger finds by an index; the others are for everybody."""


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

    def or_raise(self) -> Self:
        """This run; raises the first error met, where there was one."""
        for each in self.failures:
            assert each.error is not None
            raise each.error
        return self


def _lets_in(step: Step, bench: Workbench, user: UserId) -> bool:
    """Where a gate cannot tell, the work is tried: it meets the same trouble, which is then that person's and told."""
    try:
        return step.gate(bench, user)
    except SelfImprintError:
        return True


def pieces(step: Step, bench: Workbench, users: Sequence[UserId]) -> list[tuple[UserId, ConversationId | None]]:
    """The pieces of work of one step, in order: what a flow makes a task of."""
    gated = [user for user in users if _lets_in(step, bench, user)]
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
