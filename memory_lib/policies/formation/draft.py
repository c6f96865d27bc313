"""One step's writing: nodes, proofs, closings, edges, acts, and a line in the log for each decision.

What to write is decided elsewhere (``persons``, ``placement``, ``closing``, ``edges``); here it is only done, the same way for
everybody, and what was touched is remembered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.candidates import Candidate, EdgeType, NodeType, Span
from memory_lib.domain.changes import Action
from memory_lib.domain.ids import EdgeId, NodeId, edge_id
from memory_lib.domain.message import Role
from memory_lib.domain.node import Closure, Edge, Flag, Node, Proof, ProofKind, Refinement, Weight
from memory_lib.domain.time import from_us
from memory_lib.policies.formation.formed_graph import FormedGraph
from memory_lib.policies.formation.refining import refined
from memory_lib.policies.formation.unit import VERSION, FormationUnit, Rejected, UnitOutcome
from memory_lib.policies.trust import supported


class Draft:
    """The scratch of ``FormationState.step``.

    ``at``: the message's event time on its own clock. ``meant``: whom this message's "person:…" names turned out to be.
    """

    def __init__(self, graph: FormedGraph, unit: FormationUnit, now: datetime) -> None:
        self.graph = graph
        self.unit = unit
        self.at = from_us(unit.message.at_us, unit.message.offset)
        self.meant: dict[str, NodeId] = {}
        self._now = now
        self._nodes: dict[NodeId, None] = {}
        self._edges: dict[EdgeId, None] = {}
        self._acts: list[Act] = []
        self._actions: list[Action] = []
        self._rejected: list[Rejected] = []

    def outcome(self) -> UnitOutcome:
        return UnitOutcome(
            tuple(self._nodes), tuple(self._edges), tuple(self._acts), tuple(self._actions), tuple(self._rejected)
        )

    def note(
        self,
        action: str,
        reason: str,
        *ids: str,
        before: Sequence[str] | None = None,
        after: Sequence[str] | None = None,
        numbers: Mapping[str, float] | None = None,
    ) -> None:
        """A line of the action log. ``before`` and ``after``: all of ``ids`` unless said otherwise."""
        extraction = self.unit.extraction
        self._actions.append(
            Action(
                action,
                reason,
                ids,
                dict(numbers or {}),
                before=ids if before is None else tuple(before),
                after=ids if after is None else tuple(after),
                reasoner=extraction.reasoner,
                version=VERSION,
            )
        )

    def id_of(self, candidate: Candidate) -> NodeId:
        """The id of the node that this candidate makes, if it makes one."""
        rule = candidate.rule if candidate.slot is None else f"{candidate.rule}:{candidate.slot.key}"
        return self.graph.key.node(candidate.type.value, self.unit.message.id, candidate.start, candidate.end, rule)

    def base(self, node: NodeId) -> Node:
        return self.graph.known[node].base

    def touch(self, node: NodeId, base: Node) -> None:
        """The node says this from now on; proofs are kept apart."""
        self.graph.known[node].base = base
        self._nodes[node] = None

    # -- nodes --------------------------------------------------------------------------

    def create(
        self, candidate: Candidate, vector: NDArray[np.float32] | None, *, about: str, about_name: str | None, holder: str
    ) -> NodeId | None:
        """A new node; None where the same words made it before under the same rule."""
        graph, extraction = self.graph, self.unit.extraction
        node_id = self.id_of(candidate)
        if node_id in graph.known:
            self.note("skip", "same_words_same_rule", node_id)
            return None
        node = Node(
            id=node_id,
            type=candidate.type,
            content=candidate.content,
            weight=Weight(graph.params.creation_weight, self.unit.message.at_us),
            decay=1.0,
            created_at=self.at,
            last_reinforced_at=self.at,
            recorded_at=self._now,
            confidence=candidate.confidence,
            importance=candidate.importance,
            valence=candidate.valence,
            intensity=candidate.intensity,
            stated=candidate.stated,
            topic=candidate.topic,
            slot=candidate.slot,
            audience=self.unit.audience,
            due=candidate.due,
            attributes=dict(candidate.attributes),
            modality=candidate.modality,
            polarity=candidate.polarity,
            holder=holder,
            about=about,
            about_name=about_name,
            rule=candidate.rule,
            reasoner=extraction.reasoner,
            version=extraction.version,
            language=extraction.language,
            valid_from=candidate.valid_from or self.at.isoformat(),
            precision=candidate.precision,
            ends=candidate.ends,
            proofs=(self.proof(candidate.start, candidate.end, ProofKind.CREATED, weighed=False),),
        )
        graph.add(node, vector)
        self._nodes[node_id] = None
        self.note("create", candidate.rule, node_id, before=())
        if candidate.pinned:
            self._pin(node_id)
        return node_id

    def attach(
        self,
        node: NodeId,
        candidate: Candidate,
        vector: NDArray[np.float32] | None,
        *,
        reason: str,
        numbers: Mapping[str, float],
    ) -> None:
        """A mention of a known node, which takes in what the words add; nothing where these very words prove it already."""
        graph, message = self.graph, self.unit.message
        known = graph.known[node]
        proved_by_it = node in graph.by_message.get(message.id, ())
        same_message = [proof for proof in known.proofs if proof.span.message == message.id] if proved_by_it else []
        if any(proof.span.start == candidate.start and proof.span.end == candidate.end for proof in same_message):
            self.note("skip", "same_words_same_node", node)
            return
        weighed = message.role is Role.USER and not self.unit.repeated and not same_message
        known.proofs.append(self.proof(candidate.start, candidate.end, ProofKind.MENTION, weighed=weighed))
        base = refined(known.base, candidate, by=message, params=graph.params.matching)
        said_more = base is not known.base
        if weighed:
            base = replace(base, confidence=supported(base.confidence, candidate.confidence, params=graph.params.trust))
        else:
            base = replace(base, confidence=max(base.confidence, candidate.confidence))
        if weighed and Flag.DISPUTED in base.flags:
            # said again by the person, it stands again
            base = self._doubted(base, doubted=False)
            self.note("settle", "said_again", node)
        if base.content != known.base.content:
            graph.reword(node, base, vector)
        elif base.type is NodeType.PERSON and base.attributes != known.base.attributes:
            graph.know_better(base)
        self.touch(node, base)
        if node not in graph.by_message[message.id]:
            graph.by_message[message.id].append(node)
        self.note("refine" if said_more else "attach", reason, node, numbers=numbers)
        if candidate.pinned:
            self._pin(node)

    def reject(self, index: int, candidate: Candidate, reason: str) -> None:
        """Nothing becomes of the candidate; it goes to the residuals."""
        self._rejected.append(Rejected(index, candidate, reason))
        self.note("reject", reason, self.unit.extraction.unit_id, self.unit.message.id, numbers={"candidate": float(index)})

    def dispute(self, node: NodeId, by: NodeId, *, reason: str) -> None:
        """An unsure statement speaks against ``node``: it stands, in doubt."""
        base = self.base(node)
        if Flag.DISPUTED not in base.flags:
            self.touch(node, self._doubted(base, doubted=True))
        self.note("dispute", reason, node, by)

    def _doubted(self, base: Node, *, doubted: bool) -> Node:
        """The node in doubt or out of it, with when that changed."""
        flags = tuple(flag for flag in base.flags if flag is not Flag.DISPUTED)
        before = Refinement(self.unit.message.id, self.unit.message.at_us, {"disputed": "" if doubted else "yes"})
        return replace(base, flags=(*flags, Flag.DISPUTED) if doubted else flags, refined=(*base.refined, before))

    def close(self, node: NodeId, by: NodeId, *, valid_until: str, reason: str) -> None:
        """A later statement ends the validity of ``node``; nothing is overwritten."""
        closure = Closure(
            valid_until=valid_until,
            by_message=self.unit.message.id,
            at_us=self.unit.message.at_us,
            recorded_at=self._now,
        )
        self.touch(node, replace(self.base(node), closure=closure))
        self.graph.shut(self.base(node))
        self.note("close", reason, node, by)

    def proof(self, start: int, end: int, kind: ProofKind, *, weighed: bool) -> Proof:
        """These words of the unit's message as a proof."""
        message, extraction = self.unit.message, self.unit.extraction
        return Proof(
            span=Span(message.id, start, end),
            at_us=message.at_us,
            offset=message.offset,
            kind=kind,
            weighed=weighed,
            reasoner=extraction.reasoner,
            version=extraction.version,
        )

    def _pin(self, node: NodeId) -> None:
        """What is asked to be remembered is pinned by the message's own time; the act's id names both, so a replay makes the
        same act.
        """
        self._acts.append(
            Act(
                id=self.graph.key.hash("act", "pin", node, self.unit.message.id),
                node=node,
                kind=ActKind.PIN,
                at=self.at,
                recorded_at=self._now,
            )
        )
        self.note("pin", "asked_to_remember", node)

    # -- edges --------------------------------------------------------------------------

    def link(
        self, source: NodeId, target: NodeId, edge_type: EdgeType, confidence: float, start: int, end: int, rule: str
    ) -> None:
        """An observed edge, or one more proof of it."""
        graph, extraction = self.graph, self.unit.extraction
        proof = self.proof(start, end, ProofKind.MENTION, weighed=False)
        ident = edge_id(source, edge_type, target)
        known = graph.edges.get(ident)
        if known is None:
            edge = Edge(
                source=source,
                target=target,
                type=edge_type,
                confidence=confidence,
                is_inferred=False,
                created_at=self.at,
                recorded_at=self._now,
                audience=self.unit.audience,
                rule=rule,
                reasoner=extraction.reasoner,
                version=extraction.version,
                valid_from=self.at.isoformat(),
                proofs=(replace(proof, kind=ProofKind.CREATED),),
            )
            self.note("link", rule, ident, before=())
        elif any(p.at_us == proof.at_us and p.span == proof.span for p in known.proofs):
            return
        else:
            edge = replace(known, confidence=max(known.confidence, confidence), proofs=(*known.proofs, proof))
            self.note("link_again", rule, ident)
        graph.add_edge(edge)
        self._edges[ident] = None
