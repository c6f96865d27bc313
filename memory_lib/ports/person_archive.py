"""A person's memory as one file that they can read and that another home can take in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from memory_lib.domain.ids import UserId
from memory_lib.ports.graph import WholeGraph
from memory_lib.ports.person_rows import Rows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ArchivedPerson:
    """What another home needs: everything. ``id_key``: a keyed hash that two homes share exactly when they give the same
    ids.
    """

    user: UserId
    external: str
    id_key: str
    at: datetime
    graph_hash: str
    whole: WholeGraph
    rows: Rows


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ReadablePerson:
    """What the person reads. ``messages``: in the project's import format, in order; ``memory``: as ``show`` gives it;
    ``page``: Markdown in their language.
    """

    messages: Sequence[Mapping[str, str]]
    memory: Mapping[str, Any]
    page: str


class PersonArchives(Protocol):
    """Packs and unpacks."""

    def new_key(self) -> str:
        """A key for one archive, as text to be handed to its owner."""
        ...

    def pack(self, person: ArchivedPerson, readable: ReadablePerson, *, key: str) -> bytes:
        """One file: ``readable`` in clear, ``person`` sealed under ``key``, which is not in it."""
        ...

    def unpack(self, data: bytes, *, key: str) -> ArchivedPerson:
        """Raises UnreadableFile (no archive, altered), SealBroken (another key)."""
        ...
