"""What a kind of server must say of itself to be started, and what is written down of one that runs."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Protocol

from infra.local.places import Places
from infra.local.process import is_alive


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """How a server is started: its words, what is added to the environment, and the account it runs as (None = ours)."""

    words: tuple[str, ...]
    environment: Mapping[str, str]
    account: str | None = None


class Kind(Protocol):
    """A program in one version. ``signals`` end it, first the polite one; ``bring`` is what a person runs to have it."""

    @property
    def name(self) -> str: ...

    @property
    def bring(self) -> str: ...

    @property
    def signals(self) -> tuple[signal.Signals, ...]: ...

    def lacking(self, places: Places) -> str | None:
        """What this machine lacks for it, in words; None when nothing. Looks without waiting."""

    def fetch(self, places: Places) -> None:
        """Bring the program into the cache, unless it is there. Raises ServerTrouble."""

    def folder(self, places: Places, name: str) -> Path:
        """An existing folder for the data of a server of this name."""

    def prepare(self, places: Places, folder: Path, port: int) -> Command:
        """Write what it reads at start; data that is there already stays."""

    def address(self, port: int) -> Mapping[str, str]:
        """What a client needs to reach it."""

    def healthy(self, folder: Path, port: int) -> bool:
        """Whether it answers a client now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """The record of a server: on disk before its program runs, removed when it is stopped.

    ``process`` is its identity (pid and start time). ``owners`` are processes for whose life it was started (test sessions);
    empty = it stays until it is stopped by name.
    """

    name: str
    kind: str
    process: str
    port: int
    folder: str
    log: str
    address: Mapping[str, str]
    owners: tuple[str, ...] = ()

    @property
    def pid(self) -> int:
        return int(self.process.partition("/")[0])

    @property
    def is_alive(self) -> bool:
        return is_alive(self.process)


def read_record(path: Path) -> Running | None:
    """The record at this path; None where there is none."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    return Running(**{**fields, "owners": tuple(fields["owners"])})


def write_record(path: Path, running: Running) -> None:
    """Whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_text(json.dumps(asdict(running), indent=1), encoding="utf-8")
    part.replace(path)
