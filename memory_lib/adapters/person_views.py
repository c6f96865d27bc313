"""Opened people, kept in memory within bounds (DESIGN §6: recall from the cache with the revision check)."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime

from memory_lib.domain.changes import Revision
from memory_lib.domain.ids import MessageId, NodeId, UserId
from memory_lib.domain.message import Message, MessageRef
from memory_lib.domain.node import Node
from memory_lib.domain.time import local_date, to_us
from memory_lib.errors import DependencyDown, SelfImprintError
from memory_lib.policies.active_clock import ActiveClock, ClockParams
from memory_lib.policies.as_of import edges_as_of, nodes_as_of
from memory_lib.policies.graph_index import GraphIndex, index_of
from memory_lib.policies.overlay import WeightParams
from memory_lib.policies.ranking import RankingColumns, RankingParams, ranking_columns
from memory_lib.policies.rounds.index import RoundEntry, RoundIndex, build_round_index
from memory_lib.policies.rounds.params import RoundParams
from memory_lib.policies.sessions import SessionParams, session_indices
from memory_lib.policies.stems import Stemmer, StemParams
from memory_lib.ports.embedder import Embedders, mean_or_none
from memory_lib.ports.graph import GraphReader
from memory_lib.ports.ledger import MessageLog, People, Person, RoundStore, StoredRound
from memory_lib.ports.person_view import PersonView
from memory_lib.ports.whereabouts import ReadFrom, Whereabouts

ASLEEP = "asleep"
"""Why the graph is missing: the person's files are being opened."""
FROM_FILES = "served_from_files"
"""Not what went wrong but where from: all is there, read from sealed files while a store loads it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewParams:
    """``people``: opened people kept at once; ``messages``: opened messages kept for each. ``answer_s``: how long a graph's
    store may be silent when it is asked for the head, or for words, of a person; ``open_s``: when it is asked for their whole
    index. After that recall goes on without the graph.
    """

    people: int
    messages: int
    answer_s: float
    open_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AwayParams:
    """``unseal_wait_s``: how long a view waits for the person's files to open. ``ask_again_s``: how long after one call of
    ``on_away`` for a person the next may follow.
    """

    unseal_wait_s: float
    ask_again_s: float


@dataclass(frozen=True, slots=True)
class Away:
    """What views need where people may rest in files. ``on_away``: called for who was asked for there, again and again as
    ``params`` say: somebody should bring them back.
    """

    whereabouts: Whereabouts
    on_away: Callable[[UserId], object]
    params: AwayParams


@dataclass(frozen=True, slots=True)
class _Look:
    """The graph as one look found it. ``revision`` None: it does not answer, and ``down`` says why."""

    revision: Revision | None
    down: str | None = None
    note: str | None = None


@dataclass(slots=True)
class _Kept:
    """``graph``: the last one that was whole, which counts again when its store is back and has not been written since.
    ``nodes``: of that graph.
    """

    view: PersonView
    graph: GraphIndex | None = None
    nodes: dict[NodeId, Node] = field(default_factory=dict)
    messages: OrderedDict[MessageId, Message] = field(default_factory=OrderedDict)


class CachedPersonViews:
    """Implements ``PersonViews`` over the graph and ledger ports. Thread-safe; one opening at a time for each person."""

    def __init__(
        self,
        *,
        people: People,
        log: MessageLog,
        rounds: RoundStore,
        graph: GraphReader,
        embedders: Embedders,
        params: ViewParams,
        clock: ClockParams,
        weight: WeightParams,
        ranking: RankingParams,
        sessions: SessionParams,
        round_params: RoundParams,
        stems: StemParams,
        away: Away | None = None,
        stopwatch: Callable[[], float] = time.monotonic,
    ) -> None:
        self._people = people
        self._log = log
        self._rounds = rounds
        self._graph = graph
        self._embedders = embedders
        self._params = params
        self._clock = clock
        self._weight = weight
        self._ranking = ranking
        self._sessions = sessions
        self._round_params = round_params
        self._stems = stems
        self._kept: OrderedDict[UserId, _Kept] = OrderedDict()
        self._lock = threading.Lock()
        self._opening: dict[UserId, threading.Lock] = {}
        self._away = away
        self._stopwatch = stopwatch
        self._asked_back: dict[UserId, float] = {}

    def view(self, user: UserId) -> PersonView:
        person = self._people.person(user)
        look = self._look(user)
        with self._lock:
            kept = self._kept.get(user)
            if kept is not None and kept.view.person.log_version == person.log_version and _shows(kept.view, look):
                self._kept.move_to_end(user)
                if kept.view.graph_note != look.note:
                    kept.view = replace(kept.view, graph_note=look.note)
                return kept.view
            opening = self._opening.setdefault(user, threading.Lock())
        with self._alone(opening, look):
            view = self._open(user, person, look)
            after = self._people.person(user)
            # a reembed may have ended between reading the person and reading the vectors
            return view if after.fingerprint == person.fingerprint else self._open(user, after, look)

    @contextmanager
    def _alone(self, opening: threading.Lock, look: _Look) -> Iterator[None]:
        """Opening in turn; but whoever opens a graph that is down meanwhile keeps nobody waiting for it."""
        held = opening.acquire(timeout=-1 if look.down is None else self._params.answer_s / 2)
        try:
            yield
        finally:
            if held:
                opening.release()

    def _open(self, user: UserId, person: Person, look: _Look) -> PersonView:
        with self._lock:
            before = self._kept.get(user)
        if look.down is None:
            look = self._look(user)
        same_log = before is not None and before.view.person.log_version == person.log_version
        if before is not None and same_log and _shows(before.view, look) and before.view.graph_note == look.note:
            return before.view
        whole = None if before is None else before.graph
        same_graph = whole is not None and whole.revision == look.revision
        graph, down = (whole, None) if whole is not None and same_graph else self._index(user, look)
        if before is not None and same_log:
            old = before.view
            view = PersonView(
                person, graph, self._columns(graph, old.clock), old.rounds, old.clock, old.refs, old.stemmer, graph_down=down
            )
        else:
            view = self._read_log(user, person, graph, down)
        if look.note is not None and down is None:
            view = replace(view, graph_note=look.note)
        kept = _Kept(view, graph if down is None else whole)
        if before is not None and same_log:
            kept.messages = before.messages
        if before is not None and kept.graph is whole:
            kept.nodes = before.nodes
        with self._lock:
            self._kept[user] = kept
            self._kept.move_to_end(user)
            while len(self._kept) > self._params.people:
                gone, _ = self._kept.popitem(last=False)
                self._opening.pop(gone, None)
        return view

    def _look(self, user: UserId) -> _Look:
        """One indexed read of the graph, and one of where it is; a graph that does not answer matches nothing that is kept."""
        away = self._away
        try:
            if away is None:
                return _Look(self._graph.head(user, within_s=self._params.answer_s).revision)
            found = away.whereabouts.look(user, within_s=away.params.unseal_wait_s, answer_s=self._params.answer_s)
        except SelfImprintError as error:
            return _Look(None, down=_reason(error))
        self._ask_back(user, away, found.where)
        if found.head is None:
            return _Look(None, down=ASLEEP)
        return _Look(found.head.revision, note=FROM_FILES if found.where is ReadFrom.FILES else None)

    def _ask_back(self, user: UserId, away: Away, found: ReadFrom) -> None:
        """Says who was asked for in vain, once in a while. Recall goes on where nobody listens."""
        with self._lock:
            if found is ReadFrom.STORE:
                self._asked_back.pop(user, None)
                return
            now = self._stopwatch()
            if now - self._asked_back.get(user, -float("inf")) < away.params.ask_again_s:
                return
            self._asked_back = {u: at for u, at in self._asked_back.items() if now - at < away.params.ask_again_s}
            self._asked_back[user] = now
        with suppress(SelfImprintError):
            away.on_away(user)

    def _index(self, user: UserId, look: _Look) -> tuple[GraphIndex, str | None]:
        down = look.down
        if down is None:
            try:
                return self._graph.index(user, within_s=self._params.open_s), None
            except SelfImprintError as error:
                down = _reason(error)
        return _no_graph(), down

    def as_of(self, user: UserId, instant: datetime) -> PersonView:
        limit = to_us(instant)
        person = self._people.person(user)
        refs = [ref for ref in self._log.refs(user) if ref.at_us <= limit]
        times = self._log.user_times(user)
        clock = ActiveClock(times[times <= limit], pause_us=self._clock.pause_us)
        nodes: Sequence[Node] = ()
        look = self._look(user)
        down = None if look.down == ASLEEP else look.down
        try:
            stored = self._graph.load(user) if down is None else None
            fingerprint = None if stored is None else self._graph.head(user).fingerprint
        except SelfImprintError as error:
            stored, fingerprint, down = None, None, _reason(error)
        if stored is None:
            graph = _no_graph()
        else:
            nodes = nodes_as_of(stored.nodes.values(), stored.acts, instant=instant, clock=clock, params=self._weight)
            kept = {node.id for node in nodes}
            edges = [e for e in edges_as_of(stored.edges.values(), instant=instant) if e.source in kept and e.target in kept]
            graph = index_of(nodes, edges, stored.vectors, revision=stored.revision, fingerprint=fingerprint)
        return PersonView(
            person=person,
            graph=graph,
            columns=self._columns(graph, clock),
            rounds=self._round_index(person, refs),
            clock=clock,
            refs={ref.id: ref for ref in refs},
            stemmer=Stemmer(self._stems),
            opened={node.id: node for node in nodes},
            graph_down=down,
        )

    def _read_log(self, user: UserId, person: Person, graph: GraphIndex, down: str | None) -> PersonView:
        refs, rounds = self._open_rounds(person)
        clock = ActiveClock(self._log.user_times(user), pause_us=self._clock.pause_us)
        return PersonView(
            person=person,
            graph=graph,
            columns=self._columns(graph, clock),
            rounds=rounds,
            clock=clock,
            refs={ref.id: ref for ref in refs},
            stemmer=Stemmer(self._stems),
            graph_down=down,
        )

    def _columns(self, graph: GraphIndex, clock: ActiveClock) -> RankingColumns:
        return ranking_columns(graph, clock=clock, params=self._ranking, decay=self._weight.decay)

    def open_rounds(self, user: UserId) -> tuple[tuple[MessageRef, ...], RoundIndex]:
        """The person's messages and the rounds arm over them, read from the ledger."""
        return self._open_rounds(self._people.person(user))

    def _open_rounds(self, person: Person) -> tuple[tuple[MessageRef, ...], RoundIndex]:
        refs = self._log.refs(person.user)
        return refs, self._round_index(person, refs)

    def _round_index(self, person: Person, refs: Sequence[MessageRef]) -> RoundIndex:
        """Over the vectors of the embedder that serves the person, which need not be the configured one (ADR 0008)."""
        served = self._embedders.of(person.fingerprint)
        return build_round_index(
            list(_entries(refs, self._rounds.load(person.user, fingerprint=served.fingerprint), sessions=self._sessions)),
            params=self._round_params,
            prior_mean=mean_or_none(served),
        )

    def nodes(self, view: PersonView, ids: Sequence[NodeId]) -> dict[NodeId, Node]:
        if view.opened is not None:
            return {i: view.opened[i] for i in ids if i in view.opened}
        kept = self._of(view)
        known = {} if kept is None else kept.nodes
        missing = [i for i in ids if i not in known]
        opened = self._graph.nodes(view.person.user, missing, within_s=self._params.answer_s) if missing else {}
        if kept is not None:
            kept.nodes.update(opened)
        return {i: node for i in ids if (node := known.get(i) or opened.get(i)) is not None}

    def messages(self, view: PersonView, ids: Sequence[MessageId]) -> dict[MessageId, Message]:
        kept = self._of(view)
        known: dict[MessageId, Message] = {}
        if kept is not None:
            with self._lock:
                known = {i: kept.messages[i] for i in ids if i in kept.messages}
        missing = [i for i in ids if i not in known]
        if missing:
            opened = self._log.messages(view.person.user, missing)
            known.update(opened)
            if kept is not None:
                with self._lock:
                    kept.messages.update(opened)
                    while len(kept.messages) > self._params.messages:
                        kept.messages.popitem(last=False)
        return known

    def forget(self, user: UserId) -> None:
        with self._lock:
            self._kept.pop(user, None)

    def _of(self, view: PersonView) -> _Kept | None:
        with self._lock:
            kept = self._kept.get(view.person.user)
        return kept if kept is not None and kept.view is view else None


