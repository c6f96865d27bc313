"""The data that may train weights the project ships, read from a folder that is no part of the repository.

Each set is named with its licence, which goes into the manifest. Sets that may only be measured on (LoCoMo, ESConv, RECCON,
GigaMemory, the satisfaction ratings) have no reader here on purpose.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LICENCES: Mapping[str, str] = {
    "own_sentences": "written for this project",
    "vader_ratings/tweets": "MIT, cjhutto/vaderSentiment (Hutto & Gilbert, ICWSM 2014)",
    "vader_ratings/amazonReviewSnippets": "MIT, cjhutto/vaderSentiment (Hutto & Gilbert, ICWSM 2014)",
    "longmemeval": "MIT, xiaowu0162/LongMemEval",
    "realmem": "Apache-2.0, zhiyuan5986/RealMemBench",
}


@dataclass(frozen=True, slots=True)
class Turn:
    """A user's turn, what was said before it, and whether something in it was later asked for."""

    text: str
    before: str
    worth: bool


def rated(data: Path, name: str) -> list[tuple[str, float]]:
    """Text and its mean rating, -4 to 4. ``name``: tweets or amazonReviewSnippets."""
    found = []
    with (data / "vader_ratings" / f"{name}_GroundTruth.txt").open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            parts = line.rstrip("\n").split("\t", 2)
            if len(parts) == 3:
                found.append((parts[2].strip(), float(parts[1])))
    return found


def own(data: Path, name: str) -> list[Mapping[str, Any]]:
    """Rows of one file of the project's own sentences."""
    return _rows(data / "own_sentences" / f"{name}.jsonl")


def longmemeval_turns(data: Path) -> list[Turn]:
    """User turns that hold evidence, and the other user turns of one haystack. What stood before is unknown for the former, so
    it is left out for all.
    """
    folder = data / "longmemeval"
    evidence = dict.fromkeys(
        turn["content"]
        for record in _rows(folder / "evidence_turns_dev.jsonl")
        for session in record["evidence_sessions"]
        for turn in session["turns"]
        if turn["role"] == "user"
    )
    found = [Turn(text, "", worth=True) for text in evidence]
    found += [
        Turn(turn["content"], "", worth=False)
        for record in json.loads((folder / "s_full_haystack_dev1.json").read_text(encoding="utf-8"))
        for session in record["haystack_sessions"]
        for turn in session
        if turn["role"] == "user" and not turn.get("has_answer")
    ]
    return found


def realmem_turns(data: Path) -> list[Turn]:
    """User turns of all personas in the folder; those a gold memory was taken from are worth."""
    return [turn for path in sorted((data / "realmem").glob("*_dialogues_256k.json")) for turn in _realmem(path)]


def own_turns(data: Path) -> list[Turn]:
    """Short sentences: properties, changes and feelings are worth, questions and complaints to an assistant are not."""
    found = [Turn(row["text"], "", worth=row["slots"] != [""]) for row in own(data, "slots")]
    found += [Turn(row[side], "", worth=True) for row in own(data, "updates") for side in ("new", "old")]
    found += [Turn(row["text"], "", worth=True) for row in own(data, "valence") if row["valence"] != "neutral"]
    found += [Turn(row[side], "", worth=False) for row in own(data, "rephrased") for side in ("first", "again")]
    found += [
        Turn(row["text"], "", worth=False)
        for name in ("displeasure", "displeasure_2")
        for row in own(data, name)
        if row["label"] in {"displeasure", "R"}
    ]
    return list(dict.fromkeys(found))


def _realmem(path: Path) -> Iterator[Turn]:
    for dialogue in json.loads(path.read_text(encoding="utf-8"))["dialogues"]:
        sources = {memory["source_content_snapshot"] for memory in dialogue["extracted_memory"] or ()}
        before = ""
        for turn in dialogue["dialogue_turns"]:
            if turn["speaker"] == "User":
                yield Turn(turn["content"], before, worth=turn["content"] in sources)
            before = turn["content"]


def _rows(path: Path) -> list[Mapping[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]
