"""``quarantine``: the list, one record as it stood, and its removal."""

from __future__ import annotations


def test_list_show_and_remove(call, own):
    listed = call("quarantine", "--home", own, "--json")
    assert listed.code == 0
    (record,) = listed.json
    assert set(record) == {"id", "time", "source", "place", "reason"}
    assert (record["source"], record["place"]) == ("dialogue.jsonl", "line 10")
    told = call("quarantine", "--home", own)
    assert record["id"][:8] in told.out
    assert "not a record" not in told.out
    assert call("quarantine", "--show", record["id"][:6], "--home", own).out == "not a record\n"
    shown = call("quarantine", "--show", record["id"], "--home", own, "--json").json
    assert shown == {"id": record["id"], "raw": "not a record", "encoding": "utf-8"}
    assert call("quarantine", "--remove", record["id"][:8], "--home", own).code == 0
    assert call("quarantine", "--home", own, "--json").json == []
    assert "No record" in call("quarantine", "--home", own).out


def test_an_id_that_leads_nowhere_is_one_sentence(call, error_of, own):
    for options in (["--show", "0" * 32], ["--remove", ""], ["--show", "a", "--remove", "b"]):
        refused = call("quarantine", *options, "--home", own, "--json")
        assert refused.code == 2
        assert error_of(refused)
        assert refused.json["error"]["kind"] == "InvalidInput"
