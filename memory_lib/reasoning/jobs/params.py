"""The numbers of all jobs that have any, a record each."""

from __future__ import annotations

from dataclasses import dataclass

from memory_lib.reasoning.jobs import (
    anything_to_think,
    detect_displeasure,
    find_evidence,
    judge_pair,
    judge_worth,
    place_candidate,
    read_valence,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class JobsParams:
    """Handed to a job inside its inputs. Extraction and prose have sections of their own."""

    place: place_candidate.Params
    pair: judge_pair.Params
    valence: read_valence.Params
    worth: judge_worth.Params
    displeasure: detect_displeasure.Params
    look: anything_to_think.Params
    evidence: find_evidence.Params
