"""What the composer takes and gives: a recalled part of the graph, and prose with the nodes each line rests on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from memory_lib.domain.candidates import EdgeType, Modality, NodeType, Precision, Valence
from memory_lib.domain.node import NodeState

TokenCounter = Callable[[str], int]
"""A text's own tokens. Must be additive: a text's count is at most the sum of its parts', split at white space."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposableNode:
    """What the composer needs of one node. ``score`` is the ranking's for this message, ``weight`` the faded one at ``now``.

    ``created_at``, ``valid_from``, ``valid_until`` and ``due`` are aware instants on the person's own clock. ``about_name`` is
    None where the person speaks of themself. ``own_words`` is False where ``content`` is rendered from a template (hypotheses,
    and facts that came of one): it is then never presented as said.
    """

    id: str
    type: NodeType
    content: str
    weight: float
    score: float
    created_at: datetime
    valence: Valence = Valence.NEUTRAL
    state: NodeState = NodeState.STABLE
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    precision: Precision = Precision.DAY
    due: datetime | None = None
    about_self: bool = True
    about_name: str | None = None
    modality: tuple[Modality, ...] = (Modality.ASSERTED,)
    polarity: bool = True
    confidence: float = 1.0
    is_inference: bool = False
    is_pinned: bool = False
    own_words: bool = True
    attributes: Mapping[str, str] = field(default_factory=dict)
    slot_key: str | None = None
    slot_value: str | None = None


@dataclass(frozen=True, slots=True)
class ComposableEdge:
    """A relation between two of the nodes; ``caused_by`` runs from effect to cause."""

    source: str
    target: str
    type: EdgeType
    confidence: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ComposeParams:
    """The composer's numbers.

    ``budget``: tokens of the whole composition. ``max_nodes``: the strongest that are looked at. ``quote_chars``: a quote's
    length at most; ``short_quote_chars`` where a whole chain would not fit otherwise. ``pinned_share``: of the budget, what
    pinned nodes may take before the others. ``per_line``: statements of one kind in a line. ``person_links``: statements told
    with a person. ``extra_causes``: further causes told beside a chain's own. ``sure_from``: a relation of less confidence is
    told with "perhaps". ``unsure_below``: a node of less confidence is told as not understood for sure. ``smallest_line``: with
    fewer tokens left nothing more is tried, nor after ``misses`` statements in a row that found no room.
    """

    budget: int
    max_nodes: int
    quote_chars: int
    short_quote_chars: int
    pinned_share: float
    per_line: int
    person_links: int
    extra_causes: int
    sure_from: float
    unsure_below: float
    smallest_line: int
    misses: int


@dataclass(frozen=True, slots=True)
class Line:
    """One line of prose and the ids of the nodes it tells."""

    text: str
    nodes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands before and after the lines."""

    opening: str
    closing: str


@dataclass(frozen=True, slots=True)
class Composition:
    """Prose, line by line.

    ``text`` = the frame round the lines, or "" where there is nothing to tell. ``tokens`` is the sum over frame and lines;
    with what was reserved it is at most the budget. ``dropped``: ids of nodes that no line tells, strongest first.
    """

    frame: Frame
    lines: tuple[Line, ...]
    text: str
    tokens: int
    dropped: tuple[str, ...]
