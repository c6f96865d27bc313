"""One call: the state carried from batch to batch, or formed anew; every write under the person's lease."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.canonical import graph_hash
from memory_lib.domain.changes import (
    Action,
    Change,
    ChangeSet,
    ForgetNode,
    PutEdge,
    PutNode,
    RecordAct,
    RemoveEdge,
    RemoveNode,
    WriteKey,
)
from memory_lib.domain.ids import IdKey, MessageId, NodeId, UserId
from memory_lib.domain.lineage import lineage_faults
from memory_lib.domain.node import Node, Proof, ProofKind
from memory_lib.errors import LeaseLost, StaleRead
from memory_lib.policies.active_clock import ActiveClock
from memory_lib.policies.formation import (
    NO_LAYER,
    VERSION,
    Decider,
    FormationState,
    FormationUnit,
    FormerUnit,
    Rejected,
    StaleLayer,
)
from memory_lib.policies.overlay import finished, relaid, stripped
from memory_lib.policies.replaying import (
    FormedAnew,
    Vectors,
    acts_following,
    differences,
    edge_recorded_before,
    everything,
    is_news,
    lost,
    recorded_before,
    renamed,
)
from memory_lib.ports.clock import Clock
from memory_lib.ports.embedder import Embedder
from memory_lib.ports.graph import GraphReader, GraphRebuilder, GraphWriter, StoredGraph
from memory_lib.ports.ledger import MessageLog, People, Residual, Residuals, Staging
from memory_lib.ports.reasoner import Reasoner
from memory_lib.ports.write_turn import WriteTurn
from memory_lib.usecases.form_person.reading import Planned, UnitReader
from memory_lib.usecases.form_person.results import Forgot, Formed, FormParams, Rebuilt

_NOTHING_FORMED = (-(2**63), "")
REPLAY = "replay"
REBUILD = "rebuild"
FORGET = "forget"

Progress = Callable[[int], None]


class Former:
    """Forms one person, or makes the graph again: the ports it was given, and what it carries from batch to batch.

    Made for one call. ``decider`` is asked about placements that are left open (``judge_placements.kept_judge``); it must
    answer the same each time.
    """

    def __init__(
        self,
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
        decider: Decider | None,
    ) -> None:
        self._user = user
        self._log = log
        self._residuals = residuals
        self._reader = reader
        self._writer = writer
        self._write_turn = write_turn
        self._embedder = embedder
        self._id_key = id_key
        self._clock = clock
        self._params = params
        self._decider = decider
        self._reading = UnitReader(
            user, people=people, log=log, staging=staging, reasoner=reasoner, id_key=id_key, params=params
        )
        self._ticking: ActiveClock | None = None
        self._stored: StoredGraph | None = None
        self._state: FormationState | None = None
        self._acts: dict[NodeId, list[Act]] = {}
        self._newest: tuple[int, str] = _NOTHING_FORMED
        self._fingerprint: str | None = None
        self._former: tuple[FormerUnit, ...] = ()
        self._layer: StaleLayer = NO_LAYER

    def form(self, progress: Progress = lambda _: None) -> Formed:
        """Forms every staged unit of the person that is not formed yet.

        Raises:
            StoreBusy, LeaseLost, StaleRead: somebody else kept writing this person for longer than we wait, or was quicker
                each time; the same may be asked again.
        """
        units = nodes = edges = 0
        replayed = False
        todo: list[Planned] | None = None
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
        return Formed(units, nodes, edges, replayed, len(self._reading.planned) - len(self._reading.ready))

    def has_unformed(self) -> bool:
        """Whether ``form`` would find something to do, as things are; takes no turn at writing."""
        self._reading.replan()
        self._reading.restage()
        keys = [str(planned.key) for planned in self._reading.ready]
        return len(self._writer.applied_keys(self._user, keys)) < len(keys)

    def _unformed(self) -> list[Planned]:
        """Staged and not applied yet, in event order."""
        self._reading.restage()
        ready = self._reading.ready
        applied = self._writer.applied_keys(self._user, [str(p.key) for p in ready])
        self._former = tuple(self._reading.former(fingerprint=self._served()))
        return [p for p in ready if str(p.key) not in applied]

    def _replan(self) -> bool:
        """Read the plan, and with it the clock, again where the ledger has moved on; whether it has."""
        moved = self._reading.replan()
        if moved:
            self._ticking = None
        return moved

    def _active_clock(self) -> ActiveClock:
        """The person's clock by the messages of the plan."""
        if self._ticking is None:
            self._ticking = ActiveClock(self._log.user_times(self._user), pause_us=self._params.clock.pause_us)
        return self._ticking

    def _served(self) -> str:
        """Whose vectors the person's graph holds, or will."""
        return self._fingerprint or self._embedder.fingerprint

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
        self._layer = _layer_of(bare)
        self._state = FormationState.from_graph(
            bare, stored.edges.values(), stored.vectors, key=self._id_key, params=self._params.formation
        )
        self._newest = max((p.order[:2] for n in stored.nodes.values() for p in n.proofs), default=_NOTHING_FORMED)
        return True

    def _claim_vectors(self, units: Sequence[tuple[Planned, FormationUnit]], *, token: int) -> None:
        """Whose vectors the graph holds is written down before the first of them."""
        if self._fingerprint is None and any(unit.vectors is not None for _, unit in units):
            self._writer.set_fingerprint(
                self._user, fingerprint=self._embedder.fingerprint, dimension=self._embedder.dimension, token=token
            )
            self._fingerprint = self._embedder.fingerprint

    # -- writing ------------------------------------------------------------------------

    def _advance(self, planned: Sequence[Planned], *, token: int) -> tuple[int, int]:
        """Carry the state forward by these units, a change set each, one transaction."""
        state, now = self._loaded(), self._clock.now()
        clock = self._active_clock()
        sets: list[ChangeSet] = []
        nodes = edges = 0
        formation_units = list(self._reading.units(planned, fingerprint=self._served()))
        self._claim_vectors(formation_units, token=token)
        rejected: list[Residual] = []
        for known, unit in formation_units:
            outcome = state.step(unit, now=now, decider=self._decider)
            rejected += _residuals(unit, outcome.rejected)
            for act in outcome.acts:
                self._acts.setdefault(act.node, []).append(act)
            changes: list[Change] = [
                PutNode(self._finished(self._layer.over(state.base(node)), clock), _bytes(state, node))
                for node in outcome.nodes
            ]
            changes += [RecordAct(act) for act in outcome.acts]
            changes += [PutEdge(state.edge(edge)) for edge in outcome.edges]
            sets.append(ChangeSet(known.key, tuple(changes), outcome.actions))
            nodes, edges = nodes + len(outcome.nodes), edges + len(outcome.edges)
            self._newest = max(self._newest, known.ref.order) if outcome.nodes or outcome.edges else self._newest
        assert self._stored is not None
        if sets and (self._former or self._layer != NO_LAYER):
            changes = self._relaid(state, clock=clock, now=now)
            sets[-1] = replace(sets[-1], changes=(*sets[-1].changes, *changes))
        # before the graph: killed in between, the same units are formed again and leave the same over
        self._leave_over([p.ref.id for p in planned], rejected)
        applied = self._writer.apply(self._user, sets, token=token, now=now, based_on=self._stored.revision)
        if applied:
            self._stored = replace(self._stored, revision=applied[-1].revision)
        return nodes, edges

    def _finished(self, base: Node, clock: ActiveClock) -> Node:
        return finished(base, self._acts.get(base.id, ()), clock=clock, params=self._params.weight)

    def _loaded(self) -> FormationState:
        assert self._state is not None
        return self._state

    def _replay(self, todo: Sequence[Planned], *, token: int) -> tuple[int, int]:
        """Form all units anew in memory and write the difference as one pass; mark the new units as formed with it."""
        stored, now = self._read(), self._clock.now()
        anew, acts, decided = self._anew(fresh={p.unit for p in todo}, now=now, token=token)
        changes = differences(stored.nodes, stored.edges, anew)
        changes += acts
        counts = {"units": float(len(self._reading.ready)), "changes": float(len(changes))}
        actions = [Action("replay", "older_message", (), counts, version=VERSION), *_followed(anew)]
        actions += lost(stored.nodes, anew, version=VERSION)
        actions += decided
        key = WriteKey(self._user, REPLAY, self._pass_id(), "form", todo[0].key.code_version)
        sets = [ChangeSet(key, tuple(changes), tuple(actions))]
        sets += [ChangeSet(p.key, ()) for p in todo]
        self._writer.apply(self._user, sets, token=token, now=now, based_on=stored.revision)
        self._stored = None
        touched_nodes = sum(isinstance(c, PutNode | RemoveNode) for c in changes)
        return touched_nodes, sum(isinstance(c, PutEdge | RemoveEdge) for c in changes)

    def rebuild(self, rebuilder: GraphRebuilder | None) -> Rebuilt:
        """The graph made again from messages, staging and recorded acts, in place of the stored one, in a new epoch; without a
        ``rebuilder`` only compared with it.

        Nothing of the stored graph is trusted but what nobody can form again: acts, what sleep derived, and when something was
        first recorded (ADR 0004, 0009). Units that are not staged take no part: form the person first. Recall serves the old
        epoch until the new one is whole.

        Raises:
            StoreBusy, LeaseLost, StaleRead: somebody else was writing this person; nothing has changed, ask again.
        """
        with self._write_turn.hold(self._user) as turn:
            self._refresh()
            self._replan()
            self._unformed()
            stored, now = self._read(), self._clock.now()
            anew, acts, _ = self._anew(fresh=set(), now=now, token=turn.token)
            changes = everything(stored.nodes, stored.edges, _stored_vectors(stored), anew)
            nodes = [change.node for change in changes if isinstance(change, PutNode)]
            edges = [change.edge for change in changes if isinstance(change, PutEdge)]
            before, after = graph_hash(stored.nodes.values(), stored.edges.values()), graph_hash(nodes, edges)
            counts = {"nodes": float(len(nodes)), "edges": float(len(edges))}
            action = Action("rebuild", "same" if before == after else "different", (), counts, version=VERSION)
            pass_id = self._id_key.hash("pass", self._pass_id(), stored.revision.epoch, stored.revision.n)
            key = WriteKey(self._user, REBUILD, pass_id, "form", VERSION)
            actions = (action, *_followed(anew), *lost(stored.nodes, anew, version=VERSION))
            change_set = ChangeSet(key, (*changes, *acts), actions)
            if rebuilder is not None:
                rebuilder.rebuild(self._user, change_set, token=turn.token, now=now, based_on=stored.revision)
            self._stored = None
        return Rebuilt(before, after, len(nodes), len(edges), lineage_faults(nodes, edges))

    def forget(self, gone: AbstractSet[NodeId], *, rule: str, ended: Mapping[NodeId, str]) -> Forgot:
        """The graph without these nodes: formed anew from what is staged, which must no longer make them. What sleep derived
        from them goes by their names; acts on them go too. What a forgotten message had ended (``ended``: since when) stays
        ended, by an act. Under the rule's own write key, so that twice is once.

        Raises:
            StoreBusy, LeaseLost, StaleRead: as ``rebuild``.
        """
        key = WriteKey(self._user, FORGET, rule, "form", VERSION)
        with self._write_turn.hold(self._user, renewing=True) as turn:
            self._refresh()
            self._replan()
            todo = self._unformed()
            if self._writer.applied_keys(self._user, [str(key)]):
                return Forgot(0, 0)
            stored, now = self._read(), self._clock.now()
            anew, acts, decided = self._anew(fresh={p.unit for p in todo}, now=now, token=turn.token)
            left = {ident: node for ident, node in stored.nodes.items() if ident not in gone}
            edges = {ident: e for ident, e in stored.edges.items() if e.source in left and e.target in left}
            changes: list[Change] = [ForgetNode(ident) for ident in sorted(gone)]
            anew = replace(anew, renames={old: new for old, new in anew.renames.items() if old not in gone})
            anew, endings = self._still_ended(anew, ended, rule=rule, now=now)
            changes += differences(left, edges, anew)
            changes += [*acts, *endings]
            actions = [Action("forget", "asked_for", (ident,), before=(ident,), version=VERSION) for ident in sorted(gone)]
            actions += [*_followed(anew), *lost(left, anew, version=VERSION), *decided]
            sets = [ChangeSet(key, tuple(changes), tuple(actions)), *(ChangeSet(p.key, ()) for p in todo)]
            self._writer.apply(self._user, sets, token=turn.token, now=now, based_on=stored.revision)
            self._stored = None
        return Forgot(sum(ident in stored.nodes for ident in gone), len(stored.edges) - len(edges))

    def _still_ended(
        self, anew: FormedAnew, ended: Mapping[NodeId, str], *, rule: str, now: datetime
    ) -> tuple[FormedAnew, list[RecordAct]]:
        """What must not stand again because the words that ended it are gone."""
        nodes, endings, clock = dict(anew.nodes), list[RecordAct](), self._active_clock()
        for old, since in sorted(ended.items()):
            ident = anew.renames.get(old, old)
            node = nodes.get(ident)
            if node is None or node.closure is not None:
                continue
            act = Act(
                id=self._id_key.hash("act", "ended", ident, rule),
                node=ident,
                kind=ActKind.SET,
                at=now,
                recorded_at=now,
                detail={"field": "valid_until", "value": since, "was": "", "batch": rule},
            )
            theirs = self._acts.get(old, [])
            nodes[ident] = relaid(node, theirs, [*theirs, act], clock=clock, params=self._params.weight)
            endings.append(RecordAct(act))
        return replace(anew, nodes=nodes), endings

    def _read(self) -> StoredGraph:
        assert self._stored is not None
        return self._stored

    def _pass_id(self) -> str:
        return self._id_key.hash("pass", *(p.unit for p in self._reading.ready))

    def _anew(self, *, fresh: AbstractSet[str], now: datetime, token: int) -> tuple[FormedAnew, list[RecordAct], list[Action]]:
        """Everything formed from what is staged, the acts that this adds to those on record, and the decisions that are news.
        ``fresh``: units whose decisions all are.
        """
        planned = self._reading.ready
        stored = self._read()
        state = FormationState(key=self._id_key, params=self._params.formation)
        acts: dict[str, Act] = {act.id: act for act in stored.acts}
        decided: list[Action] = []
        rejected: list[Residual] = []
        for start in range(0, len(planned), self._params.batch):
            formation_units = list(self._reading.units(planned[start : start + self._params.batch], fingerprint=self._served()))
            self._claim_vectors(formation_units, token=token)
            for _, unit in formation_units:
                outcome = state.step(unit, now=now, decider=self._decider)
                rejected += _residuals(unit, outcome.rejected)
                for act in outcome.acts:
                    acts.setdefault(act.id, act)
                new = unit.extraction.unit_id in fresh
                decided += [a for a in outcome.actions if is_news(a, stored.nodes, stored.edges, new=new)]
        layer = state.stale(self._former, now=now)
        bases = [*(layer.over(state.base(node)) for node in state.node_ids), *layer.nodes.values()]
        renames = renamed(stored.nodes, bases)
        by_node = acts_following(acts.values(), renames)
        clock = self._active_clock()
        nodes = {
            base.id: recorded_before(
                finished(base, by_node.get(base.id, ()), clock=clock, params=self._params.weight), stored.nodes.get(base.id)
            )
            for base in bases
        }
        edges = {ident: edge_recorded_before(state.edge(ident), stored.edges.get(ident)) for ident in state.edge_ids}
        known_acts = {act.id for act in stored.acts}
        new_acts = [
            RecordAct(act) for theirs in by_node.values() for act in theirs if act.id not in known_acts and act.node in nodes
        ]
        self._leave_over(None, rejected)
        return FormedAnew(nodes, edges, renames, _vectors(state, layer)), new_acts, decided

    def _relaid(self, state: FormationState, *, clock: ActiveClock, now: datetime) -> list[Change]:
        """What changes of the stale layer, now that more has been said."""
        was, layer = self._layer, state.stale(self._former, now=now)
        self._layer = layer
        assert self._stored is not None
        changes: list[Change] = []
        for ident, base in layer.nodes.items():
            node = recorded_before(self._finished(base, clock), self._stored.nodes.get(ident))
            if was.nodes.get(ident) is None or was.nodes[ident].proofs != base.proofs:
                vector = layer.vectors.get(ident)
                changes.append(PutNode(node, None if vector is None else vector.tobytes()))
        others = sorted(ident for ident in {*was.proofs, *layer.proofs} if was.proofs.get(ident) != layer.proofs.get(ident))
        known = set(state.node_ids)
        changes += [
            PutNode(self._finished(layer.over(state.base(ident)), clock), _bytes(state, ident))
            for ident in others
            if ident in known
        ]
        changes += [RemoveNode(ident) for ident in sorted(set(was.nodes) - set(layer.nodes) - known)]
        return changes

    def _leave_over(self, messages: Sequence[MessageId] | None, rejected: Sequence[Residual]) -> None:
        self._residuals.replace(self._user, messages, rejected)


