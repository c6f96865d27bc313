"""What was forgotten on purpose: words taken out of messages, and rules that keep them out (CONTRACTS, Writing: Archived)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory_lib.domain.candidates import Span
from memory_lib.domain.ids import MessageId, NodeId, UserId


@dataclass(frozen=True, slots=True, kw_only=True)
class ForgetRule:
    """What must not come back; no word of it. ``nodes``: ids that were forgotten. ``statements``: for each forgotten statement
    the keyed hashes of its content lemmas; a statement said before ``made_at`` that has all of one of these is forgotten too.
    """

    id: str
    made_at: datetime
    nodes: tuple[NodeId, ...]
    statements: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Redacted:
    """A message whose words were taken out: its text versions before and after."""

    message: MessageId
    before: str
    after: str


class Forgetting(Protocol):
    """The ledger's side of forgetting."""

    def keep(self, user: UserId, rule: ForgetRule) -> None:
        """Sealed; a rule by the same id is kept as it was."""
        ...

    def rules(self, user: UserId) -> tuple[ForgetRule, ...]: ...

    def redact(
        self, user: UserId, spans: Sequence[Span], *, now: datetime, whole: Collection[MessageId] = ()
    ) -> tuple[Redacted, ...]:
        """The words of these spans (of the present texts) are covered (``policies.covering``), letter by letter, so that other
        spans still fit. Every former text of these messages goes, and its text version stays as one that was seen; of ``whole``
        the captions and former texts go, whatever is covered. One transaction; repeating changes nothing. The messages' rounds
        and vectors go with it.
        """
        ...

    def discard_units(
        self, user: UserId, messages_: Sequence[MessageId], *, keeping: Collection[str] = ()
    ) -> Mapping[str, int]:
        """Staged extractions (of every reasoner), residuals and vectors made ahead that rest on these messages; how many of
        each (``staged``, ``residuals``, ``ahead``). ``keeping``: units that stay. Kept decisions hold no word and stay.
        """
        ...
