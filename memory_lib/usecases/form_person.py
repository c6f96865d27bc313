"""Form one person's graph from what is staged, in event order (DESIGN §5, ingest; CONTRACTS, Time and weight; Writing).

The usual case carries the stored graph forward by the units that are new, a few a transaction, each under its own write key.
Where a message turns up that is older than what was formed last, the person is formed again from the first unit, in memory,
from staging (no reasoner, no model), and the difference is written as one pass of kind ``replay``. Both ways end in the same
graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from memory_lib.domain.acts import Act
from memory_lib.domain.canonical import edge_record, node_record
from memory_lib.domain.changes import (
    Action,
    Change,
    ChangeSet,
    PutEdge,
    PutNode,
    RecordAct,
    RemoveEdge,
    RemoveNode,
    RenameNode,
    WriteKey,
)
from memory_lib.domain.ids import EdgeId, IdKey, MessageId, NodeId, UserId
from memory_lib.domain.message import Message, MessageRef, unit_id
from memory_lib.domain.node import Edge, Node
from memory_lib.errors import LeaseLost, StaleRead
from memory_lib.policies.active_clock import ActiveClock, ClockParams
from memory_lib.policies.audience import AgentsParams, audience_of
from memory_lib.policies.formation import VERSION, FormationParams, FormationState, FormationUnit
from memory_lib.policies.matching import plain_words
from memory_lib.policies.overlay import WeightParams, finished, stripped
from memory_lib.policies.reinforcement import Said, is_repeat
from memory_lib.policies.sessions import SessionParams, unit_refs
from memory_lib.ports.clock import Clock
from memory_lib.ports.embedder import Embedder
from memory_lib.ports.graph import GraphReader, GraphWriter, StoredGraph
from memory_lib.ports.ledger import MessageLog, People, StagedUnit, Staging
from memory_lib.ports.reasoner import Reasoner
from memory_lib.ports.write_turn import WriteTurn

_NOTHING_FORMED = (-(2**63), "")
KIND = "ingest"
REPLAY = "replay"


@dataclass(frozen=True, slots=True, kw_only=True)
class FormParams:
    """``batch``: units a transaction, so that the write lease is held well under a second (CONTRACTS, Writing).
    ``overtaken``: how often another writer may be quicker than this one's lease lasts before it gives up.
    """

    batch: int
    overtaken: int
    clock: ClockParams
    formation: FormationParams
    weight: WeightParams
    agents: AgentsParams
    sessions: SessionParams


@dataclass(frozen=True, slots=True)
class Formed:
    """Counts of one call. ``waiting``: units seen in the ledger that are not staged yet (another import is at work)."""

    units: int
    nodes: int
    edges: int
    replayed: bool
    waiting: int


@dataclass(frozen=True, slots=True)
class _Planned:
    unit: str
    ref: MessageRef
    key: WriteKey


Progress = Callable[[int], None]


def form_person(
    user: UserId,
    *,
    people: People,
    log: MessageLog,
    staging: Staging,
    reader: GraphReader,
    writer: GraphWriter,
    write_turn: WriteTurn,
    reasoner: Reasoner,
    embedder: Embedder,
    id_key: IdKey,
    clock: Clock,
    params: FormParams,
    progress: Progress = lambda _: None,
) -> Formed:
    """Forms every staged unit of the person that is not formed yet.

    Raises:
        StoreBusy, LeaseLost, StaleRead: somebody else kept writing this person for longer than we wait, or was quicker each
            time; the same call may be repeated.
    """
    former = _Former(
        user,
        people=people,
        log=log,
        staging=staging,
        reader=reader,
        writer=writer,
        write_turn=write_turn,
        reasoner=reasoner,
        embedder=embedder,
        id_key=id_key,
        clock=clock,
        params=params,
    )
    return former.run(progress)


class _Former:
    """One call of ``form_person``: the ports it was given, and the state it carries from batch to batch."""

    def __init__(
        self,
        user: UserId,
        *,
        people: People,
        log: MessageLog,
        staging: Staging,
        reader: GraphReader,
        writer: GraphWriter,
        write_turn: WriteTurn,
        reasoner: Reasoner,
        embedder: Embedder,
        id_key: IdKey,
        clock: Clock,
        params: FormParams,
    ) -> None:
        self._user = user
        self._people = people
        self._log = log
        self._staging = staging
        self._reader = reader
        self._writer = writer
        self._write_turn = write_turn
        self._reasoner = reasoner
        self._embedder = embedder
        self._id_key = id_key
        self._clock = clock
        self._params = params
        self._stored: StoredGraph | None = None
        self._state: FormationState | None = None
        self._acts: dict[NodeId, list[Act]] = {}
        self._newest: tuple[int, str] = _NOTHING_FORMED
        self._log_version = -1
        self._fingerprint: str | None = None
        self._refs: tuple[MessageRef, ...] = ()
        self._place: dict[MessageId, int] = {}
        self._planned: list[_Planned] = []
        self._staged: frozenset[str] = frozenset()

    def run(self, progress: Progress) -> Formed:
        units = nodes = edges = 0
        replayed = False
        todo: list[_Planned] | None = None
        overtaken = 0
        while todo is None or todo:
            try:
                with self._write_turn.hold(self._user) as turn:
                    written, said = self._refresh(), self._replan()
                    if written or said or todo is None:
                        todo = self._unformed()
                    if not todo:
                        break
                    if todo[0].ref.order <= self._newest:
                        changed, done, replayed = self._replay(todo, token=turn.token), len(todo), True
                    else:
                        done = min(len(todo), self._params.batch)
                        changed = self._advance(todo[:done], token=turn.token)
            except (LeaseLost, StaleRead):
                # slower than a lease lasts: nothing of this turn was kept, and the next one reads again
                overtaken += 1
                if overtaken > self._params.overtaken:
                    raise
                self._stored, todo = None, None
                continue
            todo = todo[done:]
            units, nodes, edges = units + done, nodes + changed[0], edges + changed[1]
            progress(done)
        return Formed(units, nodes, edges, replayed, sum(p.unit not in self._staged for p in self._planned))

    # -- what there is to do ------------------------------------------------------------

    def _replan(self) -> bool:
        """The person's units in event order, read again where the ledger has moved on. A plan that misses a message which
        somebody else has formed by now would undo that, so this is asked inside every turn.
        """
        version = self._people.person(self._user).log_version
        if version == self._log_version:
            return False
        self._log_version = version
        self._refs = self._log.refs(self._user)
        self._place = {ref.id: place for place, ref in enumerate(self._refs)}
        by_conversation: dict[str, list[MessageRef]] = {}
        for ref in self._refs:
            by_conversation.setdefault(ref.conversation, []).append(ref)
        code = f"{VERSION}+{self._reasoner.name}/{self._reasoner.version}"
        planned = [
            _Planned(unit, refs[-1], WriteKey(self._user, KIND, unit, "form", code))
            for theirs in by_conversation.values()
            for refs in unit_refs(theirs, params=self._params.sessions)
            for unit in (unit_id(self._id_key, refs),)
        ]
        self._planned = sorted(planned, key=lambda p: p.ref.order)
        return True

    def _unformed(self) -> list[_Planned]:
        """Staged and not applied yet, in event order."""
        self._staged = self._staging.have(self._user, reasoner=self._reasoner.name, version=self._reasoner.version)
        ready = [p for p in self._planned if p.unit in self._staged]
        applied = self._writer.applied_keys(self._user, [str(p.key) for p in ready])
        return [p for p in ready if str(p.key) not in applied]

    def _refresh(self) -> bool:
        """Read the graph again unless nobody wrote since we did."""
        head = self._reader.head(self._user)
        if self._stored is not None and head.revision == self._stored.revision:
            return False
        self._fingerprint = head.fingerprint
        self._stored = stored = self._reader.load(self._user)
        self._acts = {}
        for act in stored.acts:
            self._acts.setdefault(act.node, []).append(act)
        bare = [stripped(node, self._acts.get(node.id, ())) for node in stored.nodes.values()]
        self._state = FormationState.from_graph(
            bare, stored.edges.values(), stored.vectors, key=self._id_key, params=self._params.formation
        )
        self._newest = max((p.order[:2] for n in stored.nodes.values() for p in n.proofs), default=_NOTHING_FORMED)
        return True

    def _formation_units(self, planned: Sequence[_Planned]) -> Iterable[tuple[_Planned, FormationUnit]]:
        """Staged units with what formation needs of their messages; read in one go, bounded by the caller's batch."""
        by_unit = {p.unit: p for p in planned}
        staged = {
            s.extraction.unit_id: s
            for s in self._staging.units(
                self._user, [p.unit for p in planned], reasoner=self._reasoner.name, version=self._reasoner.version
            )
        }
        telling = [p.ref.id for p in planned if p.unit in staged and staged[p.unit].extraction.candidates]
        messages = self._log.messages(self._user, telling)
        repeated = self._repeated([p for p in planned if p.ref.id in messages])
        for unit, known in by_unit.items():
            if unit in staged:
                yield (
                    known,
                    self._formation_unit(known, staged[unit], messages.get(known.ref.id), repeated=known.ref.id in repeated),
                )

    def _formation_unit(
        self, planned: _Planned, staged: StagedUnit, message: Message | None, *, repeated: bool
    ) -> FormationUnit:
        return FormationUnit(
            message=planned.ref,
            extraction=staged.extraction,
            audience=audience_of(None if message is None else message.agent, params=self._params.agents),
            speaker=None if message is None else message.speaker,
            repeated=repeated,
            vectors=staged.vectors if staged.fingerprint == (self._fingerprint or self._embedder.fingerprint) else None,
        )

    def _claim_vectors(self, units: Sequence[tuple[_Planned, FormationUnit]], *, token: int) -> None:
        """Whose vectors the graph holds is written down before the first of them."""
        if self._fingerprint is None and any(unit.vectors is not None for _, unit in units):
            self._writer.set_fingerprint(
                self._user, fingerprint=self._embedder.fingerprint, dimension=self._embedder.dimension, token=token
            )
            self._fingerprint = self._embedder.fingerprint

    def _repeated(self, planned: Sequence[_Planned]) -> frozenset[MessageId]:
        """Messages that say what one within the last minute said: they prove, they do not weigh (CONTRACTS)."""
        params, refs = self._params.weight.reinforcement, self._refs
        window = int(params.repeat_seconds * 1_000_000)
        near: dict[MessageId, list[MessageId]] = {}
        for p in planned:
            position = self._place[p.ref.id] - 1
            while position >= 0 and p.ref.at_us - refs[position].at_us <= window:
                if refs[position].role is p.ref.role:
                    near.setdefault(p.ref.id, []).append(refs[position].id)
                position -= 1
        texts = self._log.messages(self._user, {*near, *(other for others in near.values() for other in others)})
        said = {ident: Said(message.at_us, plain_words(message.text)) for ident, message in texts.items()}
        return frozenset(
            ident
            for ident, others in near.items()
            if any(is_repeat(said[ident], said[other], similarity=None, params=params) for other in others)
        )

    # -- writing ------------------------------------------------------------------------

    def _advance(self, planned: Sequence[_Planned], *, token: int) -> tuple[int, int]:
        """Carry the state forward by these units, a change set each, one transaction."""
        state, now = self._loaded(), self._clock.now()
        clock = ActiveClock(self._log.user_times(self._user), pause_us=self._params.clock.pause_us)
        sets: list[ChangeSet] = []
        nodes = edges = 0
        formation_units = list(self._formation_units(planned))
        self._claim_vectors(formation_units, token=token)
        for known, unit in formation_units:
            outcome = state.step(unit, now=now)
            for act in outcome.acts:
                self._acts.setdefault(act.node, []).append(act)
            changes: list[Change] = [
                PutNode(self._finished(state.base(node), clock), _bytes(state, node)) for node in outcome.nodes
            ]
            changes += [RecordAct(act) for act in outcome.acts]
            changes += [PutEdge(state.edge(edge)) for edge in outcome.edges]
            sets.append(ChangeSet(known.key, tuple(changes), outcome.actions))
            nodes, edges = nodes + len(outcome.nodes), edges + len(outcome.edges)
            self._newest = max(self._newest, known.ref.order) if outcome.nodes or outcome.edges else self._newest
        assert self._stored is not None
        applied = self._writer.apply(self._user, sets, token=token, now=now, based_on=self._stored.revision)
        if applied:
            self._stored = replace(self._stored, revision=applied[-1].revision)
        return nodes, edges

    def _finished(self, base: Node, clock: ActiveClock) -> Node:
        return finished(base, self._acts.get(base.id, ()), clock=clock, params=self._params.weight)

    def _loaded(self) -> FormationState:
        assert self._state is not None
        return self._state

    def _replay(self, todo: Sequence[_Planned], *, token: int) -> tuple[int, int]:
        """Form all units anew in memory and write the difference as one pass; mark the new units as formed with it."""
        planned = [p for p in self._planned if p.unit in self._staged]
        stored = self._stored
        assert stored is not None
        now = self._clock.now()
        state = FormationState(key=self._id_key, params=self._params.formation)
        acts: dict[str, Act] = {act.id: act for act in stored.acts}
        actions: list[Action] = []
        for start in range(0, len(planned), self._params.batch):
            formation_units = list(self._formation_units(planned[start : start + self._params.batch]))
            self._claim_vectors(formation_units, token=token)
            for _, unit in formation_units:
                outcome = state.step(unit, now=now)
                for act in outcome.acts:
                    acts.setdefault(act.id, act)
        renames = _renames(stored, state)
        by_node: dict[NodeId, list[Act]] = {}
        for act in acts.values():
            node = renames.get(act.node, act.node)
            by_node.setdefault(node, []).append(replace(act, node=node))
        clock = ActiveClock(self._log.user_times(self._user), pause_us=self._params.clock.pause_us)
        nodes = {
            ident: _recorded_before(
                finished(state.base(ident), by_node.get(ident, ()), clock=clock, params=self._params.weight),
                stored.nodes.get(ident),
            )
            for ident in state.node_ids
        }
        edges = {ident: _edge_recorded_before(state.edge(ident), stored.edges.get(ident)) for ident in state.edge_ids}
        changes = _difference(stored, nodes, edges, renames, state)
        known_acts = {act.id for act in stored.acts}
        changes += [
            RecordAct(act) for theirs in by_node.values() for act in theirs if act.id not in known_acts and act.node in nodes
        ]
        actions.append(Action("replay", "older_message", (), {"units": float(len(planned)), "changes": float(len(changes))}))
        actions += [Action("rename", "new_first_proof", (old, new)) for old, new in renames.items()]
        pass_id = self._id_key.hash("pass", *(p.unit for p in planned))
        version = todo[0].key.code_version
        sets = [ChangeSet(WriteKey(self._user, REPLAY, pass_id, "form", version), tuple(changes), tuple(actions))]
        sets += [ChangeSet(p.key, ()) for p in todo]
        self._writer.apply(self._user, sets, token=token, now=now, based_on=stored.revision)
        self._stored = None
        touched_nodes = sum(isinstance(c, PutNode | RemoveNode) for c in changes)
        return touched_nodes, sum(isinstance(c, PutEdge | RemoveEdge) for c in changes)


