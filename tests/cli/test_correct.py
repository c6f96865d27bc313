"""``correct``: one act on one memory, named by its id or the beginning of it."""

from __future__ import annotations

import pytest


@pytest.fixture
def node(call, own):
    nodes = call("show", "--user", "vera", "--home", own, "--json").json["nodes"]
    return next(each for each in nodes if "Байкал" in each["content"])


def shown(call, home, ident):
    return next(each for each in call("show", "--user", "vera", "--home", home, "--json").json["nodes"] if each["id"] == ident)


def test_pin_by_a_prefix_and_unpin(call, own, node):
    pinned = call("correct", "--user", "vera", node["id"][:6], "--pin", "--home", own, "--json")
    assert pinned.code == 0
    assert pinned.json["id"] == node["id"]
    assert shown(call, own, node["id"])["is_pinned"]
    told = call("correct", "--user", "vera", node["id"], "--pin", "--home", own)
    assert told.code == 0
    assert "pinned" in told.out
    call("correct", "--user", "vera", node["id"][:8].upper(), "--unpin", "--home", own)
    assert not shown(call, own, node["id"])["is_pinned"]


def test_wrong_retracts_it(call, own, node):
    told = call("correct", "--user", "vera", node["id"], "--wrong", "--home", own)
    assert "marked wrong" in told.out
    assert shown(call, own, node["id"])["retracted_at"]


def test_a_field_is_set(call, own, node):
    call("correct", "--user", "vera", node["id"], "--set", "topic=travel", "--home", own)
    assert shown(call, own, node["id"])["topic"] == "travel"
    value = "Поеду = решено"
    call("correct", "--user", "vera", node["id"], "--set", f"content={value}", "--home", own)
    assert shown(call, own, node["id"])["content"] == value


def test_a_date_alone_is_its_first_instant_on_the_persons_clock(call, own, node):
    done = call("correct", "--user", "vera", node["id"], "--set", "due=2027-03-01", "--home", own, "--json")
    assert done.code == 0, done.error
    assert done.json["due"].startswith("2027-03-01T00:00:00")
    again = call("correct", "--user", "vera", node["id"], "--set", "due=2027-03-01", "--home", own)
    assert "nothing has changed" in again.out


@pytest.mark.parametrize(
    ("options", "kind"),
    [
        ([], "InvalidInput"),
        (["--pin", "--wrong"], "InvalidInput"),
        (["--set", "topic"], "UnknownSetting"),
        (["--set", "topic=nowhere"], "UnknownSetting"),
        (["--set", "weight=1"], "UnknownSetting"),
    ],
)
def test_exactly_one_allowed_act(call, error_of, own, node, options, kind):
    refused = call("correct", "--user", "vera", node["id"], *options, "--home", own, "--json")
    assert refused.code == 2
    assert error_of(refused)
    assert refused.json["error"]["kind"] == kind
    assert shown(call, own, node["id"]) == node


@pytest.mark.parametrize("given", ["", "abc", "zzzzzz", "f" * 32])
def test_an_id_that_leads_nowhere_is_unknown(call, error_of, own, given):
    refused = call("correct", "--user", "vera", given, "--pin", "--home", own, "--json")
    assert refused.code == 2
    assert "show" in error_of(refused)
    assert refused.json["error"]["kind"] == "UnknownNode"


def test_a_prefix_of_two_ids_is_refused(call, error_of, own, monkeypatch):
    monkeypatch.setattr("selfimprint.cli.correct.SHORTEST_PREFIX", 0)
    refused = call("correct", "--user", "vera", "", "--pin", "--home", own)
    assert refused.code == 2
    assert "more characters" in error_of(refused)
