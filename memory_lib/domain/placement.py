"""Where a person's graph lives: in a graph store, or in sealed files (DESIGN §4, Tiers)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from memory_lib.errors import IllegalValue

MAIN = "main"
"""The graph store of an installation that has one."""


class Tier(StrEnum):
    """``HOT``: in a graph store. ``WARM``, ``COLD``: in sealed files, near and far."""

    HOT = "hot"
    WARM = "warm"
    COLD = "cold"


@dataclass(frozen=True, slots=True)
class Placement:
    """The one place where the living copy of a person's graph is.

    ``shard``: which graph store holds it, or will when it is hot again. ``generation``: of the set of sealed files that is the
    living copy; 0 where it is hot. Every other set of files is a leftover, whatever it says of itself.
    """

    tier: Tier = Tier.HOT
    shard: str = MAIN
    generation: int = 0

    def __post_init__(self) -> None:
        if (self.tier is Tier.HOT) != (self.generation == 0):
            raise IllegalValue(f"a {self.tier} placement cannot have files of generation {self.generation}")
