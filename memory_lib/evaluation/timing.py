"""Times beside what else the machine was doing: on a shared machine a wall time alone says little."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

_T = TypeVar("_T")

_SPIN_S = 0.03


def crowding() -> float:
    """How much longer a piece of pure work took than its processor time: 1 on a free machine, 5 where a core has five users."""
    wall, cpu = time.perf_counter(), time.thread_time()
    while time.thread_time() - cpu < _SPIN_S:
        pass
    return (time.perf_counter() - wall) / (time.thread_time() - cpu)


def once(work: Callable[[], _T]) -> tuple[_T, dict[str, float]]:
    """What ``work`` gave; seconds ``s`` on the wall, ``cpu_s`` of this process, and the ``crowding`` around it (the milder of
    before and after).
    """
    before = crowding()
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    took = {"s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}
    return result, {**{name: round(value, 3) for name, value in took.items()}, "crowding": round(min(before, crowding()), 1)}


def best_of(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The run that took least, with every run's seconds: others on the machine only ever add."""
    best = min(runs, key=lambda run: run["s"])
    return {**best, "each_s": [run["s"] for run in runs]}


def often(work: Callable[[int], object], *, times: int) -> dict[str, float]:
    """Milliseconds a call: ``least``, ``p50``, ``p95`` and ``p99`` on the wall, ``cpu_p50`` of the calling thread, and the
    crowding. ``least`` is nearest to what a free machine takes.
    """
    walls: list[float] = []
    cpus: list[float] = []
    before = crowding()
    for number in range(times):
        wall, cpu = time.perf_counter(), time.thread_time()
        work(number)
        walls.append((time.perf_counter() - wall) * 1000)
        cpus.append((time.thread_time() - cpu) * 1000)
    return {
        **spread(walls),
        "cpu_p50": round(statistics.median(cpus), 3),
        "crowding": round((before + crowding()) / 2, 1),
    }


def spread(milliseconds: Sequence[float]) -> dict[str, float]:
    """Least, median, 95th and 99th percentile."""
    ordered = sorted(milliseconds)
    at = {name: ordered[min(len(ordered) - 1, int(len(ordered) * share))] for name, share in (("p95", 0.95), ("p99", 0.99))}
    middle = {"least": round(ordered[0], 3), "p50": round(statistics.median(ordered), 3)}
    return {**middle, **{name: round(value, 3) for name, value in at.items()}}


def load() -> list[float]:
    """Processes that wanted to run, averaged over 1, 5 and 15 minutes."""
    return [round(each, 2) for each in os.getloadavg()]
