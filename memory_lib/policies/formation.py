"""Formation: from candidates to nodes, in event order (DESIGN §2, §3; CONTRACTS, Time and weight).

A pure fold. The same units in the same order give the same graph, whether they came in one import or in ten, and whether the
state was carried along or rebuilt from the stored graph. Nothing here looks at weights, recorded times or the clock: what a
node weighs is a fold of its own (``policies.weight_fold``), laid over what is formed here.

Each candidate is *created* (a new node), *attached* (a mention of a known one), or *skipped* with a reason. A new value of a
single-valued slot closes the old one; it never overwrites.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.candidates import (
    OTHERS,
    SELF,
    Candidate,
    EdgeType,
    Extraction,
    Modality,
    NodeType,
    Relation,
    Slot,
    Span,
)
from memory_lib.domain.changes import Action
from memory_lib.domain.ids import EdgeId, IdKey, MessageId, NodeId, edge_id
from memory_lib.domain.message import MessageRef, Role
from memory_lib.domain.node import Closure, Edge, Node, Proof, ProofKind, Weight
from memory_lib.domain.time import from_us
from memory_lib.policies.matching import (
    ATTACHABLE,
    Fingerprint,
    MatchingParams,
    fingerprint,
    name_key,
    plain_words,
    same_statement,
)

VERSION = "formation/1"
"""Part of every write key of formation; a rule that changes what is formed changes it."""

_UNSURE = frozenset(
    {
        Modality.HEDGED,
        Modality.PLANNED,
        Modality.WISHED,
        Modality.ORDERED,
        Modality.ASKED,
        Modality.CONDITIONAL,
        Modality.REPORTED,
        Modality.QUOTED,
        Modality.FICTIONAL,
        Modality.JOKING,
    }
)
"""Said this way, a new value proposes; it does not close what was asserted."""

_TARGET_ORDER: Mapping[EdgeType, tuple[NodeType, ...]] = {
    EdgeType.CAUSED_BY: (NodeType.EVENT, NodeType.FACT, NodeType.OPEN_LOOP, NodeType.EMOTIONAL_NOTE, NodeType.PERSON),
}
_ANY_ORDER = (NodeType.FACT, NodeType.EVENT, NodeType.EMOTIONAL_NOTE, NodeType.OPEN_LOOP, NodeType.PERSON)
"""Which node of an earlier message a relation means, by kind: a cause is rather something that happened than a person."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormationParams:
    """``creation_weight`` (CONTRACTS, Numbers) and the matching thresholds."""

    creation_weight: float
    matching: MatchingParams


@dataclass(frozen=True, slots=True, kw_only=True)
class FormationUnit:
    """One staged unit, ready to be formed.

    ``repeated``: the message says what another one said within the last minute (it proves, it does not weigh). ``audience``:
    who may read what is formed from it. ``vectors``: (candidates, d) calibrated float32, or None where the embedder was off.
    """

    message: MessageRef
    extraction: Extraction
    audience: tuple[str, ...]
    speaker: str | None
    repeated: bool
    vectors: NDArray[np.float32] | None


@dataclass(frozen=True, slots=True)
class UnitOutcome:
    """What one unit touched, by id (in order of first touch), the acts it implies (pins), and the decisions for the log."""

    nodes: tuple[NodeId, ...]
    edges: tuple[EdgeId, ...]
    acts: tuple[Act, ...]
    actions: tuple[Action, ...]


@dataclass(slots=True)
class _Known:
    """A node being formed: ``base`` is what messages alone say of it; weights, pins and corrections are laid over it later."""

    base: Node
    proofs: list[Proof]
    words: Fingerprint
    row: int


class _Vectors:
    """A growing matrix of node vectors; row −1 means the node has none."""

    def __init__(self) -> None:
        self._rows: NDArray[np.float32] | None = None
        self._count = 0

    def add(self, vector: NDArray[np.float32] | None) -> int:
        if vector is None:
            return -1
        if self._rows is None:
            self._rows = np.zeros((256, vector.shape[0]), dtype=np.float32)
        if vector.shape[0] != self._rows.shape[1]:
            return -1
        if self._count == self._rows.shape[0]:
            self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
        self._rows[self._count] = vector
        self._count += 1
        return self._count - 1

    def cosines(self, rows: Sequence[int], vector: NDArray[np.float32] | None) -> list[float | None]:
        if vector is None or self._rows is None or not rows or vector.shape[0] != self._rows.shape[1]:
            return [None] * len(rows)
        picked = np.asarray(rows)
        values = np.einsum("ij,j->i", self._rows[np.maximum(picked, 0)].astype(np.float64), vector.astype(np.float64))
        return [float(value) if row >= 0 else None for value, row in zip(values, rows, strict=True)]

    def row(self, row: int) -> NDArray[np.float32] | None:
        return None if row < 0 or self._rows is None else self._rows[row]