def _layer_of(bare: Iterable[Node]) -> StaleLayer:
    """The layer as the stored graph has it."""
    nodes: dict[NodeId, Node] = {}
    proofs: dict[NodeId, tuple[Proof, ...]] = {}
    for node in bare:
        lost = tuple(proof for proof in node.proofs if proof.kind is ProofKind.STALE)
        if lost and not node.surviving:
            nodes[node.id] = node
        elif lost:
            proofs[node.id] = lost
    return StaleLayer(nodes, {}, proofs)


def _residuals(unit: FormationUnit, rejected: Iterable[Rejected]) -> list[Residual]:
    named = unit.extraction.unit_id
    return [Residual(named, each.place, unit.message.id, each.candidate, each.reason) for each in rejected]


def _bytes(state: FormationState, node: NodeId) -> bytes | None:
    vector = state.vector(node)
    return None if vector is None else vector.tobytes()


def _vectors(state: FormationState, layer: StaleLayer) -> Vectors:
    def of(node: NodeId) -> bytes | None:
        if node not in layer.nodes:
            return _bytes(state, node)
        vector = layer.vectors.get(node)
        return None if vector is None else vector.tobytes()

    return of


def _stored_vectors(stored: StoredGraph) -> Vectors:
    def of(node: NodeId) -> bytes | None:
        vector = stored.vectors.get(node)
        return None if vector is None else vector.tobytes()

    return of


def _followed(anew: FormedAnew) -> list[Action]:
    return [
        Action("rename", "new_first_proof", (old, new), before=(old,), after=(new,), version=VERSION)
        for old, new in anew.renames.items()
    ]
