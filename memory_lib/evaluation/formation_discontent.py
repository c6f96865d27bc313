"""Displeasure with the assistant as an event, and questions asked again in other words.

Own sentences and the five displeased messages of the Russian chat were seen when the cues were written; the other messages and
LongMemEval's turns show how often the cues fire. Pairs for a repeat: own sentences; ordinary pairs: two user turns in a row of
one session (the same text twice left out).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from memory_lib.domain.syntax import Language
from memory_lib.evaluation.formation_figures import Figure, f1, share_figure
from memory_lib.evaluation.formation_tools import Tools, chat_sessions, labelled_chat, rows
from memory_lib.reasoning.judging.displeasure import displeasure_cue
from memory_lib.reasoning.judging.rephrased import repeated_turn
from memory_lib.reasoning.words.displeasure_cues import CueKind

_LANGUAGES: tuple[Language, ...] = ("ru", "en")


def evaluate_discontent(data: Path, tools: Tools) -> list[Figure]:
    """Figures of the sets that are there."""
    return [*_displeasure(data, tools), *_rephrased(data, tools)]


def _is_event(text: str, language: Language, reply: str, tools: Tools) -> bool:
    cue = displeasure_cue(text, language=language, reply=reply, params=tools.detectors.displeasure)
    return cue is not None and cue.kind is not CueKind.ASKS_AGAIN


def _displeasure(data: Path, tools: Tools) -> Iterator[Figure]:
    chat = labelled_chat(data)
    if chat:
        events = [(_is_event(turn.text, "ru", turn.before, tools), turn.displeased) for turn in chat]
        wanted = sum(displeased for _, displeased in events)
        yield share_figure(
            "displeasure.chat_ru.found", sum(event and wanted for event, wanted in events), wanted,
            offline=0.7, asked=0.6, note="seen when the cues were written; asked: 3 of 5",
        )  # fmt: skip
        false = sum(event and not displeased for event, displeased in events)
        yield share_figure(
            "displeasure.chat_ru.false", false, len(events), offline=0.009, asked=round(2 / 150, 4), at_most=True,
            note="asked: 2 in 150",
        )  # fmt: skip
    for name in ("displeasure", "displeasure_2"):
        path = data / "own_sentences" / f"{name}.jsonl"
        for language in _LANGUAGES:
            labelled = [row for row in rows(path) if row["lang"] == language] if path.is_file() else []
            if labelled:
                found = [_is_event(row["text"], language, "", tools) for row in labelled]
                gold = [row["label"] in {"displeasure", "correction"} for row in labelled]
                both = sum(a and b for a, b in zip(found, gold, strict=True))
                yield Figure(
                    key=f"displeasure.own_{language}.{name}.f1",
                    measured=f1(both=both, found=sum(found), gold=sum(gold)),
                    n=len(labelled),
                    note="seen when the cues were written",
                )
    fired = [_is_event(turn, "en", "", tools) for turn in _assistant_chat(data)]
    if fired:
        yield share_figure("displeasure.longmemeval.fires", sum(fired), len(fired), offline=0.0, at_most=True)


def _rephrased(data: Path, tools: Tools) -> Iterator[Figure]:
    path = data / "own_sentences" / "rephrased.jsonl"
    if path.is_file():
        pairs = rows(path)
        hits = {language: _repeats([(row["first"], row["again"]) for row in pairs if row["lang"] == language], tools)
                for language in _LANGUAGES}  # fmt: skip
        both = [hit for language in _LANGUAGES for hit in hits[language]]
        yield share_figure("rephrased.recall", sum(both), len(both), offline=0.88, asked=0.88, note="own pairs")
        for language, offline in zip(_LANGUAGES, (0.83, 0.92), strict=True):
            yield share_figure(f"rephrased.recall.{language}", sum(hits[language]), len(hits[language]), offline=offline)
    ordinary: tuple[tuple[Language, Iterable[Sequence[str]], float, float], ...] = (
        ("ru", chat_sessions(data), 0.04, 0.04),
        ("en", _assistant_sessions(data), 0.12, 0.12),
    )
    for language, sessions, offline, asked in ordinary:
        following = [(one, other) for session in sessions for one, other in pairwise(session) if one != other]
        if following:
            fired = _repeats(following, tools)
            yield share_figure(
                f"rephrased.fires.{language}", sum(fired), len(fired), offline=offline, asked=asked, at_most=True,
                note="two user turns in a row; some of them do repeat",
            )  # fmt: skip


def _repeats(pairs: Sequence[tuple[str, str]], tools: Tools) -> list[bool]:
    first, again = (tools.vectors([pair[side] for pair in pairs]) for side in (0, 1))
    cosines = (first * again).sum(axis=1)
    return [
        repeated_turn(later, earlier=[earlier], cosines=[float(cosine)], params=tools.detectors.rephrased) is not None
        for (earlier, later), cosine in zip(pairs, cosines, strict=True)
    ]


def _assistant_sessions(data: Path) -> Iterator[list[str]]:
    path = data / "longmemeval" / "s_full_haystack_dev1.json"
    if path.is_file():
        for record in json.loads(path.read_text(encoding="utf-8")):
            for session in record["haystack_sessions"]:
                yield [turn["content"] for turn in session if turn["role"] == "user"]


def _assistant_chat(data: Path) -> Iterator[str]:
    for session in _assistant_sessions(data):
        yield from session
