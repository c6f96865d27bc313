"""Long work that somebody asked for: kept in the ledger until a flow has done it (an operation, a person's return)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from memory_lib.domain.ids import UserId


class RequestState(StrEnum):
    """``PLANNED``: a dry run was made and waits for approval; ``WAITING``: to be done; the rest as they say."""

    PLANNED = "planned"
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """``kind``: the operation's name. ``attempts``: how often it was claimed. ``operator``: who asked, an operator's name given
    by the deployment ("" where none are configured), never a person's.
    """

    id: str
    user: UserId
    kind: str
    state: RequestState
    created_at: datetime
    attempts: int = 0
    operator: str = ""


class Requests(Protocol):
    """Requests of people and operators. What one says (a topic, the list of a dry run) is sealed with the person's key."""

    def ask(
        self,
        user: UserId,
        kind: str,
        *,
        now: datetime,
        state: RequestState = RequestState.WAITING,
        payload: Mapping[str, Any] | None = None,
        operator: str = "",
    ) -> Request:
        """A new request; where one of this person and kind is open (not done or failed) and ``payload`` is None, that one."""
        ...

    def one(self, user: UserId, request: str) -> Request:
        """Raises UnknownSetting where this person has no such request."""
        ...

    def payload(self, user: UserId, request: str) -> Mapping[str, Any]:
        """What was asked for, opened; {} where nothing was said."""
        ...

    def claim(self, kind: str, *, holder: str, limit: int, ttl_s: float, now: datetime) -> tuple[Request, ...]:
        """Up to ``limit`` waiting requests of this kind, and running ones whose holder's time is over, now running for
        ``holder``. Two claimers never get the same one; neither waits for the other.
        """
        ...

    def move(self, user: UserId, request: str, state: RequestState, *, now: datetime) -> None:
        """To another state (planned → waiting when approved, running → done or failed)."""
        ...

    def clear(self, user: UserId, request: str) -> None:
        """What was said in it goes; the request stays. Harmless where there is none."""
        ...

    def open(self, *, kind: str | None = None, user: UserId | None = None, limit: int = 1000) -> tuple[Request, ...]:
        """Not done and not failed, oldest first."""
        ...
