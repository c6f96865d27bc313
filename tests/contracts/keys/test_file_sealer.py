"""Sealed files over every keyring."""

from __future__ import annotations

import pytest
import zstandard
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from memory_lib.adapters.keys import file_sealing
from memory_lib.adapters.keys.file_sealing import AesGcmFileSealer, FileSealBroken, generation_of
from memory_lib.adapters.keys.params import FileSealParams
from memory_lib.adapters.sql.people import new_user_id
from memory_lib.errors import IllegalValue, KeyMissing, SealBroken

PARAMS = FileSealParams(level=3, content_bytes=1 << 20)
PATH = "ab/core.synx"


@pytest.fixture
def files(keyring):
    return AesGcmFileSealer(keyring, params=PARAMS)


@pytest.fixture
def user(keyring):
    user = new_user_id()
    keyring.create(user)
    return user


@pytest.mark.parametrize("content", [b"", "вечер у пруда\n".encode() * 5000, b"\0" * (1 << 20), bytes(range(256))])
def test_what_was_sealed_opens_again_and_is_not_readable(files, user, content):
    sealed = files.seal_file(user, PATH, 3, content)
    assert files.open_file(user, PATH, 3, sealed) == content
    assert len(content) < 16 or content[:16] not in sealed
    assert generation_of(sealed) == 1
    assert files.seal_file(user, PATH, 3, content) != sealed


def test_every_truncation_and_anything_added_is_refused(files, user):
    sealed = files.seal_file(user, PATH, 7, bytes(range(256)))
    for cut in [*(sealed[:length] for length in range(len(sealed))), sealed + b"\0", b"\0" + sealed, sealed + sealed]:
        with pytest.raises(FileSealBroken, match=PATH):
            files.open_file(user, PATH, 7, cut)


def test_a_file_opens_only_for_its_person_path_and_set(files, keyring, user):
    other = new_user_id()
    keyring.create(other)
    sealed = files.seal_file(user, PATH, 7, b"x")
    for place in (
        (other, PATH, 7),
        (user, "ab/core.syn", 7),
        (user, PATH + "x", 7),
        (user, PATH, 6),
        (user, PATH, 8),
        (user, "", 7),
    ):
        with pytest.raises(SealBroken, match="another"):
            files.open_file(*place, sealed)


def test_no_file_opens_once_the_person_was_erased(files, keyring, user):
    sealed = files.seal_file(user, PATH, 7, b"x")
    keyring.destroy(user)
    for use in (
        lambda: files.open_file(user, PATH, 7, sealed),
        lambda: files.open_file(user, PATH, 7, b"cut"),
        lambda: files.seal_file(user, PATH, 7, b"x"),
    ):
        with pytest.raises(KeyMissing):
            use()


def test_files_follow_a_rotation(files, keyring, user):
    before = files.seal_file(user, PATH, 7, b"x")
    keyring.begin(user)
    after = files.seal_file(user, PATH, 7, b"x")
    assert (generation_of(before), generation_of(after), generation_of(b"no file")) == (1, 2, -1)
    assert files.open_file(user, PATH, 7, before) == files.open_file(user, PATH, 7, after) == b"x"
    keyring.finish(user)
    with pytest.raises(FileSealBroken, match="generation 1"):
        files.open_file(user, PATH, 7, before)
    assert files.open_file(user, PATH, 7, after) == b"x"


def test_what_could_not_be_opened_again_is_not_sealed(files, user):
    with pytest.raises(IllegalValue, match=PATH):
        files.seal_file(user, PATH, 7, bytes(PARAMS.content_bytes + 1))


@pytest.mark.parametrize(
    "packed",
    [
        zstandard.ZstdCompressor().compress(bytes(PARAMS.content_bytes + 1)),
        zstandard.ZstdCompressor(write_content_size=False).compress(bytes(1000)),
        zstandard.ZstdCompressor().compress(b"x") + zstandard.ZstdCompressor().compress(bytes(1 << 22)),
        b"no zstd",
        b"",
    ],
    ids=["too much", "of unsaid size", "two frames", "something else", "nothing"],
)
def test_a_bomb_made_by_whoever_has_the_key_is_refused_before_it_unpacks(files, keyring, user, packed):
    place = file_sealing._place(user, PATH, 7)
    prefix, nonce = file_sealing.MAGIC + (1).to_bytes(4, "big"), bytes(12)
    aead: AESGCM = file_sealing._aead(keyring.open(user), place)
    sealed = prefix + nonce + aead.encrypt(nonce, packed, prefix + place)
    with pytest.raises(FileSealBroken, match=PATH):
        files.open_file(user, PATH, 7, sealed)
