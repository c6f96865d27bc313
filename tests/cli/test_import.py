"""``import``: counts, bad records, nothing twice, and the way the plan ran."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import DIALOGUE, jsonl

FEW = jsonl(DIALOGUE[6:8])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "talk.jsonl"
    path.write_text(FEW, encoding="utf-8")
    return path


def test_it_says_what_went_in_and_the_second_time_that_nothing_changed(call, file, home):
    first = call("import", file, "--no-flow")
    assert first.code == 0
    assert "2 new messages; people: sam" in first.out
    assert "by the ingest plan without Prefect (--no-flow)" in first.out
    again = call("import", file, "--no-flow")
    assert again.code == 0
    assert "2 known already" in again.out
    assert "Nothing changed" in again.out
    assert home.is_dir()


def test_json_has_the_same_counts(call, file):
    first, again = (call("import", file, "--no-flow", "--json") for _ in range(2))
    assert first.json["changed"] is True
    assert first.json["messages"] == {"new": 2, "edited": 0, "same": 0}
    assert first.json["users"] == ["sam"]
    assert first.json["formed"]["by"] == "plan"
    assert first.json["formed"]["why"] == "--no-flow"
    assert first.json["formed"]["units"] == 2
    assert first.json["formed"]["nodes"] > 0
    assert first.json["degraded"][0]["part"] == "embedder"
    assert again.json["changed"] is False
    assert again.json["messages"] == {"new": 0, "edited": 0, "same": 2}
    assert first.error == ""


def test_a_bad_record_is_named_with_its_place_and_the_rest_goes_in(call, file):
    file.write_text(FEW + "no json at all\n", encoding="utf-8")
    told = call("import", file, "--no-flow")
    assert told.code == 0
    assert "2 new messages" in told.out
    assert "1 record could not be used" in told.out
    assert "line 3: " in told.out
    assert "no json at all" not in told.out + told.error


def test_an_edited_message_is_counted(call, file):
    call("import", file, "--no-flow")
    file.write_text(FEW.replace("cello", "viola"), encoding="utf-8")
    assert call("import", file, "--no-flow", "--json").json["messages"] == {"new": 0, "edited": 1, "same": 1}


def test_user_names_the_person_where_the_file_does_not(call, file):
    file.write_text(FEW.replace('"user": "sam", ', ""), encoding="utf-8")
    assert call("import", file, "--no-flow", "--user", "robin", "--json").json["users"] == ["robin"]


@pytest.mark.parametrize(
    ("content", "options", "kind", "word"),
    [
        ("%PDF-1.7", [], "UnreadableFile", "JSON"),
        ("", [], "UnreadableFile", "empty"),
        (None, [], "UnreadableFile", ""),
        (FEW, ["--format", "telegram"], "UnreadableFile", "jsonl"),
        (FEW, ["--format", "word"], "UnknownSetting", "jsonl"),
        (FEW, ["--set", "embedder"], "UnknownSetting", "NAME=VALUE"),
        (FEW, ["--set", "nothing.of_the_sort=1"], "UnknownSetting", "nothing"),
    ],
)
def test_what_cannot_be_imported_is_one_sentence_and_exit_code_2(call, error_of, file, content, options, kind, word):
    if content is None:
        file.unlink()
    else:
        file.write_text(content, encoding="utf-8")
    refused = call("import", file, "--no-flow", "--json", *options)
    assert refused.code == 2
    assert word in error_of(refused)
    assert refused.json["error"]["kind"] == kind
    assert error_of(refused) == f"error: {refused.json['error']['message']}"


def test_the_home_is_the_one_that_was_named_and_no_other(call, file, tmp_path, home):
    named = tmp_path / "named"
    before = call("--home", named, "import", file, "--no-flow", "--json")
    assert before.code == 0
    after = call("import", file, "--no-flow", "--home", tmp_path / "other", "--json")
    assert before.json["messages"] == after.json["messages"] == {"new": 2, "edited": 0, "same": 0}
    assert named.is_dir()
    assert (tmp_path / "other").is_dir()
    assert not home.exists()
    assert list(Path.cwd().iterdir()) == []


def test_where_prefect_is_not_there_the_plan_runs_without_it_and_says_so(call, file, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    told = call("import", file)
    assert told.code == 0
    assert "selfimprint[flows]" in told.out
    assert "Prefect takes no part" in told.error


def test_a_server_that_does_not_come_up_leaves_the_plan_to_run_without_it(call, file, monkeypatch):
    local = pytest.importorskip("flows.local")

    def refuse(*_: object, **__: object) -> None:
        raise local.PrefectUnavailable("its temporary server was not up within 60 s")

    monkeypatch.setattr(local, "run_plan_with_prefect", refuse)
    told = call("import", file, "--json")
    assert told.code == 0
    assert told.json["formed"]["by"] == "plan"
    assert "not up within 60 s" in told.json["formed"]["why"]
    assert told.json["formed"]["nodes"] > 0


def test_an_export_of_two_people_names_both(call, tmp_path):
    sample = {
        "sample_id": "c1",
        "conversation": {
            "speaker_a": "Ida",
            "speaker_b": "Tom",
            "session_1_date_time": "1:00 pm on 3 May, 2023",
            "session_1": [{"speaker": "Ida", "dia_id": "D1:1", "text": "I bake rye bread."}],
        },
    }
    path = tmp_path / "two.json"
    path.write_text(json.dumps([sample]), encoding="utf-8")
    assert call("import", path, "--no-flow", "--json").json["users"] == ["c1:Ida", "c1:Tom"]
