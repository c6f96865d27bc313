"""What child processes of the suite do: ``python -m tests.contracts.graph.worker TASK BACKEND ROOT …``. Each person is made of
the same change sets in every process, so that the test knows what must be there."""

from __future__ import annotations

import os
import signal
import sys
import time
from itertools import pairwise
from pathlib import Path

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.changes import Action, ChangeSet, PutEdge, PutNode, RecordAct, RemoveNode
from memory_lib.domain.ids import UserId
from tests.contracts.backends import GraphBackend, graph_backend
from tests.contracts.graph.samples import DIMENSION, FINGERPRINT, NOW, change_set, edge, ident, node, node_id, person, vector
from tests.contracts.sealers import DeadlySealer, TestSealer


def writers_set(user: UserId, writer: str, number: int) -> ChangeSet:
    """Every writer puts nodes of its own and, with all others, the same shared one."""
    name = f"{writer} {number}"
    return change_set(
        user,
        name,
        PutNode(node(name), vector(number)),
        PutNode(node("shared", "the same words")),
        PutEdge(edge(name, "shared")),
        actions=[Action("create", "new", (node_id(name),))],
    )


def write(backend: GraphBackend, root: Path, writer: str) -> None:
    """One set a call, each twice, as a retry would."""
    store = backend.open(root, TestSealer())
    store.set_fingerprint(person(), fingerprint=FINGERPRINT, dimension=DIMENSION, token=1)
    for number in range(backend.repeats):
        for _ in range(2):
            store.apply(person(), [writers_set(person(), writer, number)], token=1, now=NOW)
    store.close()


def first_set(user: UserId) -> ChangeSet:
    names = [f"first {i}" for i in range(6)]
    puts = [PutNode(node(name), vector(i)) for i, name in enumerate(names)]
    edges = [PutEdge(edge(a, b)) for a, b in pairwise(names)]
    return change_set(user, "first", *puts, *edges, actions=[Action("create", "first", ())])


def second_sets(user: UserId) -> list[ChangeSet]:
    """Two sets of one call: changes, additions, a removal, acts."""
    act = Act(id=ident("act"), node=node_id("first 1"), kind=ActKind.PIN, at=NOW, recorded_at=NOW, detail={"why": "asked"})
    added = [PutNode(node(f"second {i}", "x" * 3000), vector(i)) for i in range(8)]
    one = change_set(
        user,
        "second",
        PutNode(node("first 0", "changed")),
        *added,
        PutEdge(edge("second 0", "first 1")),
        RemoveNode(node_id("first 2")),
    )
    two = change_set(user, "third", RecordAct(act), PutNode(node("third")), actions=[Action("create", "third", ())])
    return [one, two]


def prepare(backend: GraphBackend, root: Path, user: UserId) -> None:
    store = backend.open(root, TestSealer())
    store.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=DIMENSION, token=1)
    store.apply(user, [first_set(user)], token=1, now=NOW)
    store.close()


def die(backend: GraphBackend, root: Path, *points: str) -> None:
    """For each point a person of that name, prepared, and a child killed while it applies the second sets: ``seal N`` at the
    N-th seal, ``make N`` the same for a person who has no graph yet, ``time X`` X milliseconds after it began."""
    for point in points:
        what, _, number = point.partition(" ")
        user = person(point)
        if what != "make":
            prepare(backend, root, user)
        begun_read, begun = os.pipe()
        child = os.fork()
        if child == 0:
            sealer = TestSealer() if what == "time" else DeadlySealer(int(number))
            store = backend.open(root, sealer)
            os.write(begun, b"x")
            if what == "make":
                store.set_fingerprint(user, fingerprint=FINGERPRINT, dimension=DIMENSION, token=1)
                store.apply(user, [first_set(user)], token=1, now=NOW)
            store.apply(user, second_sets(user), token=1, now=NOW)
            os._exit(0)
        os.read(begun_read, 1)
        if what == "time":
            time.sleep(float(number) / 1000)
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        print(point, "killed" if os.WIFSIGNALED(status) else "finished", sep="\t")  # noqa: T201 - its answer


def main() -> None:
    task, name, root, *rest = sys.argv[1:]
    backend = graph_backend(name)
    {"write": write, "die": die}[task](backend, Path(root), *rest)


if __name__ == "__main__":
    main()
