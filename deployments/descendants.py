"""Which processes a process has started, directly or not: a worker's flow runs are in process groups of their own."""

from __future__ import annotations

import subprocess
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")


def descendants(pid: int) -> list[int]:
    """Pids, nearest first. Ask before stopping: what lost its parent is found no more."""
    children: defaultdict[int, list[int]] = defaultdict(list)
    for child, parent in _parents():
        children[parent].append(child)
    found = list(children[pid])
    for each in found:  # grows while it is walked
        found += children[each]
    return found


def _parents() -> Iterator[tuple[int, int]]:
    """(pid, its parent) of every process."""
    if not (PROC / "self" / "stat").exists():
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True)  # noqa: S607
        for line in listed.stdout.splitlines():
            pid, parent = line.split()
            yield int(pid), int(parent)
        return
    for path in PROC.glob("[0-9]*/stat"):
        try:
            words = path.read_text(encoding="utf-8", errors="replace")
        except OSError:  # it ended meanwhile
            continue
        # the name before the last bracket may have spaces and brackets of its own
        yield int(path.parent.name), int(words.rpartition(")")[2].split()[1])
