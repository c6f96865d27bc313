"""What a node said before: values that corrections and later messages closed, with their times (DESIGN §3, Two times)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memory_lib.domain.acts import Act, ActKind
from memory_lib.domain.node import Node
from memory_lib.domain.time import from_us
from memory_lib.policies.weight_fold import standing_acts


@dataclass(frozen=True, slots=True)
class FormerValue:
    """``field`` said ``value`` until ``until``; ``by``: the act or message that changed it. ``stands`` False: the change was
    undone, so the value is the present one again, or a later one's.
    """

    field: str
    value: str
    until: datetime
    by: str
    corrected: bool
    stands: bool = True


def history_of(node: Node, acts: Sequence[Act]) -> tuple[FormerValue, ...]:
    """Every value that was put aside, the oldest first. ``acts``: this node's own."""
    standing = {act.id for act in standing_acts(acts)}
    corrected = [
        FormerValue(
            act.detail["field"], act.detail.get("was", ""), act.recorded_at, act.id, corrected=True, stands=act.id in standing
        )
        for act in acts
        if act.kind is ActKind.SET
    ]
    refined = [
        FormerValue(field, value, from_us(change.at_us), change.message, corrected=False)
        for change in node.refined
        for field, value in sorted(change.before.items())
    ]
    return tuple(sorted([*corrected, *refined], key=lambda former: (former.until, former.field, former.by)))
