from __future__ import annotations

import os
import threading
from collections.abc import Callable

import pytest

from memory_lib.adapters.graph_routing.opened_files import OpenedFiles
from memory_lib.adapters.graph_routing.params import OpenedFilesParams
from memory_lib.domain.changes import Revision
from memory_lib.domain.placement import Placement, Tier
from memory_lib.errors import UnknownSetting
from memory_lib.ports.graph import WholeGraph
from tests.adapters.graph_routing.kept_files import KeptFiles
from tests.contracts.graph.samples import person

PARAMS = OpenedFilesParams(people=2, kept_s=60.0, opening=2)
PLACE = Placement(Tier.WARM, "main", 1)
EMPTY = WholeGraph(Revision(5, 1), None, None, {}, {}, (), {}, {}, (), ())


class Seconds:
    """A stopwatch that tests set."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def files() -> KeptFiles:
    kept = KeptFiles()
    for name in "abc":
        kept.write(person(name), EMPTY, (), generation=1)
    return kept


def waiting_for(go_on: threading.Event) -> Callable[[str], None]:
    """Before reading, until the event is set."""

    def wait(step: str) -> None:
        if step == "read":
            go_on.wait(10.0)

    return wait


def test_the_longest_unused_is_dropped_first(files: KeptFiles):
    opened = OpenedFiles({Tier.WARM: files}, params=PARAMS)
    for name in ("a", "b", "a", "c", "a"):
        opened.get(person(name), PLACE)
    assert files.readings == 3
    opened.get(person("b"), PLACE)
    assert files.readings == 4


def test_nothing_is_kept_for_longer_than_its_time(files: KeptFiles):
    seconds = Seconds()
    opened = OpenedFiles({Tier.WARM: files}, params=PARAMS, stopwatch=seconds)
    opened.get(person("a"), PLACE)
    seconds.now = 61.0
    opened.get(person("b"), PLACE)
    assert person("a") not in opened._kept


def test_two_who_want_the_same_set_wait_for_one_reading(files: KeptFiles):
    opened = OpenedFiles({Tier.WARM: files}, params=PARAMS)
    go_on, got = threading.Event(), []
    files.before = waiting_for(go_on)
    threads = [threading.Thread(target=lambda: got.append(opened.get(person("a"), PLACE))) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert opened.begin(person("a"), PLACE, within_s=0.0) is None
    go_on.set()
    for thread in threads:
        thread.join(10.0)
    assert files.readings == 1
    assert len({id(graph) for graph in got}) == 1


def test_what_is_forgotten_is_read_again(files: KeptFiles):
    opened = OpenedFiles({Tier.WARM: files}, params=PARAMS)
    opened.get(person("a"), PLACE)
    opened.forget(person("a"))
    opened.get(person("a"), PLACE)
    assert files.readings == 2


def test_a_tier_without_files_is_a_setting_to_make(files: KeptFiles):
    opened = OpenedFiles({Tier.WARM: files}, params=PARAMS)
    with pytest.raises(UnknownSetting, match="cold"):
        opened.get(person("a"), Placement(Tier.COLD, "main", 1))


def test_a_fork_in_the_middle_of_opening_starts_empty(files: KeptFiles):
    opened = OpenedFiles({Tier.WARM: files}, params=PARAMS)
    go_on = threading.Event()
    files.before = waiting_for(go_on)
    assert opened.begin(person("a"), PLACE, within_s=0.01) is None
    child = os.fork()
    if child == 0:
        files.before = lambda _: None
        found = opened.get(person("a"), PLACE)
        os._exit(0 if found.head.revision == Revision(5, 1) else 1)
    _, status = os.waitpid(child, 0)
    go_on.set()
    assert os.waitstatus_to_exitcode(status) == 0
    assert opened.get(person("a"), PLACE).head.revision == Revision(5, 1)
