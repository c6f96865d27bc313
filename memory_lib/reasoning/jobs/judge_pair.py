"""The job *pair*: what a newer statement does to an older one."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from memory_lib.reasoning.jobs.job import FRAME, Checked, Job, Problem, cut
from memory_lib.reasoning.jobs.schema import Percent, StrictModel
from memory_lib.reasoning.jobs.statement_pair import Statement, numbers, same_value, stems, words
from memory_lib.reasoning.judging.statement_change import ChangeVerdict, Said, statement_change

NAME = "judge_pair"
VERSION = "pair/1"

PROMPT = (
    "You compare an older and a newer statement of one person. same: both say one thing. updates: the newer one replaces "
    "what was true before (a new job, city, number, plan). contradicts: they cannot both be true and neither is a change "
    "in time. unrelated: both can stand. Statements about different people or different things are unrelated. confidence "
    "in percent." + FRAME
)


class Verdict(StrEnum):
    """What the newer statement does to the older one."""

    SAME = "same"
    CONTRADICTS = "contradicts"
    UPDATES = "updates"
    UNRELATED = "unrelated"


class Answer(StrictModel):
    """The verdict and how sure it is."""

    verdict: Verdict
    confidence: Percent


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """``near``, ``close``: calibrated cosines from which a pair may be a candidate, and may be decided. ``change``: score of
    the head "announces a change" from which the newer statement is read as one. Confidences: of what is decided and proposed.
    """

    near: float
    close: float
    change: float
    confidence_decided: float
    confidence_proposed: float
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """``cosine``: calibrated, or None. ``change``: the head's score 0..1 for the newer statement, or None without a head.
    ``announced``: its words announce a change ("now", "no longer", "actually").
    """

    older: Statement
    newer: Statement
    cosine: float | None
    change: float | None = None
    announced: bool = False
    params: Params


@dataclass(frozen=True, slots=True)
class PairVerdict:
    """``confidence`` 0..1; below the caller's limit it is a candidate, not a decision. ``because``: the rule that spoke."""

    verdict: Verdict
    confidence: float
    because: str


def offline(inputs: Inputs) -> PairVerdict:
    """Slots first, then the same words with another polarity, then the rules of change; a cosine alone decides nothing."""
    older, newer, params = inputs.older, inputs.newer, inputs.params
    decided, proposed = params.confidence_decided, params.confidence_proposed
    if older.about != newer.about:
        return PairVerdict(Verdict.UNRELATED, decided, "another_person")
    by_slot = _by_slot(older, newer, decided)
    if by_slot is not None:
        return by_slot
    alike = words(older.text) == words(newer.text)
    if alike and older.polarity == newer.polarity:
        return PairVerdict(Verdict.SAME, decided, "same_words")
    cosine = -1.0 if inputs.cosine is None else inputs.cosine
    announced = inputs.announced or (inputs.change is not None and inputs.change >= params.change)
    near, close = alike or cosine >= params.near, alike or cosine >= params.close
    shared = bool(stems(older.text) & stems(newer.text))
    if near and shared and older.polarity != newer.polarity:
        verdict = Verdict.UPDATES if announced else Verdict.CONTRADICTS
        return PairVerdict(verdict, decided if close else proposed, "other_polarity")
    change = statement_change(_said(older), _said(newer), cosine=cosine, change=inputs.change)
    if change.verdict is not ChangeVerdict.NOTHING:
        return PairVerdict(Verdict.UPDATES, change.confidence, change.rule)
    return PairVerdict(Verdict.UNRELATED, proposed if near else decided, "nothing_shared")


def _said(statement: Statement) -> Said:
    slots = {statement.slot_key: statement.slot_value} if statement.slot_single else {}
    return Said(text=statement.text, slots={key: value for key, value in slots.items() if key and value})


def _by_slot(older: Statement, newer: Statement, decided: float) -> PairVerdict | None:
    if older.slot_key is None or older.slot_key != newer.slot_key or not older.slot_value or not newer.slot_value:
        return None
    if same_value(older.slot_value, newer.slot_value):
        if older.polarity == newer.polarity:
            return PairVerdict(Verdict.SAME, decided, "same_slot_value")
        return PairVerdict(Verdict.UPDATES, decided, "slot_denied")
    if newer.slot_single and older.polarity and newer.polarity:
        return PairVerdict(Verdict.UPDATES, decided, "other_slot_value")
    return PairVerdict(Verdict.UNRELATED, decided, "another_slot_value")


def data(inputs: Inputs) -> dict[str, Any]:
    """Both statements, with the day of each."""
    return {name: _told(side, inputs.params.characters) for name, side in (("older", inputs.older), ("newer", inputs.newer))}


def _told(statement: Statement, limit: int) -> dict[str, Any]:
    who = "the author" if statement.about == "self" else "somebody else"
    return {"text": cut(statement.text, limit), "about": who, "date": statement.date, "denied": not statement.polarity}


def check(answer: Answer, inputs: Inputs) -> Checked[PairVerdict]:
    """What is said of two people is never one thing or a contradiction."""
    if inputs.older.about != inputs.newer.about and answer.verdict is not Verdict.UNRELATED:
        return Checked(None, (Problem("about_different_people"),))
    if answer.verdict is Verdict.SAME and numbers(inputs.older.text) != numbers(inputs.newer.text):
        return Checked(None, (Problem("same_with_other_numbers"),))
    return Checked(PairVerdict(answer.verdict, answer.confidence / 100, "model"))


JOB: Job[Inputs, Answer, PairVerdict] = Job(
    name=NAME, version=VERSION, prompt=PROMPT, answer=Answer, data=data, check=check, offline=offline
)
