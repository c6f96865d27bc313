"""Who may read a memory: written at formation, kept by everything derived from it (CONTRACTS, Audience).

An audience is a sorted tuple of agent names; ``("*",)`` is everybody, ``()`` nobody but the person. The person, and the
command line and Python that act as the person, read everything; these functions are for agents.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from memory_lib.domain.candidates import NodeType

EVERYBODY = ("*",)
PSYCHOLOGICAL = "psychological"
"""The scope without which emotional notes do not exist for a reader. The person has it; an API key is granted it by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentsParams:
    """``private``: names of agents whose conversations stay theirs (sensitive ones, or ones the person made)."""

    private: tuple[str, ...]


def audience_of(agent: str | None, *, params: AgentsParams) -> tuple[str, ...]:
    """The audience of what is formed from a message that came through ``agent`` (None: through none in particular)."""
    return (agent,) if agent is not None and agent in params.private else EVERYBODY


def strictest(audiences: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """The audience of something derived: who may read every source. Everybody where there is no source.

    ``()`` where two sources have no reader in common: such a thing is not to be derived at all.
    """
    narrowed = [frozenset(audience) for audience in audiences if "*" not in audience]
    return tuple(sorted(frozenset.intersection(*narrowed))) if narrowed else EVERYBODY


def same_audience(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether attach and merge may join the two; they never cross audiences."""
    return frozenset(one) == frozenset(other)


def readable(audience: tuple[str, ...], agent: str | None) -> bool:
    """Whether ``agent`` may read it. An agent without a name reads only what everybody may."""
    return "*" in audience or (agent is not None and agent in audience)


def in_scope(node_type: NodeType, scopes: Iterable[str]) -> bool:
    """Whether a reader with these scopes may see nodes of this kind at all."""
    return node_type is not NodeType.EMOTIONAL_NOTE or PSYCHOLOGICAL in scopes
