"""Questions with known evidence: LoCoMo (two people talk) and LongMemEval (one person and an assistant).

The turns themselves come through the product's own importers, so that what is measured is what a user gets; here the questions
are read, and each piece of evidence is named by the source id that its importer gives the turn. A question counts when at least
one piece of its evidence is a turn that exists.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

from memory_lib.adapters.importers.locomo import locomo_user
from memory_lib.adapters.importers.longmemeval import (
    LONGMEMEVAL_CONVERSATION,
    LONGMEMEVAL_USER,
    longmemeval_turn_id,
    session_instant,
)
from memory_lib.adapters.importers.open_export import read_export
from memory_lib.domain.message import SourceMessage
from memory_lib.errors import UnknownSetting, UnreadableFile


class Dataset(StrEnum):
    """What ``--data NAME:PATH`` may name."""

    LOCOMO = "locomo"
    LONGMEMEVAL = "longmemeval"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """``evidence``: source ids of the turns that hold the answer, each once, all in ``conversation``.

    ``asked_at``: the clock of the question; the person's last message + 1 h where the data names none (CONTRACTS, ``--now
    last``).
    """

    user: str
    conversation: str
    text: str
    category: str
    evidence: tuple[str, ...]
    asked_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalData:
    """``turns``: what each user's store holds, as imported. ``unresolved``: questions left out because none of their evidence
    is a turn. ``settings``: what this data asks to be set (dotted names), besides what the caller sets.
    """

    dataset: Dataset
    questions: tuple[Question, ...]
    turns: Mapping[str, tuple[SourceMessage, ...]]
    unresolved: int
    settings: Mapping[str, str]


def read_retrieval_data(spec: str) -> RetrievalData:
    """``"locomo:PATH"`` or ``"longmemeval:PATH"``; the latter's path may be a folder, all of whose files are one pool.

    Raises:
        UnknownSetting: no such data set, or no path.
        UnreadableFile: the path is missing or holds something else.
    """
    name, _, path = spec.partition(":")
    if name not in set(Dataset) or not path:
        raise UnknownSetting("the data to evaluate on is named like locomo:PATH or longmemeval:PATH")
    place = Path(path).expanduser()
    if not place.exists():
        raise UnreadableFile(f"nothing is at the path given for {name}; give the file or folder of the data set")
    return _locomo(place) if name == Dataset.LOCOMO else _longmemeval(place)


# -- LoCoMo --------------------------------------------------------------------------------------------------------------------

LOCOMO_CATEGORIES: Mapping[int, str] = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
_EVIDENCE = re.compile(r"D:?(\d+):(\d+)")


def locomo_evidence(listed: Sequence[object]) -> tuple[str, ...]:
    """Turn ids out of an evidence list, in the written form of turns: "D8:6; D9:17" is two, "D30:05" is "D30:5"."""
    found = (f"D{int(session)}:{int(turn)}" for entry in listed for session, turn in _EVIDENCE.findall(str(entry)))
    return tuple(dict.fromkeys(found))


def _locomo(path: Path) -> RetrievalData:
    """Each conversation's first person is asked, all questions whose evidence resolves."""
    turns = _turns(path, Dataset.LOCOMO)
    questions: list[Question] = []
    unresolved = 0
    for sample in _records(path):
        if not isinstance(sample, dict) or "conversation" not in sample:
            continue
        user = locomo_user(str(sample.get("sample_id")), str(sample["conversation"].get("speaker_a")))
        theirs = turns.get(user, ())
        known = {turn.id for turn in theirs}
        for asked in sample.get("qa", ()):
            evidence = tuple(each for each in locomo_evidence(asked.get("evidence", ())) if each in known)
            if not evidence:
                unresolved += 1
                continue
            questions.append(
                Question(
                    user=user,
                    conversation=str(sample["sample_id"]),
                    text=str(asked["question"]),
                    category=LOCOMO_CATEGORIES.get(asked.get("category"), "other"),
                    evidence=evidence,
                    asked_at=_after(theirs),
                )
            )
    return RetrievalData(dataset=Dataset.LOCOMO, questions=tuple(questions), turns=turns, unresolved=unresolved, settings={})


# -- LongMemEval ---------------------------------------------------------------------------------------------------------------


def _longmemeval(path: Path) -> RetrievalData:
    """One pool of one person, whatever the files and shapes. Abstention questions have no evidence and are not asked."""
    turns = _turns(path, Dataset.LONGMEMEVAL)
    known = {turn.id for turn in turns.get(LONGMEMEVAL_USER, ())}
    questions: list[Question] = []
    unresolved = 0
    for file in _files(path):
        for record in _records(file):
            if not isinstance(record, dict) or "question_id" not in record or _abstains(record):
                continue
            evidence = tuple(dict.fromkeys(each for each in _gold(record) if each in known))
            text = record.get("question") or next(iter(record.get("questions", ())), None)
            if not evidence or not text:
                unresolved += 1
                continue
            questions.append(
                Question(
                    user=LONGMEMEVAL_USER,
                    conversation=LONGMEMEVAL_CONVERSATION,
                    text=str(text),
                    category=str(record.get("question_type", "other")),
                    evidence=evidence,
                    asked_at=_asked_at(record, turns[LONGMEMEVAL_USER]),
                )
            )
    return RetrievalData(
        dataset=Dataset.LONGMEMEVAL,
        questions=tuple(questions),
        turns=turns,
        unresolved=unresolved,
        settings={"rounds.profile": "assistant"},
    )


def _abstains(record: Mapping[str, Any]) -> bool:
    return bool(record.get("abstention")) or str(record["question_id"]).endswith("_abs")


def _gold(record: Mapping[str, Any]) -> Iterator[str]:
    """All evidence turns, or in a whole haystack those marked ``has_answer`` (they belong to its first question)."""
    sessions = record.get("haystack_sessions")
    if sessions is None:
        sessions = [session.get("turns", ()) for session in record.get("evidence_sessions", ())]
        marked = False
    else:
        marked = True
    for turns in sessions:
        for turn in turns:
            if not marked or turn.get("has_answer"):
                yield longmemeval_turn_id(turn["role"], turn["content"])


def _asked_at(record: Mapping[str, Any], turns: Sequence[SourceMessage]) -> datetime:
    try:
        return session_instant(str(record.get("question_date")))
    except ValueError:
        return _after(turns)


# -- files ---------------------------------------------------------------------------------------------------------------------


def _turns(path: Path, dataset: Dataset) -> dict[str, tuple[SourceMessage, ...]]:
    turns: dict[str, list[SourceMessage]] = {}
    for item in read_export(path, format=dataset.value, first_person_only=True):
        if isinstance(item, SourceMessage):
            turns.setdefault(item.user, []).append(item)
    return {user: tuple(theirs) for user, theirs in turns.items()}


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    return sorted(file for file in path.rglob("*") if file.is_file() and file.suffix in (".json", ".jsonl"))


def _records(path: Path) -> Iterator[object]:
    """A JSON array's elements, or an object a line. Nothing where the file is neither."""
    text = path.read_text(encoding="utf-8-sig")
    try:
        if text.lstrip().startswith("["):
            yield from json.loads(text)
        else:
            yield from (json.loads(line) for line in text.splitlines() if line.strip())
    except json.JSONDecodeError:
        return


def _after(turns: Sequence[SourceMessage]) -> datetime:
    return max(turn.time for turn in turns) + timedelta(hours=1)
