"""Why something is believed, and what rests on a message: the chain walked in either direction (seed §3.2, provenance).

Text → message → unit → mention → node, then what was decided about it, what people did to it, and what speaks for and against
it. Everything is read, nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memory_lib.domain.acts import Act
from memory_lib.domain.candidates import EdgeType
from memory_lib.domain.ids import EdgeId, IdKey, MessageId, NodeId, UserId
from memory_lib.domain.message import Message, MessageRef, unit_id
from memory_lib.domain.node import Edge, Node, Proof, ProofKind
from memory_lib.domain.recall import Source
from memory_lib.domain.shapes import edge_shape, node_shape
from memory_lib.domain.time import from_us, to_us
from memory_lib.errors import UnknownMessage, UnknownNode
from memory_lib.policies.active_clock import ActiveClock, ClockParams
from memory_lib.policies.history import FormerValue, history_of
from memory_lib.policies.sessions import SessionParams, unit_refs
from memory_lib.policies.weight_fold import weight_at
from memory_lib.ports.graph import GraphReader, StoredGraph
from memory_lib.ports.ledger import ActionLog, LoggedAction, MessageLog, People, Residuals

_PAGE = 1000

_ROLES: Mapping[EdgeType, tuple[str, str]] = {
    EdgeType.CONTRADICTS: ("contradicts", "contradicted_by"),
    EdgeType.REINFORCES: ("supports", "supported_by"),
    EdgeType.CAUSED_BY: ("caused_by", "causes"),
    EdgeType.FOLLOWED_BY: ("followed_by", "follows"),
    EdgeType.ASSOCIATED_WITH: ("associated_with", "associated_with"),
}
"""What a node's outgoing and incoming edges are to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyParams:
    """The numbers units are cut and weights are read with."""

    clock: ClockParams
    sessions: SessionParams


@dataclass(frozen=True, slots=True, kw_only=True)
class WhyPorts:
    """What is read."""

    people: People
    log: MessageLog
    graph: GraphReader
    action_log: ActionLog
    residuals: Residuals
    id_key: IdKey


def why_node(user: UserId, node: NodeId, *, ports: WhyPorts, params: WhyParams, now: datetime) -> dict[str, Any]:
    """``{user, node, chain, actions, acts, history, links, edges, closed_by, names}``.

    ``chain``: a step a proof, oldest first: ``{message, unit, mention}``. ``actions``: what was decided about the node, oldest
    first; ``acts``: what people and passes did to it; ``history``: what its fields said before, until when. ``links``: role →
    ``[{node, type, content, confidence, rule, quotes}]``, the roles contradicts, contradicted_by, supports, supported_by,
    caused_by, causes, … ``names``: all ids that it has had.

    Raises:
        UnknownNode: no such node of this person, under no name it had.
    """
    stored = ports.graph.load(user)
    node = stored.renames.get(node, node)
    known = stored.nodes.get(node)
    if known is None:
        raise UnknownNode(f"node {node} is not in this person's memory; selfimprint show lists the ids")
    touching = [edge for edge in stored.edges.values() if node in (edge.source, edge.target)]
    names = sorted({node, *(old for old, new in stored.renames.items() if new == node)})
    proofs = [*known.proofs, *(proof for edge in touching for proof in edge.proofs)]
    closing = [] if known.closure is None or not known.closure.by_message else [known.closure.by_message]
    messages = _Messages(user, {*(proof.span.message for proof in proofs), *closing}, ports=ports, params=params)
    clock = ActiveClock(ports.log.user_times(user), pause_us=params.clock.pause_us)
    weight = weight_at(known.weight, decay=known.decay, clock=clock, now_us=to_us(now))
    decided = _decided(user, {*names, *(edge.id for edge in touching)}, action_log=ports.action_log)
    return {
        "user": ports.people.external(user),
        "node": node_shape(known, weight=weight, sources=messages.sources(known.proofs)),
        "chain": [messages.step(proof) for proof in known.proofs],
        "actions": [_action_shape(entry) for entry in decided],
        "acts": [_act_shape(act) for act in stored.acts if act.node in names],
        "history": [_former_shape(each) for each in history_of(known, [a for a in stored.acts if a.node in names])],
        "links": _links(known, touching, stored, messages),
        "edges": [edge_shape(edge, sources=messages.sources(edge.proofs)) for edge in sorted(touching, key=lambda e: e.id)],
        "closed_by": messages.shape(closing[0]) if closing else None,
        "names": names,
    }


def why_message(user: UserId, message: MessageId, *, ports: WhyPorts, params: WhyParams) -> dict[str, Any]:
    """``{user, message, unit, mentions, edges, residuals, actions}``: all that rests on one message, and what became nothing.

    Raises:
        UnknownMessage: no such message of this person.
    """
    stored = ports.graph.load(user)
    messages = _Messages(user, {message}, ports=ports, params=params)
    if message not in messages.opened:
        raise UnknownMessage("no message of this person has that id; selfimprint show --json lists the sources")
    resting = sorted(
        ((proof, node) for node in stored.nodes.values() for proof in node.proofs if proof.span.message == message),
        key=lambda pair: (pair[0].order, pair[1].id),
    )
    edges = [edge for edge in stored.edges.values() if any(proof.span.message == message for proof in edge.proofs)]
    left = [
        {
            "start": residual.candidate.start,
            "end": residual.candidate.end,
            "quote": messages.quote(message, residual.candidate.start, residual.candidate.end),
            "type": residual.candidate.type.value,
            "content": residual.candidate.content,
            "reason": residual.reason,
            "rule": residual.candidate.rule,
        }
        for residual in ports.residuals.of(user, messages=[message])
    ]
    unit = messages.units.get(message)
    decided = [] if unit is None else _decided(user, (), unit=unit, action_log=ports.action_log)
    return {
        "user": ports.people.external(user),
        "message": {**messages.shape(message), "text": messages.opened[message].text},
        "unit": unit,
        "mentions": [
            {
                **messages.mention(proof),
                "node": {"id": node.id, "type": node.type.value, "content": node.content, "state": node.state.value},
            }
            for proof, node in resting
        ],
        "edges": [edge_shape(edge, sources=messages.sources(edge.proofs)) for edge in sorted(edges, key=lambda e: e.id)],
        "residuals": left,
        "actions": [_action_shape(entry) for entry in decided],
    }


