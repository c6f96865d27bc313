"""Units for tests of formation, made by hand: what a reasoner would have staged."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np

from memory_lib.domain.candidates import Candidate, Extraction, NodeType, Relation, Slot
from memory_lib.domain.ids import IdKey, MessageId
from memory_lib.domain.message import MessageRef, Role
from memory_lib.domain.time import to_us
from memory_lib.policies.formation import ClosingParams, FormationParams, FormationState, FormationUnit, UnitOutcome
from memory_lib.policies.matching import MatchingParams
from memory_lib.policies.stems import StemParams
from memory_lib.policies.trust import TrustParams

KEY = IdKey(bytes(range(32)))
MATCHING = MatchingParams(
    worth_importance=0.6,
    attach_cosine=0.92,
    ask_cosine=0.75,
    refine_cosine=0.6,
    core_words=3,
    core_share=0.4,
    event_days=2.0,
    reject_confidence=0.3,
)
CLOSING = ClosingParams(
    count_cosine=0.6,
    correction_cosine=0.6,
    propose_cosine=0.5,
    propose_confidence=0.35,
    overlap=0.5,
    near_s=21600.0,
    longest_ended=6,
    stems=StemParams(
        max_characters=10_000, max_words=1_000, max_word_characters=64, cached_words=1_000, window_characters=1_000
    ),
)
PARAMS = FormationParams(creation_weight=1.0, matching=MATCHING, trust=TrustParams(gain=0.25, ceiling=0.99), closing=CLOSING)
NOW = datetime(2026, 6, 1, tzinfo=UTC)
START = datetime(2026, 5, 1, 9, tzinfo=UTC)


def said(content: str, start: int = 0, **more: Any) -> Candidate:
    """A fact of the person over ``content``'s own length."""
    return Candidate(
        **{
            "type": NodeType.FACT,
            "content": content,
            "start": start,
            "end": start + len(content),
            "rule": "fact.clause/1",
            "confidence": 0.9,
            **more,
        }
    )


def person(name: str, start: int = 0, **attributes: str) -> Candidate:
    return said(name, start, type=NodeType.PERSON, rule="person.name/1", attributes={"name": name, **attributes})


def slot(key: str, value: str, *, single: bool = True) -> Slot:
    return Slot(key, value, single)


def unit(
    number: int,
    *candidates: Candidate,
    relations: tuple[Relation, ...] = (),
    role: Role = Role.USER,
    speaker: str | None = None,
    audience: tuple[str, ...] = ("*",),
    repeated: bool = False,
    vectors: Any = None,
    minutes: int | None = None,
) -> FormationUnit:
    """The ``number``-th message, a day apart unless ``minutes`` after the start says otherwise."""
    at = START + (timedelta(days=number) if minutes is None else timedelta(minutes=minutes))
    message = MessageId(f"{number:032x}")
    conversation = KEY.conversation("c")
    return FormationUnit(
        message=MessageRef(message, conversation, None, role, to_us(at), 0, "v"),
        extraction=Extraction(f"u{number}", message, candidates, relations, "rules", "1", "en"),
        audience=audience,
        speaker=speaker,
        repeated=repeated,
        vectors=None if vectors is None else np.asarray(vectors, np.float32),
    )


def formed(*units: FormationUnit) -> tuple[FormationState, list[UnitOutcome]]:
    state = FormationState(key=KEY, params=PARAMS)
    return state, [state.step(each, now=NOW) for each in units]