def _bytes(state: FormationState, node: NodeId) -> bytes | None:
    vector = state.vector(node)
    return None if vector is None else vector.tobytes()


def _renames(stored: StoredGraph, state: FormationState) -> dict[NodeId, NodeId]:
    """A node whose first proof changed is found again by the words that made it (CONTRACTS, Ids)."""
    new_ids = set(state.node_ids)
    gone = [n for n in stored.nodes.values() if n.id not in new_ids and n.proofs and not n.is_inference]
    if not gone:
        return {}
    owners: dict[tuple[object, ...], list[NodeId]] = {}
    for ident in state.node_ids:
        base = state.base(ident)
        for proof in base.proofs:
            owners.setdefault((base.type, proof.span), []).append(ident)
    renames: dict[NodeId, NodeId] = {}
    for node in sorted(gone, key=lambda n: n.id):
        found = [o for proof in node.proofs for o in owners.get((node.type, proof.span), ())]
        if found:
            renames[node.id] = found[0]
    return renames


def _recorded_before(node: Node, known: Node | None) -> Node:
    """What was believed before keeps the time we learnt it; so does the closing of it, if it closes the same way."""
    if known is None:
        return node
    closure = node.closure
    if closure is not None and known.closure is not None and closure.by_message == known.closure.by_message:
        closure = replace(closure, recorded_at=known.closure.recorded_at)
    return replace(node, recorded_at=known.recorded_at, closure=closure)


