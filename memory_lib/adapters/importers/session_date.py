"""Turns of a session that is dated only as a whole: where each one stands in time."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta


def turn_step(start: datetime, *, turns: int, starts: Iterable[datetime], seconds: int) -> timedelta:
    """Time between turns: ``seconds``, or less where the next session of ``starts`` begins before the last turn would."""
    step = timedelta(seconds=seconds)
    following = min((other for other in starts if other > start), default=None)
    return step if following is None else min(step, (following - start) / (turns + 1))
