"""A person's graph to another store or tier because an operator says so (DESIGN §5, ops)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Placement, Tier
from memory_lib.errors import UnknownSetting
from memory_lib.ports.graph import GraphReader
from memory_lib.ports.person_mover import Destination, PersonMover

_SHARD = "shard:"


@dataclass(frozen=True, slots=True)
class Relocated:
    """``counts``: what was, or would be, carried, by kind; ``removed``: what was taken away where it no longer lives."""

    was: Placement
    now: Placement
    counts: Mapping[str, int] = field(default_factory=dict)
    removed: Mapping[str, int] = field(default_factory=dict)


def destination(text: str, *, now: Placement) -> Destination:
    """What ``hot``, ``warm``, ``cold`` or ``shard:NAME`` means for a person who is at ``now``. A store is named without
    changing the tier: who rests in files comes back into that store.

    Raises UnknownSetting.
    """
    shard = text.removeprefix(_SHARD)
    if shard != text and shard:
        return Destination(now.tier, shard)
    try:
        return Destination(Tier(text))
    except ValueError:
        raise UnknownSetting("a person is moved to hot, warm, cold or shard:NAME; name one of them") from None


def move_shard(user: UserId, to: str, *, mover: PersonMover, reader: GraphReader, apply: bool) -> Relocated:
    """Moves the person; without ``apply`` says from where to where, and how much would go.

    Raises UnknownSetting, and as ``PersonMover.move``.
    """
    was = mover.where(user)
    wanted = destination(to, now=was)
    if apply:
        moved = mover.move(user, wanted)
        return Relocated(moved.was, moved.now, moved.counts, moved.removed)
    stored = reader.load(user)
    counts = {"nodes": len(stored.nodes), "edges": len(stored.edges), "acts": len(stored.acts), "vectors": len(stored.vectors)}
    return Relocated(was, mover.planned(user, wanted), counts)
