"""``rotate-keys`` and ``reseal``: by name, dry unless told otherwise."""

from __future__ import annotations

import pytest

AT_ONCE = ("--set", "rotate_keys.grace_s=0")


@pytest.mark.parametrize("command", ["rotate-keys", "reseal"])
def test_without_apply_nothing_changes(call, own, command):
    for _ in range(2):
        ran = call(command, "--user", "vera", "--home", own, "--json")
        assert ran.code == 0
        assert ran.json["operation"] == command
        assert ran.json["applied"] is False
        assert ran.json["counts"]["keys"]["generation"] == 1
        assert all(each.get("outdated", 0) == 0 for each in ran.json["counts"].values())
    assert "--apply" in call(command, "--user", "vera", "--home", own).out


def test_a_rotation_leaves_all_as_it_was_for_who_reads(call, own):
    def shown(user):
        return call("show", "--user", user, "--home", own, "--json").json

    before = {user: shown(user) for user in ("vera", "sam")}
    ran = call("rotate-keys", "--user", "vera", "--apply", *AT_ONCE, "--home", own, "--json")
    assert ran.code == 0
    assert ran.json["applied"] is True
    assert ran.json["counts"]["keys"] == {"generation": 2, "kept": 1, "destroyed": 1}
    assert {user: shown(user) for user in ("vera", "sam")} == before
    told = call("rotate-keys", "--user", "vera", "--apply", *AT_ONCE, "--home", own)
    assert told.code == 0
    assert "key 3" in told.out
    assert "7 days" in told.out
    assert call("rotate-keys", "--user", "sam", "--home", own, "--json").json["counts"]["keys"]["generation"] == 1
    assert {user: shown(user) for user in ("vera", "sam")} == before
    assert call("doctor", "--home", own, "--json").json


def test_resealing_finds_nothing_to_do(call, own):
    ran = call("reseal", "--user", "vera", "--apply", "--home", own, "--json")
    assert ran.code == 0
    assert {each.get("resealed", 0) for each in ran.json["counts"].values()} == {0}


def test_nobody_by_that_name(call, error_of, own):
    ran = call("rotate-keys", "--user", "nobody", "--home", own, "--json")
    assert ran.code == 2
    assert error_of(ran)
