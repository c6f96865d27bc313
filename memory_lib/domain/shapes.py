"""The wire shapes of CONTRACTS as plain JSON values: one form for the command line, HTTP, MCP and Python.

Additions never rename. Times are ISO 8601 with their own offset.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from memory_lib.domain.ids import EdgeId, NodeId
from memory_lib.domain.message import Message
from memory_lib.domain.node import Archived, Edge, Node
from memory_lib.domain.recall import Context, RecalledNode, RecalledRound, Source


def _time(value: datetime | None) -> str | None:
    return None if value is None else value.isoformat()


def _archived(value: Archived | None) -> dict[str, Any] | None:
    return None if value is None else {"at": value.at.isoformat(), "reason": value.reason, "batch": value.batch}


def message_shape(message: Message, *, user: str) -> dict[str, str]:
    """A message in the project's own import format (docs/import-formats.md): taken in again, it is the same message."""
    fields = {
        "user": user,
        "conversation": message.conversation_name,
        "id": message.source_id,
        "role": message.role.value,
        "text": message.text,
        "time": message.time.isoformat(),
        "speaker": message.speaker,
        "agent": message.agent,
        "channel": message.channel,
        "session": message.session_name,
        "parent": message.parent,
        "zone": message.zone,
        "caption": message.caption,
    }
    return {name: value for name, value in fields.items() if value is not None}


def source_shape(source: Source) -> dict[str, Any]:
    """A dated quote."""
    return {
        "message": source.message,
        "start": source.start,
        "end": source.end,
        "quote": source.quote,
        "time": source.time.isoformat(),
    }


def node_shape(node: Node, *, weight: float, sources: Sequence[Source]) -> dict[str, Any]:
    """``weight`` is the weight at the asked instant, already faded."""
    slot = node.slot
    return {
        "id": node.id,
        "type": node.type.value,
        "content": node.content,
        "weight": round(weight, 6),
        "state": node.state.value,
        "confidence": node.confidence,
        "importance": node.importance,
        "valence": node.valence.value,
        "intensity": node.intensity,
        "stated": node.stated,
        "topic": node.topic.value,
        "slot": None if slot is None else {"key": slot.key, "value": slot.value},
        "audience": list(node.audience),
        "flags": [flag.value for flag in node.flags],
        "due": node.due,
        "attributes": dict(node.attributes),
        "modality": [value.value for value in node.modality],
        "holder": node.holder,
        "about": node.about,
        "about_name": node.about_name,
        "is_inference": node.is_inference,
        "is_pinned": node.is_pinned,
        "decay_coefficient": node.decay,
        "origin": node.origin,
        "rule": node.rule,
        "reasoner": node.reasoner,
        "version": node.version,
        "valid_from": node.valid_from,
        "precision": node.precision.value,
        "ends": node.ends,
        "valid_until": None if node.closure is None else node.closure.valid_until,
        "retracted_at": _time(node.retracted_at),
        "archived": _archived(node.archived),
        "created_at": node.created_at.isoformat(),
        "last_reinforced_at": node.last_reinforced_at.isoformat(),
        "recorded_at": node.recorded_at.isoformat(),
        "proofs": len(node.proofs),
        "sources": [source_shape(source) for source in sources],
    }


def edge_shape(edge: Edge, *, sources: Sequence[Source]) -> dict[str, Any]:
    """An edge, with both times and its sources."""
    return {
        "id": edge.id,
        "from": edge.source,
        "to": edge.target,
        "type": edge.type.value,
        "confidence": edge.confidence,
        "is_inferred": edge.is_inferred,
        "state": edge.state.value,
        "rule": edge.rule,
        "reasoner": edge.reasoner,
        "version": edge.version,
        "audience": list(edge.audience),
        "created_at": edge.created_at.isoformat(),
        "valid_from": edge.valid_from,
        "valid_until": None if edge.closure is None else edge.closure.valid_until,
        "recorded_at": edge.recorded_at.isoformat(),
        "retracted_at": _time(edge.retracted_at),
        "sources": [source_shape(source) for source in sources],
    }


def graph_shape(
    user: str,
    nodes: Sequence[Node],
    edges: Sequence[Edge],
    *,
    weights: Mapping[NodeId, float],
    sources: Mapping[NodeId | EdgeId, Sequence[Source]],
) -> dict[str, Any]:
    """What ``show`` prints: ``{user, nodes, edges}``."""
    return {
        "user": user,
        "nodes": [node_shape(n, weight=weights[n.id], sources=sources.get(n.id, ())) for n in nodes],
        "edges": [edge_shape(e, sources=sources.get(e.id, ())) for e in edges],
    }


def _item_shape(item: RecalledNode, *, explain: bool) -> dict[str, Any]:
    shape: dict[str, Any] = {
        "id": item.id,
        "type": item.type.value,
        "content": item.content,
        "score": round(item.score, 6),
        "sources": [source_shape(source) for source in item.sources],
    }
    if explain:
        shape["parts"] = {name: round(value, 6) for name, value in item.parts.items()}
    return shape


def _round_shape(found: RecalledRound, *, explain: bool) -> dict[str, Any]:
    shape: dict[str, Any] = {
        "messages": list(found.messages),
        "session": found.session,
        "time": found.time.isoformat(),
        "score": round(found.score, 6),
        "text": found.text,
    }
    if explain:
        shape["parts"] = {name: round(value, 6) for name, value in found.parts.items()}
    return shape


def context_shape(context: Context) -> dict[str, Any]:
    """What ``ask`` prints."""
    explain = context.explained
    return {
        "context": context.context,
        "lines": [{"text": line.text, "nodes": list(line.nodes)} for line in context.lines],
        "rounds_text": context.rounds_text,
        "tokens": context.tokens,
        "items": [_item_shape(item, explain=explain) for item in context.items],
        "rounds": [_round_shape(found, explain=explain) for found in context.rounds],
        "triggers": [{"node": t.node, "date": t.date, "text": t.text} for t in context.triggers],
        "questions": [{"id": q.id, "about": q.about, "text": q.text} for q in context.questions],
        "hints": [{"id": h.id, "text": h.text} for h in context.hints],
        "degraded": [{"part": d.part, "reason": d.reason} for d in context.degraded],
        "revision": [context.revision.epoch, context.revision.n],
        "timings": {stage: round(ms, 3) for stage, ms in context.timings.items()},
    }
