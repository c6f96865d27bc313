"""``forget``, ``reset`` and ``undo`` as they are called."""

from __future__ import annotations


def contents(call, home):
    nodes = call("show", "--home", home, "--user", "vera", "--json").json["nodes"]
    return {node["content"]: node["state"] for node in nodes}


def test_a_topic_is_listed_with_its_words_then_taken_by_the_list(call, own):
    before = contents(call, own)
    assert any("Байкал" in content for content in before)
    listed = call("forget", "--home", own, "--user", "vera", "Байкал", "--json")
    assert listed.code == 0, listed.error
    assert listed.json["applied"] is False
    named = {node["content"] for node in listed.json["list"]["nodes"]}
    assert named
    assert all("Байкал" in quote["quote"] for quote in listed.json["list"]["quotes"])
    beside = {node["content"] for node in listed.json["list"]["beside"]}
    assert beside <= set(before) - named
    assert contents(call, own) == before
    (request,) = listed.json["ids"]["request"]
    done = call("forget", "--home", own, "--user", "vera", "--request", request, "--apply", "--json")
    assert (done.code, done.json["applied"]) == (0, True), done.error
    assert "Байкал" not in done.out
    assert contents(call, own) == {content: state for content, state in before.items() if content not in named}
    told = call("ask", "--home", own, "--user", "vera", "Что там с Байкалом?", "--now", "last")
    assert "Байкал" not in told.out.replace("Что там с Байкалом?", "")


def test_for_people_the_list_says_how_to_take_it(call, own):
    told = call("forget", "--home", own, "--user", "vera", "Байкал")
    assert told.code == 0, told.error
    assert "Байкал" in told.out
    assert "--apply" in told.out


def test_what_names_nothing_is_refused_and_says_so(call, own):
    refused = call("forget", "--home", own, "--user", "vera", "xylophone zebra")
    assert refused.code == 2
    assert "names nothing" in refused.out
    assert call("forget", "--home", own, "--user", "vera").code == 2
    assert call("forget", "--home", own, "--user", "vera", "--request", "0" * 32).code == 2


def test_a_reset_is_listed_done_and_undone_once(call, own):
    before = contents(call, own)
    dry = call("reset", "--home", own, "--user", "vera", "--json")
    assert dry.json["applied"] is False
    assert contents(call, own) == before
    done = call("reset", "--home", own, "--user", "vera", "--apply", "--json")
    after = call("show", "--home", own, "--user", "vera", "--json").json["nodes"]
    assert {node["state"] for node in after if not node["is_pinned"]} == {"archived"}
    assert {node["state"] for node in after if node["is_pinned"]} == {"stable"}
    undone = call("undo", "--home", own, "--user", "vera", done.json["batch"], "--json")
    assert undone.json["ids"]["nodes"] == done.json["ids"]["nodes"] == dry.json["ids"]["nodes"]
    assert contents(call, own) == before
    again = call("undo", "--home", own, "--user", "vera", done.json["batch"])
    assert "Nothing left to undo" in again.out
    assert call("undo", "--home", own, "--user", "vera", "f" * 32).code == 2


def test_a_correction_names_what_takes_it_back(call, own):
    nodes = call("show", "--home", own, "--user", "vera", "--json").json["nodes"]
    ident = nodes[0]["id"]
    done = call("correct", "--home", own, "--user", "vera", ident, "--set", "content=Совсем другое", "--json")
    assert done.json["content"] == "Совсем другое"
    why = call("why", "--home", own, "--user", "vera", ident, "--json").json
    assert [each["value"] for each in why["history"]] == [nodes[0]["content"]]
    call("undo", "--home", own, "--user", "vera", done.json["batch"])
    assert call("show", "--home", own, "--user", "vera", "--json").json["nodes"] == nodes
