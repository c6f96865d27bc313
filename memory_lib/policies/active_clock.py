"""The active clock: forgetting stands still while the person is away (DESIGN §4; CONTRACTS, Time and weight; seed §6).

A(t) = Σ min(gap between the person's messages, pause). Time runs with the wall until a week of silence is over, then stops,
and starts again with the next message. So two months away cost seven days, and a wrong system clock can cost no more than
that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import InitVar, dataclass, field

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.time import DAY_US
from memory_lib.errors import IllegalValue


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockParams:
    """``pause_after_days``: silence after which the clock stops."""

    pause_after_days: float

    def __post_init__(self) -> None:
        if not 0.0 <= self.pause_after_days <= 36_500.0:
            raise IllegalValue("clock: pause_after_days must lie in 0..36500; correct the setting")

    @property
    def pause_us(self) -> int:
        return round(self.pause_after_days * DAY_US)


@dataclass(frozen=True, slots=True, eq=False)
class ActiveClock:
    """One person's clock. ``times_us``: event times of the person's own messages (role ``user``), in any order.

    Instants are microseconds since 1970 in UTC, so zones and summer time play no part. A never falls, and never runs faster
    than the wall. A message that arrives late can only add active time between two instants, never take any away; a message
    later than all others leaves A of earlier instants as it was.

    Raises:
        IllegalValue: the pause is negative.
    """

    times_us: InitVar[Sequence[int] | NDArray[np.int64]]
    pause_us: int
    _times: NDArray[np.int64] = field(init=False, repr=False)
    _active: NDArray[np.int64] = field(init=False, repr=False)

    def __post_init__(self, times_us: Sequence[int] | NDArray[np.int64]) -> None:
        if self.pause_us < 0:
            raise IllegalValue(f"the clock's pause is {self.pause_us} microseconds; give a silence of zero or more")
        times = np.sort(np.asarray(times_us, dtype=np.int64))
        active = np.zeros_like(times)
        np.cumsum(np.minimum(np.diff(times), self.pause_us), out=active[1:])
        times.setflags(write=False)
        active.setflags(write=False)
        object.__setattr__(self, "_times", times)
        object.__setattr__(self, "_active", active)

    def active_us(self, t_us: int) -> int:
        """A(t): 0 before the first message; after the last one at most ``pause_us`` more."""
        place = int(self._times.searchsorted(t_us, side="right")) - 1
        if place < 0:
            return 0
        return int(self._active[place]) + min(t_us - int(self._times[place]), self.pause_us)

    def active_us_many(self, t_us: NDArray[np.int64]) -> NDArray[np.int64]:
        """A of every instant, in the shape given."""
        if self._times.size == 0:
            return np.zeros_like(t_us)
        place = self._times.searchsorted(t_us, side="right") - 1
        known = np.maximum(place, 0)
        since = np.minimum(t_us - self._times[known], self.pause_us)
        return np.where(place < 0, 0, self._active[known] + since)

    def elapsed_days(self, from_us: int, to_us: int) -> float:
        """Active days from one instant to another; 0 where the second is the earlier one (a clock set back loses nothing)."""
        return max(0, self.active_us(to_us) - self.active_us(from_us)) / DAY_US

    def instant_of(self, active_us: int) -> int | None:
        """The earliest instant at which A reaches ``active_us``; None where no known message carries the clock that far."""
        if self._times.size == 0:
            return None
        place = max(0, int(self._active.searchsorted(active_us, side="left")) - 1)
        rest = max(0, active_us - int(self._active[place]))
        return int(self._times[place]) + rest if rest <= self.pause_us else None