def _no_graph() -> GraphIndex:
    return index_of((), (), {}, revision=Revision(-1, -1), fingerprint=None)


def _reason(error: SelfImprintError) -> str:
    """Why there is no graph: what the dependency says of itself, else the kind of error."""
    if not isinstance(error, DependencyDown):
        return type(error).__name__
    return error.reason if error.part == "graph" else f"{error.part}: {error.reason}"


def _shows(view: PersonView, look: _Look) -> bool:
    """Whether the view's graph is the one that was found."""
    return look.revision is not None and view.graph.revision == look.revision


def _entries(refs: Sequence[MessageRef], stored: Sequence[StoredRound], *, sessions: SessionParams) -> Iterator[RoundEntry]:
    """A message whose round is not kept yet takes no part."""
    kept = {each.message: each for each in stored}
    by_conversation: dict[str, list[MessageRef]] = {}
    for ref in refs:
        by_conversation.setdefault(ref.conversation, []).append(ref)
    opened = 0
    for theirs in by_conversation.values():
        indices = session_indices(theirs, params=sessions)
        for position, (ref, index) in enumerate(zip(theirs, indices, strict=True)):
            known = kept.get(ref.id)
            if known is not None:
                yield RoundEntry(
                    message=ref.id,
                    session=opened + index,
                    position=position,
                    at_us=ref.at_us,
                    day=local_date(ref.at_us, ref.offset),
                    speaker=known.speaker,
                    role=ref.role,
                    stems=known.stems,
                    vector=known.vector,
                )
        opened += max(indices, default=-1) + 1
