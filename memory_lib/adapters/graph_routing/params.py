"""The numbers of tiers: what is kept open, how long recall waits."""

from __future__ import annotations

from dataclasses import dataclass

from memory_lib.policies.tiering import TieringParams


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedFilesParams:
    """``people``: graphs read from files and kept in memory at once. ``kept_s``: none for longer than this, so that nothing
    opened outlives an erasure by another process for long. ``opening``: sets of files being opened at once beside callers.
    """

    people: int
    kept_s: float
    opening: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TierParams:
    """``unseal_wait_s``: how long a recall waits for files to open before it answers from the rounds alone.
    ``ask_again_s``: how often at most one process asks for a person's return. ``claim_s``: after this a dead mover's claim is
    free. ``page``: people looked at, and requests taken, at a time. ``vectors_within``: how far a component of a vector may be
    off after a move. ``attempts``: how often a return is tried before it is given up as failed.
    """

    silence: TieringParams
    files: OpenedFilesParams
    unseal_wait_s: float
    ask_again_s: float
    claim_s: float
    page: int
    vectors_within: float
    attempts: int
