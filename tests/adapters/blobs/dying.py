"""A process that forks a child for each moment of a piece of work and lets it die there, as by ``kill -9``.

``python -m tests.adapters.blobs.dying WORK FOLDER EVERY`` works in ``FOLDER/<moment>`` (0: nobody dies) and says how many
moments there are; the children of every EVERY-th one, and of the last, die. What they leave is for the test to judge.
"""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Callable
from pathlib import Path

from memory_lib.adapters.blobs.directory import DirectoryBlobs
from tests.e2e.moments import Moments

PATH = "ab/ab12/000000000001/core"
OLD, NEW = b"old content" * 500, b"new content" * 700


def put(root: Path) -> Callable[[], object]:
    return lambda: DirectoryBlobs(root).put(PATH, NEW)


def replace(root: Path) -> Callable[[], object]:
    blobs = DirectoryBlobs(root)
    etag = blobs.put(PATH, OLD).etag
    return lambda: blobs.put(PATH, NEW, replacing=etag)


def delete(root: Path) -> Callable[[], object]:
    blobs = DirectoryBlobs(root)
    blobs.put(PATH, OLD)
    blobs.put(PATH + ".2", OLD)
    return lambda: blobs.purge("ab/ab12/")


WORKS = {work.__name__: work for work in (put, replace, delete)}


def die_everywhere(work: Callable[[Path], Callable[[], object]], folder: Path, *, every: int = 1) -> int:
    """The number of moments that the work has."""
    moments, deadly = 1, 0
    while True:
        root = folder / str(deadly)
        ready = work(root)
        into, out = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                seen = Moments(root, deadly=deadly or None)
                ready()
                os.write(out, str(seen.seen).encode())
                os._exit(0)
            except BaseException:  # noqa: BLE001 - said aloud, then the child ends
                traceback.print_exc()
                os._exit(1)
        os.close(out)
        with os.fdopen(into, "rb") as said:
            number = said.read()
        _pid, status = os.waitpid(child, 0)
        ended = os.waitstatus_to_exitcode(status)
        assert ended == (-signal.SIGKILL if deadly else 0), f"moment {deadly} of {moments}: {ended}"
        if deadly == 0:
            moments, deadly = int(number), 1
        elif deadly == moments:
            return moments
        else:
            deadly = min(deadly + every, moments)


if __name__ == "__main__":
    sys.stdout.write(str(die_everywhere(WORKS[sys.argv[1]], Path(sys.argv[2]), every=int(sys.argv[3]))))
