"""The job *extract*: what one message says, as candidates with exact spans, and the relations its words state.

The model quotes and classifies; it never writes content. A quote that is not in the message takes its mention along, a name or
a value that was not said is left out, a date must be a date, and everything else is an enum or a number.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from typing import Annotated, Any

from pydantic import Field

from memory_lib.domain.candidates import (
    NO_UPDATE,
    OTHERS,
    Candidate,
    EdgeType,
    Modality,
    NodeType,
    Precision,
    Relation,
    Slot,
    Topic,
    Update,
    Valence,
)
from memory_lib.domain.message import Message, Role, Unit
from memory_lib.domain.syntax import Parse
from memory_lib.reasoning.extraction import extract_mentions as rules
from memory_lib.reasoning.extraction.extraction_params import ExtractionParams
from memory_lib.reasoning.extraction.reading import speaker_of
from memory_lib.reasoning.jobs.job import FRAME, Checked, Job, counted, cut
from memory_lib.reasoning.jobs.quotes import find_quote, is_said
from memory_lib.reasoning.jobs.schema import Percent, StrictModel
from memory_lib.reasoning.slots.slots import SINGLE
from memory_lib.reasoning.words.kinship_words import RELATIONS

NAME = "extract_mentions"
VERSION = "extract-model/1"
RULE = "model.extract/1"
MENTIONS = 8
LINKS = 4
_YEARS = 120
"""A date farther than a life from the message is a slip."""

PROMPT = (
    "You list what the last message of a conversation says about its author. One mention for each separate statement: "
    "facts, events, feelings of the author, other people, and things left open. quote: copy the words exactly from the "
    "last message, in its language, as short as says it all. about: self for the author, person for a named person (then "
    "person is the name), others for anybody else; where there is no name, person is the word for the tie (mother). tie: "
    "how that person stands to the author. slot and slot_value: the property stated, or none and an empty string. "
    "modality: negated, planned, hedged, conditional, reported and so on as the words say, asserted for plain statements. "
    "date: YYYY-MM-DD when it happened, reckoned from the message's own time, or an empty string; due likewise for what "
    "must be done. Relations connect mentions by number, counted from 0; a negative target is an earlier message, -1 the "
    "one just before. caused_by runs from effect to cause. Leave out greetings, requests and questions to the assistant. "
    "Nothing said: empty lists." + FRAME
)


class Kind(StrEnum):
    """Node types that a message can give; hypotheses come from sleep only."""

    FACT = "fact"
    EVENT = "event"
    EMOTIONAL_NOTE = "emotional_note"
    PERSON = "person"
    OPEN_LOOP = "open_loop"


class About(StrEnum):
    """Whom a mention is about."""

    SELF = "self"
    PERSON = "person"
    OTHERS = "others"


class SlotKey(StrEnum):
    """The properties known to formation; ``none`` where a mention states none of them."""

    NONE = "none"
    NAME = "name"
    AGE = "age"
    BIRTHDAY = "birthday"
    CITY = "city"
    EMPLOYER = "employer"
    JOB = "job"
    FAMILY = "family"
    PET = "pet"
    LIKE = "like"
    DISLIKE = "dislike"
    LANGUAGE = "language"
    HABIT = "habit"


Tie = StrEnum("Tie", {"NONE": "none", **{name.upper().replace("-", "_"): name for name, _ in RELATIONS.values()}})  # type: ignore[misc]
"""Ties to the author: the closed list of the offline rules."""


class MentionAnswer(StrictModel):
    """One thing said."""

    quote: Annotated[str, Field(max_length=160)]
    type: Kind
    about: About
    person: Annotated[str, Field(max_length=40)]
    tie: Tie
    slot: SlotKey
    slot_value: Annotated[str, Field(max_length=60)]
    valence: Valence
    intensity: Percent
    modality: Annotated[list[Modality], Field(max_length=2)]
    topic: Topic
    date: Annotated[str, Field(max_length=10)]
    precision: Precision
    due: Annotated[str, Field(max_length=10)]
    importance: Percent
    confidence: Percent


class RelationAnswer(StrictModel):
    """A relation stated by ``quote``, from mention ``source`` to mention ``target`` or, where negative, an earlier message."""

    source: Annotated[int, Field(ge=0, le=MENTIONS - 1)]
    target: Annotated[int, Field(ge=-4, le=MENTIONS - 1)]
    type: EdgeType
    quote: Annotated[str, Field(max_length=80)]


class Answer(StrictModel):
    """What the last message says."""

    mentions: Annotated[list[MentionAnswer], Field(max_length=MENTIONS)]
    relations: Annotated[list[RelationAnswer], Field(max_length=LINKS)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """A unit and the parses of its messages, oldest first, its own last (only the offline rule reads them).

    ``characters``: what of a message is sent.
    """

    unit: Unit
    parses: Sequence[Parse]
    params: ExtractionParams
    characters: int


@dataclass(frozen=True, slots=True)
class Found:
    """Candidates and relations of the unit's own message."""

    candidates: tuple[Candidate, ...]
    relations: tuple[Relation, ...]


