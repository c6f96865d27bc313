"""The numbers a person is formed with, and what a call did."""

from __future__ import annotations

from dataclasses import dataclass

from memory_lib.domain.lineage import Fault
from memory_lib.policies.active_clock import ClockParams
from memory_lib.policies.audience import AgentsParams
from memory_lib.policies.formation import FormationParams
from memory_lib.policies.overlay import WeightParams
from memory_lib.policies.sessions import SessionParams


@dataclass(frozen=True, slots=True, kw_only=True)
class FormParams:
    """``batch``: units a transaction, so that the write lease is held well under a second (CONTRACTS, Writing).
    ``overtaken``: how often another writer may be quicker than this one's lease lasts before it gives up.
    """

    batch: int
    overtaken: int
    clock: ClockParams
    formation: FormationParams
    weight: WeightParams
    agents: AgentsParams
    sessions: SessionParams


@dataclass(frozen=True, slots=True)
class Formed:
    """Counts of one call. ``waiting``: units seen in the ledger that are not staged yet (another import is at work)."""

    units: int
    nodes: int
    edges: int
    replayed: bool
    waiting: int


@dataclass(frozen=True, slots=True)
class Forgot:
    """How many nodes and edges went."""

    nodes: int
    edges: int


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The graph hash before and after, what there is now, and what of it does not rest on something said (nothing should)."""

    before: str
    after: str
    nodes: int
    edges: int
    faults: tuple[Fault, ...]
