"""What is kept opened in memory: not many, and not for long.

Python cannot overwrite its memory; what is dropped here is gone once the interpreter reuses the space.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Opened(Generic[K, V]):
    """At most ``most`` values, the longest unused gives way; each for ``seconds`` from when it was put. Safe between threads.

    What is over is dropped when anything is asked or put, at the latest a tenth of ``seconds`` later.
    """

    def __init__(self, *, most: int, seconds: float, now: Callable[[], float] = time.monotonic) -> None:
        self._most, self._seconds, self._now = most, seconds, now
        self._values: OrderedDict[K, tuple[float, V]] = OrderedDict()
        self._guard = threading.Lock()
        self._sweep_at = 0.0

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: K) -> V | None:
        now = self._now()
        if now >= self._sweep_at:
            with self._guard:
                self._sweep(now)
        # asked before every piece of sealing: without the lock, each step is whole by itself
        found = self._values.get(key)
        if found is None or found[0] <= now:
            return None
        with suppress(KeyError):  # dropped by somebody else meanwhile
            self._values.move_to_end(key)
        return found[1]

    def put(self, key: K, value: V) -> V:
        """The value that counts: one put by somebody else meanwhile stays."""
        now = self._now()
        with self._guard:
            self._sweep(now)
            found = self._values.get(key)
            if found is not None and found[0] > now:
                return found[1]
            self._values[key] = (now + self._seconds, value)
            self._values.move_to_end(key)
            while len(self._values) > self._most:
                self._values.popitem(last=False)
            return value

    def discard(self, key: K) -> None:
        with self._guard:
            self._values.pop(key, None)

    def drop(self, of: Callable[[K], bool]) -> None:
        """Drop every value whose key is so."""
        with self._guard:
            for key in [key for key in self._values if of(key)]:
                del self._values[key]

    def _sweep(self, now: float) -> None:
        if now >= self._sweep_at:
            self._sweep_at = now + self._seconds / 10
            for key in [key for key, (until, _) in self._values.items() if until <= now]:
                del self._values[key]
