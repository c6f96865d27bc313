"""The job *valence*: how the author of a turn feels, how strongly, and whether they say so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memory_lib.domain.candidates import Valence
from memory_lib.domain.syntax import Parse
from memory_lib.reasoning.clauses.clauses import clauses_of
from memory_lib.reasoning.extraction.reading import UNREAL
from memory_lib.reasoning.feelings.feeling import Feeling
from memory_lib.reasoning.feelings.feelings import feeling_of
from memory_lib.reasoning.jobs.job import FRAME, Checked, Job, cut
from memory_lib.reasoning.jobs.schema import Percent, StrictModel
from memory_lib.reasoning.trees.sentence_tree import SentenceTree

NAME = "read_valence"
VERSION = "valence/1"

PROMPT = (
    "You read how the author of a message feels. valence: positive, negative, or neutral where no feeling shows. "
    "intensity: 0 to 100, 0 for neutral. stated: true where the author names the feeling, false where it is only implied. "
    "Mind negations; the feelings of other people are not the author's." + FRAME
)


class Answer(StrictModel):
    """The author's feeling."""

    valence: Valence
    intensity: Percent
    stated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Params:
    """``sure_from``: a head's score from which its valence is taken. ``characters``: what of a turn is sent."""

    sure_from: float
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """``parse`` and ``scores`` serve the offline rule: the turn's parse, and a head's score 0..1 for each valence, or None."""

    text: str
    parse: Parse | None = None
    scores: Mapping[Valence, float] | None = None
    params: Params


@dataclass(frozen=True, slots=True)
class Felt:
    """``intensity`` 0..1; 0 for neutral. ``stated``: in words, not implied."""

    valence: Valence
    intensity: float
    stated: bool
    because: str


CALM = Felt(Valence.NEUTRAL, 0.0, stated=False, because="nothing_felt")


def offline(inputs: Inputs) -> Felt:
    """The strongest feeling that a real clause states; else the head, where it is sure; else neutral."""
    felt = [] if inputs.parse is None else _stated(inputs.parse)
    if felt:
        strongest = max(felt, key=lambda feeling: feeling.intensity)
        if strongest.valence is not Valence.NEUTRAL:
            return Felt(strongest.valence, strongest.intensity, stated=strongest.stated, because="clause_feeling")
    if inputs.scores:
        valence = max(Valence, key=lambda each: (inputs.scores or {}).get(each, 0.0))
        score = inputs.scores.get(valence, 0.0)
        if valence is not Valence.NEUTRAL and score >= inputs.params.sure_from:
            return Felt(valence, min(1.0, max(0.0, score)), stated=False, because="head")
    return CALM


def _stated(parse: Parse) -> list[Feeling]:
    trees = [SentenceTree(sentence) for sentence in parse.sentences]
    found = []
    for clause in clauses_of(parse):
        if not trees[clause.sentence].sentence.has_tree or any(clause.has(modality) for modality in UNREAL):
            continue
        feeling = feeling_of(clause, trees[clause.sentence])
        if feeling is not None:
            found.append(feeling)
    return found


def data(inputs: Inputs) -> dict[str, Any]:
    """The turn."""
    return {"message": cut(inputs.text, inputs.params.characters)}


def check(answer: Answer, inputs: Inputs) -> Checked[Felt]:  # noqa: ARG001 - every job's signature
    """Neutral has no strength."""
    if answer.valence is Valence.NEUTRAL:
        return Checked(Felt(Valence.NEUTRAL, 0.0, stated=False, because="model"))
    return Checked(Felt(answer.valence, answer.intensity / 100, stated=answer.stated, because="model"))


JOB: Job[Inputs, Answer, Felt] = Job(
    name=NAME, version=VERSION, prompt=PROMPT, answer=Answer, data=data, check=check, offline=offline
)
