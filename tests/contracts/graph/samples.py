"""Small values to fill graphs with. Ids are hex, as real ones.

People of one run are not those of another, which may use the same server just then; children of a run have its people.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta, timezone
from typing import Any

import numpy as np

from memory_lib.domain.candidates import EdgeType, NodeType, Span
from memory_lib.domain.changes import Action, Change, ChangeSet, PutEdge, PutNode, WriteKey
from memory_lib.domain.ids import MessageId, NodeId, UserId
from memory_lib.domain.node import Edge, Node, Proof, ProofKind, Weight

MOSCOW = timezone(timedelta(hours=3))
NOW = datetime(2026, 5, 1, 9, 30, tzinfo=MOSCOW)
AT_US = 1_777_616_200_000_000
DIMENSION = 8
FINGERPRINT = "test-embedder-8"
RUN = os.environ.setdefault("GRAPH_CONTRACTS_RUN", secrets.token_hex(8))
PEOPLE: set[UserId] = set()
"""Of whom this process has spoken."""


def ident(name: str) -> str:
    return hashlib.blake2b(name.encode(), digest_size=16).hexdigest()


def person(name: str = "anna") -> UserId:
    user = UserId(ident(f"user {name} of {RUN}"))
    PEOPLE.add(user)
    return user


def node_id(name: str) -> NodeId:
    return NodeId(ident(f"node {name}"))


def proof(name: str = "message", start: int = 0, **fields: Any) -> Proof:
    values: dict[str, Any] = {
        "at_us": AT_US,
        "offset": 180,
        "kind": ProofKind.CREATED,
        "weighed": False,
        "reasoner": "rules",
        "version": "1",
    }
    return Proof(span=Span(MessageId(ident(f"message {name}")), start, start + 5), **{**values, **fields})


def node(name: str, content: str | None = None, **fields: Any) -> Node:
    values: dict[str, Any] = {
        "id": node_id(name),
        "type": NodeType.FACT,
        "content": f"content of {name}" if content is None else content,
        "weight": Weight(1.0, AT_US),
        "decay": 0.92,
        "created_at": NOW,
        "last_reinforced_at": NOW,
        "recorded_at": NOW,
        "rule": "fact.test",
        "reasoner": "rules",
        "version": "1",
        "proofs": (proof(name),),
    }
    return Node(**{**values, **fields})


def edge(source: str, target: str, type_: EdgeType = EdgeType.CAUSED_BY, **fields: Any) -> Edge:
    values: dict[str, Any] = {
        "source": node_id(source),
        "target": node_id(target),
        "type": type_,
        "confidence": 0.9,
        "is_inferred": False,
        "created_at": NOW,
        "recorded_at": NOW,
        "rule": "edge.test",
        "reasoner": "rules",
        "version": "1",
        "proofs": (proof(f"{source} {target}"),),
    }
    return Edge(**{**values, **fields})


def vector(seed: int, dimension: int = DIMENSION) -> bytes:
    return np.random.default_rng(seed).standard_normal(dimension).astype(np.float32).tobytes()


def change_set(user: UserId, unit: str, *changes: Change, actions: Sequence[Action] = ()) -> ChangeSet:
    key = WriteKey(user=user, kind="ingest", unit=ident(f"unit {unit}"), operation="form", code_version="1")
    return ChangeSet(key, changes, tuple(actions))


def lines(*chains: str, type_: EdgeType = EdgeType.CAUSED_BY) -> list[Change]:
    """``"a b c"`` as nodes a, b, c and edges a→b, b→c."""
    names = sorted({name for chain in chains for name in chain.split()})
    pairs = sorted({pair for chain in chains for pair in zip(chain.split(), chain.split()[1:], strict=False)})
    return [*(PutNode(node(name)) for name in names), *(PutEdge(edge(a, b, type_)) for a, b in pairs)]