@dataclass(slots=True)
class _Graph:
    """What has been formed so far, and where a candidate's counterpart is looked for."""

    key: IdKey
    params: FormationParams
    known: dict[NodeId, _Known] = field(default_factory=dict)
    edges: dict[EdgeId, Edge] = field(default_factory=dict)
    vectors: _Vectors = field(default_factory=_Vectors)
    by_bucket: dict[tuple[object, ...], list[NodeId]] = field(default_factory=lambda: defaultdict(list))
    by_slot: dict[tuple[object, ...], list[NodeId]] = field(default_factory=lambda: defaultdict(list))
    persons: dict[tuple[object, ...], list[NodeId]] = field(default_factory=lambda: defaultdict(list))
    by_message: dict[MessageId, list[NodeId]] = field(default_factory=lambda: defaultdict(list))

    def add(self, node: Node, vector: NDArray[np.float32] | None) -> None:
        """Takes a node in, and files it under everything it is looked for by."""
        known = _Known(base=node, proofs=list(node.proofs), words=fingerprint(node.content), row=self.vectors.add(vector))
        self.known[node.id] = known
        if node.type is NodeType.PERSON:
            self.persons[(_person_name(node.attributes, node.content), node.audience)].append(node.id)
        else:
            self.by_bucket[(node.type, node.about, node.audience, node.polarity)].append(node.id)
        if node.slot is not None:
            self.by_slot[(node.slot.key, node.about, node.audience)].append(node.id)
        for proof in node.proofs:
            if node.id not in self.by_message[proof.span.message]:
                self.by_message[proof.span.message].append(node.id)


class FormationState:
    """The graph as messages alone form it. Built empty (replay) or from a stored graph (the next units)."""

    def __init__(self, *, key: IdKey, params: FormationParams) -> None:
        self._graph = _Graph(key, params)

    # -- building -----------------------------------------------------------------------

    @classmethod
    def from_graph(
        cls,
        nodes: Iterable[Node],
        edges: Iterable[Edge],
        vectors: Mapping[NodeId, NDArray[np.float32]],
        *,
        key: IdKey,
        params: FormationParams,
    ) -> FormationState:
        """``nodes`` as messages formed them (``policies.overlay.stripped``); derived nodes of sleep take no part in
        formation.
        """
        state = cls(key=key, params=params)
        for node in sorted((n for n in nodes if n.proofs and not n.is_inference), key=lambda n: (n.proofs[0].order, n.id)):
            state._graph.add(node, vectors.get(node.id))
        for edge in edges:
            if not edge.is_inferred:
                state._graph.edges[edge.id] = edge
        return state

    def base(self, node: NodeId) -> Node:
        """The node as messages alone say it, with all its proofs in event order."""
        known = self._graph.known[node]
        return replace(known.base, proofs=tuple(sorted(known.proofs, key=lambda p: p.order)))

    def edge(self, edge: EdgeId) -> Edge:
        return self._graph.edges[edge]

    def vector(self, node: NodeId) -> NDArray[np.float32] | None:
        return self._graph.vectors.row(self._graph.known[node].row)

    @property
    def node_ids(self) -> tuple[NodeId, ...]:
        return tuple(self._graph.known)

    @property
    def edge_ids(self) -> tuple[EdgeId, ...]:
        return tuple(self._graph.edges)

    # -- one step -----------------------------------------------------------------------

    def step(self, unit: FormationUnit, *, now: datetime) -> UnitOutcome:
        """Forms one unit. Units must come in event order. ``now`` is only written down as the recorded time."""
        return _Step(self._graph, unit, now).run()


def _person_name(attributes: Mapping[str, str], content: str) -> str:
    """The key a person is found by: the name, else the relation words ("мама", "my boss")."""
    return name_key(attributes.get("name") or attributes.get("relation") or content)


