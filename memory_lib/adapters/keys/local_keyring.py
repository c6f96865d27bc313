"""The keyring of one machine: people's keys are wrapped by the deployment's secret, which a passphrase may protect."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from memory_lib.adapters.keys import key_files
from memory_lib.adapters.keys.file_keyring import FileKeyring
from memory_lib.adapters.keys.params import KeyringParams
from memory_lib.adapters.keys.wrapping import LocalWrapping, PlainSecrets, SecretWrapping, hex_key
from memory_lib.errors import UnknownSetting


class LocalKeyring(FileKeyring):
    """``FileKeyring`` on this machine alone. ``secrets``: how its own secrets are protected; by the files' rights, or by a
    passphrase (``PassphraseSecrets``).
    """

    def __init__(
        self, root: Path, *, id_key: bytes | None, params: KeyringParams, secrets: SecretWrapping | None = None
    ) -> None:
        super().__init__(
            root,
            id_key=id_key,
            params=params,
            secret_wrapping=secrets or PlainSecrets(),
            person_wrapping=LocalWrapping,
        )


def read_id_key(value: str) -> bytes:
    """The id key from a setting: 64 hex digits, or the path of a file that holds them.

    Raises:
        UnknownSetting: neither, or a file that others can read; the value itself is not repeated, it may be a key.
    """
    key = hex_key(value)
    if key is None:
        content = _given_file(Path(value), "id key") if value else None
        key = None if content is None else hex_key(content.decode("ascii", "replace"))
    if key is None:
        raise UnknownSetting("the id key setting is neither 64 hex digits nor the path of a file with 64 hex digits")
    return key


def read_passphrase(path: Path) -> str:
    """The passphrase in a file, without the end of its line.

    Raises:
        UnknownSetting: no such file, one that others can read, or no text.
    """
    content = _given_file(path, "passphrase")
    try:
        text = None if content is None else content.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError:
        text = None
    if not text:
        raise UnknownSetting("the setting keyring_passphrase_file does not name a file with a passphrase in UTF-8")
    return text


def _given_file(path: Path, what: str) -> bytes | None:
    """A file that is not ours: read, never changed."""
    try:
        descriptor = os.open(path.expanduser(), os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        # what is looked at is what is read, whoever puts another file in its place meanwhile
        mode = os.fstat(descriptor).st_mode
        if not stat.S_ISREG(mode):
            return None
        if stat.S_IMODE(mode) & key_files.OTHERS:
            raise UnknownSetting(f"the file that the {what} setting names can be read by others; chmod 600 it")
        return os.read(descriptor, key_files.MOST_BYTES)
    finally:
        os.close(descriptor)
