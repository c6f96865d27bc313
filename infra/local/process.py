"""Processes told apart for good: a pid alone is used again, a pid with its start time is not."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

PROC = Path("/proc")
STEP = 0.02


def started_at(pid: int) -> str | None:
    """When this process began, as the system says it; None where there is no such process, or only its zombie.

    On Linux the boot id and the clock ticks since that boot (proc(5), field 22), elsewhere what ``ps`` prints.
    """
    if PROC.joinpath("self", "stat").exists():
        try:
            line = (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return None
        fields = line.rpartition(")")[2].split()  # the name in brackets may hold anything
        if fields[0] in "ZX":
            return None
        boot = (PROC / "sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot}:{fields[19]}"
    told = subprocess.run(["ps", "-o", "stat=,lstart=", "-p", str(pid)], capture_output=True, text=True, check=False)
    state, _, start = told.stdout.strip().partition(" ")
    return start.strip() if start and not state.startswith("Z") else None


def identity(pid: int) -> str:
    """``pid/start``, which no later process has; for a process that is gone ``pid/``, which nobody has."""
    return f"{pid}/{started_at(pid) or ''}"


def is_alive(process: str) -> bool:
    """Whether the very process of this ``identity`` runs."""
    pid, _, start = process.partition("/")
    return bool(start) and started_at(int(pid)) == start


def end(process: str, *, signals: Sequence[signal.Signals], patience: float) -> bool:
    """Send these signals one after the other, ``patience`` seconds each, until the process is gone; whether it is.

    The start time is compared before each signal: a process that only has the same pid is left alone.
    """
    pid = int(process.partition("/")[0])
    for each in signals:
        if not is_alive(process):
            return True
        try:
            os.kill(pid, each)
        except ProcessLookupError:
            return True
        until = time.monotonic() + patience
        while time.monotonic() < until:
            if not is_alive(process):
                return True
            time.sleep(STEP)
    return not is_alive(process)
