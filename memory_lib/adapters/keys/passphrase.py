"""The deployment's secrets under a passphrase: Argon2id, then AES-256-GCM (RFC 9106; the passphrase itself is kept nowhere).

::

    argon2id:1:m=65536,t=3,p=4:<salt, 16 bytes in hex>:<nonce, 12 bytes in hex>:<sealed secret in hex>
"""

from __future__ import annotations

import os
import re
import threading
import unicodedata
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from memory_lib.adapters.keys import key_files
from memory_lib.adapters.keys.params import PassphraseParams
from memory_lib.adapters.keys.wrapping import KEY_BYTES, PlainSecrets, SecretWrapping
from memory_lib.errors import IllegalValue, KeyMissing

SECRETS = ("id.key", "deployment.key")
_LINE = re.compile(r"argon2id:1:m=(\d{1,9}),t=(\d{1,6}),p=(\d{1,3}):([0-9a-f]{32}):([0-9a-f]{24}):([0-9a-f]{96})", re.ASCII)
_MOST_MEMORY_KIB = 1 << 22
"""4 GiB: a damaged file may not ask for more."""


class PassphraseSecrets:
    """Implements ``SecretWrapping``. What is slow, the derivation, is done once for a salt.

    Raises:
        IllegalValue: an empty passphrase.
    """

    def __init__(self, passphrase: str, *, params: PassphraseParams) -> None:
        if not passphrase:
            raise IllegalValue("the passphrase of the keyring is empty; give one, or leave the setting out")
        # the same keys typed on another machine may give composed or decomposed letters
        self._passphrase = unicodedata.normalize("NFC", passphrase).encode("utf-8", "surrogatepass")
        self._params = params
        self._derived: dict[tuple[PassphraseParams, bytes], AESGCM] = {}
        self._guard = threading.Lock()

    def protect(self, name: str, secret: bytes) -> str:
        salt = next((salt for params, salt in self._derived if params == self._params), None) or os.urandom(16)
        nonce = os.urandom(12)
        sealed = self._key(self._params, salt).encrypt(nonce, secret, _aad(name))
        params = self._params
        cost = f"m={params.memory_kib},t={params.passes},p={params.lanes}"
        return f"argon2id:1:{cost}:{salt.hex()}:{nonce.hex()}:{sealed.hex()}"

    def reveal(self, name: str, line: str) -> bytes:
        found = _LINE.fullmatch(line.strip())
        if found is None:
            raise KeyMissing(
                f"a passphrase is set and keys/{name} is not protected by one; leave the setting out, or change the passphrase"
            )
        params = PassphraseParams(memory_kib=int(found[1]), passes=int(found[2]), lanes=int(found[3]))
        if not 0 < params.lanes * 8 <= params.memory_kib <= _MOST_MEMORY_KIB or not 0 < params.passes <= 1000:
            raise KeyMissing(f"keys/{name} names a derivation that cannot be; restore that file from a backup")
        salt, nonce, sealed = (bytes.fromhex(found[part]) for part in (4, 5, 6))
        try:
            return self._key(params, salt).decrypt(nonce, sealed, _aad(name))
        except InvalidTag:
            raise KeyMissing(
                f"keys/{name} does not open with this passphrase; give the right one, or restore the file it belongs to"
            ) from None

    def _key(self, params: PassphraseParams, salt: bytes) -> AESGCM:
        with self._guard:
            key = self._derived.get((params, salt))
            if key is None:
                argon = Argon2id(
                    salt=salt, length=KEY_BYTES, iterations=params.passes, lanes=params.lanes, memory_cost=params.memory_kib
                )
                key = self._derived[(params, salt)] = AESGCM(argon.derive(self._passphrase))
            return key


def change_passphrase(root: Path, *, old: str | None, new: str | None, params: PassphraseParams) -> None:
    """Protect the secrets of the home ``root`` by ``new``; None: by nothing but the files' rights. Killed half-way, the same
    call goes on. Nobody may open the home meanwhile. Former copies are overwritten in place; a journal or a solid-state disk
    may still hold them, and a backup does.

    Raises:
        KeyMissing: ``old`` is not the passphrase; nothing has changed then.
    """
    before, after = _secrets(old, params), _secrets(new, params)
    directory = root / "keys"
    with key_files.locked(directory):
        # deployment.key first: it is always there, so that a wrong passphrase changes nothing
        for name in reversed(SECRETS):
            path = directory / name
            content = key_files.read_secret(path)
            if content is None:
                continue
            line = content.decode("ascii", "replace")
            try:
                after.reveal(name, line)
            except KeyMissing:
                key_files.replace(path, after.protect(name, before.reveal(name, line)).encode("ascii") + b"\n")
            key_files.destroy_temporary(path)


def has_passphrase(root: Path) -> bool:
    """Whether one protects the home ``root``."""
    content = key_files.read_secret(root / "keys" / "deployment.key")
    return content is not None and content.startswith(b"argon2id:")


def _secrets(passphrase: str | None, params: PassphraseParams) -> SecretWrapping:
    return PlainSecrets() if passphrase is None else PassphraseSecrets(passphrase, params=params)


def _aad(name: str) -> bytes:
    return b"selfimprint/1/" + name.encode("ascii")
