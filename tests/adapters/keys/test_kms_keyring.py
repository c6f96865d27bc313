from __future__ import annotations

import sys
from dataclasses import replace

import pytest

from memory_lib.adapters.keys.kms_keyring import KmsClient, KmsKeyring
from memory_lib.adapters.keys.local_keyring import LocalKeyring
from memory_lib.adapters.keys.params import KmsParams
from memory_lib.adapters.sql.people import new_user_id
from memory_lib.errors import DependencyDown, IllegalValue, KeyMissing, MissingExtra
from tests.adapters.keys.workers import PARAMS
from tests.contracts.kms_key import kms

__all__ = ["kms"]

NOWHERE = KmsParams(key_id="k", endpoint="http://127.0.0.1:9", region="us-east-1", connect_s=0.2, read_s=0.2, attempts=1)


def opened(root, kms, **params):
    return KmsKeyring(root, id_key=None, params=replace(PARAMS, **params), kms=kms)


def person_file(root, user):
    return root / "keys" / "people" / user[:2] / f"{user}.key"


class Counting:
    """A client whose calls are counted."""

    def __init__(self, client):
        self._client, self.calls = client, []

    def __getattr__(self, name):
        def call(context, *rest):
            self.calls.append((name, dict(context)))
            return getattr(self._client, name)(context, *rest)

        return call


@pytest.mark.kms
def test_every_call_names_whose_key_it_is_for(tmp_path, kms):
    counting, user = Counting(kms), new_user_id()
    keyring = opened(tmp_path, counting)
    keyring.create(user)
    keyring.begin(user)
    opened(tmp_path, counting).open(user)
    assert counting.calls == [
        ("encrypt", {"secret": "id.key"}),
        ("decrypt", {"secret": "id.key"}),
        ("encrypt", {"secret": "deployment.key"}),
        ("decrypt", {"secret": "deployment.key"}),
        ("data_key", {"user": user, "generation": "1"}),
        ("data_key", {"user": user, "generation": "2"}),
        ("decrypt", {"secret": "id.key"}),
        ("decrypt", {"secret": "deployment.key"}),
        ("decrypt", {"user": user, "generation": "2"}),
    ]


@pytest.mark.kms
def test_an_opened_key_is_kept_for_a_while_and_no_longer(tmp_path, kms):
    counting, user = Counting(kms), new_user_id()
    opened(tmp_path, counting).create(user)
    for seconds, calls in ((60.0, 1), (0.0, 3)):
        keyring = opened(tmp_path, counting, opened_s=seconds)
        counting.calls.clear()
        for _ in range(3):
            keyring.open(user)
        assert len(counting.calls) == calls


@pytest.mark.kms
def test_kms_opens_no_key_under_another_name(tmp_path, kms):
    keyring = opened(tmp_path, kms)
    one, two = new_user_id(), new_user_id()
    keyring.create(one)
    keyring.create(two)
    person_file(tmp_path, two).write_bytes(person_file(tmp_path, one).read_bytes())
    with pytest.raises(KeyMissing, match="InvalidCiphertext"):
        opened(tmp_path, kms).open(two)
    (tmp_path / "keys" / "id.key").write_text((tmp_path / "keys" / "deployment.key").read_text())
    with pytest.raises(KeyMissing):
        opened(tmp_path, kms)


@pytest.mark.kms
@pytest.mark.parametrize("length", [0, 7, 8, 30, 60])
def test_a_cut_key_file_does_not_open(tmp_path, kms, length):
    user = new_user_id()
    opened(tmp_path, kms).create(user)
    path = person_file(tmp_path, user)
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(KeyMissing):
        opened(tmp_path, kms).open(user)


@pytest.mark.kms
def test_a_home_says_which_keyring_it_was_made_with(tmp_path, kms):
    opened(tmp_path / "kms", kms)
    with pytest.raises(KeyMissing, match=r"kms\.key_id"):
        LocalKeyring(tmp_path / "kms", id_key=None, params=PARAMS)
    LocalKeyring(tmp_path / "local", id_key=None, params=PARAMS)
    with pytest.raises(KeyMissing, match=r"kms\.key_id"):
        opened(tmp_path / "local", kms)


@pytest.mark.kms
def test_no_secret_lies_in_clear(tmp_path, kms):
    keyring = opened(tmp_path, kms)
    key = keyring.create(new_user_id()).key
    content = b"".join(path.read_bytes() for path in (tmp_path / "keys").rglob("*") if path.is_file())
    for secret in (key, keyring._secret):
        assert secret not in content
        assert secret.hex().encode() not in content


@pytest.mark.kms
def test_a_server_that_is_down_stops_new_keys_and_opens_what_is_kept_opened(tmp_path, kms):
    user = new_user_id()
    counting = Counting(kms)
    keyring = opened(tmp_path, counting)
    key = keyring.create(user)
    counting._client = KmsClient(NOWHERE)
    assert keyring.open(user) == key
    for use in (lambda: keyring.create(new_user_id()), lambda: keyring.begin(user)):
        with pytest.raises(DependencyDown):
            use()
    assert keyring.generations(user) == (1,)


@pytest.mark.kms
def test_a_key_that_nobody_knows_is_said(tmp_path, kms):
    with pytest.raises(KeyMissing, match=r"kms\.key_id"):
        opened(tmp_path, KmsClient(replace(kms._params, key_id="00000000-0000-0000-0000-000000000000")))


def test_a_server_that_does_not_answer_is_transient_and_makes_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "a")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "b")
    with pytest.raises(DependencyDown, match="kms"):
        opened(tmp_path, KmsClient(NOWHERE))
    assert not [path for path in (tmp_path / "keys").rglob("*") if path.is_file()]


def test_without_boto3_its_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(MissingExtra, match=r"selfimprint\[s3\]"):
        opened(tmp_path, KmsClient(NOWHERE))


def test_no_key_named_is_no_kms():
    with pytest.raises(IllegalValue, match=r"kms\.key_id"):
        KmsClient(replace(NOWHERE, key_id=None))
