"""The memory that an import takes does not grow with the file: below 300 MB at 500 MB, and by a wide margin at 50 MB."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.warm_process import WarmProcess

MB = 1_000_000
LARGE, HUGE = 50 * MB, 500 * MB
MOST_MB = 300
"""The promise, for any file."""
SPARE_MB = 150
"""For 50 MB: what a file of any size may take besides, so that growth with the file shows in a small one too."""

START = datetime(2023, 1, 1, tzinfo=UTC)


def words(chance: random.Random, characters: int) -> str:
    stock = (
        "Мы",
        "ходили",
        "в",
        "горы",
        "потому",
        "что",
        "погода",
        "was",
        "fine",
        "and",
        "nobody",
        "wanted",
        "to",
        "stay",
        "🙂",
    )
    return " ".join(chance.choices(stock, k=max(1, characters // 6)))


def jsonl(path: Path, size: int, *, characters: Callable[[random.Random], int]) -> Path:
    chance, number = random.Random(size), 0
    with path.open("w", encoding="utf-8") as file:
        while file.tell() < size:
            record = {
                "user": f"person {number % 3}",
                "conversation": f"c{number // 200}",
                "id": str(number),
                "role": "user" if number % 2 else "assistant",
                "text": words(chance, characters(chance)),
                "time": (START + timedelta(minutes=number)).isoformat(),
            }
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
            number += 1
    return path


def conversation(chance: random.Random, number: int, turns: int) -> dict[str, Any]:
    """One conversation of a ChatGPT export, with an abandoned branch at every tenth turn."""
    mapping: dict[str, Any] = {"root": {"id": "root", "message": None, "parent": None, "children": ["0"]}}
    for turn in range(turns):
        children = [str(turn + 1)] if turn + 1 < turns else []
        mapping[str(turn)] = {
            "id": str(turn),
            "parent": str(turn - 1) if turn else "root",
            "children": children,
            "message": {
                "id": f"{number}-{turn}",
                "author": {"role": "user" if turn % 2 == 0 else "assistant"},
                "create_time": (START + timedelta(hours=number, minutes=turn)).timestamp(),
                "content": {"content_type": "text", "parts": [words(chance, chance.randint(20, 3000))]},
                "metadata": {},
            },
        }
    return {
        "conversation_id": f"c{number}",
        "title": words(chance, 30),
        "create_time": (START + timedelta(hours=number)).timestamp(),
        "current_node": str(turns - 1),
        "mapping": mapping,
    }


def chatgpt(path: Path, size: int, *, turns: Callable[[random.Random], int]) -> Path:
    chance, number = random.Random(size), 0
    with path.open("w", encoding="utf-8") as file:
        file.write("[")
        while file.tell() < size:
            file.write(
                ",\n" * bool(number) + json.dumps(conversation(chance, number, turns(chance)), ensure_ascii=number % 2 == 0)
            )
            number += 1
        file.write("]")
    return path


FILES: dict[str, Callable[[Path, int], Path]] = {
    "jsonl": lambda path, size: jsonl(path, size, characters=lambda chance: chance.choice((5, 200, 900, 4000))),
    "jsonl of megabytes": lambda path, size: jsonl(path, size, characters=lambda _: 600_000),
    "chatgpt": lambda path, size: chatgpt(path, size, turns=lambda chance: chance.randint(2, 300)),
}


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path
    for path in tmp_path.glob("export*"):
        path.unlink()


def measured(warm: WarmProcess, folder: Path, name: str, size: int) -> dict[str, float]:
    file = FILES[name](folder / "export.json", size)
    cost: dict[str, float] = warm.do("import_measured", home=str(folder / "home"), file=str(file))
    assert cost["bad"] == 0
    assert cost["messages"] > 50
    print(f"{name}: {cost}")  # noqa: T201 - the figure is the test's answer
    return cost


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", FILES)
def test_a_large_file_takes_little_memory(warm: WarmProcess, folder: Path, name: str) -> None:
    assert measured(warm, folder, name, LARGE)["grew"] < SPARE_MB


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", FILES)
def test_a_huge_file_takes_less_than_300_mb(warm: WarmProcess, folder: Path, name: str) -> None:
    assert measured(warm, folder, name, HUGE)["grew"] < MOST_MB
