"""Ed25519 signatures of receipts under a key derived from the deployment's secret: no file of its own to lose or to guard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from memory_lib.domain.canonical import canonical_json
from memory_lib.ports.keys import Keyring


class Ed25519Signer:
    """Implements ``ports.keys.Signer``."""

    def __init__(self, keyring: Keyring) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(keyring.deployment_key("signing"))

    @property
    def public_key(self) -> bytes:
        """32 raw bytes."""
        return self._key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    @property
    def public_key_pem(self) -> str:
        """The same for others' tools (``openssl pkeyutl -verify -rawin -pubin``)."""
        return self._key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode("ascii")

    def sign(self, message: bytes) -> bytes:
        return self._key.sign(message)


def verified(record: Mapping[str, Any], public_key: bytes) -> bool:
    """Whether a receipt's record (``Receipt.record()``, or the same read from JSON) was signed as it stands by the holder of
    ``public_key``. The key that the record itself names is not believed: get ours by another way.
    """
    try:
        signature = bytes.fromhex(record["signature"])
        named = bytes.fromhex(record["key"])
        signed = canonical_json({name: value for name, value in record.items() if name != "signature"})
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, signed)
    except (InvalidSignature, ValueError, KeyError, TypeError):
        return False
    return named == public_key
