from __future__ import annotations

import random

import pytest

from memory_lib.adapters.keys import file_sealing
from memory_lib.adapters.keys.file_sealing import AesGcmFileSealer, FileSealBroken
from memory_lib.adapters.keys.params import FileSealParams
from memory_lib.adapters.sql.people import new_user_id
from tests.adapters.keys.workers import keyring_of

PATH = "ab/core.synx"


@pytest.fixture
def user():
    return new_user_id()


@pytest.fixture
def files(tmp_path, user):
    keyring = keyring_of(tmp_path)
    keyring.create(user)
    return AesGcmFileSealer(keyring, params=FileSealParams(level=3, content_bytes=1 << 20))


def sealed_of_4_kb(files, user):
    """A content that cannot be packed, and the 4,096 bytes it is sealed in."""
    chance = random.Random(4)
    content = chance.randbytes(4096 - file_sealing.OVERHEAD)
    while len(sealed := files.seal_file(user, PATH, 7, content)) > 4096:
        content = content[:-1]
    assert len(sealed) == 4096
    return content, sealed


@pytest.mark.slow
def test_every_flipped_bit_of_a_4_kb_file_is_refused_and_named(files, user):
    content, sealed = sealed_of_4_kb(files, user)
    assert files.open_file(user, PATH, 7, sealed) == content
    accepted = 0
    damaged = bytearray(sealed)
    for place in range(4096):
        for bit in range(8):
            damaged[place] ^= 1 << bit
            try:
                files.open_file(user, PATH, 7, bytes(damaged))
                accepted += 1
            except FileSealBroken as error:
                assert error.path == PATH  # noqa: PT017 - 32,768 times
                assert PATH in str(error)  # noqa: PT017 - as above
            damaged[place] ^= 1 << bit
    assert bytes(damaged) == sealed
    assert accepted == 0


@pytest.mark.slow
def test_every_truncation_of_a_4_kb_file_is_refused_and_named(files, user):
    _, sealed = sealed_of_4_kb(files, user)
    for length in range(4096):
        with pytest.raises(FileSealBroken, match=PATH):
            files.open_file(user, PATH, 7, sealed[:length])
