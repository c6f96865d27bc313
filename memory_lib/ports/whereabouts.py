"""Where a person's graph is read from just now, asked once a message by whoever answers it (DESIGN §4, Tiers)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from memory_lib.domain.ids import UserId
from memory_lib.ports.graph import GraphHead


class ReadFrom(StrEnum):
    """``STORE``: a graph store. ``FILES``: sealed files that are open. ``OPENING``: sealed files that are being opened."""

    STORE = "store"
    FILES = "files"
    OPENING = "opening"


@dataclass(frozen=True, slots=True)
class Found:
    """``head``: the person's row in the graph; None while it is being opened."""

    where: ReadFrom
    head: GraphHead | None


class Whereabouts(Protocol):
    """The tier of a person, as readers meet it."""

    def look(self, user: UserId, *, within_s: float, answer_s: float | None = None) -> Found:
        """Two indexed reads: where, and the head. Where the person rests in files that nobody has opened yet, opening begins
        beside the caller, who waits for it at most ``within_s`` seconds. ``answer_s``: as ``within_s`` of ``GraphReader.head``.

        Raises what reading the files, or the store, raises where they cannot be read.
        """
        ...
