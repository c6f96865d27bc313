"""The fold: one unit after the other, in event order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.candidates import NodeType
from memory_lib.domain.ids import EdgeId, IdKey, NodeId
from memory_lib.domain.node import Edge, Node
from memory_lib.policies.formation.decision import Decider
from memory_lib.policies.formation.draft import Draft
from memory_lib.policies.formation.edges import relate
from memory_lib.policies.formation.formed_graph import FormedGraph
from memory_lib.policies.formation.placement import place
from memory_lib.policies.formation.stale import NO_LAYER, FormerUnit, StaleLayer, stale_layer
from memory_lib.policies.formation.unit import FormationParams, FormationUnit, UnitOutcome


class FormationState:
    """The graph as messages alone form it. Built empty (replay) or from a stored graph (the next units)."""

    def __init__(self, *, key: IdKey, params: FormationParams) -> None:
        self._graph = FormedGraph(key, params)

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
        formation, nor does what lost its words (``stale``).
        """
        state = cls(key=key, params=params)
        standing = [replace(n, proofs=n.surviving) for n in nodes if n.surviving and not n.is_inference]
        for node in sorted(standing, key=lambda n: (n.proofs[0].order, n.id)):
            state._graph.add(node, vectors.get(node.id))
        for edge in edges:
            if not edge.is_inferred:
                state._graph.add_edge(edge)
        return state

    def base(self, node: NodeId) -> Node:
        """The node as messages alone say it, with all its proofs in event order."""
        known = self._graph.known[node]
        return replace(known.base, proofs=tuple(sorted(known.proofs, key=lambda p: p.order)))

    def edge(self, edge: EdgeId) -> Edge:
        return self._graph.edges[edge]

    def vector(self, node: NodeId) -> NDArray[np.float32] | None:
        return self._graph.vector(node)

    @property
    def node_ids(self) -> tuple[NodeId, ...]:
        return tuple(self._graph.known)

    @property
    def edge_ids(self) -> tuple[EdgeId, ...]:
        return tuple(self._graph.edges)

    def stale(self, former: Sequence[FormerUnit], *, now: datetime) -> StaleLayer:
        """What only former texts of edited messages said; changes nothing here. ``former`` in event order."""
        return stale_layer(self._graph, former, now=now) if former else NO_LAYER

    def step(self, unit: FormationUnit, *, now: datetime, decider: Decider | None = None) -> UnitOutcome:
        """Forms one unit. Units must come in event order. ``now`` is only written down as the recorded time. ``decider`` is
        asked about what words and vectors leave open.
        """
        draft = Draft(self._graph, unit, now)
        candidates, vectors = unit.extraction.candidates, unit.vectors
        order = sorted(
            range(len(candidates)),
            key=lambda i: (
                candidates[i].type is not NodeType.PERSON,
                candidates[i].start,
                candidates[i].end,
                draft.id_of(candidates[i]),
            ),
        )
        placed: dict[int, NodeId] = {}
        for index in order:
            node = place(draft, index, candidates[index], None if vectors is None else vectors[index], decider=decider)
            if node is not None:
                placed[index] = node
                if candidates[index].type is NodeType.PERSON:
                    draft.meant[candidates[index].about] = node
        for relation in unit.extraction.relations:
            relate(draft, relation, placed)
        return draft.outcome()
