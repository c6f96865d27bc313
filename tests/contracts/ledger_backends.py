"""The databases that the ledger's contract suite runs over: a row each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import URL

from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.adapters.keys.params import KeyringParams
from memory_lib.adapters.keys.sealing import AesGcmSealer
from memory_lib.adapters.sql.engine import sqlite_url
from memory_lib.adapters.sql.ledger import Ledger
from memory_lib.adapters.sql.params import LedgerParams
from memory_lib.ports.keys import Keyring, Sealer

KEYRING = KeyringParams(seals_a_key=2**32, seals_reserved=4096, opened_keys=8)
LEDGER = LedgerParams(busy_s=20.0, connections=8, chunk=50, wal_pages=1000)


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerBackend:
    """``kept_in_home``: every byte lies in files under the root, where a test can look for what must not be readable."""

    name: str
    url: Callable[[Path], str | URL]
    kept_in_home: bool

    def open(self, root: Path, sealer: Sealer, keyring: Keyring) -> Ledger:
        return Ledger(self.url(root), sealer, keyring, params=LEDGER)


BACKENDS = {
    backend.name: backend
    for backend in (LedgerBackend(name="sqlite", url=lambda root: sqlite_url(root / "ledger.db"), kept_in_home=True),)
}


def keys_of(root: Path) -> tuple[LocalKeyring, AesGcmSealer]:
    keyring = LocalKeyring(root, id_key=bytes(range(32)), params=KEYRING)
    return keyring, AesGcmSealer(keyring, params=KEYRING)
