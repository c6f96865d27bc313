"""The passphrase of a home's keys, given, changed or taken away; the home itself is not opened for it."""

from __future__ import annotations

from pathlib import Path

from memory_lib.adapters.keys.local_keyring import read_passphrase
from memory_lib.adapters.keys.passphrase import change_passphrase, has_passphrase
from memory_lib.bootstrap.stores import passphrase_of
from memory_lib.errors import InvalidInput
from memory_lib.settings import Settings

__all__ = ["change", "must_ask", "read_passphrase"]


def must_ask(settings: Settings) -> bool:
    """Whether a passphrase protects the keys that the settings do not give.

    Raises:
        InvalidInput: there are no keys here that a passphrase could protect.
    """
    keys: Path = settings.home / "keys" / "deployment.key"
    if settings.kms.key_id is not None or not keys.is_file():
        raise InvalidInput(f"no keys are kept in {settings.home} that a passphrase could protect; --home names another home")
    return passphrase_of(settings) is None and has_passphrase(settings.home)


def change(settings: Settings, *, old: str | None, new: str | None) -> None:
    """From ``old`` (None: what the settings say) to ``new`` (None: no passphrase any more). Killed half-way, call it again.

    Raises:
        KeyMissing: ``old`` is not the passphrase; nothing has changed then.
    """
    given = passphrase_of(settings)
    if old is None and given is not None:
        old = given.get_secret_value()
    change_passphrase(settings.home, old=old, new=new, params=settings.passphrase)
