"""The job *evidence*: does a message speak for a hypothesis, against it, or about something else; with its words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from memory_lib.domain.candidates import Candidate, Modality, Valence
from memory_lib.reasoning.jobs.job import FRAME, Checked, Job, Problem, cut
from memory_lib.reasoning.jobs.quotes import find_quote
from memory_lib.reasoning.jobs.schema import StrictModel
from memory_lib.reasoning.jobs.statement_pair import stems

NAME = "find_evidence"
VERSION = "evidence/1"

PROMPT = (
    "You test a hypothesis about the author of a message. supports: the message says something that makes it more likely. "
    "refutes: it says something that makes it less likely. neither: it is about something else, or about other people. "
    "quote: the words that say so, copied exactly from the message, or an empty string for neither." + FRAME
)


class Verdict(StrEnum):
    """What a message does to a hypothesis."""

    SUPPORTS = "supports"
    REFUTES = "refutes"
    NEITHER = "neither"


class Answer(StrictModel):
    """The verdict and the words it rests on."""

    verdict: Verdict
    quote: Annotated[str, Field(max_length=200)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """``characters``: what of a message is sent."""

    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A hypothesis as its parts (CONTRACTS, Hypotheses): what it is about, and the feeling that it claims, or None.

    ``subjects``: words for each subject (a person's name, a topic's words); a mention meets the claim that shares one.
    """

    text: str
    subjects: tuple[str, ...]
    valence: Valence | None
    about: str = "self"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """``mentions``: what the reasoner found in the message; the offline rule matches the claim's structure with theirs."""

    claim: Claim
    text: str
    mentions: Sequence[Candidate] = ()
    params: Params


@dataclass(frozen=True, slots=True)
class Evidence:
    """``start``, ``end``: code points of the message; both 0 where it is neither."""

    verdict: Verdict
    start: int
    end: int
    because: str


NEITHER = Evidence(Verdict.NEITHER, 0, 0, "nothing_shared")
_UNREAL = {
    Modality.CONDITIONAL, Modality.FICTIONAL, Modality.JOKING, Modality.QUOTED, Modality.REPORTED, Modality.ASKED,
}  # fmt: skip


def offline(inputs: Inputs) -> Evidence:
    """The first mention of a subject of the claim that is really asserted: the same feeling supports, the opposite refutes;
    where the claim has no feeling, saying it supports and denying it refutes.
    """
    claim = inputs.claim
    for mention in inputs.mentions:
        if _UNREAL.intersection(mention.modality) or mention.about != claim.about or not _meets(mention, claim):
            continue
        if claim.valence is None:
            verdict = Verdict.SUPPORTS if mention.polarity else Verdict.REFUTES
        elif mention.valence is Valence.NEUTRAL:
            continue
        else:
            verdict = Verdict.SUPPORTS if mention.valence is claim.valence else Verdict.REFUTES
        return Evidence(verdict, mention.start, mention.end, "same_subject")
    return NEITHER


def _meets(mention: Candidate, claim: Claim) -> bool:
    said = stems(f"{mention.content} {mention.about_name or ''}")
    return any(subject and subject <= said for subject in map(stems, claim.subjects))


def data(inputs: Inputs) -> dict[str, Any]:
    """The hypothesis and the message."""
    limit = inputs.params.characters
    return {"hypothesis": cut(inputs.claim.text, limit), "message": cut(inputs.text, limit)}


def check(answer: Answer, inputs: Inputs) -> Checked[Evidence]:
    """A verdict stands on words that are in the message."""
    if answer.verdict is Verdict.NEITHER:
        return Checked(Evidence(Verdict.NEITHER, 0, 0, "model"))
    span = find_quote(answer.quote, inputs.text)
    if span is None:
        return Checked(None, (Problem("quote_not_in_message"),))
    return Checked(Evidence(answer.verdict, *span, "model"))


JOB: Job[Inputs, Answer, Evidence] = Job(
    name=NAME, version=VERSION, prompt=PROMPT, answer=Answer, data=data, check=check, offline=offline
)