NOTHING = Found((), ())


def offline(inputs: Inputs) -> Found:
    """The rules over clauses (``reasoning.extract_mentions``)."""
    found = rules.offline(inputs.unit, inputs.parses, params=inputs.params)
    return Found(found.candidates, found.relations)


def data(inputs: Inputs) -> dict[str, Any]:
    """The unit as the model sees it."""
    own = inputs.unit.message
    return {
        "before": [_turn(message, inputs.characters) for message in inputs.unit.before],
        "last_message": {"time": own.time.isoformat(timespec="minutes"), **_turn(own, inputs.characters)},
    }


def _turn(message: Message, limit: int) -> dict[str, Any]:
    return {"role": message.role.value, "text": cut(message.text, limit)}


def check(answer: Answer, inputs: Inputs) -> Checked[Found]:
    """Candidates whose words are in the message, and relations between them; what did not hold is counted.

    Where nothing of what was found holds, the answer is refused.
    """
    message = inputs.unit.message
    if message.role not in {Role.USER, Role.OTHER}:
        return Checked(NOTHING)
    codes: list[str] = []
    candidates: list[Candidate] = []
    by_rules = offline(inputs).candidates if answer.mentions else ()
    place: dict[int, int] = {}
    after = 0
    for number, mention in enumerate(answer.mentions):
        span = find_quote(mention.quote, message.text, after=after)
        if span is None:
            codes.append("quote_not_in_message")
            continue
        candidate = _candidate(mention, span, inputs, codes, update=_update(span, by_rules))
        if candidate is None or candidate in candidates:
            continue
        after = span[0]
        place[number] = len(candidates)
        candidates.append(candidate)
    relations = _relations(answer, place, inputs, codes)
    if answer.mentions and not candidates:
        return Checked(None, counted(codes))
    return Checked(Found(tuple(candidates), relations), counted(codes))


def _update(span: tuple[int, int], by_rules: Sequence[Candidate]) -> Update:
    """What the rules read in the same words that they do to earlier statements (ends, takes back, settles)."""
    shared = [(min(span[1], each.end) - max(span[0], each.start), each) for each in by_rules if each.update != NO_UPDATE]
    length, nearest = max(shared, key=lambda pair: pair[0], default=(0, None))
    return nearest.update if nearest is not None and length > 0 else NO_UPDATE


