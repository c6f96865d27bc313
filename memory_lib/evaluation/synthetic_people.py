"""People for measurements: words, vectors and graphs out of one seed, no text of a data set."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from memory_lib.bootstrap import Memory
from memory_lib.domain.candidates import EdgeType, NodeType, Span
from memory_lib.domain.changes import Revision
from memory_lib.domain.ids import MessageId, NodeId, UserId
from memory_lib.domain.message import Message, Role, SourceMessage
from memory_lib.domain.node import Edge, Node, Proof, ProofKind, Weight
from memory_lib.domain.time import to_us
from memory_lib.policies.stems import Stemmer
from memory_lib.ports.graph import AppliedKey, WholeGraph
from memory_lib.ports.ledger import StoredRound

START = datetime(2026, 1, 1, 9, tzinfo=UTC)
SYLLABLES = "ma re lo ti ka su ne vo da pi ру да ка ли мо на то ве си по".split()
NODE_TYPES = (NodeType.FACT, NodeType.EVENT, NodeType.PERSON, NodeType.OPEN_LOOP, NodeType.EMOTIONAL_NOTE)
EDGE_TYPES = tuple(EdgeType)


class Writer:
    """Words, vectors and choices out of one seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - synthetic text, no secret
        self._numbers = np.random.default_rng(seed)
        self._words = ["".join(self._chance.choices(SYLLABLES, k=3)) for _ in range(4000)]

    def words(self, count: int) -> str:
        return " ".join(self._chance.choices(self._words, k=count))

    def vectors(self, count: int, dimension: int) -> NDArray[np.float32]:
        """Unit rows, in all directions alike."""
        raw = self._numbers.standard_normal((count, dimension)).astype(np.float32)
        unit: NDArray[np.float32] = raw / np.linalg.norm(raw, axis=1, keepdims=True)
        return unit

    def choice(self, below: int) -> int:
        return self._chance.randrange(below)


class MadeVectors:
    """Implements ``ports.embedder.Embedder`` with vectors made beforehand: what is measured is measured without embedding."""

    def __init__(self, writer: Writer, *, dimension: int, kept: int = 512) -> None:
        self._vectors = writer.vectors(kept, dimension)
        self._at = 0

    @property
    def fingerprint(self) -> str:
        return f"synthetic/{self.dimension}"

    @property
    def dimension(self) -> int:
        return int(self._vectors.shape[1])

    @property
    def mean(self) -> NDArray[np.float32]:
        return np.zeros(self.dimension, np.float32)

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self._at = (self._at + len(texts)) % (len(self._vectors) - len(texts))
        return self._vectors[self._at : self._at + len(texts)]

    def count_tokens(self, text: str) -> int:
        return -(-len(text) // 4)


def said(name: str, *, count: int, writer: Writer) -> list[SourceMessage]:
    """A dialogue of two, a message each seven minutes."""
    return [
        SourceMessage(
            user=name,
            conversation="c",
            id=str(i),
            role=Role.USER if i % 2 == 0 else Role.OTHER,
            text=writer.words(18),
            time=START + timedelta(minutes=i * 7),
            speaker="one" if i % 2 == 0 else "two",
        )
        for i in range(count)
    ]


def on_record(memory: Memory, name: str, *, count: int, writer: Writer) -> tuple[UserId, list[Message]]:
    """A person with this many messages in the ledger, each with its round; no graph yet."""
    sources = said(name, count=count, writer=writer)
    memory.take_in(sources, source="benchmark")
    user = memory.user_id(name)
    messages = [source.identified(memory.bench.id_key) for source in sources]
    embedder = memory.bench.embedder
    stemmer = Stemmer(memory.settings.stems)
    kept = [
        StoredRound(m.id, f"{i:032x}", tuple(stemmer.stems(m.text)), m.speaker, vector)
        for i, (m, vector) in enumerate(zip(messages, writer.vectors(count, embedder.dimension), strict=True))
    ]
    for start in range(0, len(kept), 500):
        memory.bench.rounds.put(user, kept[start : start + 500], fingerprint=embedder.fingerprint, dimension=embedder.dimension)
    return user, messages


def node(number: int, messages: Sequence[Message], writer: Writer, *, id_: str | None = None) -> Node:
    """A node that one of the messages proves; its id is its number where none is given."""
    message = messages[number % len(messages)]
    proof = Proof(
        Span(MessageId(message.id), 0, len(message.text) // 2),
        message.at_us,
        0,
        ProofKind.CREATED,
        weighed=False,
        reasoner="bench",
        version="1",
    )
    at = message.time
    return Node(
        id=NodeId(f"{number:032x}" if id_ is None else id_),
        type=NODE_TYPES[number % len(NODE_TYPES)],
        content=writer.words(9),
        weight=Weight(1.0, to_us(at)),
        decay=0.99,
        created_at=at,
        last_reinforced_at=at,
        recorded_at=at,
        rule="bench/1",
        reasoner="bench",
        version="1",
        valid_from=at.isoformat(),
        proofs=(proof,),
    )


def edge(one: Node, other: Node, kind: EdgeType) -> Edge:
    """An edge that rests on what the first node rests on."""
    return Edge(
        source=one.id,
        target=other.id,
        type=kind,
        confidence=0.9,
        is_inferred=False,
        created_at=one.created_at,
        recorded_at=one.recorded_at,
        rule="bench/1",
        reasoner="bench",
        version="1",
        proofs=one.proofs,
    )


def whole_graph(
    messages: Sequence[Message], *, nodes: int, edges: int, dimension: int, fingerprint: str, writer: Writer
) -> WholeGraph:
    """That many nodes with unit vectors, edges between nodes at random, and a write key a node, as formation leaves them."""
    made = [node(i, messages, writer) for i in range(nodes)]
    linked: dict[str, Edge] = {}
    while len(linked) < edges:
        source, target = writer.choice(nodes), writer.choice(nodes)
        if source != target:
            link = edge(made[source], made[target], EDGE_TYPES[writer.choice(len(EDGE_TYPES))])
            linked[link.id] = link
    return WholeGraph(
        revision=Revision(1, nodes),
        fingerprint=fingerprint,
        dimension=dimension,
        nodes={one.id: one for one in made},
        edges={one.id: one for one in linked.values()},
        acts=(),
        renames={},
        vectors=dict(zip([one.id for one in made], writer.vectors(nodes, dimension), strict=True)),
        write_keys=tuple(AppliedKey(f"bench/{i}", f"{i:064x}", i + 1) for i in range(nodes)),
        outbox=(),
    )
