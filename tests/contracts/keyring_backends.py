"""The keyrings that the contract suite of keys and seals runs over: a row each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.adapters.keys.params import KeyringParams
from memory_lib.ports.keys import Keyring

PARAMS = KeyringParams(seals_a_key=1000, seals_reserved=10, opened_keys=3)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyringBackend:
    """``open`` twice on one root is the same keyring twice. Every backend allows ``PARAMS.seals_a_key`` seals a key."""

    name: str
    open: Callable[[Path], Keyring]


KEYRINGS = (KeyringBackend(name="local", open=lambda root: LocalKeyring(root, id_key=None, params=PARAMS)),)