def _edge_recorded_before(edge: Edge, known: Edge | None) -> Edge:
    return edge if known is None else replace(edge, recorded_at=known.recorded_at)


def _difference(
    stored: StoredGraph,
    nodes: Mapping[NodeId, Node],
    edges: Mapping[EdgeId, Edge],
    renames: Mapping[NodeId, NodeId],
    state: FormationState,
) -> list[Change]:
    """Removals, renames, then what is new or changed. Derived nodes and edges of sleep stay; their ends follow renames."""
    observed = {i for i, n in stored.nodes.items() if n.proofs and not n.is_inference}
    changes: list[Change] = []
    for ident, node in nodes.items():
        known = stored.nodes.get(ident)
        if known is None or node_record(known) != node_record(node) or known.weight != node.weight:
            changes.append(PutNode(node, _bytes(state, ident)))
    changes += [RenameNode(old, new) for old, new in sorted(renames.items())]
    for edge in edges.values():
        known_edge = stored.edges.get(edge.id)
        if known_edge is None or edge_record(known_edge) != edge_record(edge):
            changes.append(PutEdge(edge))
    for edge in stored.edges.values():
        if edge.is_inferred:
            source, target = renames.get(edge.source, edge.source), renames.get(edge.target, edge.target)
            if (source, target) != (edge.source, edge.target) and source != target:
                changes += [PutEdge(replace(edge, source=source, target=target)), RemoveEdge(edge.id)]
        elif edge.id not in edges:
            changes.append(RemoveEdge(edge.id))
    changes += [RemoveNode(ident) for ident in sorted(observed - set(nodes))]
    return changes
