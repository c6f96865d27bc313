"""Exports that wait to be fetched follow a rotation of the person's key."""

from __future__ import annotations

import pytest

from memory_lib.adapters.exports import SealedExports
from memory_lib.adapters.keys.file_sealing import AesGcmFileSealer
from memory_lib.adapters.keys.params import FileSealParams
from memory_lib.adapters.sql.people import new_user_id
from memory_lib.errors import SealBroken
from tests.adapters.keys.workers import keyring_of

NAMES = [f"{number:032x}" for number in range(3)]


def test_waiting_exports_are_sealed_anew_and_open_after_the_old_key_is_gone(tmp_path):
    keyring, user = keyring_of(tmp_path), new_user_id()
    keyring.create(user)
    exports = SealedExports(tmp_path, AesGcmFileSealer(keyring, params=FileSealParams(level=1, content_bytes=1 << 20)))
    assert exports.outdated(user) == exports.reseal(user, limit=9) == 0
    for name in NAMES:
        exports.keep(user, name, name.encode())
    keyring.begin(user)
    assert exports.outdated(user) == 3
    assert exports.reseal(user, limit=2) == 2
    assert exports.outdated(user) == 1
    (broken,) = [path for path in (tmp_path / "exports" / user).iterdir() if path.name.startswith(NAMES[2])]
    whole = broken.read_bytes()
    broken.write_bytes(whole[:-1])
    with pytest.raises(SealBroken):
        exports.reseal(user, limit=2)
    broken.write_bytes(whole)
    assert exports.reseal(user, limit=2) == 1
    keyring.finish(user)
    assert [exports.fetch(user, name) for name in NAMES] == [name.encode() for name in NAMES]
