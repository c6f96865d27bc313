"""Bytes by path, near or far. Everything handed in is sealed already; paths are made of ids and numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class BlobInfo:
    """``etag`` names this content at this path."""

    path: str
    size: int
    etag: str


class Blobs(Protocol):
    """A store of blobs. A path is relative, ``[a-z0-9/._-]+``, without ``..``.

    Every method raises DependencyDown (or StoreBusy) where the store does not answer for now, and Permanent where it refuses
    (rights, a full disk), with the source intact.
    """

    def put(self, path: str, data: bytes, *, replacing: str | None = None) -> BlobInfo:
        """Whole or not at all, durable on return, its checksum checked by the store. ``replacing`` None: the path must be free;
        an etag: that content must be there.

        Raises StaleRead where it is not so.
        """
        ...

    def get(self, path: str) -> bytes | None:
        """The content, None where there is none. Raises Permanent where it is not what was put (checksum)."""
        ...

    def list(self, prefix: str) -> tuple[BlobInfo, ...]:
        """All whose path starts with ``prefix``, in path order."""
        ...

    def delete(self, paths: Sequence[str]) -> None:
        """Present content, former versions, delete markers. Harmless where there is none."""
        ...

    def purge(self, prefix: str) -> Mapping[str, int]:
        """Everything whose path starts with ``prefix``: content, former ``versions``, ``markers`` of deletion, pending
        ``uploads`` and temporary ``parts``; how many of each.
        """
        ...

    def residue(self, prefix: str) -> Mapping[str, int]:
        """What ``purge`` would take, counted; kinds with none are left out."""
        ...

    def reap(self, *, older_than: datetime) -> int:
        """Abort uploads and remove temporary files begun before that instant by somebody who never finished; how many."""
        ...
