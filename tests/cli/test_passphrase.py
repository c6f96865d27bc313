"""``passphrase``: added, changed, taken away; asked for where the settings have none."""

from __future__ import annotations

CHEAP = {
    "SELFIMPRINT_PASSPHRASE__MEMORY_KIB": "64",
    "SELFIMPRINT_PASSPHRASE__PASSES": "1",
    "SELFIMPRINT_PASSPHRASE__LANES": "1",
}
ONE, TWO = "ёж под яблоней", "tin whistle"


def written(tmp_path, phrase):
    path = tmp_path / f"phrase{len(phrase)}"
    path.write_text(phrase + "\n", encoding="utf-8")
    path.chmod(0o600)
    return path


def test_a_passphrase_is_added_changed_and_taken_away(call, error_of, own, tmp_path):
    def show(**environment):
        return call("show", "--user", "vera", "--home", own, "--json", **environment)

    before = show().json
    added = call("passphrase", "--home", own, typed=f"{ONE}\n{ONE}\n".encode(), **CHEAP)
    assert added.code == 0
    assert ONE not in added.out + added.error
    refused = show()
    assert refused.code == 5
    assert "passphrase" in error_of(refused)
    assert show(SELFIMPRINT_KEYRING_PASSPHRASE=ONE).json == before
    assert show(SELFIMPRINT_KEYRING_PASSPHRASE=TWO).code == 5

    changed = call("passphrase", "--new-file", written(tmp_path, TWO), "--home", own, typed=f"{ONE}\n".encode(), **CHEAP)
    assert changed.code == 0
    assert show(SELFIMPRINT_KEYRING_PASSPHRASE=ONE).code == 5
    file = str(written(tmp_path, TWO))
    assert show(SELFIMPRINT_KEYRING_PASSPHRASE_FILE=file).json == before

    wrong = call("passphrase", "--remove", "--home", own, typed=b"wrong\n", **CHEAP)
    assert wrong.code == 5
    removed = call("passphrase", "--remove", "--home", own, SELFIMPRINT_KEYRING_PASSPHRASE_FILE=file, **CHEAP)
    assert removed.code == 0
    assert show().json == before


def test_what_cannot_be_is_refused(call, error_of, own, tmp_path):
    for options in (["--remove", "--new-file", tmp_path], ["--home", tmp_path / "nothing"]):
        refused = call("passphrase", "--home", own, *options, typed=b"a\na\n", **CHEAP)
        assert refused.code == 2
        assert error_of(refused)
