"""The numbers of keys and seals."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyringParams:
    """``seals_a_key``: a key is rotated before this many seals. ``seals_reserved``: how many a sealer books at a time.
    ``opened_keys``: opened ciphers a sealer keeps in memory.
    """

    seals_a_key: int
    seals_reserved: int
    opened_keys: int
