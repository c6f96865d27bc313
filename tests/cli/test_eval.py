"""``eval retrieval``: the report's keys, where it goes, and that a temporary home leaves nothing behind."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest

KEYS = {"recall@3", "all@3", "by_category", "ci", "handed_over", "bm25", "ms", "config"}
SAMPLE = {
    "sample_id": "c1",
    "conversation": {
        "speaker_a": "Ida",
        "speaker_b": "Tom",
        "session_1_date_time": "1:00 pm on 3 May, 2023",
        "session_1": [
            {"speaker": "Ida", "dia_id": "D1:1", "text": "I bake rye bread every week."},
            {"speaker": "Tom", "dia_id": "D1:2", "text": "My goat ate the newspaper."},
            {"speaker": "Ida", "dia_id": "D1:3", "text": "We fixed the roof in June."},
            {"speaker": "Tom", "dia_id": "D1:4", "text": "The harbour froze over."},
            {"speaker": "Ida", "dia_id": "D1:5", "text": "The train was two hours late."},
        ],
    },
    "qa": [
        {"question": "What did the goat eat?", "evidence": ["D1:2"], "category": 4},
        {"question": "Who bakes rye bread?", "evidence": ["D1:1"], "category": 1},
    ],
}


@pytest.fixture
def data(tmp_path):
    other = json.loads(json.dumps(SAMPLE).replace('"c1"', '"c2"'))
    path = tmp_path / "two.json"
    path.write_text(json.dumps([SAMPLE, other]), encoding="utf-8")
    return f"locomo:{path}"


def test_the_report_goes_to_standard_output_and_the_temporary_home_is_gone(call, data, tmp_path, monkeypatch, home):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    ran = call("eval", "retrieval", "--data", data, "--k", "3", "--json", "-")
    assert ran.code == 0, ran.error
    assert set(ran.json) == KEYS
    assert ran.json["recall@3"] == 1.0
    assert ran.json["config"]["questions"] == 4
    assert ran.json["config"]["stores"] == 2
    assert ran.json["config"]["degraded"]
    assert not list((tmp_path / "temporary").iterdir())
    assert not home.exists()


def test_the_report_goes_to_a_file_and_people_get_a_table(call, data, tmp_path):
    out = tmp_path / "report.json"
    ran = call("eval", "retrieval", "--data", data, "--k", "3", "--json", out, "--limit", "1", "--home", tmp_path / "kept")
    assert ran.code == 0, ran.error
    report = json.loads(out.read_text(encoding="utf-8"))
    assert set(report) == KEYS
    assert report["config"]["questions"] == 2
    assert "recall@3" in ran.out
    assert "single-hop" in ran.out
    assert (tmp_path / "kept").is_dir()


def test_an_ablation_is_on_record(call, data):
    ran = call(
        "eval",
        "retrieval",
        "--data",
        data,
        "--limit",
        "1",
        "--json",
        "-",
        "--set",
        "lexical_weight=0",
        "--set",
        "edges=untyped",
    )
    assert ran.code == 0, ran.error
    assert ran.json["config"]["set"] == {"lexical_weight": "0", "edges": "untyped"}


@pytest.mark.parametrize("data", ["nothing:x", "locomo", "locomo:/no/such/file.json", "longmemeval:"])
def test_data_that_are_not_there_are_one_sentence(call, error_of, data):
    refused = call("eval", "retrieval", "--data", data, "--json", "-")
    assert refused.code == 2
    assert error_of(refused)
    assert "error" in refused.json


def test_the_report_needs_a_file_that_can_be_written(call, error_of, data, tmp_path):
    refused = call("eval", "retrieval", "--data", data, "--limit", "1", "--json", tmp_path / "no" / "folder.json")
    assert refused.code == 2
    assert "--json" in error_of(refused)


def test_eval_alone_shows_its_help(call):
    ran = call("eval")
    assert ran.code == 0
    assert "retrieval" in ran.out
    assert Path.cwd().exists()
