"""``demo``: the whole thing, twice; and on a file of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import jsonl


@pytest.mark.slow
def test_the_bundled_dialogue_twice(call):
    first = call("demo", "--no-flow")
    assert first.code == 0, first.error
    assert "dialogue_ru.jsonl (jsonl): " in first.out
    assert "people: anya" in first.out
    assert "people: daniel" in first.out
    for asked in ("Как прошло моё собеседование 14 мая?", "Big day tomorrow.", "anya, 13 мая 2026, 22:00"):
        assert asked in first.out
    assert first.out.count("What each line rests on") == 10
    assert {path.name for path in Path("out").iterdir()} == {"anya.svg", "anya.html", "daniel.svg", "daniel.html"}
    again = call("demo", "--no-flow")
    assert again.code == 0
    assert "Nothing changed" in again.out
    assert again.out.partition("anya, 24")[2] == first.out.partition("anya, 24")[2]


def test_a_file_of_ones_own(call, made, tmp_path):
    file = tmp_path / "mine.jsonl"
    file.write_text(jsonl(), encoding="utf-8")
    told = call("demo", "--data", file, "--no-flow", "--home", made.parent / "demo")
    assert told.code == 0, told.error
    assert "Что ты помнишь обо мне?" in told.out
    assert "What do you remember about me?" in told.out
    end = told.out.partition("What to try next")[2].strip().splitlines()[1:]
    assert len(end) == 3
    assert all(line.split()[0].endswith("selfimprint") and " --home " in line for line in end)
    assert {path.name for path in Path("out").iterdir()} == {"vera.svg", "vera.html", "sam.svg", "sam.html"}


def test_what_to_try_next_can_be_tried(call, made):
    import shlex

    told = call("demo", "--data", made.parent / "dialogue.jsonl", "--no-flow", "--home", made, "--json")
    assert told.json["changed"] is False
    for command in told.json["next"]:
        assert call(*shlex.split(command)[1:]).code == 0, command
