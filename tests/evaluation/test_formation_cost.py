"""What forming memories may cost: as ratios within one run, since machines differ and are shared."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from memory_lib.evaluation.formation_cost import both_languages_mb, formation_cost, step_growth
from memory_lib.evaluation.made_up_history import made_up_history

pytestmark = pytest.mark.slow

_RESIDENT_MB = 700


@pytest.fixture(scope="module")
def cost(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return formation_cost(Path(tmp_path_factory.mktemp("cost")) / "home", messages=160)


def test_everything_but_the_parser_costs_no_more_than_the_parser(cost: dict[str, Any]) -> None:
    parts = dict(cost["ms_a_turn"])
    assert parts["all"] - parts["parse"] <= parts["parse"]


def test_the_rules_cost_less_than_half_of_the_parser(cost: dict[str, Any]) -> None:
    assert 0 < cost["ms_a_turn"]["rules"] <= cost["ms_a_turn"]["parse"] / 2


def test_the_same_import_again_costs_a_tenth_at_most(cost: dict[str, Any]) -> None:
    assert cost["nodes"] > 50
    assert cost["second_run"]["of_the_first"] <= 0.1


def test_memory_stays_flat_while_a_history_is_read(cost: dict[str, Any]) -> None:
    resident = cost["resident_mb"]
    assert resident["read"] - resident["loaded"] <= 40


def test_both_languages_fit_and_each_loads_when_it_is_needed() -> None:
    resident = both_languages_mb()
    assert resident["both"] <= _RESIDENT_MB
    assert resident["program"] + 30 < resident["russian"] < resident["both"] - 30


def test_the_made_up_history_is_the_same_each_time_and_in_both_languages() -> None:
    one, other = (list(made_up_history("p", messages=80, seed=3)) for _ in range(2))
    assert one == other
    assert len({message.text for message in one}) > 70
    assert sum(message.text.isascii() for message in one) == 40
    assert [message.time for message in one] == sorted(message.time for message in one)


def test_the_growth_of_steps_is_told_at_round_sizes() -> None:
    assert step_growth([0.001] * 1000) == {"500": 1.0, "1000": 1.0}
