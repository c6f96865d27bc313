"""Sealed files as plainly as they can be said: a dictionary, with faults on demand. What it hands out is what it was given."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

from memory_lib.domain.ids import UserId
from memory_lib.errors import StaleRead, UnreadableFile
from memory_lib.ports.graph import WholeGraph
from memory_lib.ports.sealed_graphs import SealedGraphs, SessionTrace


def _nothing(_step: str) -> None:
    """No fault."""


class KeptFiles:
    """``before``: called with ``write``, ``written``, ``read`` or ``delete`` before each of them; may raise or wait."""

    def __init__(self) -> None:
        self.sets: dict[tuple[UserId, int], tuple[WholeGraph, tuple[SessionTrace, ...]]] = {}
        self.before: Callable[[str], None] = _nothing
        self.readings = 0
        self._lock = threading.Lock()

    def write(self, user: UserId, whole: WholeGraph, sessions: Sequence[SessionTrace], *, generation: int) -> None:
        self.before("write")
        if (user, generation) in self.sets:
            raise StaleRead(f"there is a set {generation} of person {user} already")
        self.sets[user, generation] = (whole, tuple(sessions))
        self.before("written")

    def read(self, user: UserId, *, generation: int) -> WholeGraph:
        self.before("read")
        with self._lock:
            self.readings += 1
        return self._set(user, generation)[0]

    def sessions(self, user: UserId, *, generation: int) -> tuple[SessionTrace, ...]:
        return self._set(user, generation)[1]

    def generations(self, user: UserId) -> tuple[int, ...]:
        return tuple(sorted(generation for whose, generation in self.sets if whose == user))

    def outdated(self, user: UserId, *, generation: int) -> int:
        return 0

    def delete(self, user: UserId, *, generation: int) -> None:
        self.before("delete")
        self.sets.pop((user, generation), None)

    def erase(self, user: UserId) -> Mapping[str, int]:
        theirs = self.generations(user)
        for generation in theirs:
            del self.sets[user, generation]
        return {"sets": len(theirs)} if theirs else {}

    def residue(self, user: UserId) -> Mapping[str, int]:
        theirs = self.generations(user)
        return {"sets": len(theirs)} if theirs else {}

    def _set(self, user: UserId, generation: int) -> tuple[WholeGraph, tuple[SessionTrace, ...]]:
        try:
            return self.sets[user, generation]
        except KeyError:
            raise UnreadableFile(f"person {user} has no set {generation} of sealed files here") from None


def as_port() -> SealedGraphs:
    """So that a type checker compares."""
    return KeptFiles()
