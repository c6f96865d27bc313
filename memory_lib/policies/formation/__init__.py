"""Formation: from candidates to nodes, in event order (DESIGN §2, §3; CONTRACTS, Time and weight).

A pure fold. The same units in the same order give the same graph, whether they came in one import or in ten, and whether the
state was carried along or rebuilt from the stored graph. Nothing here looks at weights, recorded times or the clock: what a
node weighs is a fold of its own (``policies.weight_fold``), laid over what is formed here.

================  ====================================================================================
``unit``          what goes into a step and what comes out of it
``formed_graph``  what has been formed so far, and where a counterpart is looked for
``draft``         one step's writing: nodes, proofs, edges, acts, and the decision log
``persons``       who is this: names, relations, the speaker of a chat
``placement``     create, attach, refine or reject a candidate (``decision``: these as values)
``refining``      what a node takes from words that say more; when two tellings are of one time
``closing``       what a new statement ends
``settling``      what a new statement settles of what was left open
``edges``         relations between what was placed
``stale``         what an edit took the words from
``state``         the fold itself
================  ====================================================================================
"""

from __future__ import annotations

from memory_lib.policies.formation.closing_params import ClosingParams
from memory_lib.policies.formation.decision import Decider, Decision, Neighbour, Verdict
from memory_lib.policies.formation.stale import NO_LAYER, FormerUnit, StaleLayer
from memory_lib.policies.formation.state import FormationState
from memory_lib.policies.formation.unit import VERSION, FormationParams, FormationUnit, Rejected, UnitOutcome

__all__ = [
    "NO_LAYER",
    "VERSION",
    "ClosingParams",
    "Decider",
    "Decision",
    "FormationParams",
    "FormationState",
    "FormationUnit",
    "FormerUnit",
    "Neighbour",
    "Rejected",
    "StaleLayer",
    "UnitOutcome",
    "Verdict",
]
