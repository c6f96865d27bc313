"""A writer in a process of its own: ``python -m tests.adapters.neo4j.writers ROOT USER NAME``. It says what was acknowledged, a
line each, until something is written to it.
"""

from __future__ import annotations

import select
import sys
import time
from pathlib import Path

from memory_lib.domain.changes import Action, ChangeSet, PutEdge, PutNode
from memory_lib.domain.ids import UserId
from memory_lib.errors import Transient
from tests.contracts.backends import open_neo4j
from tests.contracts.graph.samples import NOW, change_set, edge, node, node_id
from tests.contracts.sealers import TestSealer


def one_set(user: UserId, name: str, number: int) -> ChangeSet:
    """Three nodes in a row: half of it would be seen."""
    names = [f"{name} {number} {part}" for part in "abc"]
    return change_set(
        user,
        f"{name} {number}",
        *(PutNode(node(each)) for each in names),
        PutEdge(edge(names[0], names[1])),
        PutEdge(edge(names[1], names[2])),
        actions=[Action("create", "new", tuple(node_id(each) for each in names))],
    )


def main() -> None:
    root, user, name = sys.argv[1:]
    store = open_neo4j(Path(root), TestSealer())
    number = 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        try:
            store.apply(UserId(user), [one_set(UserId(user), name, number)], token=1, now=NOW)
        except Transient:
            # the same again, under its own key: it may have been kept
            time.sleep(0.1)
            continue
        print(number, flush=True)  # noqa: T201 - its answer
        number += 1
    store.close()


if __name__ == "__main__":
    main()
