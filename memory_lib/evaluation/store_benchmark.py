"""What the graph store on Neo4j costs, as figures in a dict: a whole person in and out, and its own search (DESIGN §6).

    python -m memory_lib.evaluation.store_benchmark bolt://127.0.0.1:7687

People are synthetic, with ids of chance, and are erased at the end. Figures say which server and version they were taken on.
"""

from __future__ import annotations

import argparse
import json
import secrets
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.adapters.keys.sealing import AesGcmSealer
from memory_lib.adapters.neo4j.params import Neo4jServerParams
from memory_lib.domain.candidates import EdgeType, NodeType, Span
from memory_lib.domain.changes import Revision
from memory_lib.domain.ids import MessageId, NodeId, UserId
from memory_lib.domain.node import Edge, Node, Proof, ProofKind, Weight
from memory_lib.domain.time import to_us
from memory_lib.ports.graph import WholeGraph
from memory_lib.settings import Settings

_T = TypeVar("_T")

AT = datetime(2026, 1, 1, 9, tzinfo=UTC)
WORDS = "работа дом семья река книга утро garden bicycle winter letter music bread".split()
FINGERPRINT = "benchmark"
NEAREST = 20


def made_person(chance: np.random.Generator, *, nodes: int, edges: int, dimension: int) -> WholeGraph:
    """A person of that many nodes with unit vectors, and edges between nodes at random."""
    ids = [NodeId(f"{chance.integers(2**63):032x}") for _ in range(nodes)]
    vectors = chance.standard_normal((nodes, dimension)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    kept = [_node(id_, " ".join(chance.choice(WORDS, 12))) for id_ in ids]
    types = list(EdgeType)
    linked: dict[str, Edge] = {}
    while len(linked) < edges:
        source, target = chance.integers(nodes, size=2)
        if source != target:
            edge = _edge(ids[source], ids[target], types[int(chance.integers(len(types)))])
            linked[edge.id] = edge
    return WholeGraph(
        revision=Revision(1, 1),
        fingerprint=FINGERPRINT,
        dimension=dimension,
        nodes={node.id: node for node in kept},
        edges={edge.id: edge for edge in linked.values()},
        acts=(),
        renames={},
        vectors=dict(zip(ids, vectors, strict=True)),
        write_keys=(),
        outbox=(),
    )


def neo4j_figures(
    server: Neo4jServerParams,
    *,
    nodes: int = 2000,
    edges: int = 10_000,
    dimension: int = 1024,
    searches: int = 100,
    others: int = 20,
    small: int = 500,
    loads: int = 3,
) -> dict[str, Any]:
    """Seconds to place a person and read them back, milliseconds a search with one step, and how many of the true nearest of a
    person of ``small`` nodes are found among ``others`` (an exact scan in numpy says which they are).

    Raises DependencyDown, MissingExtra.
    """
    # here, so that this module can be read where the driver is not installed
    from memory_lib.adapters.neo4j.graph_store import Neo4jGraphStore  # noqa: PLC0415 - as said

    settings = Settings()
    chance = np.random.default_rng(7)
    with tempfile.TemporaryDirectory(prefix="selfimprint-benchmark-") as folder:
        keyring = LocalKeyring(Path(folder), id_key=None, params=settings.keyring)
        sealer = AesGcmSealer(keyring, params=settings.keyring)
        store = Neo4jGraphStore(
            server, sealer, keys=lambda user, generation: keyring.open(user, generation).key, params=settings.neo4j
        )
        people: list[UserId] = []

        def placed(whole: WholeGraph) -> tuple[UserId, float]:
            user = UserId(secrets.token_hex(16))
            keyring.create(user)
            people.append(user)
            return user, _seconds(lambda: store.place(user, whole, token=1, key_generation=1))[1]

        try:
            able = store.abilities
            whole = made_person(chance, nodes=nodes, edges=edges, dimension=dimension)
            times = [placed(whole)[1] for _ in range(loads)]
            user = people[-1]
            reading = {
                name: round(min(_seconds(read)[1] for _ in range(loads)), 3)
                for name, read in (
                    ("take", partial(store.take, user)),
                    ("load", partial(store.load, user)),
                    ("index", partial(store.index, user)),
                )
            }
            heads = [_seconds(lambda: store.head(user))[1] * 1000 for _ in range(searches)]
            for query in _queries(chance, 10, dimension):
                store.search(user, query, k=NEAREST)
            asked = [
                _seconds(partial(store.search, user, query, k=NEAREST))[1] * 1000
                for query in _queries(chance, searches, dimension)
            ]
            for _ in range(others):
                placed(made_person(chance, nodes=nodes // 4, edges=0, dimension=dimension))
            theirs = made_person(chance, nodes=small, edges=0, dimension=dimension)
            among, _ = placed(theirs)
            found = [_true_ones(store, among, theirs, query) for query in _queries(chance, 20, dimension)]
        finally:
            for user in people:
                store.erase(user)
            store.close()
    return {
        "server": f"Neo4j {able.edition} {able.version}",
        "search_by": "index" if able.filtered_search else "scan",
        "nodes": nodes,
        "edges": edges,
        "dimension": dimension,
        "place_s": {"first": round(times[0], 2), "best": round(min(times), 2)},
        "read_s": reading,
        "head_ms": _spread(heads),
        "search_ms": _spread(asked),
        "true_of_20": {"least": min(found), "mean": statistics.mean(found), "among": others, "nodes": small},
    }


def _true_ones(store: Any, user: UserId, whole: WholeGraph, query: NDArray[np.float32]) -> int:
    ids = list(whole.vectors)
    cosines = np.stack([whole.vectors[id_] for id_ in ids]) @ query
    truth = {ids[i] for i in np.argsort(-cosines)[:NEAREST]}
    return len(truth & {node for node, _ in store.search(user, query, k=NEAREST).nodes})


def _queries(chance: np.random.Generator, count: int, dimension: int) -> NDArray[np.float32]:
    raw = chance.standard_normal((count, dimension)).astype(np.float32)
    unit: NDArray[np.float32] = raw / np.linalg.norm(raw, axis=1, keepdims=True)
    return unit


def _seconds(work: Callable[[], _T]) -> tuple[_T, float]:
    begun = time.perf_counter()
    result = work()
    return result, time.perf_counter() - begun


def _spread(milliseconds: list[float]) -> dict[str, float]:
    ordered = sorted(milliseconds)
    return {"p50": round(statistics.median(ordered), 2), "p95": round(ordered[int(len(ordered) * 0.95)], 2)}


def _proof(id_: str) -> Proof:
    return Proof(Span(MessageId(id_), 0, 20), to_us(AT), 0, ProofKind.CREATED, weighed=False, reasoner="rules", version="1")


def _node(id_: NodeId, content: str) -> Node:
    return Node(
        id=id_,
        type=NodeType.FACT,
        content=content,
        weight=Weight(1.0, to_us(AT)),
        decay=0.92,
        created_at=AT,
        last_reinforced_at=AT,
        recorded_at=AT,
        rule="benchmark",
        reasoner="rules",
        version="1",
        proofs=(_proof(id_),),
    )


def _edge(source: NodeId, target: NodeId, kind: EdgeType) -> Edge:
    return Edge(
        source=source,
        target=target,
        type=kind,
        confidence=0.9,
        is_inferred=False,
        created_at=AT,
        recorded_at=AT,
        rule="benchmark",
        reasoner="rules",
        version="1",
        proofs=(_proof(source),),
    )


def main() -> None:
    """The figures of one server as JSON on stdout."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("uri")
    asked.add_argument("--database", default="neo4j")
    chosen = asked.parse_args()
    json.dump(neo4j_figures(Neo4jServerParams(uri=chosen.uri, database=chosen.database)), sys.stdout, indent=2)


if __name__ == "__main__":
    main()
