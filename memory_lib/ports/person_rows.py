"""The ledger's rows of one person, opened: what an export carries and a restored backup gives back."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Tier
from memory_lib.ports.graph import WholeGraph
from memory_lib.ports.ledger import People
from memory_lib.ports.sealed_graphs import SealedGraphs

Rows = Mapping[str, list[dict[str, Any]]]
"""Table → rows by column, as JSON values."""


class PersonRows(Protocol):
    """All that a ledger keeps of a person, out of it and into it."""

    def dump(self, user: UserId) -> Rows:
        """Opened, without the person's internal id. Raises UnknownUser."""
        ...

    def load(self, user: UserId, dump: Rows) -> Mapping[str, int]:
        """These rows as this person's, sealed with their key here; rows that are there already stay. How many of each table
        were new. Repeating is harmless.
        """
        ...


class KeptGraphs(Protocol):
    """Graphs of people in a backup."""

    def take(self, user: UserId) -> WholeGraph:
        """As ``GraphCarrier.take``."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Backup:
    """What lies at one place, opened beside the living stores under the same keys, for reading; None or empty where it does not
    lie there. ``files``: sets of sealed files.
    """

    people: People | None = None
    rows: PersonRows | None = None
    graph: KeptGraphs | None = None
    files: Mapping[Tier, SealedGraphs]


class Backups(Protocol):
    """Opens backups."""

    def open(self, place: str) -> AbstractContextManager[Backup]:
        """``place``: a ledger's file or address, a folder of sealed files, or the copy of a whole home. Nothing there changes.

        Raises UnreadableFile where it is none of these.
        """
        ...
