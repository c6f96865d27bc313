"""A step of formation costs what its neighbourhood costs, however long the history is."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from memory_lib.domain.candidates import Candidate, NodeType, Settling, Update
from memory_lib.policies.formation import FormationState

from .formed import KEY, NOW, PARAMS, person, said, slot, unit

_WINDOW = 250
_SYLLABLES = "ba ke li mo ru sa te vi po na дю же ги ло му пы ря се ту фа".split()


def _word(number: int) -> str:
    """Another word for each number, without a common beginning."""
    first, rest = number % 20, number // 20
    return "".join(_SYLLABLES[i % 20] for i in (first, rest, rest // 20 + 3 * first, first + 7))


def _people(number: int) -> Candidate:
    return person(("Nora", "Lars", "Клим", "Фая")[number % 4])


def _facts(number: int) -> Candidate:
    return said(f"{_word(number)} {_word(number + 5000)} {_word(number + 9000)}")


def _jobs(number: int) -> Candidate:
    return said(f"I work at {_word(number)}", slot=slot("employer", _word(number)))


def _loops(number: int) -> Candidate:
    """Ten tasks are left open, then a task is told to be done: none of these."""
    if number % 10:
        return said(f"call {_word(number)} {_word(number + 5000)}", type=NodeType.OPEN_LOOP, rule="open_loop.task/1")
    done = Update(settles=Settling.DONE, settled=("paint", "fence"))
    return said(f"painted the fence {_word(number)}", type=NodeType.EVENT, rule="event.clause/1", update=done)


def _pointing(number: int) -> Candidate:
    """The same with tasks that a pronoun stands in, each of its own message."""
    if number % 50 == 1:
        return said(f"I need to call them, {_word(number)}", type=NodeType.OPEN_LOOP, rule="open_loop.task/1")
    return _loops(number * 10) if number % 10 == 0 else _facts(number)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [_people, _facts, _jobs, _loops, _pointing], ids=lambda kind: kind.__name__.strip("_"))
def test_a_step_costs_the_same_after_two_thousand_units_as_after_five_hundred(kind: Callable[[int], Candidate]) -> None:
    # a machine that others use may have been slower for a while
    assert any(_growth(kind) <= 1.5 for _ in range(3))


def _growth(kind: Callable[[int], Candidate]) -> float:
    """CPU of the steps before unit 2,000 over that of those before unit 500."""
    state = FormationState(key=KEY, params=PARAMS)
    units = [unit(number, kind(number), minutes=number * 90) for number in range(2000)]
    taken: dict[int, float] = {}
    for end in range(_WINDOW, len(units) + 1, _WINDOW):
        began = time.thread_time()
        for each in units[end - _WINDOW : end]:
            state.step(each, now=NOW)
        taken[end] = time.thread_time() - began
    return taken[2000] / taken[500]