class _Messages:
    """Messages opened for showing, with the units they are read in."""

    def __init__(self, user: UserId, ids: set[MessageId], *, ports: WhyPorts, params: WhyParams) -> None:
        self.opened: dict[MessageId, Message] = ports.log.messages(user, sorted(ids))
        former = [ref for ref in ports.log.former(user) if ref.id in self.opened]
        self._former = sorted(ports.log.former_texts(user, former).values(), key=lambda m: m.text_version) if former else []
        by_conversation: dict[str, list[MessageRef]] = {}
        for ref in ports.log.refs(user):
            by_conversation.setdefault(ref.conversation, []).append(ref)
        self.units = {
            refs[-1].id: unit_id(ports.id_key, refs)
            for theirs in by_conversation.values()
            for refs in unit_refs(theirs, params=params.sessions)
            if refs[-1].id in self.opened
        }

    def shape(self, message: MessageId) -> dict[str, Any]:
        known = self.opened.get(message)
        if known is None:
            return {"id": message}
        return {
            "id": message,
            "source_id": known.source_id,
            "conversation": known.conversation_name,
            "role": known.role.value,
            "speaker": known.speaker,
            "time": known.time.isoformat(),
            "edited": any(former.id == message for former in self._former),
        }

    def quote(self, message: MessageId, start: int, end: int, *, stale: bool = False) -> str:
        """The words at that place; of a stale proof, those of the former text they stood in, as far as it is kept."""
        texts = [m.text for m in self._former if m.id == message] if stale else []
        if not stale and message in self.opened:
            texts = [self.opened[message].text]
        return next((text[start:end] for text in texts if end <= len(text)), "")

    def mention(self, proof: Proof) -> dict[str, Any]:
        span = proof.span
        return {
            "start": span.start,
            "end": span.end,
            "quote": self.quote(span.message, span.start, span.end, stale=proof.kind is ProofKind.STALE),
            "kind": proof.kind.value,
            "weighed": proof.weighed,
            "reasoner": proof.reasoner,
            "version": proof.version,
        }

    def step(self, proof: Proof) -> dict[str, Any]:
        message = proof.span.message
        return {"message": self.shape(message), "unit": self.units.get(message), "mention": self.mention(proof)}

    def sources(self, proofs: Sequence[Proof]) -> list[Source]:
        """Dated quotes of what still stands."""
        return [
            Source(p.span.message, p.span.start, p.span.end, quote, from_us(p.at_us, p.offset))
            for p in proofs
            if p.kind is not ProofKind.STALE and (quote := self.quote(p.span.message, p.span.start, p.span.end))
        ]


def _links(node: Node, touching: Sequence[Edge], stored: StoredGraph, messages: _Messages) -> dict[str, list[dict[str, Any]]]:
    links: dict[str, list[dict[str, Any]]] = {}
    for edge in sorted(touching, key=lambda e: (to_us(e.created_at), e.id)):
        outgoing = edge.source == node.id
        other = stored.nodes[edge.target if outgoing else edge.source]
        role = _ROLES[edge.type][0 if outgoing else 1]
        links.setdefault(role, []).append(
            {
                "node": other.id,
                "type": other.type.value,
                "content": other.content,
                "confidence": edge.confidence,
                "rule": edge.rule,
                "quotes": [source.quote for source in messages.sources(edge.proofs)],
            }
        )
    return links


def _decided(
    user: UserId, ids: set[NodeId | EdgeId] | tuple[()], *, action_log: ActionLog, unit: str | None = None
) -> list[LoggedAction]:
    """The log's lines that touch one of ``ids``, or that were written for ``unit``."""
    found: list[LoggedAction] = []
    after = 0
    while page := action_log.entries(user, after=after, limit=_PAGE):
        found += [
            entry
            for entry in page
            if not set(ids).isdisjoint((*entry.action.ids, *entry.action.before, *entry.action.after))
            or (unit is not None and f"/{unit}/" in entry.write_key)
        ]
        after = page[-1].seq
    return found


def _action_shape(entry: LoggedAction) -> dict[str, Any]:
    action = entry.action
    return {
        "seq": entry.seq,
        "action": action.action,
        "reason": action.reason,
        "ids": list(action.ids),
        "before": list(action.before),
        "after": list(action.after),
        "numbers": dict(action.numbers),
        "reasoner": action.reasoner,
        "version": action.version,
        "recorded_at": entry.recorded_at.isoformat(),
        "write_key": entry.write_key,
    }


def _former_shape(former: FormerValue) -> dict[str, Any]:
    return {
        "field": former.field,
        "value": former.value,
        "until": former.until.isoformat(),
        "by": former.by,
        "corrected": former.corrected,
        "stands": former.stands,
    }


def _act_shape(act: Act) -> dict[str, Any]:
    return {
        "id": act.id,
        "kind": act.kind.value,
        "at": act.at.isoformat(),
        "recorded_at": act.recorded_at.isoformat(),
        "detail": dict(act.detail),
    }
