"""Ids: what they are made of, and the keyed hash that makes them (CONTRACTS, People, ids, words).

A user id is 128 random bits, made once in the ledger. Every other id is a keyed hash under the deployment's id key, so that
the same key and the same messages give the same ids, and nobody without the key can guess an id from a text.
"""

from __future__ import annotations

import hashlib
from typing import NewType

from memory_lib.errors import IllegalValue

UserId = NewType("UserId", str)
MessageId = NewType("MessageId", str)
ConversationId = NewType("ConversationId", str)
SessionId = NewType("SessionId", str)
UnitId = NewType("UnitId", str)
NodeId = NewType("NodeId", str)
EdgeId = NewType("EdgeId", str)

ID_BYTES = 16
"""128 bits: no collision within one deployment to be expected before 2^64 ids."""


class IdKey:
    """The deployment's id key (32 bytes). It never prints itself.

    Raises:
        IllegalValue: the key is not 32 bytes long.
    """

    __slots__ = ("_key",)

    def __init__(self, key: bytes) -> None:
        if len(key) != 32:
            raise IllegalValue(f"the id key must be 32 bytes, got {len(key)}; delete nothing, restore the key file")
        self._key = key

    def __repr__(self) -> str:
        return "IdKey(…)"

    def hash(self, kind: str, *parts: str | int) -> str:
        """32 hex digits of keyed BLAKE2b over ``kind`` and ``parts``; parts are length-prefixed, so no two lists collide."""
        digest = hashlib.blake2b(key=self._key, digest_size=ID_BYTES)
        for part in (kind, *parts):
            data = str(part).encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "big"))
            digest.update(data)
        return digest.hexdigest()

    def conversation(self, name: str) -> ConversationId:
        return ConversationId(self.hash("conversation", name))

    def message(self, conversation: ConversationId, source_id: str) -> MessageId:
        return MessageId(self.hash("message", conversation, source_id))

    def session(self, conversation: ConversationId, name: str) -> SessionId:
        return SessionId(self.hash("session", conversation, name))

    def text_version(self, text: str) -> str:
        """Names one text of a message without saying anything about it to who lacks the key."""
        return self.hash("text", text)

    def node(self, node_type: str, message: MessageId, start: int, end: int, rule: str) -> NodeId:
        return NodeId(self.hash("node", node_type, message, start, end, rule))


def edge_id(source: str, edge_type: str, target: str) -> EdgeId:
    """The edge's own triple, so that the same statement is the same edge."""
    return EdgeId(f"{source}.{edge_type}.{target}")
