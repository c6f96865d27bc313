"""``kill -9`` at any moment of ingest: what was acknowledged is there, nothing is doubled, and the rerun ends in the graph of a
run that nobody interrupted (CONTRACTS, Writing)."""

from __future__ import annotations

import random
import shutil
import signal
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.dialogue import ANNA, BEN, edited, split, two_people, write_jsonl
from tests.e2e.warm_process import WarmProcess

POINTS = 45
FLOW_POINTS = 5
SOAK_POINTS = 500
FIRST, RERUN, AGAIN = (f"2026-06-01T12:0{minute}:00+00:00" for minute in range(3))
"""The clock of the run, and of the runs after its death: leases of the dead have run out by then."""


@dataclass(frozen=True, slots=True)
class Calm:
    """An uninterrupted run: the files, what it ends in, how long it takes and how many moments it has."""

    files: list[str]
    people: dict[str, Any]
    seconds: float
    moments: int


def calm(warm: WarmProcess, folder: Path, files: Sequence[Path]) -> Calm:
    home, names = folder / "calm", [str(file) for file in files]
    warm.do("remember", home=str(home / "timed"), files=names, now=FIRST)
    seconds = warm.do("remember", home=str(home / "timed again"), files=names, now=FIRST)["seconds"]
    moments = warm.do("remember", home=str(home / "counted"), files=names, now=FIRST, count=True)["moments"]
    people = warm.do("state", home=str(home / "counted"), now=FIRST)["people"]
    assert people == warm.do("state", home=str(home / "timed"), now=FIRST)["people"], "two calm runs differ"
    assert all(person["nodes"] and person["edges"] for person in people.values())
    return Calm(names, people, seconds, moments)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("kill9")


@pytest.fixture(scope="module")
def whole(warm: WarmProcess, folder: Path) -> Calm:
    """One file, 40 messages."""
    records = two_people(9)
    warm.learn(record["text"] for record in records)
    return calm(warm, folder / "whole", [write_jsonl(folder / "whole.jsonl", records)])


@pytest.fixture(scope="module")
def late(warm: WarmProcess, folder: Path) -> Calm:
    """Two files: the second holds older messages and an edited one, so that it ends in a replay."""
    first, second = split(9, two_people(9), 0.2)
    second.append(edited(first[0], "Я работаю в Касперском редактором."))
    warm.learn(record["text"] for record in first + second)
    files = [write_jsonl(folder / "first.jsonl", first), write_jsonl(folder / "second.jsonl", second)]
    ended = calm(warm, folder / "late", files)
    assert any(action[2] == "replay" for person in ended.people.values() for action in person["actions"])
    return ended


def run_and_kill(
    warm: WarmProcess, calm: Calm, home: Path, *, chance: random.Random, now: str, prefect: dict[str, Any] | None = None
) -> str | None:
    """One run of the files, killed at a point that ``chance`` names; the point, or None where the run had ended before it."""
    arguments = {"home": str(home), "files": calm.files, "now": now, "acknowledged": f"{home}.acknowledged", "prefect": prefect}
    if chance.random() < 0.6:
        # the first third of a flow's run is the import, which no flow walks
        deadly = chance.randint(1 if prefect is None else calm.moments // 3, calm.moments)
        child = warm.fork("remember", deadly=deadly, **arguments)
        point = f"moment {deadly}"
    else:
        seconds = chance.uniform(0, calm.seconds)
        child = warm.fork("remember", **arguments)
        time.sleep(seconds)
        child.kill()
        point = f"{seconds * 1000:.1f} ms"
    status = child.wait()
    assert status in {0, -signal.SIGKILL}
    return point if status else None


def expect_as_if_nothing_happened(
    warm: WarmProcess, calm: Calm, home: Path, seed: str, *, prefect: dict[str, Any] | None = None
) -> str:
    """Kill once, every third time the run after it too; rerun, compare. Says where it was killed."""
    chance = random.Random(seed)
    while (point := run_and_kill(warm, calm, home, chance=chance, now=FIRST, prefect=prefect)) is None:
        # moments vary a little, and a machine may be faster than it was when it was measured
        shutil.rmtree(home)
        Path(f"{home}.acknowledged").unlink()
    if chance.random() < 0.3:
        point += f", then {run_and_kill(warm, calm, home, chance=chance, now=RERUN)}"
    where = f"seed {seed!r}, killed at {point}"
    found = warm.do("recover", home=str(home), files=calm.files, now=AGAIN, acknowledged=f"{home}.acknowledged")
    assert found["lost before"] == [], where
    assert found["lost"] == [], where
    assert found["people"].keys() == calm.people.keys() == {ANNA, BEN}, where
    for name, expected in calm.people.items():
        person = found["people"][name]
        assert person["hash"] == expected["hash"], where
        assert {**person, "actions": []} == {**expected, "actions": []}, where
        assert person["counted messages"] == len(person["messages"]), where
        assert person["unlogged"] == 0, where
        assert max(Counter((key, position) for key, position, *_ in person["actions"]).values()) == 1, where
        if len(calm.files) == 1:
            # which units a replay takes in depends on what was there when it began, so with two files logs may differ
            assert sorted(person["actions"]) == sorted(expected["actions"]), where
    shutil.rmtree(home)
    return where


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_killed_anywhere_the_rerun_ends_like_an_uninterrupted_run(
    warm: WarmProcess, whole: Calm, late: Calm, tmp_path: Path
) -> None:
    for number in range(POINTS):
        where = expect_as_if_nothing_happened(warm, late if number % 3 == 2 else whole, tmp_path / str(number), f"ci {number}")
        print(where)  # noqa: T201 - a failure is repeated by its seed


@pytest.mark.flows
@pytest.mark.slow
@pytest.mark.timeout(300)
def test_killed_inside_the_flow_the_rerun_ends_like_an_uninterrupted_run(
    prefect: tuple[WarmProcess, dict[str, Any]], tmp_path: Path
) -> None:
    warm, server = prefect
    records = two_people(9)
    warm.learn(record["text"] for record in records)
    files = [str(write_jsonl(tmp_path / "whole.jsonl", records))]
    home = str(tmp_path / "calm")
    run = warm.do("remember", home=home, files=files, now=FIRST, count=True, prefect=server)
    people = warm.do("state", home=home, now=FIRST)["people"]
    again = warm.do("remember", home=str(tmp_path / "without"), files=files, now=FIRST)
    assert people == warm.do("state", home=str(tmp_path / "without"), now=FIRST)["people"], "the flow's graph is the plan's"
    assert run["seconds"] > again["seconds"]
    calm = Calm(files, people, run["seconds"], run["moments"])
    for number in range(FLOW_POINTS):
        where = expect_as_if_nothing_happened(warm, calm, tmp_path / str(number), f"flow {number}", prefect=server)
        print(where)  # noqa: T201 - a failure is repeated by its seed


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_killed_at_500_points_the_rerun_ends_like_an_uninterrupted_run(
    warm: WarmProcess, whole: Calm, late: Calm, tmp_path: Path
) -> None:
    run = random.SystemRandom().randrange(10**6)
    for number in range(SOAK_POINTS):
        seed = f"soak {run} {number}"
        print(expect_as_if_nothing_happened(warm, late if number % 3 == 2 else whole, tmp_path / str(number), seed))  # noqa: T201
