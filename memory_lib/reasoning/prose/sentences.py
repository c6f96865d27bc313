"""What is told together: a chain of causes, a value and its former ones, contradictions, a person and what goes with them.

Causal chains are whole (seed §3.4: kept intact; DESIGN §4, Recall).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

from memory_lib.domain.candidates import EdgeType, NodeType
from memory_lib.reasoning.prose.composable import ComposableEdge
from memory_lib.reasoning.prose.prose_templates import Told
from memory_lib.reasoning.prose.quoting import one_line
from memory_lib.reasoning.prose.statements import Statement
from memory_lib.reasoning.prose.telling import Hop, Teller


@dataclass(slots=True, eq=False)
class Sentence:
    """Items that are told in one sentence.

    ``head`` set: single statements of one head share a line. ``alone``: the statement that may be told where the sentence does
    not fit; of a ``whole`` one only where it could never fit.
    """

    items: tuple[Statement, ...]
    rank: int
    pinned: bool
    render: Callable[[int], str]
    head: str | None = None
    alone: Statement | None = None
    whole: bool = False


def sentences(items: list[Statement], edges: Iterable[ComposableEdge], *, teller: Teller) -> list[Sentence]:
    """Every item in at least one unit, strongest unit first."""
    of_node = {member.id: item for item in items for member in item.members}
    links: dict[EdgeType, dict[tuple[Statement, Statement], float]] = defaultdict(dict)
    for edge in edges:
        source, target = of_node.get(edge.source), of_node.get(edge.target)
        if source is not None and target is not None and source is not target:
            pair = (source, target)
            links[edge.type][pair] = max(edge.confidence, links[edge.type].get(pair, 0.0))
    ordered = {kind: _by_strength(pairs) for kind, pairs in links.items()}
    taken: set[Statement] = set()
    units = _chains(ordered.get(EdgeType.CAUSED_BY, []), taken, teller)
    units += _updates(items, ordered.get(EdgeType.CONTRADICTS, []), taken, teller)
    units += _contradictions(ordered.get(EdgeType.CONTRADICTS, []), taken, teller)
    units += _people(items, ordered.get(EdgeType.ASSOCIATED_WITH, []), taken, teller)
    units += _pairs(ordered, taken, teller)
    units += [single(item, teller) for item in items if item not in taken]
    units.sort(key=lambda unit: (not unit.pinned, unit.rank))
    return units


def single(item: Statement, teller: Teller) -> Sentence:
    """A statement by itself; those under one head share a line."""
    if item.node.type is NodeType.PERSON:
        words = one_line(item.node.content[:400]).casefold()
        if words != one_line(teller.name_of(item)).casefold() and not item.pinned:
            return _joined([item], partial(teller.person, item, ()))
        head, told = teller.prose.heads[Told.PINNED if item.pinned else Told.PEOPLE], Told.PEOPLE
    else:
        head, told = teller.head(item)
    return Sentence((item,), item.rank, item.pinned, partial(teller.noted, item, head=told), head=head)


_Links = list[tuple[Statement, Statement, float]]
_Causes = Mapping[Statement, list[tuple[Statement, float]]]


def _by_strength(pairs: Mapping[tuple[Statement, Statement], float]) -> _Links:
    strongest_first = sorted(pairs.items(), key=lambda entry: (-entry[1], entry[0][0].rank, entry[0][1].rank))
    return [(source, target, confidence) for (source, target), confidence in strongest_first]


def _chains(links: _Links, taken: set[Statement], teller: Teller) -> list[Sentence]:
    """Causal chains from an effect that causes nothing more to a first cause; together they cover every link.

    Each is complete in itself: where two share a part, both tell it. Of a circle of causes the weakest link is left out.
    """
    causes: dict[Statement, list[tuple[Statement, float]]] = defaultdict(list)
    effects: dict[Statement, list[Statement]] = defaultdict(list)
    for effect, cause, confidence in links:
        if not _reaches(causes, cause, effect):
            causes[effect].append((cause, confidence))
            effects[cause].append(effect)
    used: set[tuple[Statement, Statement]] = set()
    units: list[Sentence] = []
    for effect in sorted(causes, key=lambda item: item.rank):
        for cause, _ in causes[effect]:
            if (effect, cause) in used:
                continue
            path = [cause, effect]
            while effects[path[-1]]:
                path.append(min(effects[path[-1]], key=lambda item: item.rank))
            path.reverse()
            while causes[path[-1]]:
                path.append(_next_cause(path[-1], causes, used))
            units.append(_chain_unit(path, causes, used, taken, teller))
    taken.update(item for unit in units for item in unit.items)
    return units


def _reaches(causes: _Causes, start: Statement, goal: Statement) -> bool:
    stack, seen = [start], {start}
    while stack:
        item = stack.pop()
        if item is goal:
            return True
        if item in causes:
            for cause, _ in causes[item]:
                if cause not in seen:
                    seen.add(cause)
                    stack.append(cause)
    return False


def _next_cause(effect: Statement, causes: _Causes, used: set[tuple[Statement, Statement]]) -> Statement:
    """One not told yet before one told, a cause with causes of its own before a first cause; then by confidence."""
    return min(causes[effect], key=lambda link: ((effect, link[0]) in used, not causes.get(link[0]), -link[1], link[0].rank))[0]


def _chain_unit(
    path: Sequence[Statement],
    causes: _Causes,
    used: set[tuple[Statement, Statement]],
    taken: set[Statement],
    teller: Teller,
) -> Sentence:
    hops: list[Hop] = []
    on_path = set(path)
    for effect, cause in pairwise(path):
        used.add((effect, cause))
        beside: list[Statement] = []
        for other, _ in causes[effect]:
            fits = len(beside) < teller.params.extra_causes and (effect, other) not in used
            named = NodeType.PERSON in {other.node.type, cause.node.type}
            if fits and not causes.get(other) and other not in on_path and not named:
                beside.append(other)
                used.add((effect, other))
        hops.append(Hop(cause, next(value for item, value in causes[effect] if item is cause), tuple(beside)))
    items = _unique([path[0], *(item for hop in hops for item in (*hop.beside, hop.main))])
    fresh = [item.rank for item in items if item not in taken]
    return Sentence(
        items=items,
        rank=min(fresh, default=max(item.rank for item in items)),
        pinned=any(item.pinned for item in items),
        render=partial(teller.chain, path[0], hops),
        alone=path[0],
        whole=True,
    )


def _unique(items: Iterable[Statement]) -> tuple[Statement, ...]:
    return tuple(dict.fromkeys(items))


def _joined(items: Sequence[Statement], render: Callable[[int], str], *, whole: bool = False, stands: bool = True) -> Sentence:
    return Sentence(
        items=tuple(items),
        rank=min(item.rank for item in items),
        pinned=any(item.pinned for item in items),
        render=render,
        alone=(items[0] if whole else min(items, key=lambda item: item.rank)) if stands else None,
        whole=whole,
    )


def _updates(items: Sequence[Statement], contradicts: _Links, taken: set[Statement], teller: Teller) -> list[Sentence]:
    """A value and those it replaced: one slot of one person, or a contradiction that closed one side."""
    pairs: list[tuple[Statement, Statement]] = []
    slots: dict[tuple[str | None, str], list[Statement]] = defaultdict(list)
    for item in items:
        if item.node.slot_key is not None:
            slots[(item.node.about_name, item.node.slot_key)].append(item)
    for group in slots.values():
        live = [item for item in group if not item.closed]
        if live:
            pairs += [(live[0], item) for item in group if item.closed]
    for source, target, _ in contradicts:
        if source.closed != target.closed:
            pairs.append((target, source) if source.closed else (source, target))
    units: list[Sentence] = []
    former: dict[Statement, list[Statement]] = {}
    for current, closed in pairs:
        if closed in taken or (current in taken and current not in former):
            continue
        former.setdefault(current, []).append(closed)
        taken.update((current, closed))
    for current, closed_ones in former.items():
        closed_ones.sort(key=lambda item: (-(item.node.valid_until or item.node.created_at).timestamp(), item.rank))
        units.append(_joined((current, *closed_ones), partial(teller.update, current, closed_ones), whole=True))
    return units


def _contradictions(links: _Links, taken: set[Statement], teller: Teller) -> list[Sentence]:
    """Statements that stand against each other, told together even where one of them is part of another sentence."""
    groups: list[list[Statement]] = []
    for source, target, _ in links:
        if source.closed or target.closed:
            continue
        for group in groups:
            if source in group or target in group:
                group.extend(item for item in (source, target) if item not in group)
                break
        else:
            groups.append([source, target])
    units: list[Sentence] = []
    for group in groups:
        group.sort(key=lambda item: (item.node.created_at, item.rank))
        taken.update(group)
        units.append(_joined(group, partial(teller.contradiction, group), whole=True, stands=False))
    return units


def _people(items: Sequence[Statement], links: _Links, taken: set[Statement], teller: Teller) -> list[Sentence]:
    """A person with what goes with them: associated statements, and statements about them."""
    beside: dict[Statement, list[Statement]] = defaultdict(list)
    for source, target, _ in links:
        beside[source].append(target)
        beside[target].append(source)
    about: dict[str, list[Statement]] = defaultdict(list)
    for item in items:
        if item.node.about_name:
            about[item.node.about_name.casefold()].append(item)
    units: list[Sentence] = []
    for person in items:
        if person.node.type is not NodeType.PERSON:
            continue
        near = _unique([*beside[person], *about[teller.name_of(person).casefold()]])
        free = [item for item in near if item not in taken and item.node.type is not NodeType.PERSON and not item.pinned]
        free.sort(key=lambda item: item.rank)
        with_person = free[: teller.params.person_links]
        if with_person:
            units.append(_joined((person, *with_person), partial(teller.person, person, with_person)))
            taken.update((person, *with_person))
    return units


def _pairs(ordered: Mapping[EdgeType, _Links], taken: set[Statement], teller: Teller) -> list[Sentence]:
    """What followed, supports or goes with what: two statements in one sentence, each statement in one pair at most.

    That two statements of one message go together says nothing; those stay apart.
    """
    units: list[Sentence] = []
    for kind in (EdgeType.FOLLOWED_BY, EdgeType.REINFORCES, EdgeType.ASSOCIATED_WITH):
        for source, target, _ in ordered.get(kind, []):
            pair = (source, target)
            if kind is EdgeType.ASSOCIATED_WITH and target.rank < source.rank:
                pair = (target, source)
            same_message = source.node.created_at == target.node.created_at
            if kind is EdgeType.ASSOCIATED_WITH and same_message:
                continue
            if any(item in taken or item.node.type is NodeType.PERSON or item.pinned for item in pair):
                continue
            taken.update(pair)
            units.append(_joined(pair, partial(teller.pair, pair, kind)))
    return units
