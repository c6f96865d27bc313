"""A person's graph at rest in sealed files: sets of files, each whole under one generation (DESIGN §4, Tiers)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from memory_lib.domain.ids import ConversationId, MessageId, UserId
from memory_lib.ports.graph import WholeGraph


@dataclass(frozen=True, slots=True)
class SessionTrace:
    """A session of dialogue as files keep it: ids and times; the words stay in the ledger."""

    conversation: ConversationId
    index: int
    messages: tuple[MessageId, ...]
    first_us: int
    last_us: int


class SealedGraphs(Protocol):
    """Sets of sealed files, one place (near or far)."""

    def write(self, user: UserId, whole: WholeGraph, sessions: Sequence[SessionTrace], *, generation: int) -> None:
        """A new set under this generation, its manifest last; on return it has been read back from where it lies, opened, and
        compared with ``whole``. What a killed writer left of this generation is overwritten.

        Raises:
            StaleRead: a whole set of this generation is there already.
            Transient, Permanent: nothing that was there before has changed.
        """
        ...

    def read(self, user: UserId, *, generation: int) -> WholeGraph:
        """Exactly what was written, vectors within float16. Raises SealBroken (altered, cut, of another person, or of another
        generation), naming the file; UnreadableFile where there is no such set.
        """
        ...

    def sessions(self, user: UserId, *, generation: int) -> tuple[SessionTrace, ...]: ...

    def generations(self, user: UserId) -> tuple[int, ...]:
        """Whole or not, ascending."""
        ...

    def outdated(self, user: UserId, *, generation: int) -> int:
        """How many files of this set, whole or not, are sealed by an older key than would be used now; opens none."""
        ...

    def delete(self, user: UserId, *, generation: int) -> None:
        """Harmless where there is none."""
        ...

    def erase(self, user: UserId) -> Mapping[str, int]:
        """All sets, former versions and pending uploads; as ``PersonStore.erase``."""
        ...

    def residue(self, user: UserId) -> Mapping[str, int]: ...
