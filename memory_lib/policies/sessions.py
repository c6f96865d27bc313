"""Sessions, and the units of formation cut from them (CONTRACTS, Session and Unit).

Everything here takes the messages of *one* conversation in event order, all roles, without their words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from memory_lib.domain.ids import SessionId
from memory_lib.domain.message import MessageRef
from memory_lib.errors import IllegalValue


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionParams:
    """``silence_hours``: a session nobody named ends after this silence. ``predecessors``: messages a unit looks back on."""

    silence_hours: float
    predecessors: int

    def __post_init__(self) -> None:
        if self.silence_hours <= 0.0 or self.predecessors < 0:
            raise IllegalValue("sessions: silence_hours must be above 0, predecessors 0 or more; correct the setting")


def session_indices(refs: Sequence[MessageRef], *, params: SessionParams) -> tuple[int, ...]:
    """The session of each message, numbered from 0 by first appearance.

    A given session is its id: one session wherever its messages stand, however long the silence between them. A message
    without one goes on in the session of the message before it, named or not; after ``silence_hours`` it opens a new one of
    its own.

    Raises:
        IllegalValue: the messages are not in event order, or not of one conversation.
    """
    _check(refs)
    silence_us = params.silence_hours * 3_600_000_000
    named: dict[SessionId, int] = {}
    indices: list[int] = []
    opened = 0
    before: MessageRef | None = None
    for ref in refs:
        if ref.session is not None and ref.session in named:
            index = named[ref.session]
        elif ref.session is None and before is not None and ref.at_us - before.at_us < silence_us:
            index = indices[-1]
        else:
            index, opened = opened, opened + 1
        if ref.session is not None:
            named[ref.session] = index
        indices.append(index)
        before = ref
    return tuple(indices)


def unit_refs(refs: Sequence[MessageRef], *, params: SessionParams) -> list[tuple[MessageRef, ...]]:
    """For each message its unit: up to ``predecessors`` messages before it in its session, oldest first, itself last.

    A late message makes new units of the messages it now precedes within that many places, and of those whose session border
    it moved; every other unit stays equal, so its id does.

    Raises:
        IllegalValue: as ``session_indices``.
    """
    of_session: dict[int, list[MessageRef]] = defaultdict(list)
    units: list[tuple[MessageRef, ...]] = []
    for ref, index in zip(refs, session_indices(refs, params=params), strict=True):
        of_session[index].append(ref)
        units.append(tuple(of_session[index][-1 - params.predecessors :]))
    return units


def _check(refs: Sequence[MessageRef]) -> None:
    for one, other in pairwise(refs):
        if one.conversation != other.conversation:
            raise IllegalValue(f"messages {one.id} and {other.id} are of two conversations; cut one conversation at a time")
        if one.order > other.order:
            raise IllegalValue(f"message {other.id} comes after {one.id} but is older; sort messages by (event time, id)")
