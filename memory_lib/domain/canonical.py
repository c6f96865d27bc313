"""The canonical form of nodes and edges, and the graph hash made of it (CONTRACTS, Writing).

The hash says whether two homes believe the same things for the same reasons: nodes, edges, proofs, valid times and states. It
leaves out what may differ between two equal runs: recorded times, revisions, vectors and cached weights.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from memory_lib.domain.node import Closure, Edge, Node, Proof


def canonical_json(value: object) -> bytes:
    """Sorted keys, no spaces, ASCII only: the same value gives the same bytes everywhere (lone surrogates included)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False).encode("ascii")


def proof_record(proof: Proof) -> list[Any]:
    """All of a proof that two equal runs share."""
    span = proof.span
    return [span.message, span.start, span.end, proof.at_us, proof.offset, proof.kind.value, proof.weighed]


def _closure_record(closure: Closure | None) -> list[Any] | None:
    return None if closure is None else [closure.valid_until, closure.by_message, closure.at_us]


def node_record(node: Node) -> dict[str, Any]:
    """All that is believed of a node, without what differs between two equal runs."""
    slot = node.slot
    return {
        "id": node.id,
        "type": node.type.value,
        "content": node.content,
        "decay": node.decay,
        "state": node.state.value,
        "confidence": round(node.confidence, 9),
        "importance": round(node.importance, 9),
        "valence": node.valence.value,
        "intensity": round(node.intensity, 9),
        "stated": node.stated,
        "topic": node.topic.value,
        "slot": None if slot is None else [slot.key, slot.value, slot.single],
        "audience": list(node.audience),
        "flags": sorted(flag.value for flag in node.flags),
        "due": node.due,
        "attributes": dict(node.attributes),
        "modality": [m.value for m in node.modality],
        "polarity": node.polarity,
        "holder": node.holder,
        "about": node.about,
        "about_name": node.about_name,
        "is_inference": node.is_inference,
        "is_pinned": node.is_pinned,
        "origin": node.origin,
        "rule": node.rule,
        "valid_from": node.valid_from,
        "precision": node.precision.value,
        "ends": node.ends,
        "closure": _closure_record(node.closure),
        "retracted": node.retracted_at is not None,
        "formed": dict(node.formed),
        "refined": [[r.message, r.at_us, dict(r.before)] for r in node.refined],
        "proofs": [proof_record(p) for p in node.proofs],
    }


def edge_record(edge: Edge) -> dict[str, Any]:
    """All that is believed of an edge, without what differs between two equal runs."""
    return {
        "id": edge.id,
        "confidence": round(edge.confidence, 9),
        "is_inferred": edge.is_inferred,
        "state": edge.state.value,
        "audience": list(edge.audience),
        "valid_from": edge.valid_from,
        "closure": _closure_record(edge.closure),
        "retracted": edge.retracted_at is not None,
        "rule": edge.rule,
        "proofs": [proof_record(p) for p in edge.proofs],
    }


def graph_hash(nodes: Iterable[Node], edges: Iterable[Edge]) -> str:
    """SHA-256 over the canonical records, in id order."""
    digest = hashlib.sha256()
    for record in sorted((node_record(n) for n in nodes), key=lambda r: str(r["id"])):
        digest.update(canonical_json(record) + b"\n")
    digest.update(b"--\n")
    for record in sorted((edge_record(e) for e in edges), key=lambda r: str(r["id"])):
        digest.update(canonical_json(record) + b"\n")
    return digest.hexdigest()
