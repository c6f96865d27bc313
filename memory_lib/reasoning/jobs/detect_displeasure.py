"""The job *displeasure*: is the person unhappy with the assistant, asking the same again, or putting it right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from memory_lib.domain.syntax import Language
from memory_lib.reasoning.jobs.job import FRAME, Checked, Job, Problem, cut
from memory_lib.reasoning.jobs.schema import StrictModel
from memory_lib.reasoning.judging.displeasure import displeasure_cue
from memory_lib.reasoning.judging.heads import LinearHead
from memory_lib.reasoning.judging.rephrased import repeated_turn
from memory_lib.reasoning.words.displeasure_cues import CueKind

NAME = "detect_displeasure"
VERSION = "displeasure/1"
EARLIER = 3
"""Turns that a repeat is looked for in (OFFLINE, rephrase)."""

PROMPT = (
    "You look at the last message of a person to an assistant. displeasure: they are unhappy with the assistant's "
    "answers. correction: they put right what the assistant said or understood. rephrased_repeat: they ask again, in "
    "other words, what an earlier message of theirs asked; then turn is that message's number. none: anything else, also "
    "being unhappy with life or other people. turn: 0 unless rephrased_repeat." + FRAME
)


class Kind(StrEnum):
    """What the last turn is to the assistant's work."""

    NONE = "none"
    DISPLEASURE = "displeasure"
    REPHRASED_REPEAT = "rephrased_repeat"
    CORRECTION = "correction"


class Answer(StrictModel):
    """The kind and, of a repeat, the earlier turn's number, counted from 1."""

    kind: Kind
    turn: Annotated[int, Field(ge=0, le=EARLIER)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """``characters``: what of a turn is sent."""

    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """``earlier``: the person's turns before, newest first; ``cosines``: of the last turn with each of them, or None.

    ``reply``: the assistant's last answer, "" where there is none: without one there is nothing to be unhappy with.
    ``head``, ``vector``: the learnt head and the last turn's calibrated vector, which make a rule surer or less so; or None.
    """

    last: str
    earlier: Sequence[str]
    cosines: Sequence[float] | None
    reply: str
    language: Language
    head: LinearHead | None = None
    vector: NDArray[np.float32] | None = None
    params: Params


@dataclass(frozen=True, slots=True)
class Discontent:
    """``repeats``: index into the inputs' earlier turns; None also where a repeat is announced and not found among them."""

    kind: Kind
    repeats: int | None
    confidence: float
    because: str


CONTENT = Discontent(Kind.NONE, None, 1.0, "no_cue")


def offline(inputs: Inputs) -> Discontent:
    """Cues of displeasure and correction, then a near repeat, then words that say "I ask again" without an earlier turn."""
    if not inputs.reply:
        return CONTENT
    cue = displeasure_cue(inputs.last, language=inputs.language, reply=inputs.reply, head=inputs.head, vector=inputs.vector)
    if cue is not None and cue.kind is not CueKind.ASKS_AGAIN:
        return Discontent(Kind(cue.kind.value), None, cue.confidence, cue.rule)
    if inputs.cosines is not None:
        pairs = list(zip(inputs.earlier, inputs.cosines, strict=False))
        place = repeated_turn(inputs.last, earlier=[turn for turn, _ in pairs], cosines=[cosine for _, cosine in pairs])
        if place is not None:
            return Discontent(Kind.REPHRASED_REPEAT, place, min(1.0, max(0.0, inputs.cosines[place])), "near_repeat")
    if cue is not None:
        return Discontent(Kind.REPHRASED_REPEAT, None, cue.confidence, cue.rule)
    return CONTENT


def data(inputs: Inputs) -> dict[str, Any]:
    """The turns by number, newest first, and what the assistant answered."""
    limit = inputs.params.characters
    earlier = [{"number": number, "text": cut(turn, limit)} for number, turn in enumerate(inputs.earlier[:EARLIER], 1)]
    return {"earlier": earlier, "assistant": cut(inputs.reply, limit), "last": cut(inputs.last, limit)}


def check(answer: Answer, inputs: Inputs) -> Checked[Discontent]:
    """A repeat names a turn that is there; nothing is displeasing before anything was answered."""
    if answer.kind is Kind.REPHRASED_REPEAT:
        if not 1 <= answer.turn <= min(len(inputs.earlier), EARLIER):
            return Checked(None, (Problem("turn_out_of_range"),))
        return Checked(Discontent(answer.kind, answer.turn - 1, 1.0, "model"))
    if answer.kind is not Kind.NONE and not inputs.reply:
        return Checked(None, (Problem("nothing_was_answered"),))
    return Checked(Discontent(answer.kind, None, 1.0, "model"))


JOB: Job[Inputs, Answer, Discontent] = Job(
    name=NAME, version=VERSION, prompt=PROMPT, answer=Answer, data=data, check=check, offline=offline
)
