"""The job *place*: is a candidate new, another mention of a known memory, a fuller wording of one, or not worth a node."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from memory_lib.domain.syntax import Language
from memory_lib.reasoning.clauses.requests import is_phatic
from memory_lib.reasoning.jobs.job import FRAME, Checked, Job, Problem, cut
from memory_lib.reasoning.jobs.schema import StrictModel
from memory_lib.reasoning.jobs.statement_pair import Statement, numbers, stems, words

NAME = "place_candidate"
VERSION = "place/1"
NEIGHBOURS = 8

PROMPT = (
    "You keep a memory of statements. Decide about a candidate beside its nearest neighbours: attach when a neighbour "
    "says the same, refine when the candidate says the same and more, create when it says something else, reject when it "
    "says nothing worth a memory. Another number, name, time or a negation makes it something else. neighbour: the "
    "neighbour's number for attach and refine, 0 otherwise." + FRAME
)


class Action(StrEnum):
    """What becomes of a candidate."""

    CREATE = "create"
    ATTACH = "attach"
    REFINE = "refine"
    REJECT = "reject"


class Answer(StrictModel):
    """The decision and the neighbour it names, counted from 1; 0 = none."""

    action: Action
    neighbour: Annotated[int, Field(ge=0, le=NEIGHBOURS)]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A known memory. ``cosine``: calibrated, None where either was not embedded."""

    statement: Statement
    cosine: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """``attach_cosine``: calibrated cosine from which two statements may be one; ``refine_cosine``: from which a statement that
    holds all words of another may be a fuller wording of it. ``characters``: what of a statement is sent.
    """

    attach_cosine: float
    refine_cosine: float
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """``neighbours``: nearest first; those beyond ``NEIGHBOURS`` are not looked at."""

    candidate: Statement
    neighbours: tuple[Neighbour, ...]
    language: Language
    params: Params


@dataclass(frozen=True, slots=True)
class Placement:
    """``neighbour``: index into the inputs' neighbours, for attach and refine. ``because``: a reason code."""

    action: Action
    neighbour: int | None
    because: str


def offline(inputs: Inputs) -> Placement:
    """Same words, or near in meaning with nothing that changes it; a fuller wording refines."""
    candidate, params = inputs.candidate, inputs.params
    said = words(candidate.text)
    if not said or is_phatic(candidate.text, inputs.language):
        return Placement(Action.REJECT, None, "says_nothing")
    for place, near in enumerate(inputs.neighbours[:NEIGHBOURS]):
        known = near.statement
        if (known.type, known.about, known.polarity) != (candidate.type, candidate.about, candidate.polarity):
            continue
        if words(known.text) == said:
            return Placement(Action.ATTACH, place, "same_words")
        if near.cosine is None:
            continue
        if near.cosine >= params.attach_cosine and numbers(known.text) == numbers(candidate.text):
            return Placement(Action.ATTACH, place, "close_meaning")
        mine, theirs = stems(candidate.text), stems(known.text)
        if theirs and theirs < mine and numbers(known.text) <= numbers(candidate.text) and near.cosine >= params.refine_cosine:
            return Placement(Action.REFINE, place, "fuller_words")
    return Placement(Action.CREATE, None, "new")


def data(inputs: Inputs) -> dict[str, Any]:
    """The candidate, and the neighbours by number."""
    limit = inputs.params.characters
    return {
        "candidate": _told(inputs.candidate, limit),
        "neighbours": [
            {"number": number, **_told(near.statement, limit)} for number, near in enumerate(inputs.neighbours[:NEIGHBOURS], 1)
        ],
    }


def _told(statement: Statement, limit: int) -> dict[str, Any]:
    told = {"type": statement.type.value, "text": cut(statement.text, limit), "date": statement.date}
    return told if statement.about == "self" else {**told, "about": "somebody else"}


def check(answer: Answer, inputs: Inputs) -> Checked[Placement]:
    """The neighbour exists, is of the candidate's kind, about the same person and as much denied."""
    if answer.action in {Action.CREATE, Action.REJECT}:
        return Checked(Placement(answer.action, None, "model"))
    if not 1 <= answer.neighbour <= min(len(inputs.neighbours), NEIGHBOURS):
        return Checked(None, (Problem("neighbour_out_of_range"),))
    known, candidate = inputs.neighbours[answer.neighbour - 1].statement, inputs.candidate
    if (known.type, known.about, known.polarity) != (candidate.type, candidate.about, candidate.polarity):
        return Checked(None, (Problem("neighbour_of_another_kind"),))
    return Checked(Placement(answer.action, answer.neighbour - 1, "model"))


JOB: Job[Inputs, Answer, Placement] = Job(
    name=NAME, version=VERSION, prompt=PROMPT, answer=Answer, data=data, check=check, offline=offline
)
