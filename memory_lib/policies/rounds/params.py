"""The numbers of the rounds arm. Sources: RETRIEVAL §2 (people), §5 (assistant), CONTRACTS (Numbers: ``rounds.profile``)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Profile(StrEnum):
    """Which weights rank the rounds: chats of people, or of a person with an assistant."""

    AUTO = "auto"
    PEOPLE = "people"
    ASSISTANT = "assistant"


class Formula(StrEnum):
    """``recipe``: the measured one. ``source``: similarity + 0.02 · bm25 / best bm25, kept as an ablation (DESIGN §4)."""

    RECIPE = "recipe"
    SOURCE = "source"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileParams:
    """Weights of one profile; all are factors of terms that lie in about 0..1.

    ``k1``, ``b``: BM25. ``round_share``: how much of the lexical term comes from the round's words (the turn's own words give
    the rest). ``lexical_weight``: of the lexical term beside the cosine. ``previous_weight``, ``next_weight``: of a
    neighbour's score. ``lexical_alone``, ``previous_alone``: in place of the two where there is no vector to compare.
    ``session_weight``: of the session's best. ``date_weight``, ``speaker_weight``, ``user_weight``: boosts for a date named, a
    speaker named, the person's own turns.
    """

    k1: float
    b: float
    round_share: float
    lexical_weight: float
    lexical_alone: float
    previous_weight: float
    previous_alone: float
    next_weight: float
    session_weight: float
    date_weight: float
    speaker_weight: float
    user_weight: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundParams:
    """``assistant_share``: share of assistant turns from which ``auto`` means ``assistant``. ``source_lexical_weight``: of the
    source's formula. ``prior_weight``: how many rounds the embedder's fixed mean counts for beside the store's own.
    """

    profile: Profile
    formula: Formula
    assistant_share: float
    source_lexical_weight: float
    prior_weight: float
    people: ProfileParams
    assistant: ProfileParams


@dataclass(frozen=True, slots=True, kw_only=True)
class SelectionParams:
    """What is handed to the assistant (DESIGN §4: at most 4 rounds and 3,000 characters, the frame included).

    ``characters``: for the rounds themselves, the frame's own left out. ``considered``: turns taken from the head of the
    ranking. ``turn_characters``: a longer turn is cut to this many around the words asked for, and gets more where the budget
    allows. ``turn_overhead``, ``round_overhead``: characters that a turn's line and a round's date and note cost beside words.
    """

    rounds: int
    characters: int
    considered: int
    turn_characters: int
    turn_overhead: int
    round_overhead: int
