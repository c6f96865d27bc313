"""May a model be asked once more: so many requests a person and in all, counted a night (DESIGN §4, Sleep).

A night runs from noon to noon in UTC, so that one night of sleeps, wherever its people live, is mostly one count.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

NOON = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelBudgetParams:
    """Requests to the model between two noons: ``person``: for one person; ``night``: for all people together."""

    person: int
    night: int


@dataclass(frozen=True, slots=True)
class Spent:
    """What was asked since the night began: requests sent, and their tokens."""

    requests: int
    tokens: int


@dataclass(frozen=True, slots=True)
class BudgetVerdict:
    """``because``: ``within_budget``, ``person_budget_spent`` or ``night_budget_spent``."""

    allowed: bool
    because: str


def night_began(now: datetime) -> datetime:
    """The last noon in UTC."""
    moment = now.astimezone(UTC)
    noon = moment.replace(hour=NOON, minute=0, second=0, microsecond=0)
    return noon if moment >= noon else noon - timedelta(days=1)


def may_ask(*, person: Spent, everyone: Spent, params: ModelBudgetParams) -> BudgetVerdict:
    """Whether one more request is within both budgets."""
    if person.requests >= params.person:
        return BudgetVerdict(allowed=False, because="person_budget_spent")
    if everyone.requests >= params.night:
        return BudgetVerdict(allowed=False, because="night_budget_spent")
    return BudgetVerdict(allowed=True, because="within_budget")
