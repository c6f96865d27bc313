"""``move``: an operator brings a person to another tier; the person answers from there."""

from __future__ import annotations


def test_without_apply_it_only_says_what_would_go(call, own):
    said = call("move", "--home", own, "--user", "vera", "--to", "cold")
    assert said.code == 0, said.error
    assert "vera would move from hot/main to cold/for:main" in said.out
    told = call("move", "--home", own, "--user", "vera", "--to", "cold", "--json").json
    assert (told["applied"], told["counts"]["graph"]["nodes"] > 0) == (False, True)
    assert told["notes"] == ["from:hot/main", "to:cold/for:main"]


def test_there_and_back_and_twice(call, own):
    before = call("show", "--home", own, "--user", "vera", "--json").json
    moved = call("move", "--home", own, "--user", "vera", "--to", "warm", "--apply")
    assert moved.code == 0, moved.error
    assert "vera moved from hot/main to warm/for:main" in moved.out
    assert "Nothing to do" in call("move", "--home", own, "--user", "vera", "--to", "warm", "--apply").out
    assert call("show", "--home", own, "--user", "vera", "--json").json["nodes"] == before["nodes"]
    asked = call("ask", "--home", own, "--user", "vera", "Где я работаю?", "--now", "last", "--json").json
    assert {"part": "graph", "reason": "served_from_files"} in asked["degraded"]
    assert "Read from sealed files" in call("ask", "--home", own, "--user", "vera", "Где я работаю?", "--now", "last").out
    back = call("move", "--home", own, "--user", "vera", "--to", "hot", "--apply", "--json").json
    assert back["applied"]
    assert call("show", "--home", own, "--user", "vera", "--json").json["nodes"] == before["nodes"]


def test_a_correction_brings_somebody_back_first(call, own):
    node = call("show", "--home", own, "--user", "vera", "--json").json["nodes"][0]["id"]
    call("move", "--home", own, "--user", "vera", "--to", "warm", "--apply")
    done = call("correct", "--home", own, "--user", "vera", node, "--pin")
    assert done.code == 0, done.error
    assert "Nothing to do" in call("move", "--home", own, "--user", "vera", "--to", "hot").out


def test_a_place_that_does_not_exist_is_said(call, own):
    for place in ("anywhere", "shard:nowhere", "shard:"):
        refused = call("move", "--home", own, "--user", "vera", "--to", place, "--apply")
        assert refused.code == 2, refused.out
        assert "store" in refused.error or "shard" in refused.error
