"""What stores cost beside what is asked of them (DESIGN §6): JSON on stdout, a table on stderr.

    make bench                                                                       on what `make services` has running
    python -m infra.local status --json | python -m memory_lib.evaluation.store_benchmark --servers -     the same, stores alone

Without servers the embedded stores are measured, and what was left out is told with the command that brings it. People are
synthetic, have ids of chance, and are erased at the end. Figures say which server and version they were taken on.
"""

from __future__ import annotations

import argparse
import json
import secrets
import statistics
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.adapters.keys.sealing import AesGcmSealer
from memory_lib.adapters.neo4j.params import Neo4jServerParams
from memory_lib.domain.ids import UserId
from memory_lib.errors import SelfImprintError
from memory_lib.evaluation import tier_benchmark
from memory_lib.evaluation.store_table import table
from memory_lib.evaluation.synthetic_people import Writer, said, whole_graph
from memory_lib.evaluation.temporary_stores import (
    BRING,
    EMBEDDED,
    PRODUCTION,
    Servers,
    missing,
    production_settings,
    servers_from,
)
from memory_lib.evaluation.tier_benchmark import TierSizes, tier_figures
from memory_lib.evaluation.timing import best_of, load, often, once
from memory_lib.ports.graph import WholeGraph
from memory_lib.settings import Settings

NEAREST = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSizes:
    """``others``: people of ``other_nodes`` each around one of ``small`` nodes, whose true neighbours are looked for.
    ``times``: repetitions of what takes long.
    """

    nodes: int
    edges: int
    dimension: int
    searches: int
    others: int
    other_nodes: int
    small: int
    times: int


FULL = StoreSizes(nodes=2000, edges=10_000, dimension=1024, searches=100, others=20, other_nodes=500, small=500, times=3)
QUICK = StoreSizes(nodes=60, edges=120, dimension=32, searches=5, others=2, other_nodes=20, small=40, times=1)


def stores(servers: Servers, *, sizes: TierSizes, store_sizes: StoreSizes) -> dict[str, Any]:
    """Every figure that the servers at hand allow. ``left_out``: which were not taken, why, and what brings them."""
    report: dict[str, Any] = {"load_before": load(), "left_out": []}

    def take(name: str, figures: Callable[[], dict[str, Any]], *needed: str) -> None:
        if lacking := missing(servers, needed):
            report["left_out"].append({"figures": name, "reason": f"{', '.join(lacking)} not running", "bring": BRING})
            return
        try:
            report[name] = figures()
        except SelfImprintError as error:
            report["left_out"].append({"figures": name, "reason": str(error), "bring": BRING})

    def production() -> dict[str, Any]:
        with (
            tempfile.TemporaryDirectory(prefix="selfimprint-bench-") as folder,
            production_settings(servers, Path(folder)) as at,
        ):
            return tier_figures(at, sizes=sizes)

    def embedded() -> dict[str, Any]:
        with tempfile.TemporaryDirectory(prefix="selfimprint-bench-") as folder:
            return tier_figures(Settings.load(home=Path(folder), overrides=EMBEDDED), sizes=sizes)

    def graphs(name: str) -> dict[str, Any]:
        server = Neo4jServerParams(uri=servers[name]["url"], database=servers[name]["database"])
        return neo4j_figures(server, sizes=store_sizes)

    take("embedded", embedded)
    take("production", production, *PRODUCTION)
    take("neo4j", partial(graphs, "neo4j"), "neo4j")
    take("neo4j-5", partial(graphs, "neo4j-5"), "neo4j-5")
    report["load_after"] = load()
    return report