def _slot_value(slot: Slot) -> str:
    return plain_words(slot.value)


class _Step:
    """One unit being formed: the scratch of ``FormationState.step``."""

    def __init__(self, graph: _Graph, unit: FormationUnit, now: datetime) -> None:
        self._graph = graph
        self._unit = unit
        self._now = now
        self._nodes: dict[NodeId, None] = {}
        self._edges: dict[EdgeId, None] = {}
        self._acts: list[Act] = []
        self._actions: list[Action] = []
        self._at = from_us(unit.message.at_us, unit.message.offset)

    def run(self) -> UnitOutcome:
        candidates = self._unit.extraction.candidates
        order = sorted(
            range(len(candidates)),
            key=lambda i: (
                candidates[i].type is not NodeType.PERSON,
                candidates[i].start,
                candidates[i].end,
                self._id(candidates[i]),
            ),
        )
        placed: dict[int, NodeId] = {}
        for index in order:
            node = self._place(candidates[index], self._vector(index))
            if node is not None:
                placed[index] = node
        for relation in self._unit.extraction.relations:
            self._relate(relation, placed)
        return UnitOutcome(tuple(self._nodes), tuple(self._edges), tuple(self._acts), tuple(self._actions))

    def _vector(self, index: int) -> NDArray[np.float32] | None:
        vectors = self._unit.vectors
        return None if vectors is None else vectors[index]

    # -- nodes --------------------------------------------------------------------------

    def _place(self, candidate: Candidate, vector: NDArray[np.float32] | None) -> NodeId | None:
        about, about_name = self._resolve(candidate.about, candidate)
        holder, _ = self._resolve(candidate.holder, candidate)
        if candidate.type is NodeType.PERSON:
            match, reason = self._known_person(candidate)
        else:
            match, reason = self._known_statement(candidate, about, vector)
        if match is not None:
            return self._attach(match, candidate, reason)
        node = self._create(candidate, vector, about=about, about_name=about_name or candidate.about_name, holder=holder)
        if node is not None and candidate.slot is not None:
            self._close_older(node, candidate, about)
        return node

    def _resolve(self, who: str, candidate: Candidate) -> tuple[str, str | None]:
        """``self``, ``others`` or a person's node id, and the name where there is one."""
        if not who.startswith("person:"):
            return who, None
        name = who.removeprefix("person:")
        graph, audience = self._graph, self._unit.audience
        ids = graph.persons.get((name_key(name), audience))
        if ids:
            return ids[-1], name
        if name == self._unit.speaker and self._unit.message.role is Role.OTHER:
            return self._speaker(name, candidate), name
        return OTHERS, name

    def _speaker(self, name: str, candidate: Candidate) -> NodeId:
        """A partner in the chat becomes a person by the first words that say something of them."""
        person = Candidate(
            type=NodeType.PERSON,
            content=name,
            start=candidate.start,
            end=candidate.end,
            rule="person.speaker/1",
            confidence=1.0,
            attributes={"name": name},
            about=SELF,
        )
        created = self._create(person, None, about=SELF, about_name=name, holder=SELF)
        if created is None:  # the same words made this person before
            return self._id(person)
        return created

    def _id(self, candidate: Candidate) -> NodeId:
        rule = candidate.rule if candidate.slot is None else f"{candidate.rule}:{candidate.slot.key}"
        return self._graph.key.node(candidate.type.value, self._unit.message.id, candidate.start, candidate.end, rule)

    def _known_person(self, candidate: Candidate) -> tuple[NodeId | None, str]:
        graph = self._graph
        relation = candidate.attributes.get("relation", "")
        for node in graph.persons.get((_person_name(candidate.attributes, candidate.content), self._unit.audience), ()):
            known = graph.known[node].base.attributes.get("relation", "")
            if not relation or not known or plain_words(relation) == plain_words(known):
                return node, "same_person"
        return None, ""

    def _known_statement(
        self, candidate: Candidate, about: str, vector: NDArray[np.float32] | None
    ) -> tuple[NodeId | None, str]:
        graph, audience = self._graph, self._unit.audience
        if candidate.slot is not None:
            for node in reversed(graph.by_slot.get((candidate.slot.key, about, audience), ())):
                base = graph.known[node].base
                if (
                    base.slot is not None
                    and base.closure is None
                    and base.type is candidate.type
                    and base.polarity == candidate.polarity
                    and _slot_value(base.slot) == _slot_value(candidate.slot)
                ):
                    return node, "same_slot_value"
        if candidate.type not in ATTACHABLE:
            return None, ""
        ids = [
            node
            for node in graph.by_bucket.get((candidate.type, about, audience, candidate.polarity), ())
            if graph.known[node].base.closure is None and not self._slots_differ(candidate, graph.known[node].base)
        ]
        words = fingerprint(candidate.content)
        cosines = graph.vectors.cosines([graph.known[node].row for node in ids], vector)
        best: tuple[float, int] | None = None
        found: tuple[NodeId | None, str] = (None, "")
        for position, (node, cosine) in enumerate(zip(ids, cosines, strict=True)):
            reason = same_statement(words, graph.known[node].words, cosine=cosine, params=graph.params.matching)
            rank = (2.0 if reason == "same_words" else round(cosine or 0.0, 4), -position)
            if reason is not None and (best is None or rank > best):
                best, found = rank, (node, reason)
        return found

    @staticmethod
    def _slots_differ(candidate: Candidate, base: Node) -> bool:
        one, other = candidate.slot, base.slot
        if one is None or other is None:
            return (one is None) != (other is None)
        return one.key != other.key or _slot_value(one) != _slot_value(other)

    def _proof(self, start: int, end: int, kind: ProofKind, *, weighed: bool) -> Proof:
        message, extraction = self._unit.message, self._unit.extraction
        return Proof(
            span=Span(message.id, start, end),
            at_us=message.at_us,
            offset=message.offset,
            kind=kind,
            weighed=weighed,
            reasoner=extraction.reasoner,
            version=extraction.version,
        )

    def _create(
        self, candidate: Candidate, vector: NDArray[np.float32] | None, *, about: str, about_name: str | None, holder: str
    ) -> NodeId | None:
        graph, extraction = self._graph, self._unit.extraction
        node_id = self._id(candidate)
        if node_id in graph.known:
            self._actions.append(Action("skip", "same_words_same_rule", (node_id,)))
            return None
        node = Node(
            id=node_id,
            type=candidate.type,
            content=candidate.content,
            weight=Weight(graph.params.creation_weight, self._unit.message.at_us),
            decay=1.0,
            created_at=self._at,
            last_reinforced_at=self._at,
            recorded_at=self._now,
            confidence=candidate.confidence,
            importance=candidate.importance,
            valence=candidate.valence,
            intensity=candidate.intensity,
            stated=candidate.stated,
            topic=candidate.topic,
            slot=candidate.slot,
            audience=self._unit.audience,
            due=candidate.due,
            attributes=dict(candidate.attributes),
            modality=candidate.modality,
            polarity=candidate.polarity,
            holder=holder,
            about=about,
            about_name=about_name,
            rule=candidate.rule,
            reasoner=extraction.reasoner,
            version=extraction.version,
            language=extraction.language,
            valid_from=candidate.valid_from or self._at.isoformat(),
            precision=candidate.precision,
            ends=candidate.ends,
            proofs=(self._proof(candidate.start, candidate.end, ProofKind.CREATED, weighed=False),),
        )
        graph.add(node, vector)
        self._nodes[node_id] = None
        self._actions.append(Action("create", candidate.rule, (node_id,)))
        if candidate.pinned:
            self._pin(node_id)
        return node_id

    def _attach(self, node: NodeId, candidate: Candidate, reason: str) -> NodeId:
        known = self._graph.known[node]
        message = self._unit.message
        same_message = [proof for proof in known.proofs if proof.span.message == message.id]
        if any(proof.span.start == candidate.start and proof.span.end == candidate.end for proof in same_message):
            self._actions.append(Action("skip", "same_words_same_node", (node,)))
            return node
        weighed = message.role is Role.USER and not self._unit.repeated and not same_message
        known.proofs.append(self._proof(candidate.start, candidate.end, ProofKind.MENTION, weighed=weighed))
        missing = {key: value for key, value in candidate.attributes.items() if key not in known.base.attributes}
        known.base = replace(
            known.base,
            confidence=max(known.base.confidence, candidate.confidence),
            attributes={**known.base.attributes, **missing},
        )
        if node not in self._graph.by_message[message.id]:
            self._graph.by_message[message.id].append(node)
        self._nodes[node] = None
        self._actions.append(Action("attach", reason, (node,)))
        if candidate.pinned:
            self._pin(node)
        return node

    def _pin(self, node: NodeId) -> None:
        """What is asked to be remembered is pinned by the message's own time; the act's id names both, so a replay makes the
        same act.
        """
        self._acts.append(
            Act(
                id=self._graph.key.hash("act", "pin", node, self._unit.message.id),
                node=node,
                kind=ActKind.PIN,
                at=self._at,
                recorded_at=self._now,
            )
        )
        self._actions.append(Action("pin", "asked_to_remember", (node,)))

    def _close_older(self, node: NodeId, candidate: Candidate, about: str) -> None:
        """A new value of a single-valued slot, or the denial of a value, ends the older statement (DESIGN §3, Two times)."""
        slot = candidate.slot
        if slot is None or _UNSURE.intersection(candidate.modality) or candidate.attributes.get("tense") == "past":
            return
        graph = self._graph
        for other in graph.by_slot.get((slot.key, about, self._unit.audience), ()):
            known = graph.known[other]
            base = known.base
            if other == node or base.closure is not None or base.slot is None or not base.polarity:
                continue
            same_value = _slot_value(base.slot) == _slot_value(slot)
            ends = (slot.single and not same_value) if candidate.polarity else same_value
            if not ends:
                continue
            known.base = replace(
                base,
                closure=Closure(
                    valid_until=candidate.valid_from or self._at.isoformat(),
                    by_message=self._unit.message.id,
                    at_us=self._unit.message.at_us,
                    recorded_at=self._now,
                ),
            )
            self._nodes[other] = None
            self._actions.append(Action("close", "new_value" if candidate.polarity else "denied", (other, node)))
            self._link(node, other, EdgeType.CONTRADICTS, candidate.confidence, candidate.start, candidate.end, "slot.update/1")

    # -- edges --------------------------------------------------------------------------

    def _relate(self, relation: Relation, placed: Mapping[int, NodeId]) -> None:
        source = placed.get(relation.source)
        target = (
            placed.get(relation.target) if isinstance(relation.target, int) else self._node_of(relation.target, relation.type)
        )
        if source is None or target is None or source == target:
            self._actions.append(Action("skip", "relation_without_two_ends", tuple(n for n in (source, target) if n)))
            return
        self._link(source, target, relation.type, relation.confidence, relation.start, relation.end, relation.rule)

    def _node_of(self, message: MessageId, edge_type: EdgeType) -> NodeId | None:
        graph = self._graph
        order = _TARGET_ORDER.get(edge_type, _ANY_ORDER)

        def place(node: NodeId) -> tuple[int, int, NodeId]:
            known = graph.known[node]
            start = min(proof.span.start for proof in known.proofs if proof.span.message == message)
            return (order.index(known.base.type), start, node)

        ids = [n for n in graph.by_message.get(message, ()) if graph.known[n].base.audience == self._unit.audience]
        return min(ids, key=place, default=None)

    def _link(
        self, source: NodeId, target: NodeId, edge_type: EdgeType, confidence: float, start: int, end: int, rule: str
    ) -> None:
        graph, extraction = self._graph, self._unit.extraction
        proof = self._proof(start, end, ProofKind.MENTION, weighed=False)
        ident = edge_id(source, edge_type, target)
        known = graph.edges.get(ident)
        if known is None:
            edge = Edge(
                source=source,
                target=target,
                type=edge_type,
                confidence=confidence,
                is_inferred=False,
                created_at=self._at,
                recorded_at=self._now,
                audience=self._unit.audience,
                rule=rule,
                reasoner=extraction.reasoner,
                version=extraction.version,
                valid_from=self._at.isoformat(),
                proofs=(replace(proof, kind=ProofKind.CREATED),),
            )
            self._actions.append(Action("link", rule, (ident,)))
        elif any(p.span == proof.span for p in known.proofs):
            return
        else:
            edge = replace(known, confidence=max(known.confidence, confidence), proofs=(*known.proofs, proof))
            self._actions.append(Action("link_again", rule, (ident,)))
        graph.edges[ident] = edge
        self._edges[ident] = None
