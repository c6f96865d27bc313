"""Causal chains: maximal acyclic paths along one type of edge (CONTRACTS: "causal chains whole"; ``graph --chains``).

A chain is a path that nothing can be put before or after. Cycles are cut first, each at the edge that closes it in a
depth-first walk which starts at nodes nothing points to, then at the smallest id left, and visits neighbours in id order; so a
cycle is walked once. In what is left, a chain runs from a node nothing points to, to a node that points nowhere.

Chains are taken best first with the exact length that is still ahead, so the k longest are found without listing the others:
at most ``limit · (longest chain + 1)`` steps after one pass over the edges, however dense the graph is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from memory_lib.domain.ids import NodeId
from memory_lib.errors import IllegalValue


def chains(edges: Iterable[tuple[NodeId, NodeId]], *, min_length: int, limit: int) -> tuple[tuple[NodeId, ...], ...]:
    """The longest maximal chains with at least ``min_length`` edges, longest first, then by ids; at most ``limit``.

    ``edges`` are (source, target), all of one type, in any order; one given twice counts once, one to itself is ignored.

    Raises:
        IllegalValue: ``min_length`` is below 1 or ``limit`` below 0.
    """
    if min_length < 1:
        raise IllegalValue(f"chains need min_length of at least 1 edge, got {min_length}")
    if limit < 0:
        raise IllegalValue(f"chains need a limit of at least 0, got {limit}")
    forest = _cut(edges)
    # order among siblings is the order of results: what leads furthest first, then by id
    ahead = forest.ahead
    after = {node: sorted(targets, key=lambda t: (-ahead[t], t)) for node, targets in forest.after.items()}
    starts = sorted(forest.starts, key=lambda s: (-ahead[s], s))
    found: list[tuple[NodeId, ...]] = []
    queue: list[tuple[int, tuple[NodeId, ...], int, Sequence[NodeId]]] = []

    def push(prefix: tuple[NodeId, ...], place: int, siblings: Sequence[NodeId]) -> None:
        if place < len(siblings):
            node = siblings[place]
            length = len(prefix) + ahead[node]
            if length >= min_length:
                heappush(queue, (-length, (*prefix, node), place, siblings))

    push((), 0, starts)
    while queue and len(found) < limit:
        _, path, place, siblings = heappop(queue)
        push(path[:-1], place + 1, siblings)
        # the best way on is as long as what was just taken, and comes before all else that is: walk it to its end at once
        chain = list(path)
        while following := after[chain[-1]]:
            if len(following) > 1:
                push(tuple(chain), 1, following)
            chain.append(following[0])
        found.append(tuple(chain))
    return tuple(found)


class _Acyclic(NamedTuple):
    """``after``: what each node points to once cycles are cut; ``ahead``: edges on the longest way on from each node."""

    after: dict[NodeId, list[NodeId]]
    ahead: dict[NodeId, int]
    starts: list[NodeId]


def _cut(edges: Iterable[tuple[NodeId, NodeId]]) -> _Acyclic:
    targets: dict[NodeId, set[NodeId]] = {}
    pointed_at: set[NodeId] = set()
    for source, target in edges:
        if source != target:
            targets.setdefault(source, set()).add(target)
            targets.setdefault(target, set())
            pointed_at.add(target)
    order = sorted(targets, key=lambda node: (node in pointed_at, node))
    after: dict[NodeId, list[NodeId]] = {node: [] for node in order}
    ahead: dict[NodeId, int] = {}
    on_path: set[NodeId] = set()
    # an explicit stack: a chain may be longer than Python's recursion limit
    for root in order:
        if root in ahead:
            continue
        stack = [(root, iter(sorted(targets[root])))]
        on_path.add(root)
        while stack:
            node, rest = stack[-1]
            for target in rest:
                if target in on_path:
                    continue  # it would close a cycle
                after[node].append(target)
                if target not in ahead:
                    on_path.add(target)
                    stack.append((target, iter(sorted(targets[target]))))
                    break
            else:
                stack.pop()
                on_path.discard(node)
                ahead[node] = max((1 + ahead[target] for target in after[node]), default=0)
    entered = {target for kept in after.values() for target in kept}
    return _Acyclic(after, ahead, [node for node in order if node not in entered])
