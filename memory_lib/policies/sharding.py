"""Which graph store a new person goes to (DESIGN §3, Where things live; §6, Scale): weighted rendezvous hashing.

Every process gives the same answer without asking anybody, and a store that is added takes new people in proportion to its
share without moving the others' answer among themselves (Thaler and Ravishankar 1998; weights as Schindelhauer and Schomaker
2005). Who was placed once stays where the ledger says, whatever this says later.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from memory_lib.errors import IllegalValue

_SCALE = 2.0**64


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardingParams:
    """``shares``: a store's share of new people by its name, 1 where it is not named; 0 takes nobody new (a store that is being
    emptied).
    """

    shares: Mapping[str, float]

    def __post_init__(self) -> None:
        if any(not (math.isfinite(share) and share >= 0.0) for share in self.shares.values()):
            raise IllegalValue("sharding: a share is a number of at least 0; correct the setting sharding.shares")


def shard_for(user: str, shards: Sequence[str], *, params: ShardingParams) -> str:
    """The store for a person who has none yet. Does not depend on the order of ``shards``.

    Raises:
        IllegalValue: there is no store, or none takes new people.
    """
    best: tuple[float, str] | None = None
    for shard in shards:
        share = params.shares.get(shard, 1.0)
        if share > 0.0:
            digest = hashlib.blake2b(f"{shard}\0{user}".encode(), digest_size=8).digest()
            chance = (int.from_bytes(digest, "big") + 0.5) / _SCALE
            best = max(best or (-math.inf, ""), (-share / math.log(chance), shard))
    if best is None:
        raise IllegalValue("no graph store takes new people; give one a share above 0 in the setting sharding.shares")
    return best[1]
