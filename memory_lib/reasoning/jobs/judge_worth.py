"""The job *worth*: is there anything in a turn that somebody may ask for later."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from memory_lib.domain.syntax import Language
from memory_lib.reasoning.clauses.requests import is_phatic, is_request
from memory_lib.reasoning.jobs.job import FRAME, Checked, Job, cut
from memory_lib.reasoning.jobs.schema import StrictModel
from memory_lib.reasoning.jobs.statement_pair import numbers, words

NAME = "judge_worth"
VERSION = "worth/1"

PROMPT = (
    "You decide whether a message is worth remembering about its author. It is when it tells a fact, an event, a feeling, "
    "a plan, a preference or a person of their life, even in passing. It is not when it is only a greeting, thanks, a "
    "reaction or a question or task for the assistant that says nothing of the author. When in doubt, keep it. kind: the "
    "best fitting one." + FRAME
)


class WorthKind(StrEnum):
    """What a turn is, for the one who judges it."""

    FACT = "fact"
    EVENT = "event"
    FEELING = "feeling"
    PLAN = "plan"
    PREFERENCE = "preference"
    PERSON = "person"
    REQUEST = "request"
    SMALL_TALK = "small_talk"
    OTHER = "other"


class Answer(StrictModel):
    """Keep or drop, and what it is."""

    worth: bool
    kind: WorthKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """``keep_from``: the head's score from which a turn is kept. ``characters``: what of a turn is sent."""

    keep_from: float
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """``previous``: the turn before, "" where there is none: what is said may lie in the question that was answered.
    ``score``: a head's score 0..1 of the round, or None.
    """

    text: str
    previous: str
    language: Language
    score: float | None = None
    params: Params


@dataclass(frozen=True, slots=True)
class Worth:
    """``kind`` OTHER where a rule kept it without saying what it is."""

    keep: bool
    kind: WorthKind
    because: str


def offline(inputs: Inputs) -> Worth:
    """The head where there is one; else all but small talk, and requests without a number and a first person."""
    said = words(inputs.text)
    if not said:
        return Worth(keep=False, kind=WorthKind.SMALL_TALK, because="says_nothing")
    if is_phatic(inputs.text, inputs.language) and not inputs.previous.rstrip().endswith("?"):
        return Worth(keep=False, kind=WorthKind.SMALL_TALK, because="phatic")
    if inputs.score is not None:
        return Worth(keep=inputs.score >= inputs.params.keep_from, kind=WorthKind.OTHER, because="head")
    own = not _OWN.isdisjoint(said.split())
    if is_request(inputs.text, inputs.language) and not own and not numbers(inputs.text):
        return Worth(keep=False, kind=WorthKind.REQUEST, because="request")
    return Worth(keep=True, kind=WorthKind.OTHER, because="kept_in_doubt")


_OWN = frozenset(
    "я мне меня мной мой моя мое мои мою моего моей моих наш наша наши мы нас нам i me my mine we us our ours".split()
)


def data(inputs: Inputs) -> dict[str, Any]:
    """The turn, and the one before."""
    limit = inputs.params.characters
    return {"previous": cut(inputs.previous, limit), "message": cut(inputs.text, limit)}


def check(answer: Answer, inputs: Inputs) -> Checked[Worth]:  # noqa: ARG001 - every job's signature
    """Any answer of the schema can stand."""
    return Checked(Worth(keep=answer.worth, kind=answer.kind, because="model"))


JOB: Job[Inputs, Answer, Worth] = Job(
    name=NAME, version=VERSION, prompt=PROMPT, answer=Answer, data=data, check=check, offline=offline
)
