from __future__ import annotations

from memory_lib.adapters.keys.opened_keys import Opened


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_what_was_put_is_there_until_its_time_is_over():
    clock = Clock()
    opened = Opened(most=3, seconds=10.0, now=clock)
    opened.put("a", 1)
    clock.now += 9.9
    assert opened.get("a") == 1
    clock.now += 0.2
    assert opened.get("a") is None


def test_using_a_value_does_not_make_it_live_longer():
    clock = Clock()
    opened = Opened(most=3, seconds=10.0, now=clock)
    opened.put("a", 1)
    for _ in range(20):
        clock.now += 1
        opened.get("a")
    assert opened.get("a") is None


def test_what_nobody_asks_for_is_dropped_too():
    clock = Clock()
    opened = Opened(most=3, seconds=10.0, now=clock)
    opened.put("a", 1)
    clock.now += 11
    opened.get("b")
    assert len(opened) == 0


def test_the_longest_unused_gives_way():
    opened = Opened(most=2, seconds=10.0)
    opened.put("a", 1)
    opened.put("b", 2)
    opened.get("a")
    opened.put("c", 3)
    assert [opened.get(key) for key in "abc"] == [1, None, 3]


def test_the_first_of_two_that_are_put_stays():
    opened = Opened(most=2, seconds=10.0)
    assert opened.put("a", 1) == 1
    assert opened.put("a", 2) == 1
    opened.discard("a")
    opened.discard("a")
    assert opened.put("a", 2) == 2
    opened.drop(lambda key: key == "a")
    assert opened.get("a") is None
