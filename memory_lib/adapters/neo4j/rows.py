"""Shared rows as the parameters of statements and back.

A property costs the server a record, and reading the tenth of them a walk past nine: so what no statement asks for lies in one,
``columns``, a JSON list in clear of the columns that all backends share. ``proofs`` is another. An edge's ends and type are its
id (CONTRACTS, Ids).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from typing import Any, Final

from memory_lib.adapters.stored_graph.columns import EdgeColumns, NodeColumns, index_of_columns
from memory_lib.adapters.stored_graph.rows import (
    ACT_COLUMNS,
    NODE_COLUMNS,
    Opener,
    Row,
    Seal,
    act_row,
    edge_from_row,
    edge_row,
    node_from_row,
    node_row,
    proof_rows,
    proofs_by_owner,
)
from memory_lib.domain.acts import Act
from memory_lib.domain.ids import EdgeId, NodeId
from memory_lib.domain.node import Edge, Node, Proof
from memory_lib.policies.graph_index import GraphIndex, is_visible
from memory_lib.ports.graph import GraphHead

Parameters = dict[str, Any]
"""One row of ``$rows``."""
ACT_NAMES: Final = tuple(ACT_COLUMNS.split(", "))
_NODE_PLACE: Final = {name: place for place, name in enumerate(NODE_COLUMNS.split(", ")[1:-1])}
_EDGE_PARTS: Final = 3
_EDGE_OWN: Final = 4
"""Columns of an edge's row that its id says: id, source, target, type."""


def node_parameters(node: Node, seal: Seal) -> Parameters:
    """What ``PUT_NODES`` takes."""
    id_, *columns, sealed = node_row(node, seal)
    return {
        "id": id_,
        "type": node.type.value,
        "visible": is_visible(node),
        "columns": _packed(columns),
        "sealed": sealed,
        **_proofs(id_, node.proofs),
    }


def edge_parameters(edge: Edge, seal: Seal) -> Parameters:
    """What ``put_edges`` takes."""
    row = edge_row(edge, seal)
    return {
        "id": row[0],
        "source": edge.source,
        "target": edge.target,
        "in_force": edge.retracted_at is None,
        "confidence": float(edge.confidence),
        "columns": _packed(row[_EDGE_OWN:-1]),
        "sealed": row[-1],
        **_proofs(row[0], edge.proofs),
    }


def act_parameters(act: Act, node: NodeId, seal: Seal) -> Parameters:
    """What ``PUT_ACTS`` takes."""
    return dict(zip(ACT_NAMES, act_row(act, node, seal), strict=True))


def edge_places(ids: Iterable[str]) -> list[Parameters]:
    """Where edges by these ids would begin. Other ids are left out."""
    return [{"id": edge.split(".")[0], "edge": edge} for edge in ids if edge.count(".") == _EDGE_PARTS - 1]


def edge_ends(edge: str) -> tuple[str, str, str]:
    """(source, type, target) of an edge by its id."""
    source, kind, target = edge.split(".")
    return source, kind, target


def nodes_of(rows: Sequence[Row], open_: Opener) -> dict[NodeId, Node]:
    """(id, columns, sealed, proofs) as nodes, in id order. Raises SealBroken."""
    ordered = sorted(rows, key=_id)
    proofs = _owned(ordered)
    return {
        id_: node_from_row((id_, *columns, sealed), proofs.get(id_, ()), open_)
        for (id_, _, sealed, _), columns in zip(ordered, unpacked([row[1] for row in ordered]), strict=True)
    }


def edges_of(rows: Sequence[Row], open_: Opener) -> dict[EdgeId, Edge]:
    """(id, columns, sealed, proofs) as edges, in id order. Raises SealBroken."""
    ordered = sorted(rows, key=_id)
    proofs = _owned(ordered)
    found: dict[EdgeId, Edge] = {}
    for (id_, _, sealed, _), columns in zip(ordered, unpacked([row[1] for row in ordered]), strict=True):
        source, kind, target = edge_ends(id_)
        found[id_] = edge_from_row((id_, source, target, kind, *columns, sealed), proofs.get(id_, ()), open_)
    return found


def unpacked(texts: Sequence[str]) -> list[list[Any]]:
    """What ``columns`` or ``proofs`` of many rows say, read as one text: a call for each costs more than its content."""
    found: list[list[Any]] = json.loads(f"[{','.join(texts)}]")
    return found


def node_column(columns: Sequence[Sequence[Any]], name: str) -> list[Any]:
    """One column of nodes by its name in the shared rows."""
    place = _NODE_PLACE[name]
    return [row[place] for row in columns]


def index_of_rows(head: GraphHead, nodes: list[Row], edges: list[Row], opener: Callable[[], Opener]) -> GraphIndex:
    """(id, columns, visible, sealed vector) and (id, confidence), in any order. Raises FingerprintMismatch, SealBroken."""
    nodes, edges = sorted(nodes, key=itemgetter(0)), sorted(edges)
    column = partial(node_column, unpacked([row[1] for row in nodes]))
    ends = [edge_ends(row[0]) for row in edges]
    return index_of_columns(
        head,
        NodeColumns(
            ids=[row[0] for row in nodes],
            types=column("type"),
            weight=column("weight"),
            weight_at_us=column("weight_at_us"),
            decay=column("decay"),
            created_us=column("created_us"),
            last_us=column("last_us"),
            visible=[row[2] for row in nodes],
            closed=[closed is not None for closed in column("closed_us")],
            pinned=column("is_pinned"),
            private=column("private"),
        ),
        EdgeColumns(
            source=[source for source, _, _ in ends],
            target=[target for _, _, target in ends],
            types=[kind for _, kind, _ in ends],
            confidence=[row[1] for row in edges],
        ),
        [(row[0], row[3]) for row in nodes if row[3] is not None],
        opener,
    )


def _id(row: Row) -> str:
    return str(row[0])


def _packed(values: Iterable[Any]) -> str:
    text = json.dumps(list(values), separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    # a lone surrogate is said here, not by a driver that may quote it
    text.encode("utf-8")
    return text


def _proofs(owner: str, proofs: Sequence[Proof]) -> Parameters:
    # owner and place are where they lie
    rows = [row[2:] for row in proof_rows(owner, proofs)]
    return {"proofs": _packed(rows), "proof_count": len(rows)}


def _owned(rows: Sequence[Row]) -> dict[str, tuple[Proof, ...]]:
    def told(row: Row, proofs: list[Any]) -> Iterator[Row]:
        return ((row[0], place, *proof) for place, proof in enumerate(proofs))

    return proofs_by_owner(chain.from_iterable(map(told, rows, unpacked([row[-1] for row in rows]))))
