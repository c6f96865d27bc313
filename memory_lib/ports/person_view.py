"""A person, opened for reading: the graph's columns, the rounds, and the active clock, at one revision.

Opening costs tens of milliseconds, asking costs one: so opened people are kept, and every recall checks by one indexed read
of each store that nothing has changed since (CONTRACTS, Writing: unknown → reload, never serve).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from memory_lib.domain.ids import MessageId, NodeId, UserId
from memory_lib.domain.message import Message, MessageRef
from memory_lib.domain.node import Node
from memory_lib.policies.active_clock import ActiveClock
from memory_lib.policies.graph_index import GraphIndex
from memory_lib.policies.ranking import RankingColumns
from memory_lib.policies.rounds.index import RoundIndex
from memory_lib.policies.stems import Stemmer
from memory_lib.ports.ledger import Person


@dataclass(frozen=True, slots=True, eq=False)
class PersonView:
    """``columns``: the half of a ranking that depends on neither message nor moment. ``refs``: every message's place by id.
    ``stemmer``: keeps the stems of this person's questions. ``opened``: the nodes themselves where the view is of an earlier
    instant (else they are opened on demand). ``graph_down``: why the graph is missing from this view, without words of a
    person; None normally. ``graph_note``: what to say of where the graph was read, though it is all there; None normally.
    """

    person: Person
    graph: GraphIndex
    columns: RankingColumns
    rounds: RoundIndex
    clock: ActiveClock
    refs: Mapping[MessageId, MessageRef]
    stemmer: Stemmer
    opened: Mapping[NodeId, Node] | None = None
    graph_down: str | None = None
    graph_note: str | None = None


class PersonViews(Protocol):
    """Opened people, kept within bounds and checked before each use."""

    def view(self, user: UserId) -> PersonView:
        """The person as they are now; from memory where nothing has changed. Raises UnknownUser."""
        ...

    def as_of(self, user: UserId, instant: datetime) -> PersonView:
        """The person by messages up to ``instant``; not kept. Raises UnknownUser."""
        ...

    def nodes(self, view: PersonView, ids: Sequence[NodeId]) -> dict[NodeId, Node]:
        """These nodes, opened; opened ones are kept as long as the view is."""
        ...

    def messages(self, view: PersonView, ids: Sequence[MessageId]) -> dict[MessageId, Message]:
        """These messages, opened; opened ones are kept as long as the view is, up to a bound."""
        ...

    def forget(self, user: UserId) -> None:
        """Drop what is kept of the person from memory."""
        ...
