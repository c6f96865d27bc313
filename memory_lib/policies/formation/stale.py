"""What an edit took the words from (CONTRACTS, Edits; ADR 0009).

A message that was edited is formed as it reads now. What only its former texts said is laid over that as *stale*: a proof on
the statement that others still make, or a stale node where nobody makes it any more. The layer is made anew from the former
texts each time and lifted off before anything else is formed, so it never changes what later messages attach to, and a person
whose messages were edited is formed like one who never said the former words, plus the layer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.candidates import Candidate, EdgeType, NodeType
from memory_lib.domain.ids import NodeId
from memory_lib.domain.node import Node, Proof, ProofKind
from memory_lib.policies.formation.decision import Verdict
from memory_lib.policies.formation.draft import Draft
from memory_lib.policies.formation.formed_graph import FormedGraph
from memory_lib.policies.formation.persons import resolve
from memory_lib.policies.formation.placement import decided, place
from memory_lib.policies.formation.unit import FormationUnit


@dataclass(frozen=True, slots=True)
class FormerUnit:
    """A former text of a message, read in the company the message has now. ``gone``: the candidates, by place, whose words the
    present text lacks.
    """

    unit: FormationUnit
    gone: frozenset[int]


@dataclass(frozen=True, slots=True)
class StaleLayer:
    """``nodes``: what nobody says any more, ``vectors`` of them; ``proofs``: former sources of what others still say."""

    nodes: Mapping[NodeId, Node]
    vectors: Mapping[NodeId, NDArray[np.float32]]
    proofs: Mapping[NodeId, tuple[Proof, ...]]

    def over(self, base: Node) -> Node:
        """The node with the sources it has lost."""
        lost = self.proofs.get(base.id, ())
        return replace(base, proofs=tuple(sorted((*base.proofs, *lost), key=lambda p: p.order))) if lost else base


NO_LAYER = StaleLayer({}, {}, {})


def stale_layer(graph: FormedGraph, former: Sequence[FormerUnit], *, now: datetime) -> StaleLayer:
    """``graph``: as messages form it now; it is not changed. ``former`` in event order."""
    aside = FormedGraph(graph.key, graph.params)
    proofs: dict[NodeId, dict[Proof, None]] = {}
    for each in former:
        unit = each.unit
        vectors, candidates = unit.vectors, unit.extraction.candidates
        looking, drafting = _Looking(graph, unit, now), _Aside(aside, unit, now, taken=graph)
        for index in sorted(each.gone, key=lambda i: (candidates[i].type is not NodeType.PERSON, candidates[i].start, i)):
            vector = None if vectors is None else vectors[index]
            candidate = _with_known_people(looking, candidates[index])
            decision = decided(looking, candidate, vector, about=candidate.about)
            if decision.verdict is Verdict.CREATE:
                place(drafting, index, candidate, vector, decider=None)
            elif decision.node is not None and not _says_it_still(graph, decision.node, unit):
                proof = drafting.proof(candidate.start, candidate.end, ProofKind.STALE, weighed=False)
                proofs.setdefault(decision.node, {})[proof] = None
    nodes = {ident: _stale(known.base, known.proofs) for ident, known in aside.known.items()}
    kept = {ident: vector for ident in nodes if (vector := aside.vector(ident)) is not None}
    return StaleLayer(nodes, kept, {node: tuple(theirs) for node, theirs in proofs.items()})


def _says_it_still(graph: FormedGraph, node: NodeId, unit: FormationUnit) -> bool:
    """Other words, the same statement: the message was reworded, nothing is lost."""
    return any(proof.span.message == unit.message.id for proof in graph.known[node].proofs)


def _with_known_people(draft: Draft, candidate: Candidate) -> Candidate:
    """``about`` and ``holder`` as node ids where these people are known by what messages say now."""
    about, name = resolve(draft, candidate.about, candidate)
    holder, _ = resolve(draft, candidate.holder, candidate)
    known = draft.graph.known
    return replace(
        candidate,
        about=about if about in known or not candidate.about.startswith("person:") else candidate.about,
        holder=holder if holder in known or not candidate.holder.startswith("person:") else candidate.holder,
        about_name=candidate.about_name or name,
    )


def _stale(base: Node, proofs: Sequence[Proof]) -> Node:
    gone = tuple(replace(proof, kind=ProofKind.STALE, weighed=False) for proof in sorted(proofs, key=lambda p: p.order))
    return replace(base, proofs=gone, closure=None, flags=(), refined=())


class _Looking(Draft):
    """Looks at what is formed, and makes nothing of it."""

    def create(
        self,
        candidate: Candidate,
        vector: NDArray[np.float32] | None,  # noqa: ARG002 - the signature of what it stands for
        *,
        about: str,  # noqa: ARG002
        about_name: str | None,  # noqa: ARG002
        holder: str,  # noqa: ARG002
    ) -> NodeId | None:
        del candidate
        return None


class _Aside(Draft):
    """Writes what nobody says any more into a graph of its own; ids that are ``taken`` by what is said now get another one."""

    def __init__(self, graph: FormedGraph, unit: FormationUnit, now: datetime, *, taken: FormedGraph) -> None:
        super().__init__(graph, unit, now)
        self._taken = taken

    def id_of(self, candidate: Candidate) -> NodeId:
        ident = super().id_of(candidate)
        if ident not in self._taken.known:
            return ident
        version = self.unit.message.text_version
        return self.graph.key.node(
            candidate.type.value, self.unit.message.id, candidate.start, candidate.end, f"{ident}@{version}"
        )

    def link(
        self, source: NodeId, target: NodeId, edge_type: EdgeType, confidence: float, start: int, end: int, rule: str
    ) -> None:
        """What is not said any more is linked to nothing."""
