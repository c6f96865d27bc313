"""A set of sealed files whose writer dies at some moment: ``python -m tests.adapters.synx.dying_writer FOLDER EVERY`` (as
``tests.adapters.blobs.dying``).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from memory_lib.adapters.blobs.directory import DirectoryBlobs
from memory_lib.adapters.synx.graph_files import SynxSealedGraphs
from memory_lib.adapters.synx.params import SealedFilesParams
from memory_lib.domain.ids import UserId
from tests.adapters.blobs.dying import die_everywhere
from tests.adapters.synx.open_sealer import OpenSealer
from tests.contracts.sealed_graphs.graphs import sessions_of, whole_graph

USER = UserId("ab" + "1" * 30)
BEFORE, AFTER = (whole_graph(seed, nodes=6, edges=4) for seed in (1, 2))


def graphs(root: Path) -> SynxSealedGraphs:
    params = SealedFilesParams(shard_bytes=8 * 2**20, block_vectors=128, at_once=1)
    return SynxSealedGraphs(DirectoryBlobs(root), OpenSealer(), params=params)


def write(root: Path) -> Callable[[], object]:
    graphs(root).write(USER, BEFORE, (), generation=1)
    return lambda: graphs(root).write(USER, AFTER, sessions_of(AFTER), generation=2)


def delete(root: Path) -> Callable[[], object]:
    graphs(root).write(USER, BEFORE, (), generation=1)
    graphs(root).write(USER, AFTER, (), generation=2)
    return lambda: graphs(root).delete(USER, generation=1)


if __name__ == "__main__":
    work = {"write": write, "delete": delete}[sys.argv[1]]
    sys.stdout.write(str(die_everywhere(work, Path(sys.argv[2]), every=int(sys.argv[3]))))
