"""The numbers of sealed files."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SealedFilesParams:
    """``shard_bytes``: a file's rows go on in a further file from here on; one row is never cut. ``block_vectors``: vectors in
    one row. ``at_once``: files being written or fetched at the same time.
    """

    shard_bytes: int
    block_vectors: int
    at_once: int