def neo4j_figures(server: Neo4jServerParams, *, sizes: StoreSizes = FULL) -> dict[str, Any]:
    """Seconds to place a person and read them back, milliseconds a search with one step, and how many of the true nearest of a
    person are found among others (an exact scan in numpy says which they are).

    Raises DependencyDown, MissingExtra.
    """
    # here, so that this module can be read where the driver is not installed
    from memory_lib.adapters.neo4j.graph_store import Neo4jGraphStore  # noqa: PLC0415 - as said

    settings = Settings()
    writer = Writer(7)
    with tempfile.TemporaryDirectory(prefix="selfimprint-bench-") as folder:
        keyring = LocalKeyring(Path(folder), id_key=None, params=settings.keyring)
        sealer = AesGcmSealer(keyring, params=settings.keyring)
        store = Neo4jGraphStore(
            server, sealer, keys=lambda user, generation: keyring.open(user, generation).key, params=settings.neo4j
        )
        people: list[UserId] = []
        messages = [source.identified(keyring.id_key) for source in said("anybody", count=50, writer=writer)]

        def made(nodes: int, edges: int) -> WholeGraph:
            return whole_graph(
                messages, nodes=nodes, edges=edges, dimension=sizes.dimension, fingerprint="synthetic", writer=writer
            )

        def placed(whole: WholeGraph) -> tuple[UserId, dict[str, float]]:
            user = UserId(secrets.token_hex(16))
            keyring.create(user)
            people.append(user)
            return user, once(lambda: store.place(user, whole, token=1, key_generation=1))[1]

        try:
            able = store.abilities
            whole = made(sizes.nodes, sizes.edges)
            placing = [placed(whole)[1] for _ in range(sizes.times)]
            user = people[-1]
            reading = {
                name: best_of([once(read)[1] for _ in range(sizes.times)])
                for name, read in (("load", partial(store.load, user)), ("index", partial(store.index, user)))
            }
            heads = often(lambda _: store.head(user), times=sizes.searches)
            queries = writer.vectors(sizes.searches, sizes.dimension)
            for query in queries[:10]:
                store.search(user, query, k=NEAREST)
            asked = often(lambda number: store.search(user, queries[number], k=NEAREST), times=sizes.searches)
            for _ in range(sizes.others):
                placed(made(sizes.other_nodes, 0))
            theirs = made(sizes.small, 0)
            among, _ = placed(theirs)
            found = [_true_ones(store, among, theirs, query) for query in writer.vectors(20, sizes.dimension)]
        finally:
            for user in people:
                store.erase(user)
            store.close()
    return {
        "server": f"Neo4j {able.edition} {able.version}",
        "search_by": "index" if able.filtered_search else "scan",
        "place": {**best_of(placing), "first_s": placing[0]["s"]},
        "read": reading,
        "head_ms": heads,
        "search_ms": asked,
        "true_of_20": {"least": min(found), "mean": statistics.mean(found), "among": sizes.others, "nodes": sizes.small},
    }


def _true_ones(store: Any, user: UserId, whole: WholeGraph, query: NDArray[np.float32]) -> int:
    ids = list(whole.vectors)
    cosines = np.stack([whole.vectors[id_] for id_ in ids]) @ query
    truth = {ids[i] for i in np.argsort(-cosines)[:NEAREST]}
    return len(truth & {node for node, _ in store.search(user, query, k=NEAREST).nodes})


def measured(servers: Servers, *, quick: bool) -> Mapping[str, Any]:
    """``stores`` in full size or, quick, in the size of a test; the table goes to stderr."""
    sizes, store_sizes = (tier_benchmark.QUICK, QUICK) if quick else (tier_benchmark.FULL, FULL)
    report = stores(servers, sizes=sizes, store_sizes=store_sizes)
    print(table(report), file=sys.stderr)  # noqa: T201 - the table is for who reads
    return report


def main() -> None:
    """The figures as JSON on stdout."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument(
        "--servers", metavar="FILE", help="addresses as JSON (- reads standard input); none: embedded stores alone"
    )
    asked.add_argument("--quick", action="store_true", help="the size of a test")
    chosen = asked.parse_args()
    json.dump(measured(servers_from(chosen.servers), quick=chosen.quick), sys.stdout, indent=2)


if __name__ == "__main__":
    main()
