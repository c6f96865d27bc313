"""A person's head in Neo4j: the node that every write of theirs locks, read and written with what hangs on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory_lib.adapters.neo4j import queries
from memory_lib.adapters.neo4j.rows import Parameters
from memory_lib.adapters.neo4j.server import Work
from memory_lib.adapters.stored_graph.heads import NOBODY
from memory_lib.domain.changes import Revision
from memory_lib.domain.ids import UserId
from memory_lib.ports.graph import GraphHead


@dataclass(frozen=True, slots=True)
class Head:
    """The port's head, the highest outbox number given out, and which of the keys asked for have been applied, with what."""

    head: GraphHead
    outbox: int
    keys: Mapping[str, str]


def head_of(work: Work, user: UserId, keys: Sequence[str] = ()) -> Head:
    """``NOBODY`` itself where there is none."""
    rows = work.rows(queries.HEAD_AND_KEYS, user=user, keys=list(keys)) if keys else work.rows(queries.HEAD, user=user)
    if not rows:
        return Head(NOBODY, 0, {})
    ((epoch, n, key_generation, fence, fingerprint, dimension, outbox, *known),) = rows
    head = GraphHead(Revision(epoch, n), key_generation, fence, fingerprint, dimension)
    return Head(head, outbox, {key: content for key, content in (known[0] if known else ()) if key is not None})


def set_head(
    work: Work,
    user: UserId,
    head: GraphHead,
    outbox: int,
    *,
    keys: Sequence[Parameters] = (),
    entries: Sequence[Parameters] = (),
) -> None:
    """``outbox``: the highest number given out; ``keys``, ``entries``: write keys and outbox entries that are new."""
    work.run(
        queries.SET_HEAD,
        user=user,
        epoch=head.revision.epoch,
        n=head.revision.n,
        key_generation=head.key_generation,
        fence=head.fence,
        fingerprint=head.fingerprint,
        dimension=head.dimension,
        outbox=outbox,
        keys=list(keys),
        entries=list(entries),
    )
