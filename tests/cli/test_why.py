"""``why`` and ``rebuild``: from a memory to its words and back, and the graph made again."""

from __future__ import annotations

import json

import pytest


@pytest.fixture
def nodes(call, made):
    return call("show", "--user", "vera", "--home", made, "--json").json["nodes"]


def test_a_memory_is_told_with_its_words(call, made, nodes):
    node = next(each for each in nodes if "аллергия" in each["content"])
    told = call("why", node["id"][:8], "--user", "vera", "--home", made)
    assert told.code == 0
    assert "аллергия на орехи" in told.out
    assert "2026-03-03" in told.out
    assert "create" in told.out
    shape = call("why", node["id"], "--user", "vera", "--home", made, "--json").json
    assert list(shape) == ["user", "node", "chain", "actions", "acts", "history", "links", "edges", "closed_by", "names"]
    (step,) = shape["chain"]
    assert step["message"]["source_id"] == "v3"
    assert "аллергия" in step["mention"]["quote"]
    assert {"create", "pin"} <= {action["action"] for action in shape["actions"]}


def test_a_message_is_told_with_what_rests_on_it(call, made, nodes):
    node = next(each for each in nodes if "Байкал" in each["content"])
    (source,) = node["sources"]
    shape = call("why", "--message", source["message"], "--user", "vera", "--home", made, "--json").json
    assert node["id"] in [mention["node"]["id"] for mention in shape["mentions"]]
    assert "Байкал" in shape["message"]["text"]
    told = call("why", "--message", source["message"], "--user", "vera", "--home", made)
    assert told.code == 0
    assert node["id"][:8] in told.out


def test_lone_surrogates_are_told_too(call, made):
    for node in call("show", "--user", "sam", "--home", made, "--json").json["nodes"]:
        assert call("why", node["id"], "--user", "sam", "--home", made).code == 0
        json.loads(call("why", node["id"], "--user", "sam", "--home", made, "--json").out)


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ([], "InvalidInput"),
        (["abcdef", "--message", "abc"], "InvalidInput"),
        (["f" * 32], "UnknownNode"),
        (["--message", "f" * 32], "UnknownMessage"),
    ],
)
def test_what_cannot_be_told_says_so(call, error_of, made, arguments, kind):
    refused = call("why", *arguments, "--user", "vera", "--home", made, "--json")
    assert refused.code == 2
    error_of(refused)
    assert refused.json["error"]["kind"] == kind


def test_rebuilt_is_the_same_and_corrections_stay(call, own):
    node = next(
        each for each in call("show", "--user", "vera", "--home", own, "--json").json["nodes"] if "Байкал" in each["content"]
    )
    call("correct", "--user", "vera", node["id"], "--set", "topic=travel", "--home", own)
    shown = call("show", "--user", "vera", "--home", own, "--json").json["nodes"]
    compared = call("rebuild", "--user", "vera", "--home", own, "--json")
    assert compared.json["same"]
    assert not compared.json["applied"]
    revision = compared.json["revision"]
    assert call("rebuild", "--user", "vera", "--home", own, "--json").json["revision"] == revision
    done = call("rebuild", "--user", "vera", "--apply", "--home", own, "--json")
    assert done.code == 0
    assert done.json["revision"] != revision
    assert done.json["same"]
    assert done.json["before"] == done.json["after"]
    assert done.json["faults"] == 0
    after = call("show", "--user", "vera", "--home", own, "--json").json["nodes"]
    assert [(n["id"], n["topic"], n["proofs"]) for n in after] == [(n["id"], n["topic"], n["proofs"]) for n in shown]
    told = call("rebuild", "--user", "vera", "--home", own)
    assert told.out.count(done.json["before"]) == 2
    assert "The same" in told.out


def test_as_of_is_for_asking_and_showing(call, made):
    early = call("show", "--user", "vera", "--as-of", "2026-03-04", "--home", made, "--json").json["nodes"]
    assert early
    assert all(node["created_at"] < "2026-03-04" for node in early)
    asked = call("ask", "где я работаю?", "--user", "vera", "--as-of", "2026-03-04", "--home", made, "--json").json
    assert "лаборатории" not in asked["context"] + asked["rounds_text"]
