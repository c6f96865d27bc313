"""What recall hands over: the context of one message, and what each line of it rests on (CONTRACTS, Shapes)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from memory_lib.domain.candidates import NodeType
from memory_lib.domain.changes import Revision
from memory_lib.domain.ids import MessageId, NodeId, SessionId


@dataclass(frozen=True, slots=True)
class Source:
    """Words of one stored message: ``quote`` is exactly ``text[start:end]`` of it. ``time`` dates the quote."""

    message: MessageId
    start: int
    end: int
    quote: str
    time: datetime


@dataclass(frozen=True, slots=True)
class ContextLine:
    """A line of prose and the nodes it rests on."""

    text: str
    nodes: tuple[NodeId, ...]


@dataclass(frozen=True, slots=True)
class RecalledNode:
    """``parts``: name → number, the terms of the score; filled when explaining."""

    id: NodeId
    type: NodeType
    content: str
    score: float
    sources: tuple[Source, ...]
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecalledRound:
    """Neighbouring messages handed over verbatim. ``parts``: the terms of the score, when explaining."""

    messages: tuple[MessageId, ...]
    session: SessionId | None
    time: datetime
    score: float
    text: str
    parts: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RecalledTrigger:
    """A dated thing that is near."""

    node: NodeId
    date: str
    text: str


@dataclass(frozen=True, slots=True)
class RecalledQuestion:
    """A question the assistant may ask when it fits."""

    id: str
    about: NodeId
    text: str


@dataclass(frozen=True, slots=True)
class RecalledHint:
    """Operational advice of the collective layer."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class Degraded:
    """A part that did not answer, and why, without words of a person."""

    part: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """``context`` = frame, prose, triggers, questions, hints: at most 400 tokens. ``rounds_text`` apart. ``timings`` in ms.

    ``turns``: every turn the rounds arm ranked, best first, as (message, score): what evaluation counts.
    """

    context: str
    lines: tuple[ContextLine, ...]
    rounds_text: str
    tokens: int
    items: tuple[RecalledNode, ...]
    rounds: tuple[RecalledRound, ...]
    triggers: tuple[RecalledTrigger, ...] = ()
    questions: tuple[RecalledQuestion, ...] = ()
    hints: tuple[RecalledHint, ...] = ()
    degraded: tuple[Degraded, ...] = ()
    revision: Revision = Revision(0, 0)  # noqa: RUF009 - frozen
    timings: Mapping[str, float] = field(default_factory=dict)
    turns: tuple[tuple[MessageId, float], ...] = ()
    explained: bool = False
