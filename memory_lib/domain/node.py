"""Nodes, edges, and the proofs they rest on (seed §3.2; CONTRACTS, Shapes).

A node is atomic. It never forgets where it came from: ``proofs`` are spans of stored messages; quotes are read from the
messages, never copied. Two times are kept apart: when it was true of the person (``valid_from`` … ``closure``), and when we
believed it (``recorded_at`` … ``retracted_at``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from memory_lib.domain.candidates import SELF, EdgeType, Modality, NodeType, Precision, Slot, Span, Topic, Valence
from memory_lib.domain.ids import EdgeId, MessageId, NodeId, edge_id
from memory_lib.errors import IllegalValue


class NodeState(StrEnum):
    """What is thought of a statement: it stands, weakens, is disputed, lost its words, or is out of the way."""

    STABLE = "stable"
    WEAKENED = "weakened"
    DISPUTED = "disputed"
    STALE = "stale"
    ARCHIVED = "archived"


class Flag(StrEnum):
    """Marks in clear beside a node; none says what was said."""

    OVER_LIMIT = "over_limit"
    PRIVATE = "private"
    DISPUTED = "disputed"


class ProofKind(StrEnum):
    """What a proof did to its node: made it, or mentioned it again (attach, refine). ``STALE``: its message was edited and says
    so no more; such a proof neither weighs nor supports.
    """

    CREATED = "created"
    MENTION = "mention"
    STALE = "stale"


@dataclass(frozen=True, slots=True)
class Proof:
    """One message's words under a node or edge, and the event time of those words.

    ``weighed`` False: kept as a source, without effect on the weight (an echo, a repeat within a minute, the 11th of a day).
    """

    span: Span
    at_us: int
    offset: int
    kind: ProofKind
    weighed: bool
    reasoner: str
    version: str

    @property
    def order(self) -> tuple[int, str, int, int]:
        return (self.at_us, self.span.message, self.span.start, self.span.end)


@dataclass(frozen=True, slots=True)
class Closure:
    """A later statement ended the validity of this one: from when, by which message, and when we learnt it."""

    valid_until: str
    by_message: MessageId
    at_us: int
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class Refinement:
    """A later message said more, or cast doubt: which one, when, and what each field said before (``attributes.<name>`` for an
    attribute, ``disputed``; "" for nothing). So the node can be shown as it was.
    """

    message: MessageId
    at_us: int
    before: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Archived:
    """Out of recall since ``at``, why, and by which batch (what ``undo`` names)."""

    at: datetime
    reason: str
    batch: str


@dataclass(frozen=True, slots=True)
class Weight:
    """A weight and the instant it was true of; read at another instant it fades (policies.decay)."""

    value: float
    at_us: int

    def __post_init__(self) -> None:
        if not 0.0 <= self.value <= 1.0:
            raise IllegalValue(f"weight {self.value} is outside 0..1")


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """One memory. ``proofs`` are in event order, the first one made it (derived nodes of sleep have none of their own).

    ``formed``: what messages say of the fields that a person corrected (field → text), so that a correction can be lifted off
    whatever was said meanwhile.
    """

    id: NodeId
    type: NodeType
    content: str
    weight: Weight
    decay: float
    created_at: datetime
    last_reinforced_at: datetime
    recorded_at: datetime
    retracted_at: datetime | None = None
    state: NodeState = NodeState.STABLE
    confidence: float = 1.0
    importance: float = 0.5
    valence: Valence = Valence.NEUTRAL
    intensity: float = 0.0
    stated: bool = True
    topic: Topic = Topic.OTHER
    slot: Slot | None = None
    audience: tuple[str, ...] = ("*",)
    flags: tuple[Flag, ...] = ()
    due: str | None = None
    attributes: Mapping[str, str] = field(default_factory=dict)
    modality: tuple[Modality, ...] = (Modality.ASSERTED,)
    polarity: bool = True
    holder: str = SELF
    about: str = SELF
    about_name: str | None = None
    is_inference: bool = False
    is_pinned: bool = False
    origin: str = "observed"
    rule: str
    reasoner: str
    version: str
    language: str = "en"
    valid_from: str | None = None
    precision: Precision = Precision.DAY
    ends: str | None = None
    closure: Closure | None = None
    archived: Archived | None = None
    refined: tuple[Refinement, ...] = ()
    formed: Mapping[str, str] = field(default_factory=dict)
    proofs: tuple[Proof, ...] = ()

    def __post_init__(self) -> None:
        if not self.is_inference and not self.proofs:
            raise IllegalValue(f"observed node {self.id} has no proof; what was said must say where")
        for name, value in (("confidence", self.confidence), ("importance", self.importance), ("intensity", self.intensity)):
            if not 0.0 <= value <= 1.0:
                raise IllegalValue(f"node {self.id}: {name} {value} is outside 0..1")
        if not 0.0 < self.decay <= 1.0:
            raise IllegalValue(f"node {self.id}: decay {self.decay} is outside (0, 1]")
        if (self.state is NodeState.ARCHIVED) != (self.archived is not None):
            raise IllegalValue(f"node {self.id}: state and archive record disagree")

    @property
    def surviving(self) -> tuple[Proof, ...]:
        """The proofs whose words still stand in their messages."""
        return tuple(proof for proof in self.proofs if proof.kind is not ProofKind.STALE)

    @property
    def live(self) -> bool:
        """CONTRACTS, Shapes: not closed, not retracted, stable or weakened."""
        return self.closure is None and self.retracted_at is None and self.state in (NodeState.STABLE, NodeState.WEAKENED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
    """A typed relation; its id is its own triple, so the same statement twice is the same edge with two proofs."""

    source: NodeId
    target: NodeId
    type: EdgeType
    confidence: float
    is_inferred: bool
    created_at: datetime
    recorded_at: datetime
    retracted_at: datetime | None = None
    state: NodeState = NodeState.STABLE
    audience: tuple[str, ...] = ("*",)
    rule: str
    reasoner: str
    version: str
    valid_from: str | None = None
    closure: Closure | None = None
    proofs: tuple[Proof, ...] = ()

    def __post_init__(self) -> None:
        if self.source == self.target:
            raise IllegalValue(f"edge {self.type} from node {self.source} to itself")
        if not 0.0 <= self.confidence <= 1.0:
            raise IllegalValue(f"edge confidence {self.confidence} is outside 0..1")
        if not self.is_inferred and not self.proofs:
            raise IllegalValue(f"observed edge {self.type} has no proof; what was said must say where")

    @property
    def id(self) -> EdgeId:
        return edge_id(self.source, self.type, self.target)
