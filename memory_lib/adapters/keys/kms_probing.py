"""A look at KMS that leaves nothing there: a secret is wrapped and opened again."""

from __future__ import annotations

import secrets

from memory_lib.adapters.keys.kms_keyring import KmsClient
from memory_lib.adapters.keys.params import KmsParams
from memory_lib.domain.service_state import ServiceState
from memory_lib.errors import KeyMissing

CONTEXT = {"secret": "probe"}


def probe(name: str, params: KmsParams) -> ServiceState:
    """Whether the key wraps and opens, and whether the context is checked.

    Raises:
        DependencyDown: KMS does not answer.
        KeyMissing: it refuses, or has no such key.
        MissingExtra: its driver is not installed.
    """
    client = KmsClient(params)
    secret = secrets.token_bytes(32)
    wrapped = client.encrypt(CONTEXT, secret)
    if client.decrypt(CONTEXT, wrapped) != secret:
        return ServiceState(
            name=name, reachable=True, usable=False, remedy="what it wraps does not open to the same again; use another key"
        )
    try:
        client.decrypt({"secret": "another"}, wrapped)
    except KeyMissing:
        return ServiceState(
            name=name, reachable=True, usable=True, capabilities=("the key wraps and opens", "contexts are checked")
        )
    return ServiceState(
        name=name,
        reachable=True,
        usable=False,
        capabilities=("the key wraps and opens",),
        remedy="it opens a key under another person's context; use AWS KMS, or a server that checks contexts",
    )
