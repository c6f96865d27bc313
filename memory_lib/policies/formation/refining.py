"""What a node takes from a mention that says more (CONTRACTS, a mention is an attach or refine).

Only what was missing or less exact changes, and what stood before is kept, so a view of an earlier instant shows it as it was:

- content: the fuller words, where they contain the known ones and do not turn them round;
- valid time: a stated one in place of the message's own time, or a finer one inside a coarser one; a stated end;
- the due date and attributes: those that were missing. A known value never gives way to another one here (``closing``).

The fold runs in event order, so in which order messages arrived makes no difference.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from memory_lib.domain.candidates import Candidate, NodeType, Precision
from memory_lib.domain.message import MessageRef
from memory_lib.domain.node import Node, Refinement
from memory_lib.policies.matching import MatchingParams, detail_added, fingerprint
from memory_lib.policies.person_names import merged

_LENGTH = {
    Precision.MINUTE: timedelta(days=1),
    Precision.DAY: timedelta(days=1),
    Precision.WEEK: timedelta(days=7),
    Precision.MONTH: timedelta(days=31),
    Precision.SEASON: timedelta(days=92),
    Precision.YEAR: timedelta(days=366),
}
_FINER = tuple(Precision)
"""Precisions, finest first."""


def stated_time(node: Node) -> str | None:
    """When it was true, as far as words say so; None where the message's own time stands in."""
    return None if node.valid_from == node.created_at.isoformat() else node.valid_from


def same_time(candidate: Candidate, node: Node, *, at: datetime, params: MatchingParams) -> bool:
    """Whether both may be of one time: events on different dates are different events, so are things due on different days.

    ``at``: the candidate's message's time. An event that names no date is told at its message's time, give or take
    ``event_days``; two tellings without any date may be one however far apart (a thing told again).
    """
    if candidate.due is not None and node.due is not None and candidate.due[:10] != node.due[:10]:
        return False
    if candidate.type is not NodeType.EVENT:
        return True
    known = stated_time(node)
    if candidate.valid_from is not None and known is not None:
        one, other = _start(candidate.valid_from), _start(known)
        return _day(one) < _day(other) + _LENGTH[node.precision] and _day(other) < _day(one) + _LENGTH[candidate.precision]
    window = timedelta(days=params.event_days)
    if candidate.valid_from is not None:
        return abs(_start(candidate.valid_from) - node.created_at) <= window + _LENGTH[candidate.precision]
    return known is None or abs(_start(known) - at) <= window + _LENGTH[node.precision]


def told_together(candidate: Candidate, node: Node, *, at: datetime, params: MatchingParams) -> bool:
    """For an event: whether the two tellings lie so close that more words are more detail, not another event."""
    if candidate.type is not NodeType.EVENT or (candidate.valid_from is not None and stated_time(node) is not None):
        return True
    return abs(at - node.created_at) <= timedelta(days=params.event_days)


def refined(node: Node, candidate: Candidate, *, by: MessageRef, params: MatchingParams) -> Node:
    """The node with what the candidate adds; the same node where it adds nothing."""
    before: dict[str, str] = {}
    after = node
    person = node.type is NodeType.PERSON
    if not person and detail_added(fingerprint(node.content), fingerprint(candidate.content), params=params):
        before["content"] = node.content
        after = replace(after, content=candidate.content)
    if not person and candidate.valid_from is not None and _sharpens(candidate, node):
        before |= {"valid_from": node.valid_from or "", "precision": node.precision.value}
        after = replace(after, valid_from=candidate.valid_from, precision=candidate.precision)
    for name in ("ends", "due"):
        said = getattr(candidate, name)
        if said is not None and getattr(node, name) is None:
            before[name] = ""
            after = replace(after, **{name: said})
    if person:
        attributes = merged(node.attributes, candidate.attributes, content=candidate.content)
    else:
        attributes = {**{key: value for key, value in candidate.attributes.items() if value}, **node.attributes}
    changed = {key: value for key, value in attributes.items() if node.attributes.get(key) != value}
    if changed:
        before |= {f"attributes.{key}": node.attributes.get(key, "") for key in changed}
        after = replace(after, attributes={**node.attributes, **changed})
    if not before:
        return node
    return replace(after, refined=(*node.refined, Refinement(by.id, by.at_us, before)))


def _sharpens(candidate: Candidate, node: Node) -> bool:
    known = stated_time(node)
    if known is None:
        return True
    if _FINER.index(candidate.precision) >= _FINER.index(node.precision):
        return False
    said, start = _day(_start(candidate.valid_from or known)), _day(_start(known))
    return start <= said < start + _LENGTH[node.precision]


def _start(text: str) -> datetime:
    return datetime.fromisoformat(text)


def _day(instant: datetime) -> datetime:
    """The day on its own clock, whatever the zone: a date is a date."""
    return instant.replace(hour=0, minute=0, second=0, microsecond=0, tzinfo=None)
