from __future__ import annotations

import os
import secrets
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from memory_lib.domain.ids import UserId
from memory_lib.errors import DependencyDown
from tests.adapters.neo4j.writers import one_set
from tests.contracts.backends import keep_address, open_neo4j
from tests.contracts.graph.samples import node_id
from tests.contracts.sealers import TestSealer

REPOSITORY = Path(__file__).resolve().parents[3]
WRITERS = 4
KILLS = 1


class Writer:
    """A process that writes, and what it has been told was kept."""

    def __init__(self, root: Path, user: UserId, name: str) -> None:
        self.name = name
        self.acknowledged: list[int] = []
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.adapters.neo4j.writers", str(root), user, name],
            cwd=REPOSITORY,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._listening = threading.Thread(target=self._listen, daemon=True)
        self._listening.start()

    def _listen(self) -> None:
        for line in self.process.stdout:
            self.acknowledged.append(int(line))

    def stop(self) -> list[int]:
        self.process.stdin.write("stop\n")
        self.process.stdin.close()
        assert self.process.wait(120) == 0
        self._listening.join(20)
        self.process.stdout.close()
        return self.acknowledged


def until_everybody_has(writing: list[Writer], count: int) -> None:
    """Waits until each has been acknowledged so many change sets: a loaded machine takes its time."""
    deadline = time.monotonic() + 150
    while any(len(each.acknowledged) < count for each in writing):
        assert time.monotonic() < deadline, [len(each.acknowledged) for each in writing]
        assert all(each.process.poll() is None for each in writing), "a writer gave up"
        time.sleep(0.05)


@pytest.mark.neo4j
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_server_killed_while_four_write_loses_nothing_acknowledged_and_keeps_no_half_of_a_change_set(
    private_server, tmp_path
):
    server = private_server("neo4j")
    keep_address(tmp_path, url=server.neo4j.url, database=server.neo4j.database)
    user = UserId(secrets.token_hex(16))
    store = open_neo4j(tmp_path, TestSealer())
    store.head(user)
    writing = [Writer(tmp_path, user, str(number)) for number in range(WRITERS)]
    for kill in range(1, KILLS + 1):
        until_everybody_has(writing, 3 * kill)
        server.kill()
        begun = time.perf_counter()
        with pytest.raises(DependencyDown):
            store.head(user)
        assert time.perf_counter() - begun < 10
        server.start()
    until_everybody_has(writing, 3 * (KILLS + 1))
    acknowledged = {each.name: each.stop() for each in writing}
    graph = store.load(user)
    keys = {
        str(one_set(user, name, n).key): (name, n) for name, numbers in acknowledged.items() for n in range(len(numbers) + 1)
    }
    told = [str(one_set(user, name, n).key) for name, numbers in acknowledged.items() for n in numbers]
    assert store.applied_keys(user, told) == set(told), "0 acknowledged lost"
    kept = [keys[key] for key in store.applied_keys(user, list(keys))]
    whole = {node_id(f"{name} {n} {part}") for name, n in kept for part in "abc"}
    assert set(graph.nodes) == whole, "0 half change sets, none twice"
    assert len(graph.edges) == 2 * len(kept)
    assert graph.revision.n == len(kept)
    entries = store.pending(user, limit=100_000)
    assert sorted(entry.write_key for entry in entries) == sorted(str(one_set(user, name, n).key) for name, n in kept)
    assert len({entry.seq for entry in entries}) == len(entries)
    store.close()
