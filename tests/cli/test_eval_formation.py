"""``eval formation``: the report's keys, the table for people, and what is refused."""

from __future__ import annotations

import json

import pytest

FIGURE = {"measured", "n", "ci", "offline", "asked", "at_most", "holds", "note"}


@pytest.fixture
def data(tmp_path):
    folder = tmp_path / "sets" / "duckling_time"
    folder.mkdir(parents=True)
    row = {"text": "завтра", "value": "datetime (2013, 2, 13, 0, 0, 0) Day"}
    (folder / "RU_time_dev.jsonl").write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    return tmp_path / "sets"


def test_the_report_goes_to_standard_output_and_no_home_is_made(call, data, home):
    ran = call("eval", "formation", "--data", data, "--part", "dates", "--part", "worth", "--json", "-")
    assert ran.code == 0, ran.error
    assert set(ran.json) == {"figures", "seconds", "config"}
    assert ran.json["figures"]["dates.ru.grain"]["measured"] == 1.0
    assert all(set(figure) == FIGURE for figure in ran.json["figures"].values())
    assert ran.json["config"]["heads"]
    assert not home.exists()


def test_the_report_goes_to_a_file_and_people_get_a_table(call, data, tmp_path):
    out = tmp_path / "report.json"
    ran = call("eval", "formation", "--data", data, "--part", "dates", "--json", out)
    assert ran.code == 0, ran.error
    assert "dates.ru.grain" in ran.out
    assert "holds" in ran.out
    assert json.loads(out.read_text(encoding="utf-8"))["figures"]["dates.ru.grain"]["n"] == 1


def test_an_unknown_part_a_missing_folder_and_an_empty_one_are_refused(call, data, tmp_path):
    unknown = call("eval", "formation", "--data", data, "--part", "poetry")
    assert unknown.code == 2
    assert "dates" in unknown.error
    assert call("eval", "formation", "--data", tmp_path / "nowhere").code == 2
    empty = tmp_path / "empty"
    empty.mkdir()
    refused = call("eval", "formation", "--data", empty)
    assert refused.code == 2
    assert "none of the data sets" in refused.error