def _candidate(
    mention: MentionAnswer, span: tuple[int, int], inputs: Inputs, codes: list[str], *, update: Update
) -> Candidate | None:
    message, params = inputs.unit.message, inputs.params
    self_about, holder = speaker_of(message)
    said = "\n".join(each.text for each in (*inputs.unit.before, message))
    name = _name(mention.person, said)
    if name is None and (mention.about is About.PERSON or mention.type is Kind.PERSON):
        codes.append("name_not_said")
        return None
    about, about_name = {
        About.SELF: (self_about, message.speaker if message.role is Role.OTHER else None),
        About.PERSON: (f"person:{name}", name),
        About.OTHERS: (OTHERS, None),
    }[mention.about]
    modality = tuple(dict.fromkeys(mention.modality)) or (Modality.ASSERTED,)
    plain = modality == (Modality.ASSERTED,)
    limit = params.confidence_stated if plain else params.confidence_hedged
    valid_from = _moment(mention.date, message, codes)
    feels = mention.type is Kind.EMOTIONAL_NOTE
    return Candidate(
        type=NodeType(mention.type.value),
        content=name if name and mention.type is Kind.PERSON else message.text[span[0] : span[1]],
        start=span[0],
        end=span[1],
        rule=RULE,
        confidence=min(mention.confidence / 100, limit),
        importance=mention.importance / 100,
        valence=mention.valence if feels else Valence.NEUTRAL,
        intensity=mention.intensity / 100 if feels else 0.0,
        topic=mention.topic,
        slot=_slot(mention, message.text[span[0] : span[1]], codes),
        attributes=_person(mention, name),
        modality=modality,
        holder=holder,
        about=about if mention.type is not Kind.PERSON else f"person:{name}",
        about_name=about_name if mention.type is not Kind.PERSON else name,
        due=_moment(mention.due, message, codes),
        valid_from=valid_from,
        precision=mention.precision if valid_from else Precision.DAY,
        polarity=Modality.NEGATED not in modality,
        update=update,
    )


def _person(mention: MentionAnswer, name: str | None) -> dict[str, str]:
    if mention.type is not Kind.PERSON or not name:
        return {}
    return {"name": name} if mention.tie.value == "none" else {"name": name, "tie": mention.tie.value}


def _name(name: str, said: str) -> str | None:
    """The name, where it is one and was said in some form."""
    plain = " ".join(name.split())
    letters = plain.replace(" ", "").replace("-", "").replace("'", "").replace("’", "").replace(".", "")
    return plain if letters.isalpha() and is_said(plain, said) else None


def _slot(mention: MentionAnswer, words: str, codes: list[str]) -> Slot | None:
    if mention.slot is SlotKey.NONE:
        return None
    value = " ".join(mention.slot_value.split())
    if not is_said(value, words):
        codes.append("slot_value_not_said")
        return None
    return Slot(mention.slot.value, value, single=mention.slot.value in SINGLE)


def _moment(text: str, message: Message, codes: list[str]) -> str | None:
    """The start of that day on the person's own clock."""
    if not text.strip():
        return None
    try:
        day = date.fromisoformat(text.strip())
    except ValueError:
        codes.append("date_not_iso")
        return None
    if abs(day.year - message.time.year) > _YEARS:
        codes.append("date_out_of_reach")
        return None
    return datetime(day.year, day.month, day.day, tzinfo=message.time.tzinfo).isoformat()


def _relations(answer: Answer, place: dict[int, int], inputs: Inputs, codes: list[str]) -> tuple[Relation, ...]:
    made: dict[tuple[object, ...], Relation] = {}
    before = inputs.unit.before
    for each in answer.relations:
        span = find_quote(each.quote, inputs.unit.message.text)
        known = each.target in place if each.target >= 0 else -each.target <= len(before)
        if span is None or each.source not in place or not known or each.source == each.target:
            codes.append("relation_without_ends" if span is not None else "quote_not_in_message")
            continue
        target = place[each.target] if each.target >= 0 else before[each.target].id
        made.setdefault(
            (each.source, each.target, each.type),
            Relation(
                source=place[each.source],
                target=target,
                type=each.type,
                confidence=inputs.params.confidence_relation,
                start=span[0],
                end=span[1],
                rule=RULE,
            ),
        )
    return tuple(made.values())


JOB: Job[Inputs, Answer, Found] = Job(
    name=NAME, version=VERSION, prompt=PROMPT, answer=Answer, data=data, check=check, offline=offline
)
