"""The job *look*: sleep's cheap question, is there anything to think about (DESIGN §4, Sleep)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from memory_lib.reasoning.jobs.job import FRAME, Checked, Job, Problem, counted, cut
from memory_lib.reasoning.jobs.schema import StrictModel

NAME = "anything_to_think"
VERSION = "look/1"
STATEMENTS = 12

PROMPT = (
    "You decide whether an assistant's memory of a person has anything new to think about since it last did. reasons: "
    "those that hold, out of new_messages, emotional_signal, significant_event, open_loop, contradiction; only ones whose "
    "count in the data is above 0. think: true where the reasons are worth a long look, false where the new messages are "
    "only small talk." + FRAME
)


class Reason(StrEnum):
    """What there may be to think about (seed §3.5)."""

    NEW_MESSAGES = "new_messages"
    EMOTIONAL_SIGNAL = "emotional_signal"
    SIGNIFICANT_EVENT = "significant_event"
    OPEN_LOOP = "open_loop"
    CONTRADICTION = "contradiction"


class Answer(StrictModel):
    """Whether to think, and about what."""

    think: bool
    reasons: Annotated[list[Reason], Field(max_length=len(Reason))]


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """``messages``: so many new messages alone are worth a look; ``strong``: an emotional note of this intensity alone is.
    ``characters``: sent of a statement.
    """

    messages: int
    strong: float
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Counts since the last pass. ``intensities``: of the new emotional notes. ``statements``: the newest, as content."""

    messages: int
    intensities: Sequence[float]
    significant_events: int
    open_loops: int
    contradictions: int
    statements: Sequence[str] = ()
    params: Params

    @property
    def counts(self) -> dict[Reason, int]:
        return {
            Reason.NEW_MESSAGES: self.messages,
            Reason.EMOTIONAL_SIGNAL: len(self.intensities),
            Reason.SIGNIFICANT_EVENT: self.significant_events,
            Reason.OPEN_LOOP: self.open_loops,
            Reason.CONTRADICTION: self.contradictions,
        }


@dataclass(frozen=True, slots=True)
class Look:
    """``reasons``: in the order of ``Reason``; what there is, also where it is not enough."""

    think: bool
    reasons: tuple[Reason, ...]
    because: str


def offline(inputs: Inputs) -> Look:
    """Nothing without new messages; then any event, loop, contradiction or strong feeling, or enough messages."""
    reasons = tuple(reason for reason, count in inputs.counts.items() if count > 0)
    if inputs.messages <= 0:
        return Look(think=False, reasons=(), because="nothing_new")
    grave = {Reason.SIGNIFICANT_EVENT, Reason.OPEN_LOOP, Reason.CONTRADICTION}
    if grave.intersection(reasons):
        return Look(think=True, reasons=reasons, because="something_happened")
    if any(intensity >= inputs.params.strong for intensity in inputs.intensities):
        return Look(think=True, reasons=reasons, because="strong_feeling")
    if inputs.messages >= inputs.params.messages:
        return Look(think=True, reasons=reasons, because="much_was_said")
    return Look(think=False, reasons=reasons, because="small_talk")


def data(inputs: Inputs) -> dict[str, Any]:
    """Counts and the newest statements."""
    limit = inputs.params.characters
    return {
        "counts": {reason.value: count for reason, count in inputs.counts.items()},
        "statements": [cut(statement, limit) for statement in inputs.statements[:STATEMENTS]],
    }


def check(answer: Answer, inputs: Inputs) -> Checked[Look]:
    """A reason must be there to be named; where a thinking model names none, all that are there are meant."""
    counts = inputs.counts
    if answer.think and inputs.messages <= 0:
        return Checked(None, (Problem("nothing_new"),))
    left_out = ["reason_without_count" for reason in dict.fromkeys(answer.reasons) if counts[reason] <= 0]
    named = {reason for reason in answer.reasons if counts[reason] > 0}
    if answer.think and not named:
        named = {reason for reason, count in counts.items() if count > 0}
    reasons = tuple(reason for reason in Reason if reason in named)
    return Checked(Look(think=answer.think, reasons=reasons, because="model"), counted(left_out))


JOB: Job[Inputs, Answer, Look] = Job(
    name=NAME, version=VERSION, prompt=PROMPT, answer=Answer, data=data, check=check, offline=offline
)
