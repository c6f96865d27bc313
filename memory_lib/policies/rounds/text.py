"""The words of a turn and of a round: what is embedded, stemmed, and shown (RETRIEVAL §2)."""

from __future__ import annotations

from collections.abc import Sequence

from memory_lib.domain.ids import IdKey
from memory_lib.domain.message import Message, MessageRef, Role
from memory_lib.policies.covering import uncovered


def speaker_label(speaker: str | None, role: Role) -> str:
    """Who a turn is said by, for its vector and stems: the name, or the role where none is given.

    A turn without a label leaves the embedder guessing whether the person or the assistant said it; with one the assistant
    profile finds a point more.
    """
    return speaker or role.value


def turn_text(text: str, *, speaker: str | None, caption: str | None) -> str:
    """``"{speaker}: {text} [photo: {caption}]"``, without the parts that are not there."""
    named = f"{speaker}: {text}" if speaker else text
    return f"{named} [photo: {caption}]" if caption else named


def joins_previous(role: Role, previous: Role | None) -> bool:
    """Whether a turn's vector stands for the round (the turn before it in its session with it) or for the turn alone.

    Beside an assistant the turn stands alone: long answers drown what they are embedded with, and the turn before hurts there
    (RETRIEVAL §5). Decided turn by turn, so that a vector never depends on what else the store holds.
    """
    return previous is not None and Role.ASSISTANT not in (role, previous)


def round_text(previous: str | None, turn: str) -> str:
    """A turn under the turn before it in its session (``turn_text`` both); alone where ``previous`` is None."""
    return turn if previous is None else f"{previous}\n{turn}"


def previous_turn(unit: Sequence[MessageRef]) -> MessageRef | None:
    """The turn that the vector of a unit's own message stands for too, or None where it stands for itself alone."""
    own, before = unit[-1], unit[-2] if len(unit) > 1 else None
    return before if before is not None and joins_previous(own.role, before.role) else None


def round_id(key: IdKey, own: MessageRef, previous: MessageRef | None) -> str:
    """Names the exact texts behind a round's vector."""
    before = () if previous is None else (previous.id, previous.text_version)
    return key.hash("round", *before, own.id, own.text_version)


def spoken(message: Message) -> str:
    """A message as its turn is stemmed and embedded."""
    return turn_text(uncovered(message.text), speaker=speaker_label(message.speaker, message.role), caption=message.caption)


def embedded_text(own: Message, previous: Message | None) -> str:
    """What the vector of a round is made of."""
    return round_text(None if previous is None else spoken(previous), spoken(own))
