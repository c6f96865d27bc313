"""Verbatim rounds: indexing, scoring and selecting the turns that answer a message (DESIGN §4, Recall; RETRIEVAL)."""

from __future__ import annotations

from memory_lib.policies.rounds.bm25 import Bm25
from memory_lib.policies.rounds.index import RoundEntry, RoundIndex, build_round_index, profile_of, weights_of
from memory_lib.policies.rounds.params import Formula, Profile, ProfileParams, RoundParams, SelectionParams
from memory_lib.policies.rounds.scoring import RoundQuery, RoundScores, score_rounds
from memory_lib.policies.rounds.selection import SelectedRound, Window, select_rounds, turns_considered
from memory_lib.policies.rounds.text import joins_previous, round_text, speaker_label, turn_text

__all__ = [
    "Bm25",
    "Formula",
    "Profile",
    "ProfileParams",
    "RoundEntry",
    "RoundIndex",
    "RoundParams",
    "RoundQuery",
    "RoundScores",
    "SelectedRound",
    "SelectionParams",
    "Window",
    "build_round_index",
    "joins_previous",
    "profile_of",
    "round_text",
    "score_rounds",
    "select_rounds",
    "speaker_label",
    "turn_text",
    "turns_considered",
    "weights_of",
]
