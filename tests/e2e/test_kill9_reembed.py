"""``kill -9`` at any moment of a reembed: the rerun goes on from there, asks for no text twice but a batch, and ends in
the same vectors; recall answers by vectors before, between and after (ADR 0008)."""

from __future__ import annotations

import random
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.dialogue import two_people, write_jsonl
from tests.e2e.warm_process import WarmProcess

POINTS = 14
BATCH = 7
NOW, LATER, LAST = (f"2026-06-01T12:0{minute}:00+00:00" for minute in range(3))


def texts(path: Path) -> int:
    return sum(map(int, path.read_text(encoding="ascii").split())) if path.exists() else 0


@pytest.fixture(scope="module")
def formed(warm: WarmProcess, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home of two people, formed with the old embedder."""
    folder = tmp_path_factory.mktemp("reembed")
    records = two_people(9)
    warm.learn(record["text"] for record in records)
    warm.do("remember", home=str(folder / "home"), files=[str(write_jsonl(folder / "whole.jsonl", records))], now=NOW)
    return folder / "home"


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_killed_anywhere_the_rerun_goes_on_and_ends_in_the_same_vectors(
    warm: WarmProcess, formed: Path, tmp_path: Path
) -> None:
    calm, count = tmp_path / "calm", tmp_path / "calm.count"
    shutil.copytree(formed, calm)
    run: dict[str, Any] = warm.do("reembed", home=str(calm), now=NOW, embedded=str(count), count=True)
    expected = warm.do("other_vectors", home=str(calm), now=NOW)
    whole = texts(count)
    assert run["rounds"] + run["units"] + run["nodes"] == run["total"] > 0
    assert run["switched"] == len(expected) == 2
    assert run["asked"] > 10
    assert all(None not in person["rounds"].values() and None not in person["units"].values() for person in expected.values())
    assert {tuple(person["served by"]) for person in expected.values()} == {("other word vectors of the tests/1/48",) * 2}
    chance = random.Random("reembed")
    for number in range(POINTS):
        home, count = tmp_path / str(number), tmp_path / f"{number}.count"
        shutil.copytree(formed, home)
        deadly = chance.randint(1, run["moments"] - 1)
        child = warm.fork("reembed", home=str(home), now=NOW, embedded=str(count), deadly=deadly)
        status = child.wait()
        assert status in {0, -signal.SIGKILL}
        warm.do("reembed", home=str(home), now=LATER, embedded=str(count))
        where = f"killed before moment {deadly}"
        assert warm.do("other_vectors", home=str(home), now=LAST) == expected, where
        assert texts(count) <= whole + 2 * 8 * BATCH, where  # a batch of each person's, of units with some candidates each
        shutil.rmtree(home)
