"""What goes into one step of formation, and what comes out of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory_lib.domain.acts import Act
from memory_lib.domain.candidates import Candidate, Extraction
from memory_lib.domain.changes import Action
from memory_lib.domain.ids import EdgeId, NodeId
from memory_lib.domain.message import MessageRef
from memory_lib.policies.formation.closing_params import ClosingParams
from memory_lib.policies.matching import MatchingParams
from memory_lib.policies.trust import TrustParams

VERSION = "formation/2"
"""Part of every write key of formation; a rule that changes what is formed changes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormationParams:
    """``creation_weight`` (CONTRACTS, Numbers), the matching thresholds, what more evidence is worth, and what ends what."""

    creation_weight: float
    matching: MatchingParams
    trust: TrustParams
    closing: ClosingParams


@dataclass(frozen=True, slots=True, kw_only=True)
class FormationUnit:
    """One staged unit, ready to be formed.

    ``repeated``: the message says what another one said within the last minute (it proves, it does not weigh). ``audience``:
    who may read what is formed from it. ``vectors``: (candidates, d) calibrated float32, or None where the embedder was off.
    """

    message: MessageRef
    extraction: Extraction
    audience: tuple[str, ...]
    speaker: str | None
    repeated: bool
    vectors: NDArray[np.float32] | None


@dataclass(frozen=True, slots=True)
class Rejected:
    """A candidate that became nothing: its place in the extraction, itself, and the reason code."""

    place: int
    candidate: Candidate
    reason: str


@dataclass(frozen=True, slots=True)
class UnitOutcome:
    """What one unit touched, by id (in order of first touch), the acts it implies (pins), the decisions for the log, and what
    was rejected.
    """

    nodes: tuple[NodeId, ...]
    edges: tuple[EdgeId, ...]
    acts: tuple[Act, ...]
    actions: tuple[Action, ...]
    rejected: tuple[Rejected, ...] = ()
