"""A person's graph read from an opened set of sealed files: the reading half of a graph store, in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.ids import NodeId
from memory_lib.domain.node import Edge, Node
from memory_lib.policies.chains import chains
from memory_lib.policies.graph_index import GraphIndex, index_of, is_visible
from memory_lib.ports.graph import GraphHead, StoredGraph, WholeGraph


class RestingGraph:
    """One person at one revision; answers as the store did that they came from. Immutable, so safe for threads."""

    def __init__(self, whole: WholeGraph) -> None:
        self.whole = whole

    @property
    def head(self) -> GraphHead:
        """``key_generation`` and ``fence`` are a store's own, 0 here."""
        whole = self.whole
        return GraphHead(whole.revision, 0, 0, whole.fingerprint, whole.dimension)

    @cached_property
    def index(self) -> GraphIndex:
        whole = self.whole
        ordered = sorted(whole.edges.values(), key=lambda edge: edge.id)
        found = index_of(
            tuple(whole.nodes.values()), ordered, whole.vectors, revision=whole.revision, fingerprint=whole.fingerprint
        )
        if not whole.vectors and whole.dimension is not None:
            found = replace(found, vectors=np.zeros((len(found.ids), whole.dimension), np.float32))
        return found

    def nodes(self, ids: Sequence[NodeId]) -> dict[NodeId, Node]:
        known = self.whole.nodes
        return {node: known[node] for node in ids if node in known}

    def edges_among(self, ids: Sequence[NodeId]) -> tuple[Edge, ...]:
        wanted = frozenset(ids)
        found = (edge for edge in self.whole.edges.values() if edge.source in wanted and edge.target in wanted)
        return tuple(sorted(found, key=lambda edge: edge.id))

    @property
    def stored(self) -> StoredGraph:
        return self.whole.stored

    def chains(self, *, edge_type: EdgeType, min_length: int, limit: int) -> tuple[tuple[NodeId, ...], ...]:
        hidden = {node.id for node in self.whole.nodes.values() if not is_visible(node)}
        seen = [
            (edge.source, edge.target)
            for edge in self.whole.edges.values()
            if edge.type is edge_type and edge.retracted_at is None and not {edge.source, edge.target} & hidden
        ]
        return chains(seen, min_length=min_length, limit=limit)

    def applied_keys(self, keys: Sequence[str]) -> frozenset[str]:
        return self._keys & frozenset(keys)

    def wanting(self, *, fingerprint: str) -> tuple[NodeId, ...]:
        """Nodes without a vector of this embedder."""
        whole = self.whole
        served: Mapping[NodeId, NDArray[np.float32]] = whole.vectors if whole.fingerprint == fingerprint else {}
        return tuple(sorted(node for node in whole.nodes if node not in served))

    @cached_property
    def _keys(self) -> frozenset[str]:
        return frozenset(applied.key for applied in self.whole.write_keys)
