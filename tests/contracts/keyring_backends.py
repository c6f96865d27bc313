"""The keyrings that the contract suite of keys and seals runs over: a row each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from memory_lib.adapters.keys.file_keyring import FileKeyring
from memory_lib.adapters.keys.kms_keyring import KmsClient, KmsKeyring
from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.adapters.keys.params import KeyringParams, PassphraseParams
from memory_lib.adapters.keys.passphrase import PassphraseSecrets

PARAMS = KeyringParams(seals_a_key=1000, rotate_at=500, seals_reserved=10, opened_keys=3, opened_s=60.0, checked_s=0.05)
CHEAP = PassphraseParams(memory_kib=64, passes=1, lanes=1)
"""A derivation that costs nothing, for tests."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyringBackend:
    """``open`` twice on one root is the same keyring twice; its second argument is there for rows that
    need KMS. Every backend allows ``PARAMS.seals_a_key`` seals a key.
    """

    name: str
    open: Callable[[Path, KmsClient | None], FileKeyring]
    needs_kms: bool = False


def _local(root: Path, _kms: KmsClient | None) -> FileKeyring:
    return LocalKeyring(root, id_key=None, params=PARAMS)


def _passphrase(root: Path, _kms: KmsClient | None) -> FileKeyring:
    secrets = PassphraseSecrets("ключ от сеней: tin whistle", params=CHEAP)
    return LocalKeyring(root, id_key=None, params=PARAMS, secrets=secrets)


def _kms(root: Path, kms: KmsClient | None) -> FileKeyring:
    assert kms is not None
    return KmsKeyring(root, id_key=None, params=PARAMS, kms=kms)


KEYRINGS = (
    KeyringBackend(name="local", open=_local),
    KeyringBackend(name="passphrase", open=_passphrase),
    KeyringBackend(name="kms", open=_kms, needs_kms=True),
)
