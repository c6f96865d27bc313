"""From a recalled part of the graph to prose for the assistant, without a model (seed §3.4; DESIGN §4, Recall).

Pure and deterministic: the same nodes, edges and instant give the same bytes, in whatever order they come. Strong ones first,
causal chains whole, every line names the nodes it rests on, never more than the token budget. What a person said stands quoted
inside fixed prose of the asked language (CONTRACTS, Language) and can neither close the frame nor look like it
(``memory_lib.reasoning.prose.quoting``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from memory_lib.reasoning.prose import prose_dates
from memory_lib.reasoning.prose.composable import (
    ComposableEdge,
    ComposableNode,
    ComposeParams,
    Composition,
    Frame,
    Line,
    TokenCounter,
)
from memory_lib.reasoning.prose.prose_templates import PROSE
from memory_lib.reasoning.prose.quoting import Language, one_line, quote
from memory_lib.reasoning.prose.sentences import Sentence, sentences, single
from memory_lib.reasoning.prose.statements import statements
from memory_lib.reasoning.prose.telling import Teller

__all__ = [
    "ComposableEdge", "ComposableNode", "ComposeParams", "Composition", "Frame", "Line", "TokenCounter",
    "compose", "hint_line", "question_line", "trigger_line",
]  # fmt: skip


def compose(  # noqa: PLR0913 - the graph, the reader and the budget; each is named at the call
    nodes: Iterable[ComposableNode],
    edges: Iterable[ComposableEdge],
    *,
    language: Language,
    now: datetime,
    count: TokenCounter,
    params: ComposeParams,
    before: Sequence[Line] = (),
    after: Sequence[Line] = (),
    reserved: int = 0,
) -> Composition:
    """The nodes as prose.

    ``before`` and ``after`` (``trigger_line``, ``question_line``, ``hint_line``) are put inside the frame as they are, before
    and after the nodes' lines, for as long as they fit; ``reserved`` tokens are kept free for what is added outside. Where not
    even the frame fits, the composition is empty.
    """
    prose = PROSE[language]
    frame = Frame(prose.opening.format(today=prose_dates.day(now, language=language)), prose.closing)
    ranked = _ranked(nodes)
    # a line is counted with its line break, so that a counter of characters is additive too
    room = params.budget - reserved - count(frame.opening + "\n") - count(frame.closing)
    first, room = _fitting(before, room=room, count=count)
    last, room = _fitting(after, room=room, count=count)
    told: tuple[Line, ...] = ()
    if room > 0:
        teller = Teller(prose=prose, language=language, now=now, params=params)
        units = sentences(statements(ranked[: params.max_nodes], params=params), edges, teller=teller)
        told = _told(units, room=room, count=count, teller=teller)
    lines = (*first, *told, *last)
    if not lines:
        return Composition(frame, (), "", 0, tuple(node.id for node in ranked))
    tokens = count(frame.opening + "\n") + count(frame.closing) + sum(count(line.text + "\n") for line in lines)
    seen = {node for line in lines for node in line.nodes}
    return Composition(
        frame,
        lines,
        "\n".join((frame.opening, *(line.text for line in lines), frame.closing)),
        tokens,
        tuple(node.id for node in ranked if node.id not in seen),
    )


def trigger_line(node: str, day: datetime, text: str, *, language: Language, now: datetime, quote_chars: int) -> Line:
    """A dated thing that is near: "Coming up, 28 May: “…”."."""
    when = prose_dates.moment(day, language=language, this_year=now.year)
    said = quote(text, limit=quote_chars, language=language)
    return Line(PROSE[language].trigger.format(day=when, text=said), (node,))


def question_line(nodes: Sequence[str], text: str, *, language: Language, quote_chars: int) -> Line:
    """A question that the assistant may ask when it fits; a candidate, not a task (seed §3.5.1)."""
    return Line(PROSE[language].question.format(text=quote(text, limit=quote_chars, language=language)), tuple(nodes))


def hint_line(text: str, *, language: Language) -> Line:
    """An operational hint of the collective layer: our own words, kept to one line."""
    return Line(PROSE[language].hint.format(text=one_line(text).rstrip(".")))


def _fitting(lines: Sequence[Line], *, room: int, count: TokenCounter) -> tuple[tuple[Line, ...], int]:
    """Those that fit one after the other, and the room they leave."""
    kept: list[Line] = []
    for line in lines:
        tokens = count(line.text + "\n")
        if tokens <= room:
            kept.append(line)
            room -= tokens
    return tuple(kept), room


def _ranked(nodes: Iterable[ComposableNode]) -> list[ComposableNode]:
    """Strongest first; the rest of the key makes the order total. Of two under one id the stronger stays."""

    def strength(node: ComposableNode) -> tuple[bool, float, float, float, str, str]:
        return (not node.is_pinned, -node.score, -node.weight, -node.created_at.timestamp(), node.id, node.content)

    by_id: dict[str, ComposableNode] = {}
    for node in sorted(nodes, key=strength):
        by_id.setdefault(node.id, node)
    return list(by_id.values())


@dataclass(slots=True, eq=False)
class _Draft:
    """A line in the making: single statements under one head, or one finished sentence."""

    head: str | None
    parts: list[str]
    units: list[Sentence]


@dataclass(slots=True, eq=False)
class _Page:
    """What has been placed so far, and how many tokens are left."""

    left: int
    count: TokenCounter
    per_line: int
    drafts: list[_Draft] = field(default_factory=list)
    open: dict[str, _Draft] = field(default_factory=dict)

    def place(self, unit: Sentence, limit: int, chars: int) -> bool:
        """Whether ``unit`` with quotes of ``chars`` characters took a place of at most ``limit`` tokens."""
        text = unit.render(chars)
        if unit.head is None:
            cost = self.count(text + "\n")
            if cost <= limit:
                self.drafts.append(_Draft(None, [text], [unit]))
                self.left -= cost
            return cost <= limit
        draft = self.open.get(unit.head)
        if draft is not None and len(draft.parts) >= self.per_line:
            draft = None
        cost = self.count(text + "; ") + (0 if draft is not None else self.count(unit.head + ":\n"))
        if cost > limit:
            return False
        if draft is None:
            draft = self.open[unit.head] = _Draft(unit.head, [], [])
            self.drafts.append(draft)
        draft.parts.append(text)
        draft.units.append(unit)
        self.left -= cost
        return True


def _told(units: Sequence[Sentence], *, room: int, count: TokenCounter, teller: Teller) -> tuple[Line, ...]:
    """Lines of the strongest units that fit in ``room`` tokens; pinned ones take ``pinned_share`` of it before the others.

    A chain, an update or a contradiction is told whole, if need be with shorter quotes, or not at all; only of a chain or an
    update that could never fit, the head is told as a statement of its own. Where statements merely stand together, the
    strongest may stand alone.
    """
    full, short = teller.params.quote_chars, teller.params.short_quote_chars
    page = _Page(left=room, count=count, per_line=teller.params.per_line)
    for_pinned = int(room * teller.params.pinned_share)
    waiting = [unit for unit in units if not (unit.pinned and page.place(unit, for_pinned - (room - page.left), full))]
    # the pinned ones that were too many wait behind what this message is about
    waiting.sort(key=lambda unit: (unit.pinned, unit.rank))
    for unit in waiting:
        if page.left < teller.params.smallest_line:
            break
        if page.place(unit, page.left, full) or unit.head is not None or page.place(unit, page.left, short):
            continue
        if unit.whole and count(unit.render(short) + "\n") <= room:
            continue
        alone = unit.alone
        if alone is not None and not any(alone in told.items for draft in page.drafts for told in draft.units):
            page.place(single(alone, teller), page.left, full)
    return _within(page.drafts, room=room, count=count)


def _within(drafts: list[_Draft], *, room: int, count: TokenCounter) -> tuple[Line, ...]:
    """The finished lines; should a counter find them longer than their parts, the weakest go until they fit."""
    drafts.sort(key=lambda draft: min((not unit.pinned, unit.rank) for unit in draft.units))
    lines = [_line(draft) for draft in drafts]
    tokens = [count(line.text + "\n") for line in lines]
    while lines and sum(tokens) > room:
        lines.pop()
        tokens.pop()
    return tuple(lines)


def _line(draft: _Draft) -> Line:
    nodes = tuple(dict.fromkeys(member.id for unit in draft.units for item in unit.items for member in item.members))
    text = draft.parts[0] if draft.head is None else f"{draft.head}: {'; '.join(draft.parts)}."
    return Line(text, nodes)
