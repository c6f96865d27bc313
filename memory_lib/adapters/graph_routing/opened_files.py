"""Sets of sealed files, opened once and kept for a while: who was away is asked more than once when they come back."""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass

from memory_lib.adapters.graph_routing.params import OpenedFilesParams
from memory_lib.adapters.graph_routing.resting_graph import RestingGraph
from memory_lib.domain.ids import UserId
from memory_lib.domain.placement import Placement, Tier
from memory_lib.errors import UnknownSetting
from memory_lib.ports.sealed_graphs import SealedGraphs


@dataclass(frozen=True, slots=True)
class _Kept:
    placement: Placement
    graph: RestingGraph
    at: float


class OpenedFiles:
    """Reads through ``files`` and keeps what it read, one set a person, within bounds. Thread-safe; two callers who want the
    same set wait for one reading. A fork starts empty.
    """

    def __init__(
        self,
        files: Mapping[Tier, SealedGraphs],
        *,
        params: OpenedFilesParams,
        stopwatch: Callable[[], float] = time.monotonic,
    ) -> None:
        self._files = dict(files)
        self._params = params
        self._stopwatch = stopwatch
        self._begin_afresh()

    def get(self, user: UserId, placement: Placement) -> RestingGraph:
        """The set that ``placement`` names, opened by the caller where nobody has. Raises as ``SealedGraphs.read``,
        UnknownSetting where no files of that tier are configured.
        """
        future, ours = self._wanted(user, placement)
        if ours:
            self._open(user, placement, future)
        return future.result()

    def begin(self, user: UserId, placement: Placement, *, within_s: float) -> RestingGraph | None:
        """As ``get``, opened beside the caller, who waits at most ``within_s`` seconds; None where that was too short."""
        future, ours = self._wanted(user, placement)
        if ours:
            threading.Thread(
                target=self._open_in_turn, args=(user, placement, future), name="open-sealed-files", daemon=True
            ).start()
        try:
            return future.result(timeout=within_s)
        except TimeoutError:
            if future.done():
                raise
            return None

    def of_tier(self, tier: Tier) -> SealedGraphs:
        """Raises UnknownSetting where no files of that tier are configured."""
        try:
            return self._files[tier]
        except KeyError:
            raise UnknownSetting(f"no files are configured for {tier} people; name where they lie in the settings") from None

    @property
    def everywhere(self) -> tuple[SealedGraphs, ...]:
        """Every place of files, once."""
        return tuple(self._files.values())

    def forget(self, user: UserId) -> None:
        """Drop what is kept of the person from memory."""
        with self._lock:
            self._kept.pop(user, None)

    def _begin_afresh(self) -> None:
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._turns = threading.BoundedSemaphore(max(1, self._params.opening))
        self._kept: OrderedDict[UserId, _Kept] = OrderedDict()
        self._opening: dict[tuple[UserId, Placement], Future[RestingGraph]] = {}

    def _wanted(self, user: UserId, placement: Placement) -> tuple[Future[RestingGraph], bool]:
        """The reading under way or done, and whether it is for the caller to do."""
        if self._process != os.getpid():
            self._begin_afresh()
        with self._lock:
            self._drop_old()
            kept = self._kept.get(user)
            if kept is not None and kept.placement == placement:
                self._kept.move_to_end(user)
                done: Future[RestingGraph] = Future()
                done.set_result(kept.graph)
                return done, False
            under_way = self._opening.get((user, placement))
            if under_way is not None:
                return under_way, False
            future: Future[RestingGraph] = Future()
            self._opening[user, placement] = future
            return future, True

    def _drop_old(self) -> None:
        limit = self._stopwatch() - self._params.kept_s
        for user in [user for user, kept in self._kept.items() if kept.at < limit]:
            del self._kept[user]

    def _open_in_turn(self, user: UserId, placement: Placement, future: Future[RestingGraph]) -> None:
        with self._turns:
            self._open(user, placement, future)

    def _open(self, user: UserId, placement: Placement, future: Future[RestingGraph]) -> None:
        try:
            graph = RestingGraph(self.of_tier(placement.tier).read(user, generation=placement.generation))
        except BaseException as error:  # noqa: BLE001 - whoever waits hears of it
            with self._lock:
                self._opening.pop((user, placement), None)
            future.set_exception(error)
            return
        with self._lock:
            self._opening.pop((user, placement), None)
            self._kept[user] = _Kept(placement, graph, self._stopwatch())
            self._kept.move_to_end(user)
            while len(self._kept) > self._params.people:
                self._kept.popitem(last=False)
        future.set_result(graph)
