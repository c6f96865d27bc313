"""Bring a person's vectors to the configured embedder, while the old ones go on serving (ADR 0008).

New vectors are made beside the old ones, a batch a transaction, and take their place when all are there: one transaction in the
graph (with a new epoch) and one in the ledger. A kill loses at most one batch; running again goes on with what lacks. The graph
itself stays as it is, and so does its hash. Running it where everything is there already does nothing, and what was kept
without a vector while the embedder was away gets one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.changes import Action, WriteKey
from memory_lib.domain.ids import IdKey, MessageId, NodeId, UserId
from memory_lib.domain.message import MessageRef
from memory_lib.errors import StoreBusy
from memory_lib.policies.rounds.text import embedded_text, previous_turn, round_id
from memory_lib.policies.sessions import SessionParams, unit_refs
from memory_lib.ports.clock import Clock
from memory_lib.ports.embedder import Embedder, calibrated, embedded_apart
from memory_lib.ports.graph import GraphReader, NextNodeVectors
from memory_lib.ports.ledger import MessageLog, NextVectors, People, Staging
from memory_lib.ports.reasoner import Reasoner
from memory_lib.ports.write_turn import WriteTurn

KIND = "reembed"
VERSION = "reembed/1"

_T = TypeVar("_T")
Progress = Callable[[int], None]
"""Called with the number of vectors made since the last call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReembedParams:
    """``batch``: texts embedded and stored at once, the most a kill costs. ``overtaken``: how often other writers may bring
    something new between the last vector and the switch before this gives up; what is made stays.
    """

    batch: int
    overtaken: int
    sessions: SessionParams


@dataclass(frozen=True, slots=True)
class Reembedded:
    """Vectors made by this call. ``unusable``: texts that the embedder has no vector for; words find them.
    ``switched``: whether the person is served by other vectors now than before.
    """

    rounds: int
    units: int
    nodes: int
    unusable: int
    switched: bool


def to_reembed(
    user: UserId, *, next_vectors: NextVectors, next_nodes: NextNodeVectors, reasoner: Reasoner, embedder: Embedder
) -> int:
    """How many vectors are to be made: rounds, staged units and nodes."""
    wanting = next_vectors.wanting(user, fingerprint=embedder.fingerprint, reasoner=reasoner.name, version=reasoner.version)
    nodes = next_nodes.wanting(user, fingerprint=embedder.fingerprint)
    return len(wanting.rounds) + len(wanting.units) + len(nodes)


def reembed(
    user: UserId,
    *,
    people: People,
    log: MessageLog,
    staging: Staging,
    next_vectors: NextVectors,
    next_nodes: NextNodeVectors,
    reader: GraphReader,
    write_turn: WriteTurn,
    reasoner: Reasoner,
    embedder: Embedder,
    id_key: IdKey,
    clock: Clock,
    params: ReembedParams,
    progress: Progress = lambda _: None,
) -> Reembedded:
    """Makes every vector of the person anew where it is not this embedder's, then switches.

    Raises:
        DependencyDown: the embedder does not answer; what is made stays, the old vectors serve.
        StoreBusy: the person was written all the time; the same call goes on from there.
        LeaseLost: another writer was quicker than our lease lasts; as above.
    """
    work = _Reembedding(
        user,
        people=people,
        log=log,
        staging=staging,
        next_vectors=next_vectors,
        next_nodes=next_nodes,
        reader=reader,
        write_turn=write_turn,
        reasoner=reasoner,
        embedder=embedder,
        id_key=id_key,
        clock=clock,
        params=params,
        progress=progress,
    )
    return work.run()


