"""The job *compose*: a recalled part of the graph as prose in the asked language, each sentence with what it rests on.

The frame, the triggers, the questions and the hints are ours either way; a model writes only the lines between, and each is put
on one row and made harmless as a quote is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from memory_lib.domain.candidates import EdgeType, Modality
from memory_lib.reasoning.jobs.job import FRAME, Checked, Job, Problem, counted, cut
from memory_lib.reasoning.jobs.schema import StrictModel
from memory_lib.reasoning.jobs.statement_pair import numbers, stems
from memory_lib.reasoning.prose import prose_dates
from memory_lib.reasoning.prose.composable import (
    ComposableEdge,
    ComposableNode,
    ComposeParams,
    Composition,
    Frame,
    Line,
    TokenCounter,
)
from memory_lib.reasoning.prose.compose import compose
from memory_lib.reasoning.prose.prose_templates import PROSE
from memory_lib.reasoning.prose.quoting import Language, is_readable, one_line
from memory_lib.reasoning.prose.reply_language import CYRILLIC_SHARE, cyrillic_share

NAME = "compose_prose"
VERSION = "compose/1"
STATEMENTS = 20
SENTENCES = 6
_LANGUAGES: Mapping[Language, str] = {"ru": "Russian", "en": "English"}

PROMPT = (
    "You retell what is remembered about a person to the assistant who talks with them: short plain sentences in the "
    "third person, in the language the data names. Statements with a high weight first. Where causes are given, tell "
    "effect and causes together and leave none out. Keep words in quotation marks as they are. A statement marked unsure "
    "stays unsure, one marked ended is over. Add nothing that is not in the statements, no advice, no names, no numbers "
    "of your own. statements: the numbers of the statements that the sentence tells." + FRAME
)


class SentenceAnswer(StrictModel):
    """A sentence and the numbers of the statements it tells."""

    text: Annotated[str, Field(max_length=200)]
    statements: Annotated[list[Annotated[int, Field(ge=1, le=STATEMENTS)]], Field(min_length=1, max_length=4)]


class Answer(StrictModel):
    """The prose."""

    sentences: Annotated[list[SentenceAnswer], Field(max_length=SENTENCES)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """As ``reasoning.compose.compose`` takes them. ``nodes``: strongest first; the model is shown the first ``STATEMENTS``."""

    nodes: Sequence[ComposableNode]
    edges: Sequence[ComposableEdge]
    language: Language
    now: datetime
    count: TokenCounter
    params: ComposeParams
    before: Sequence[Line] = ()
    after: Sequence[Line] = ()
    reserved: int = 0


def offline(inputs: Inputs) -> Composition:
    """The template."""
    return compose(
        inputs.nodes,
        inputs.edges,
        language=inputs.language,
        now=inputs.now,
        count=inputs.count,
        params=inputs.params,
        before=inputs.before,
        after=inputs.after,
        reserved=inputs.reserved,
    )


def data(inputs: Inputs) -> dict[str, Any]:
    """Statements by number, and who causes whom."""
    shown = inputs.nodes[:STATEMENTS]
    number = {node.id: place for place, node in enumerate(shown, 1)}
    causes = [
        [number[edge.source], number[edge.target]]
        for edge in inputs.edges
        if edge.type is EdgeType.CAUSED_BY and edge.source in number and edge.target in number
    ]
    return {
        "language": _LANGUAGES[inputs.language],
        "statements": [_told(number[node.id], node, inputs) for node in shown],
        "caused_by": [{"effect": effect, "cause": cause} for effect, cause in causes],
    }


def _told(number: int, node: ComposableNode, inputs: Inputs) -> dict[str, Any]:
    day = prose_dates.day(node.valid_from or node.created_at, language=inputs.language, this_year=inputs.now.year)
    told: dict[str, Any] = {
        "number": number,
        "type": node.type.value,
        "text": cut(one_line(node.content), inputs.params.quote_chars),
        "weight": round(100 * node.weight),
        "day": day,
    }
    if node.about_name:
        told["about"] = cut(one_line(node.about_name), 40)
    if node.is_inference or node.confidence < inputs.params.unsure_below or node.modality != (Modality.ASSERTED,):
        told["unsure"] = True
    if node.valid_until is not None:
        told["ended"] = True
    return told


def check(answer: Answer, inputs: Inputs) -> Checked[Composition]:
    """Sentences of known statements, in the asked language, with no number of their own, inside the budget; chains whole."""
    shown = inputs.nodes[:STATEMENTS]
    codes: list[str] = []
    lines: list[Line] = []
    for sentence in answer.sentences:
        text = one_line(sentence.text)
        fault = _fault(text, sentence.statements, shown, inputs)
        if fault is None:
            ids = tuple(dict.fromkeys(shown[number - 1].id for number in sentence.statements))
            lines.append(Line(text, ids))
        else:
            codes.append(fault)
    if not lines:
        return Checked(None, (*counted(codes), Problem("nothing_told")))
    lines = _with_whole_chains(lines, inputs, codes)
    return _framed(lines, inputs, codes)


def _fault(text: str, numbered: Sequence[int], shown: Sequence[ComposableNode], inputs: Inputs) -> str | None:
    if any(number > len(shown) for number in numbered):
        return "statement_out_of_range"
    if not is_readable(text):
        return "unreadable_sentence"
    share = cyrillic_share(text)
    if share is not None and (share >= CYRILLIC_SHARE) != (inputs.language == "ru"):
        return "another_language"
    nodes = [shown[number - 1] for number in numbered]
    known = " ".join(str(value) for node in nodes for value in _told(0, node, inputs).values())
    if not numbers(text) <= numbers(known):
        return "number_of_its_own"
    theirs = stems(" ".join(f"{node.content} {node.about_name or ''}" for node in nodes))
    same_language = all(
        ((cyrillic_share(node.content) or 0.0) >= CYRILLIC_SHARE) == (inputs.language == "ru") for node in nodes
    )
    if same_language and theirs and not theirs & stems(text):
        return "sentence_without_ground"
    return None


def _with_whole_chains(lines: list[Line], inputs: Inputs, codes: list[str]) -> list[Line]:
    """A sentence that tells an effect without its cause goes, unless another sentence tells the cause; until all hold."""
    causes = [(edge.source, edge.target) for edge in inputs.edges if edge.type is EdgeType.CAUSED_BY]
    shown = {node.id for node in inputs.nodes[:STATEMENTS]}
    while True:
        told = {node for line in lines for node in line.nodes}
        lacking = {effect for effect, cause in causes if effect in told and cause in shown and cause not in told}
        if not lacking:
            return lines
        codes.append("chain_in_part")
        lines = [line for line in lines if not lacking.intersection(line.nodes)]


def _framed(lines: list[Line], inputs: Inputs, codes: list[str]) -> Checked[Composition]:
    """The frame round what fits. Sentences too many make the answer too long, not the context."""
    count = inputs.count
    prose = PROSE[inputs.language]
    frame = Frame(prose.opening.format(today=prose_dates.day(inputs.now, language=inputs.language)), prose.closing)
    given = (*inputs.before, *inputs.after)
    fixed = count(frame.opening + "\n") + count(frame.closing) + sum(count(line.text + "\n") for line in given)
    room = inputs.params.budget - inputs.reserved - fixed
    kept: list[Line] = []
    used = 0
    for line in lines:
        cost = count(line.text + "\n")
        if used + cost > room:
            codes.append("over_budget")
            break
        kept.append(line)
        used += cost
    kept = _with_whole_chains(kept, inputs, codes)
    if not kept:
        return Checked(None, (*counted(codes), Problem("nothing_told")))
    told = (*inputs.before, *kept, *inputs.after)
    seen = {node for line in told for node in line.nodes}
    text = "\n".join((frame.opening, *(line.text for line in told), frame.closing))
    tokens = fixed + sum(count(line.text + "\n") for line in kept)
    dropped = tuple(node.id for node in inputs.nodes if node.id not in seen)
    return Checked(Composition(frame, told, text, tokens, dropped), counted(codes))


JOB: Job[Inputs, Answer, Composition] = Job(
    name=NAME, version=VERSION, prompt=PROMPT, answer=Answer, data=data, check=check, offline=offline
)
