from __future__ import annotations

import unicodedata

import pytest

from memory_lib.adapters.keys import passphrase as subject
from memory_lib.adapters.keys.local_keyring import LocalKeyring, read_passphrase
from memory_lib.adapters.keys.passphrase import PassphraseSecrets, change_passphrase
from memory_lib.adapters.sql.people import new_user_id
from memory_lib.errors import IllegalValue, KeyMissing, UnknownSetting
from memory_lib.settings import Settings
from tests.adapters.keys.workers import CHEAP, PARAMS

PHRASE = "ёлка у пруда, and a heron"


def opened(root, phrase=PHRASE):
    secrets = None if phrase is None else PassphraseSecrets(phrase, params=CHEAP)
    return LocalKeyring(root, id_key=None, params=PARAMS, secrets=secrets)


def secret_lines(root):
    return [(root / "keys" / name).read_text() for name in ("deployment.key", "id.key")]


def test_nothing_of_the_secrets_lies_in_clear(tmp_path):
    keyring = opened(tmp_path)
    keyring.create(new_user_id())
    for line in secret_lines(tmp_path):
        assert line.startswith("argon2id:1:m=64,t=1,p=1:")
        assert keyring._secret.hex() not in line


@pytest.mark.parametrize("phrase", [PHRASE + " ", "Ёлка", None])
def test_another_passphrase_or_none_opens_nothing_and_says_what_to_do(tmp_path, phrase):
    opened(tmp_path).create(new_user_id())
    with pytest.raises(KeyMissing, match="passphrase") as caught:
        opened(tmp_path, phrase)
    assert PHRASE not in str(caught.value)


def test_a_passphrase_typed_in_decomposed_letters_is_the_same(tmp_path):
    key = opened(tmp_path).deployment_key("x")
    assert opened(tmp_path, unicodedata.normalize("NFD", PHRASE)).deployment_key("x") == key


def test_an_empty_passphrase_is_refused(tmp_path):
    with pytest.raises(IllegalValue):
        opened(tmp_path, "")


def test_the_slow_derivation_is_made_once_for_both_secrets(tmp_path, monkeypatch):
    derived = []

    real = subject.Argon2id

    def counting(**options):
        derived.append(options)
        return real(**options)

    monkeypatch.setattr(subject, "Argon2id", counting)
    opened(tmp_path)
    opened(tmp_path)
    assert len(derived) == 2


def test_a_file_that_names_an_absurd_derivation_is_refused_before_it_is_done(tmp_path):
    opened(tmp_path)
    path = tmp_path / "keys" / "deployment.key"
    for cost in ("m=999999999,t=1,p=1", "m=64,t=999999,p=1", "m=0,t=1,p=1", "m=64,t=0,p=1", "m=64,t=1,p=0", "m=8,t=1,p=9"):
        line = path.read_text()
        path.write_text(line.replace("m=64,t=1,p=1", cost))
        with pytest.raises(KeyMissing, match="derivation"):
            opened(tmp_path)
        path.write_text(line)


def test_the_secrets_of_two_files_are_not_exchangeable(tmp_path):
    opened(tmp_path)
    path = tmp_path / "keys"
    (path / "id.key").write_text((path / "deployment.key").read_text())
    with pytest.raises(KeyMissing):
        opened(tmp_path)


@pytest.mark.parametrize(("old", "new"), [(None, PHRASE), (PHRASE, "кошка"), (PHRASE, None), (None, None), (PHRASE, PHRASE)])
def test_a_passphrase_is_added_changed_and_taken_away(tmp_path, old, new):
    user = new_user_id()
    keyring = opened(tmp_path, old)
    key, derived, ident = keyring.create(user), keyring.deployment_key("x"), keyring.id_key.hash("x")
    for _ in range(2):
        change_passphrase(tmp_path, old=old, new=new, params=CHEAP)
        after = opened(tmp_path, new)
        assert (after.open(user), after.deployment_key("x"), after.id_key.hash("x")) == (key, derived, ident)
    if old != new:
        with pytest.raises(KeyMissing):
            opened(tmp_path, old)


def test_former_copies_of_the_secrets_are_overwritten(tmp_path):
    opened(tmp_path, None)
    line = secret_lines(tmp_path)[0]
    with (tmp_path / "keys" / "deployment.key").open("rb") as descriptor:
        change_passphrase(tmp_path, old=None, new=PHRASE, params=CHEAP)
        assert set(descriptor.read()) == {0}
    assert line.strip() not in "".join(secret_lines(tmp_path))


def test_a_wrong_old_passphrase_changes_nothing(tmp_path):
    opened(tmp_path)
    before = secret_lines(tmp_path)
    with pytest.raises(KeyMissing):
        change_passphrase(tmp_path, old="кошка", new="собака", params=CHEAP)
    assert secret_lines(tmp_path) == before


def test_a_passphrase_comes_from_a_file_of_its_owner(tmp_path):
    path = tmp_path / "phrase"
    path.write_text(PHRASE + "\n", encoding="utf-8")
    path.chmod(0o600)
    assert read_passphrase(path) == PHRASE
    path.chmod(0o644)
    with pytest.raises(UnknownSetting, match="chmod"):
        read_passphrase(path)
    path.chmod(0o600)
    path.write_bytes(b"\xff")
    for given in (path, tmp_path / "none", tmp_path):
        with pytest.raises(UnknownSetting):
            read_passphrase(given)


def test_the_default_derivation_is_the_one_of_the_rfc():
    params = Settings().passphrase
    assert (params.memory_kib, params.passes, params.lanes) == (65_536, 3, 4)
    secrets = PassphraseSecrets(PHRASE, params=params)
    line = secrets.protect("deployment.key", bytes(range(32)))
    assert PassphraseSecrets(PHRASE, params=CHEAP).reveal("deployment.key", line) == bytes(range(32))
