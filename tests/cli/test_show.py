"""``show``: the wire shape, everybody, other clocks, and a table."""

from __future__ import annotations

import re

import pytest


def test_json_of_one_person_is_the_graph_and_of_all_a_list(call, made):
    one = call("show", "--user", "vera", "--home", made, "--json")
    assert one.code == 0
    assert set(one.json) == {"user", "nodes", "edges"}
    everybody = call("show", "--all", "--home", made, "--json").json
    assert [person["user"] for person in everybody] == ["sam", "vera"]
    assert [node["id"] for node in everybody[1]["nodes"]] == [node["id"] for node in one.json["nodes"]]


@pytest.fixture
def mended(call, own):
    """The home where the person said that something is not so."""
    nodes = call("show", "--user", "vera", "--home", own, "--json").json["nodes"]
    wrong = next(node["id"] for node in nodes if "выспалась" in node["content"])
    assert call("correct", "--user", "vera", wrong, "--wrong", "--home", own).code == 0
    return own


def test_live_leaves_out_what_no_longer_holds(call, mended):
    everything = call("show", "--user", "vera", "--now", "last", "--home", mended, "--json").json["nodes"]
    live = call("show", "--user", "vera", "--now", "last", "--live", "--home", mended, "--json").json["nodes"]
    assert {node["id"] for node in live} < {node["id"] for node in everything}
    assert all(node["valid_until"] is None and node["retracted_at"] is None for node in live)


def test_what_was_not_yet_said_or_recorded_is_not_shown(call, made):
    said = call("show", "--user", "vera", "--as-of", "2026-03-02T12:00:00+06:00", "--home", made, "--json").json["nodes"]
    assert said
    assert all(node["created_at"] < "2026-03-02T12" for node in said)
    assert call("show", "--user", "vera", "--known-at", "2020-01-01", "--home", made, "--json").json["nodes"] == []


def test_the_table_is_sorted_by_weight_with_marks_and_ids(call, mended):
    made = mended
    told = call("show", "--user", "vera", "--now", "last", "--home", made)
    nodes = {
        node["id"][:8]: node for node in call("show", "--user", "vera", "--now", "last", "--home", made, "--json").json["nodes"]
    }
    rows = [line for line in told.out.splitlines() if re.match(r" *\d\.\d\d ", line)]
    assert len(rows) == len(nodes)
    assert all(row.split()[-1] in nodes for row in rows)
    over = [bool(nodes[row.split()[-1]]["valid_until"] or nodes[row.split()[-1]]["retracted_at"]) for row in rows]
    assert over == sorted(over)
    holding = [float(row.split()[0]) for row, gone in zip(rows, over, strict=True) if not gone]
    assert holding == sorted(holding, reverse=True)
    assert "★ pinned" in told.out
    assert "marked wrong" in told.out
    assert f"{len(nodes)} memories ({sum(over)} no longer hold)" in told.out


def test_a_lone_surrogate_is_escaped_and_comes_back(call, made):
    shown = call("show", "--user", "sam", "--home", made, "--json")
    assert shown.code == 0
    assert "\\ud83d" in shown.out
    quotes = [source["quote"] for node in shown.json["nodes"] for source in node["sources"]]
    assert any("\ud83d" in quote for quote in quotes)
    assert call("show", "--user", "sam", "--home", made).code == 0


@pytest.mark.parametrize("options", [[], ["--all", "--user", "vera"]])
def test_it_asks_whose_memory(call, error_of, made, options):
    refused = call("show", *options, "--home", made)
    assert refused.code == 2
    assert "--all" in error_of(refused)
