"""A whole person out of Neo4j and into it, in an open transaction (``ports.graph.GraphCarrier``)."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Final

from memory_lib.adapters.neo4j import queries
from memory_lib.adapters.neo4j.heads import head_of, set_head
from memory_lib.adapters.neo4j.rows import act_parameters, edge_parameters, edges_of, node_parameters, nodes_of
from memory_lib.adapters.neo4j.server import Row, Work
from memory_lib.adapters.neo4j.writer import Person, put_edges, put_nodes, put_rows
from memory_lib.adapters.stored_graph.columns import matrix, no_opener
from memory_lib.adapters.stored_graph.heads import NOBODY
from memory_lib.adapters.stored_graph.rows import Opener, act_from_row, action_text, outbox_entries
from memory_lib.domain.ids import UserId
from memory_lib.domain.time import offset_minutes, to_us
from memory_lib.ports.graph import AppliedKey, GraphHead, WholeGraph

_ALL: Final = 2**31
_KINDS: Final = {"acts": "Act", "renames": "FormerName", "write_keys": "WriteKey", "outbox": "OutboxEntry"}


def rows_of(work: Work, user: UserId) -> tuple[GraphHead, list[list[Row]]]:
    """Everything of the person under their lock, sealed as it lies there: nodes, edges, write keys, acts, renames, outbox."""
    if not work.rows(queries.LOCK, user=user):
        return NOBODY, [[] for _ in range(6)]
    found = head_of(work, user).head
    lists = [work.listed(each, user=user) for each in (queries.NODES, queries.EDGES, queries.ALL_WRITE_KEYS)]
    rows = [work.rows(each, user=user) for each in (queries.ACTS, queries.RENAMES)]
    return found, [*lists, *rows, work.rows(queries.PENDING, user=user, limit=_ALL)]


def whole_of(head: GraphHead, rows: list[list[Row]], opener: Callable[[], Opener]) -> WholeGraph:
    """What ``rows_of`` found, opened. Raises SealBroken, FingerprintMismatch."""
    nodes, edges, keys, acts, renames, waiting = rows
    # an erased person's missing key is not looked up where there is nothing to open
    open_ = opener() if nodes or acts else no_opener
    vectors = sorted((row[0], row[-1]) for row in nodes if row[-1] is not None)
    return WholeGraph(
        revision=head.revision,
        fingerprint=head.fingerprint,
        dimension=head.dimension,
        nodes=nodes_of([row[:-1] for row in nodes], open_),
        edges=edges_of(edges, open_),
        acts=tuple([act_from_row(row, open_) for row in acts]),
        renames=dict(renames),
        vectors={node: vector for (node, _), vector in zip(vectors, matrix(vectors, head.dimension or 0, open_), strict=True)},
        write_keys=tuple([AppliedKey(*row) for row in sorted(keys, key=itemgetter(2, 0))]),
        outbox=outbox_entries(waiting),
    )


def put(work: Work, person: Person, head: GraphHead, whole: WholeGraph, *, outbox: int) -> None:
    """``whole`` where ``clear`` has made room, under ``head``; ``outbox``: the highest number given out before."""
    user, seal = person.user, person.seal
    nodes = [node_parameters(node, seal) for node in whole.nodes.values()]
    put_nodes(work, person, nodes, list(whole.vectors.items()))
    put_edges(work, person, [(edge.type, edge_parameters(edge, seal)) for edge in whole.edges.values()], first=True)
    put_rows(work, queries.PUT_ACTS, person, [act_parameters(act, act.node, seal) for act in whole.acts])
    put_rows(work, queries.PUT_RENAMES, person, [{"id": old, "new": new} for old, new in whole.renames.items()])
    keys = [{"id": each.key, "content": each.content, "n": each.n} for each in whole.write_keys]
    waiting = [
        {
            "id": seq,
            "write_key": entry.write_key,
            "position": entry.position,
            "recorded_us": to_us(entry.recorded_at),
            "recorded_offset": offset_minutes(entry.recorded_at),
            "action": action_text(entry.action, user),
        }
        for seq, entry in enumerate(whole.outbox, outbox + 1)
    ]
    set_head(work, user, head, outbox + len(waiting), keys=keys, entries=waiting)


def clear(work: Work, user: UserId) -> None:
    """Everything of the person but the head."""
    work.run(queries.CLEAR_MEMORIES, user=user)
    for label in queries.STANDING_ALONE:
        work.run(queries.clear(label), user=user)


def counts(work: Work, user: UserId) -> dict[str, int]:
    """What is kept, kinds with none left out; ``head``, or ``fence`` where nothing else is kept."""
    found = head_of(work, user).head
    ((nodes, vectors, ahead, node_proofs),) = work.rows(queries.COUNT_MEMORIES, user=user)
    ((edges, edge_proofs),) = work.rows(queries.COUNT_EDGES, user=user)
    counted = {
        "proofs": node_proofs + edge_proofs,
        "edges": edges,
        "vectors": vectors,
        "next_vectors": ahead,
        "nodes": nodes,
        **{kind: work.rows(queries.count(label), user=user)[0][0] for kind, label in _KINDS.items()},
    }
    kept = {kind: int(count) for kind, count in counted.items() if count}
    if found is NOBODY:
        return kept
    return {**kept, "head": 1} if kept or found.revision.n else {"fence": 1}
