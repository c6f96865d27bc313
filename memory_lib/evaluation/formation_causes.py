"""Causes: which turn an emotional turn answers to (RECCON's DailyDialog), and which side of a stated cause is the cause.

Nothing was trained on RECCON: the rule's constants are general, and were chosen with its development half in view. Emotional
turns are taken as labelled, colours from the shipped head. Stated causes run through the product's parser and extraction rules,
on own sentences that the rules' authors may have seen.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory_lib.domain.candidates import Candidate, EdgeType
from memory_lib.domain.ids import IdKey
from memory_lib.domain.message import Role, SourceMessage, Unit
from memory_lib.evaluation.formation_figures import Figure, f1, share_figure
from memory_lib.evaluation.formation_tools import Tools, rows
from memory_lib.reasoning.judging.turn_causes import SpokenTurn, turn_causes
from memory_lib.reasoning.prose.reply_language import language_of

DAILY_DIALOGUE = ("dailydialog_train.json", "dailydialog_valid.json")


def daily_dialogues(data: Path, *, every: int) -> Iterator[Sequence[dict[str, Any]]]:
    """The turns of one labelled dialogue of ``every``, in the order of the files."""
    for name in DAILY_DIALOGUE:
        path = data / "reccon" / name
        if path.is_file():
            for place, dialogue in enumerate(json.loads(path.read_text(encoding="utf-8")).values()):
                if place % every == 0:
                    yield dialogue[0]


def evaluate_causes(data: Path, tools: Tools) -> list[Figure]:
    """Figures of the sets that are there."""
    figures: list[Figure] = []
    dialogues = list(daily_dialogues(data, every=tools.every))
    if dialogues:
        figures += _cross_turn(dialogues, tools)
    path = data / "own_sentences" / "causes_ru.jsonl"
    if path.is_file():
        sentences = rows(path)
        for language, offline in (("ru", 0.65), ("en", 0.5)):
            own = [(row["text"], row["cause"]) for row in sentences if language_of(row["text"]) == language]
            figures += _stated(f"causes.stated_{language}", own, tools, offline=offline)
    return figures


# -- across turns -------------------------------------------------------------------------------------------------------------


def _cross_turn(dialogues: Sequence[Sequence[dict[str, Any]]], tools: Tools) -> list[Figure]:
    texts = list(dict.fromkeys(turn["utterance"] for dialogue in dialogues for turn in dialogue))
    classes = tools.heads.valence.classes
    shares = tools.heads.valence.probabilities(tools.vectors(texts))
    signed = shares[:, classes.index("positive")] - shares[:, classes.index("negative")]
    colours = dict(zip(texts, (float(value) for value in signed), strict=True))
    gold = found = both = sure = sure_right = 0
    for dialogue in dialogues:
        spoken = [SpokenTurn(text=turn["utterance"], colour=colours[turn["utterance"]]) for turn in dialogue]
        for place, turn in enumerate(dialogue):
            if turn["emotion"] == "neutral":
                continue
            causes = {each - 1 for each in turn.get("expanded emotion cause evidence", ()) if isinstance(each, int)}
            causes = {cause for cause in causes if cause < place}
            guesses = turn_causes(spoken[place], spoken[:place], opens=True, params=tools.detectors.causes)
            gold += len(causes)
            found += len(guesses)
            both += sum(guess.place in causes for guess in guesses)
            sure += sum(guess.sure for guess in guesses)
            sure_right += sum(guess.sure and guess.place in causes for guess in guesses)
    note = f"one of {tools.every} dialogues of RECCON's DailyDialog train and valid, {len(dialogues)} of them"
    return [
        Figure(
            key="causes.cross_turn.f1",
            measured=f1(both=both, found=found, gold=gold),
            n=gold,
            offline=0.528,
            asked=0.53,
            note=note + "; the study: its best rule",
        ),
        share_figure("causes.cross_turn.precision", both, found, note=note),
        share_figure("causes.cross_turn.recall", both, gold, note=note),
        share_figure("causes.confident.precision", sure_right, sure, offline=0.65, asked=0.65, note=note),
        share_figure("causes.confident.recall", sure_right, gold, offline=0.19, asked=0.19, note=note),
    ]


# -- stated -------------------------------------------------------------------------------------------------------------------

_KEY = IdKey(bytes(32))
_SAID_AT = datetime(2026, 5, 4, 12, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Stated:
    linked: bool
    right: bool


def _stated(key: str, labelled: Sequence[tuple[str, str]], tools: Tools, *, offline: float) -> list[Figure]:
    """Found: some cause is linked. Right: the cause's side of one link holds the labelled words."""
    outcomes = [(_linked(text, cause, tools), bool(cause)) for text, cause in labelled]
    linked = [outcome for outcome, wanted in outcomes if wanted and outcome.linked]
    russian = key.endswith("_ru")
    wanted = sum(wanted for _, wanted in outcomes)
    return [
        share_figure(
            f"{key}.right_side",
            sum(outcome.right for outcome in linked),
            len(linked),
            offline=1.0,
            asked=0.95 if russian else None,
            note="own sentences, which the rules' authors may have seen; of the linked ones",
        ),
        share_figure(
            f"{key}.recall",
            sum(outcome.right for outcome in linked),
            wanted,
            offline=offline,
            asked=0.6 if russian else None,
            note="right of all that state a cause",
        ),
        share_figure(
            f"{key}.false",
            sum(outcome.linked for outcome, wanted in outcomes if not wanted),
            len(outcomes) - wanted,
            at_most=True,
            note="linked where none is stated",
        ),
    ]


def _linked(text: str, cause: str, tools: Tools) -> _Stated:
    message = SourceMessage(user="someone", conversation="c", id="1", role=Role.USER, text=text, time=_SAID_AT).identified(_KEY)
    extraction = tools.extract(Unit("u", message, ()), [tools.parser.parse(text)])
    links = [relation for relation in extraction.relations if relation.type is EdgeType.CAUSED_BY]
    right = False
    start = text.find(cause) if cause else -1
    for link in links:
        if isinstance(link.source, int) and isinstance(link.target, int) and start >= 0:
            span = (start, start + len(cause))
            effect, told = (extraction.candidates[link.source], extraction.candidates[link.target])
            right = right or _share(told, span) > _share(effect, span)
    return _Stated(bool(links), right)


def _share(candidate: Candidate, span: tuple[int, int]) -> float:
    """How much of the span lies in the candidate, the tighter candidate first where both hold it."""
    common = min(candidate.end, span[1]) - max(candidate.start, span[0])
    return max(0, common) / (span[1] - span[0]) - 0.001 * (candidate.end - candidate.start)
