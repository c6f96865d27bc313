"""Two processes ingesting the same person at once: the same graph as one, whatever each of them is doing just then."""

from __future__ import annotations

import random
import signal
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.dialogue import Record, split, two_people, write_jsonl
from tests.e2e.warm_process import WarmProcess

pytestmark = pytest.mark.slow

ROUNDS = 4
LATER = "2100-01-01T00:00:00+00:00"
"""A clock for looking only."""


def alone(warm: WarmProcess, folder: Path, records: list[Record]) -> dict[str, Any]:
    """What one process makes of these records."""
    warm.learn(record["text"] for record in records)
    file = write_jsonl(folder / "alone.jsonl", records)
    warm.do("remember", home=str(folder / "alone"), files=[str(file)])
    people: dict[str, Any] = warm.do("state", home=str(folder / "alone"), now=LATER)["people"]
    return people


def expect_the_same(warm: WarmProcess, home: Path, expected: dict[str, Any], where: str) -> None:
    found = warm.do("state", home=str(home), now=LATER)["people"]
    assert found.keys() == expected.keys(), where
    for name, person in found.items():
        one = expected[name]
        assert person["hash"] == one["hash"], where
        for part in ("messages", "counted messages", "rounds", "weights", "node vectors", "unlogged"):
            assert person[part] == one[part], f"{where}: {part}"
        assert max(Counter((key, position) for key, position, *_ in person["actions"]).values()) == 1, where
        created = Counter(action[-1] for action in person["actions"] if action[2] == "create")
        assert max(created.values()) == 1, f"{where}: a node was created twice"


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_the_same_file_in_two_processes(warm: WarmProcess, tmp_path: Path, seed: int) -> None:
    records = two_people(seed)
    expected = alone(warm, tmp_path, records)
    file, home = tmp_path / "alone.jsonl", tmp_path / "home"
    children = [warm.fork("remember", home=str(home), files=[str(file)]) for _ in range(2)]
    assert [child.wait() for child in children] == [0, 0]
    expect_the_same(warm, home, expected, f"seed {seed}")


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_halves_of_a_file_in_two_processes(warm: WarmProcess, tmp_path: Path, seed: int) -> None:
    records = two_people(10 + seed)
    expected = alone(warm, tmp_path, records)
    halves = split(seed, records, 0.5)
    files = [write_jsonl(tmp_path / f"half {number}.jsonl", half) for number, half in enumerate(halves)]
    home = tmp_path / "home"
    children = [warm.fork("remember", home=str(home), files=[str(file)]) for file in files]
    assert [child.wait() for child in children] == [0, 0]
    expect_the_same(warm, home, expected, f"seed {seed}")


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_one_of_two_is_killed(warm: WarmProcess, tmp_path: Path, seed: int) -> None:
    records = two_people(20 + seed)
    expected = alone(warm, tmp_path, records)
    file, home = tmp_path / "alone.jsonl", tmp_path / "home"
    deadly = random.Random(f"deadly {seed}").randint(50, 600)
    survivor = warm.fork("remember", home=str(home), files=[str(file)])
    victim = warm.fork("remember", home=str(home), files=[str(file)], deadly=deadly)
    assert victim.wait() in {0, -signal.SIGKILL}
    # what the dead one held is free within seconds, and what it left half done is done by the other
    assert survivor.wait() == 0
    expect_the_same(warm, home, expected, f"seed {seed}, killed at moment {deadly}")


def test_two_people_in_two_processes_do_not_wait_for_each_other(warm: WarmProcess, tmp_path: Path) -> None:
    records = two_people(30)
    expected = alone(warm, tmp_path, records)
    home = tmp_path / "home"
    files = [
        write_jsonl(tmp_path / f"{number}.jsonl", [record for record in records if record["user"] == user])
        for number, user in enumerate(expected)
    ]
    children = [warm.fork("remember", home=str(home), files=[str(file)]) for file in files]
    assert [child.wait() for child in children] == [0, 0]
    expect_the_same(warm, home, expected, "seed 30")


PLACES = 10


def test_whenever_the_other_does_all_its_work_the_graph_is_that_of_one(warm: WarmProcess, tmp_path: Path) -> None:
    """The same without chance: all the work of the second between two calls of the first; where the first holds a lease then,
    the second comes late enough to have it."""
    records = two_people(40, messages=6)
    expected = alone(warm, tmp_path, records)
    files = [str(write_jsonl(tmp_path / f"half {number}.jsonl", half)) for number, half in enumerate(split(40, records, 0.5))]
    early, late = "2026-06-01T12:00:00+00:00", "2026-06-01T13:00:00+00:00"
    arguments: dict[str, Any] = {"first": files[0], "second": files[1], "now": early, "second_now": late}
    calls = warm.do("take_turns", home=str(tmp_path / "counted"), at=None, **arguments)
    assert calls > PLACES
    for number in range(PLACES):
        home = tmp_path / f"place {number}"
        at = 1 + number * (calls - 1) // (PLACES - 1)
        warm.do("take_turns", home=str(home), at=at, **arguments)
        expect_the_same(warm, home, expected, f"between call {at - 1} and {at}")


@pytest.mark.parametrize("seed", range(3))
def test_a_write_that_comes_later_than_its_lease_lasts_is_not_lost_and_loses_nothing(
    warm: WarmProcess, tmp_path: Path, seed: int
) -> None:
    records = two_people(50 + seed, messages=6)
    expected = alone(warm, tmp_path, records)
    files = [str(write_jsonl(tmp_path / f"half {number}.jsonl", half)) for number, half in enumerate(split(seed, records, 0.5))]
    home = tmp_path / "home"
    early, late = "2026-06-01T12:00:00+00:00", "2026-06-01T13:00:00+00:00"
    warm.do("overtaken", home=str(home), first=files[0], second=files[1], now=early, second_now=late)
    expect_the_same(warm, home, expected, f"seed {seed}")


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_halves_of_a_file_in_two_processes_a_hundred_times(warm: WarmProcess, tmp_path: Path) -> None:
    run = random.SystemRandom().randrange(10**6)
    for number in range(100):
        seed = run + number
        records = two_people(seed)
        folder = tmp_path / str(number)
        expected = alone(warm, folder, records)
        files = [write_jsonl(folder / f"half {place}.jsonl", half) for place, half in enumerate(split(seed, records, 0.5))]
        children = [warm.fork("remember", home=str(folder / "home"), files=[str(file)]) for file in files]
        assert [child.wait() for child in children] == [0, 0]
        expect_the_same(warm, folder / "home", expected, f"seed {seed}")