class _Reembedding:
    """One call of ``reembed``."""

    def __init__(
        self,
        user: UserId,
        *,
        people: People,
        log: MessageLog,
        staging: Staging,
        next_vectors: NextVectors,
        next_nodes: NextNodeVectors,
        reader: GraphReader,
        write_turn: WriteTurn,
        reasoner: Reasoner,
        embedder: Embedder,
        id_key: IdKey,
        clock: Clock,
        params: ReembedParams,
        progress: Progress,
    ) -> None:
        self._user = user
        self._people = people
        self._log = log
        self._staging = staging
        self._next = next_vectors
        self._next_nodes = next_nodes
        self._reader = reader
        self._write_turn = write_turn
        self._embedder = embedder
        self._id_key = id_key
        self._clock = clock
        self._params = params
        self._progress = progress
        self._fingerprint = embedder.fingerprint
        self._reasoner, self._version = reasoner.name, reasoner.version
        # what stays without a vector: the embedder has none for these, or the log says something else by now
        self._no_rounds: set[MessageId] = set()
        self._no_units: set[str] = set()
        self._no_nodes: set[NodeId] = set()
        self._unusable = 0

    def run(self) -> Reembedded:
        rounds = units = nodes = 0
        for _ in range(self._params.overtaken + 1):
            person = self._people.person(self._user)
            wanting = self._next.wanting(
                self._user, fingerprint=self._fingerprint, reasoner=self._reasoner, version=self._version
            )
            rounds += self._make_rounds({m: t for m, t in wanting.rounds.items() if m not in self._no_rounds})
            units += self._make_units([unit for unit in wanting.units if unit not in self._no_units])
            lacking = self._next_nodes.wanting(self._user, fingerprint=self._fingerprint)
            nodes += self._make_nodes([node for node in lacking if node not in self._no_nodes])
            switched = self._switch(person.log_version)
            if switched is not None:
                return Reembedded(rounds, units, nodes, self._unusable, switched)
        raise StoreBusy(f"person {self._user} was written all the while; their new vectors are kept, run reembed again")

    # -- rounds -------------------------------------------------------------------------

    def _make_rounds(self, wanting: Mapping[MessageId, str]) -> int:
        made = 0
        for batch in _batches(list(self._turns(wanting)), self._params.batch):
            ids = {ref.id for own, previous in batch for ref in (own, previous) if ref is not None}
            messages = self._log.messages(self._user, sorted(ids))
            texts = [
                embedded_text(messages[own.id], None if previous is None else messages[previous.id]) for own, previous in batch
            ]
            vectors: dict[MessageId, tuple[str, NDArray[np.float32]]] = {}
            for (own, _), vector in zip(batch, self._embedded(texts), strict=True):
                if vector is None:
                    self._no_rounds.add(own.id)
                else:
                    vectors[own.id] = (wanting[own.id], vector)
            self._next.put_rounds(self._user, vectors, fingerprint=self._fingerprint, dimension=self._embedder.dimension)
            made += len(vectors)
            self._progress(len(batch))
        return made

    def _turns(self, wanting: Mapping[MessageId, str]) -> Iterator[tuple[MessageRef, MessageRef | None]]:
        """Each turn with the one its vector stands for too; not those whose words have changed since their round was kept,
        which the next ingest keeps anew.
        """
        by_conversation: dict[str, list[MessageRef]] = {}
        for ref in self._log.refs(self._user) if wanting else ():
            by_conversation.setdefault(ref.conversation, []).append(ref)
        for theirs in by_conversation.values():
            for refs in unit_refs(theirs, params=self._params.sessions):
                own, previous = refs[-1], previous_turn(refs)
                if own.id in wanting:
                    if wanting[own.id] == round_id(self._id_key, own, previous):
                        yield own, previous
                    else:
                        self._no_rounds.add(own.id)

    # -- what waits to be formed, or formed again ---------------------------------------

    def _make_units(self, wanting: Sequence[str]) -> int:
        made = 0
        for batch in _batches(wanting, self._params.batch):
            staged = list(self._staging.units(self._user, batch, reasoner=self._reasoner, version=self._version))
            texts = [candidate.content for unit in staged for candidate in unit.extraction.candidates]
            found = iter(self._embedded(texts))
            vectors: dict[str, NDArray[np.float32]] = {}
            for unit in staged:
                own = [vector for _ in unit.extraction.candidates if (vector := next(found)) is not None]
                if len(own) == len(unit.extraction.candidates):
                    vectors[unit.extraction.unit_id] = calibrated(np.stack(own), self._embedder.mean)
                else:
                    self._no_units.add(unit.extraction.unit_id)
            self._next.put_units(
                self._user,
                vectors,
                reasoner=self._reasoner,
                version=self._version,
                fingerprint=self._fingerprint,
                dimension=self._embedder.dimension,
            )
            made += len(vectors)
            self._progress(len(batch))
        return made

    # -- nodes --------------------------------------------------------------------------

    def _make_nodes(self, wanting: Sequence[NodeId]) -> int:
        made = 0
        for batch in _batches(wanting, self._params.batch):
            nodes = list(self._reader.nodes(self._user, batch).values())
            vectors: dict[NodeId, tuple[str, NDArray[np.float32]]] = {}
            for node, vector in zip(nodes, self._embedded([node.content for node in nodes]), strict=True):
                if vector is None:
                    self._no_nodes.add(node.id)
                else:
                    vectors[node.id] = (node.content, calibrated(vector, self._embedder.mean))
            # the lease is held for a transaction only: nobody waits while texts are embedded
            with self._write_turn.hold(self._user) as turn:
                self._next_nodes.put_ahead(
                    self._user,
                    vectors,
                    fingerprint=self._fingerprint,
                    dimension=self._embedder.dimension,
                    token=turn.token,
                )
            made += len(vectors)
            self._progress(len(batch))
        return made

    # -- the switch ---------------------------------------------------------------------

    def _switch(self, log_version: int) -> bool | None:
        """Whether anything was put in its place; None where something new came in between."""
        with self._write_turn.hold(self._user) as turn:
            head = self._reader.head(self._user)
            foreign = head.fingerprint not in (None, self._fingerprint)
            graph_waits = foreign or self._next_nodes.ahead(self._user) > 0
            person = self._people.person(self._user)
            wanting = self._next.wanting(
                self._user, fingerprint=self._fingerprint, reasoner=self._reasoner, version=self._version
            )
            ledger_waits = wanting.ahead > 0 or person.fingerprint not in (None, self._fingerprint)
            if graph_waits:
                revision = head.revision
                pass_id = self._id_key.hash("pass", KIND, self._fingerprint, revision.epoch, revision.n)
                done = self._next_nodes.switch(
                    self._user,
                    fingerprint=self._fingerprint,
                    dimension=self._embedder.dimension,
                    token=turn.token,
                    key=WriteKey(self._user, KIND, pass_id, "switch", VERSION),
                    action=Action(KIND, "embedder_changed" if foreign else "vectors_missing", (), {}),
                    now=self._clock.now(),
                    without=frozenset(self._no_nodes),
                )
                if not done:
                    return None
            elif set(self._next_nodes.wanting(self._user, fingerprint=self._fingerprint)) - self._no_nodes:
                return None
            if ledger_waits and not self._next.switch(
                self._user,
                fingerprint=self._fingerprint,
                dimension=self._embedder.dimension,
                log_version=log_version,
                reasoner=self._reasoner,
                version=self._version,
                without=frozenset(self._no_units),
            ):
                return None
            return graph_waits or ledger_waits

    def _embedded(self, texts: Sequence[str]) -> list[NDArray[np.float32] | None]:
        """Raises DependencyDown where the embedder is away: only what it has no vector for stays without one."""
        vectors = embedded_apart(self._embedder, texts)
        self._unusable += sum(vector is None for vector in vectors)
        return vectors


def _batches(items: Sequence[_T], size: int) -> Iterator[Sequence[_T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]
