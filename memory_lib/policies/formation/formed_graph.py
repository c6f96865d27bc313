"""What has been formed so far, and where a candidate's counterpart is looked for.

Everything is looked up by key (kind, subject, audience, polarity, mood; slot; name; words; message), so that a step costs what
its neighbourhood costs. Only vectors are gone through, those of the same key (``bucket_vectors``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.candidates import EdgeType, Modality, NodeType
from memory_lib.domain.ids import EdgeId, IdKey, MessageId, NodeId
from memory_lib.domain.node import Edge, Node, Proof
from memory_lib.policies.formation.bucket_vectors import BucketVectors
from memory_lib.policies.formation.pointing import points
from memory_lib.policies.formation.statement_index import StatementIndex
from memory_lib.policies.formation.unit import FormationParams
from memory_lib.policies.matching import Fingerprint, fingerprint, mood
from memory_lib.policies.person_names import lookup_keys

Bucket = tuple[object, ...]


@dataclass(slots=True)
class KnownNode:
    """A node being formed: ``base`` is what messages alone say of it; weights, pins and corrections are laid over it later."""

    base: Node
    proofs: list[Proof]
    words: Fingerprint
    bucket: Bucket
    row: int

    @property
    def last_said(self) -> tuple[int, str, int, int]:
        """The order of its latest proof. Messages come in event order; of one message's proofs any may be the latest."""
        newest = self.proofs[-1].at_us
        return max(proof.order for proof in takewhile(lambda proof: proof.at_us == newest, reversed(self.proofs)))


def bucket_of(kind: NodeType, *, about: str, audience: tuple[str, ...], polarity: bool, modality: Sequence[Modality]) -> Bucket:
    """Statements that differ in any of these never meet."""
    return (kind, about, audience, polarity, mood(modality))


@dataclass(slots=True)
class FormedGraph:
    """Nodes and edges as messages alone form them, filed under everything they are looked for by.

    ``by_slot``: open values only. ``loops``: open ones; ``pointing``: of these, those that a pronoun stands in.
    """

    key: IdKey
    params: FormationParams
    known: dict[NodeId, KnownNode] = field(default_factory=dict)
    edges: dict[EdgeId, Edge] = field(default_factory=dict)
    vectors: dict[Bucket, BucketVectors] = field(default_factory=lambda: defaultdict(BucketVectors))
    by_words: dict[tuple[Bucket, str], list[NodeId]] = field(default_factory=lambda: defaultdict(list))
    by_slot: dict[tuple[object, ...], list[NodeId]] = field(default_factory=lambda: defaultdict(list))
    persons: dict[tuple[str, tuple[str, ...]], dict[NodeId, None]] = field(default_factory=lambda: defaultdict(dict))
    by_message: dict[MessageId, list[NodeId]] = field(default_factory=lambda: defaultdict(list))
    causes: dict[NodeId, list[NodeId]] = field(default_factory=lambda: defaultdict(list))
    loops: dict[NodeId, None] = field(default_factory=dict)
    pointing: dict[NodeId, None] = field(default_factory=dict)
    statements: StatementIndex = field(init=False)

    def __post_init__(self) -> None:
        self.statements = StatementIndex(self.params.closing.stems)

    def add(self, node: Node, vector: NDArray[np.float32] | None) -> None:
        """Takes a node in, and files it."""
        bucket = bucket_of(node.type, about=node.about, audience=node.audience, polarity=node.polarity, modality=node.modality)
        words = fingerprint(node.content)
        row = self.vectors[bucket].add(node.id, vector)
        self.known[node.id] = KnownNode(base=node, proofs=list(node.proofs), words=words, bucket=bucket, row=row)
        if node.type is NodeType.PERSON:
            self._file_person(node)
        else:
            self.by_words[(bucket, words.words)].append(node.id)
            self.statements.add(node)
        if node.type is NodeType.OPEN_LOOP and node.closure is None:
            self.loops[node.id] = None
            self._note_pointing(node)
        if node.slot is not None and node.closure is None:
            self.by_slot[(node.slot.key, node.about, node.audience)].append(node.id)
        for proof in node.proofs:
            if node.id not in self.by_message[proof.span.message]:
                self.by_message[proof.span.message].append(node.id)

    def shut(self, node: Node) -> None:
        """The node is closed: it is no longer open, and no longer a value of its slot that a newer one could end."""
        self.loops.pop(node.id, None)
        self.pointing.pop(node.id, None)
        if node.slot is not None:
            # a new list: whoever goes through the slot's values closes them on the way
            key = (node.slot.key, node.about, node.audience)
            self.by_slot[key] = [other for other in self.by_slot[key] if other != node.id]

    def _note_pointing(self, node: Node) -> None:
        if node.id in self.loops and points(node.content):
            self.pointing[node.id] = None
        else:
            self.pointing.pop(node.id, None)

    def _file_person(self, node: Node) -> None:
        for key in lookup_keys(node.attributes, node.content):
            self.persons[(key, node.audience)][node.id] = None

    def persons_called(self, key: str, audience: tuple[str, ...]) -> tuple[NodeId, ...]:
        """Whoever is filed under that key (``person_names.lookup_keys``); the order means nothing."""
        return tuple(self.persons.get((key, audience), ()))

    def know_better(self, node: Node) -> None:
        """A person is found by the names that were added, too."""
        self.known[node.id].base = node
        self._file_person(node)

    def reword(self, node: NodeId, base: Node, vector: NDArray[np.float32] | None) -> None:
        """The node says more than before: found by its new words from now on."""
        known = self.known[node]
        self.by_words[(known.bucket, known.words.words)].remove(node)
        known.base, known.words = base, fingerprint(base.content)
        self.statements.add(base)
        self._note_pointing(base)
        filed = self.by_words[(known.bucket, known.words.words)]
        filed.append(node)
        # as when filed anew from the stored graph: in the order of what made them
        filed.sort(key=lambda n: (self.known[n].proofs[0].order, n))
        if vector is not None and known.row >= 0:
            self.vectors[known.bucket].replace(known.row, vector)
        elif vector is not None:
            known.row = self.vectors[known.bucket].add(node, vector)

    def vector(self, node: NodeId) -> NDArray[np.float32] | None:
        known = self.known[node]
        return self.vectors[known.bucket].row(known.row)

    def cosine(self, node: NodeId, vector: NDArray[np.float32] | None) -> float | None:
        """Of a node's vector with this one, calibrated; None where either is missing."""
        known = self.known[node]
        return self.vectors[known.bucket].cosine(known.row, vector)

    def since(self, at_us: int) -> Iterator[NodeId]:
        """Nodes first said at that instant or later, the latest first."""
        for node in reversed(self.known):
            if self.known[node].proofs[0].at_us < at_us:
                return
            yield node

    def add_edge(self, edge: Edge) -> None:
        """Takes an edge in, or its newer form."""
        if edge.type is EdgeType.CAUSED_BY and edge.id not in self.edges:
            self.causes[edge.source].append(edge.target)
        self.edges[edge.id] = edge

    def leads_to(self, start: NodeId, end: NodeId) -> bool:
        """Whether causes lead from ``start`` back to ``end``."""
        waiting, seen = [start], {start}
        while waiting:
            node = waiting.pop()
            if node == end:
                return True
            fresh = [cause for cause in self.causes.get(node, ()) if cause not in seen]
            seen.update(fresh)
            waiting += fresh
        return False
