"""Updates: does a newer sentence close an older one, on LongMemEval's pairs of sessions.

Wanted: the two sessions of a knowledge-update question (35 in the development half). Not wanted: every pair of sessions of one
multi-session question, which share a topic and change nothing. A pair counts when any of its sentence pairs does. The vetoes
were written with this half in view; nothing was trained on it, except that "announces a change" knows own sentences only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path
from typing import Any

from memory_lib.domain.candidates import SELF
from memory_lib.domain.ids import IdKey
from memory_lib.domain.message import Role, SourceMessage, Unit
from memory_lib.evaluation.formation_figures import Figure, f1, share_figure
from memory_lib.evaluation.formation_tools import Tools, rows
from memory_lib.reasoning.judging.statement_change import ChangeVerdict, Said, statement_change

_SENTENCES = re.compile(r"(?<=[.!?])\s+")
_TWO = 2


def evaluate_changes(data: Path, tools: Tools) -> list[Figure]:
    """Figures of the sets that are there."""
    figures: list[Figure] = []
    path = data / "longmemeval" / "evidence_turns_dev.jsonl"
    if path.is_file():
        asked = [record for record in rows(path) if not record["abstention"]]
        updates = [record for record in asked if record["question_type"] == "knowledge-update"]
        wanted = [pair for record in updates if len(record["evidence_sessions"]) == _TWO for pair in _pairs(record)]
        others = [pair for record in asked if record["question_type"] == "multi-session" for pair in _pairs(record)]
        found, fired = ([_verdicts(pair, tools) for pair in side] for side in (wanted, others))
        closes, may = {ChangeVerdict.CLOSES}, {ChangeVerdict.CLOSES, ChangeVerdict.PROPOSES}
        rates = (
            ("updates.closing.recall", found, closes, 0.34, 0.34, False),
            ("updates.closing.false", fired, closes, 0.04, 0.04, True),
            ("updates.candidates.recall", found, may, 0.66, 0.66, False),
            ("updates.candidates.false", fired, may, 0.30, None, True),
        )
        figures += [
            share_figure(
                key, sum(bool(each & verdicts) for each in side), len(side), offline=offline, asked=bar, at_most=at_most,
                note="pairs of sessions, LongMemEval development half",
            )
            for key, side, verdicts, offline, bar, at_most in rates
        ]  # fmt: skip
    own = data / "own_sentences" / "updates.jsonl"
    if own.is_file():
        for language in ("en", "ru"):
            labelled = [row for row in rows(own) if row["lang"] == language]
            hits = [bool(_verdicts(([row["old"]], [row["new"]]), tools) - {ChangeVerdict.NOTHING}) for row in labelled]
            gold = [row["label"] == "update" for row in labelled]
            figures.append(
                Figure(
                    key=f"updates.own_{language}.candidates_f1",
                    measured=f1(both=sum(a and b for a, b in zip(hits, gold, strict=True)), found=sum(hits), gold=sum(gold)),
                    n=len(labelled),
                    offline=0.30 if language == "en" else 0.44,
                    note="closing or proposed; the head that announces a change was trained on these (the study: unseen ones)",
                )
            )
    return figures


_KEY = IdKey(bytes(32))
_SAID_AT = datetime(2026, 5, 4, 12, tzinfo=UTC)
_SessionPair = tuple[Sequence[str], Sequence[str]]


def _pairs(record: Mapping[str, Any]) -> list[_SessionPair]:
    """Sentences of the user in the older and the newer session."""
    sessions = sorted(record["evidence_sessions"], key=lambda session: session["date"])
    said = [
        [
            piece
            for turn in session["turns"]
            if turn["role"] == "user"
            for piece in _SENTENCES.split(turn["content"].strip())
            if piece
        ]
        for session in sessions
    ]
    return [(older, newer) for older, newer in combinations(said, _TWO)]


def _verdicts(pair: _SessionPair, tools: Tools) -> set[ChangeVerdict]:
    older, newer = pair
    old, new = tools.vectors(older), tools.vectors(newer)
    slots = {sentence: _slots(sentence, tools) for sentence in (*older, *newer)}
    cosines = old @ new.T
    found: set[ChangeVerdict] = set()
    for row, before in enumerate(older):
        for column, after in enumerate(newer):
            verdict = statement_change(
                Said(text=before, slots=slots[before]),
                Said(text=after, slots=slots[after]),
                cosine=float(cosines[row, column]),
                change=tools.heads.change.probability("change", new[column]),
                params=tools.detectors.change,
            )
            found.add(verdict.verdict)
    return found


def _slots(sentence: str, tools: Tools) -> Mapping[str, str]:
    """Single-valued properties of the speaker that the product's rules find in the sentence; each is read once a run."""
    if sentence not in tools.slots:
        message = SourceMessage(user="someone", conversation="c", id="1", role=Role.USER, text=sentence, time=_SAID_AT)
        extraction = tools.extract(Unit("u", message.identified(_KEY), ()), [tools.parser.parse(sentence)])
        tools.slots[sentence] = {
            candidate.slot.key: candidate.slot.value
            for candidate in extraction.candidates
            if candidate.slot is not None and candidate.slot.single and candidate.about == SELF and candidate.polarity
        }
    return tools.slots[sentence]
