"""``erase``, ``export``, ``import-user``, ``restore``, ``disclose``, ``peek`` as they are called."""

from __future__ import annotations

import json
import shutil
import stat
import zipfile
from pathlib import Path

import pytest

from memory_lib.bootstrap import open_memory
from memory_lib.operations.bench import Asked
from memory_lib.operations.restore import restore
from memory_lib.settings import Settings


def shown(call, home, user="vera"):
    return call("show", "--home", home, "--user", user, "--json").json


def test_without_apply_erase_counts_and_changes_nothing(call, own):
    dry = call("erase", "--home", own, "--user", "vera", "--json")
    assert dry.code == 0, dry.error
    assert dry.json["applied"] is False
    assert dry.json["counts"]["ledger"]["messages"] == 6
    told = call("erase", "--home", own, "--user", "vera")
    assert "--apply" in told.out
    assert shown(call, own)["nodes"]


def test_erase_leaves_nothing_and_says_so_to_whoever_asks_again(call, own):
    before = shown(call, own, "sam")
    user = call("erase", "--home", own, "--user", "vera", "--json").json["user"]
    done = call("erase", "--home", own, "--user", "vera", "--apply", "--json")
    assert done.code == 0, done.error
    assert (done.json["user"], done.json["applied"]) == (None, True)
    assert done.json["signature"]
    assert call("show", "--home", own, "--user", "vera").code == 2
    assert shown(call, own, "sam") == before
    assert call("erase", "--home", own, "--user", "vera").code == 2
    again = call("erase", "--home", own, "--user", user, "--apply", "--json")
    assert again.json["id"] == done.json["id"]
    assert "Erased" in call("erase", "--home", own, "--user", user, "--apply").out


def test_export_and_import_user_bring_the_same_person_to_another_home(call, own, tmp_path):
    dry = call("export", "--home", own, "--user", "vera", "--json")
    assert (dry.code, dry.json["applied"]) == (0, False)
    assert not list(Path().rglob("*.zip"))
    out = tmp_path / "vera.zip"
    done = call("export", "--home", own, "--user", "vera", "--out", out, "--apply", "--json")
    assert done.code == 0, done.error
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    assert {"memory.md", "memory.json", "messages.jsonl"} <= set(zipfile.ZipFile(out).namelist())
    key = done.json["archive_key"]
    other = tmp_path / "other"
    (other / "keys").mkdir(parents=True, mode=0o700)
    shutil.copy2(own / "keys" / "id.key", other / "keys" / "id.key")
    told = call("import-user", out, "--key", key, "--home", other)
    assert told.code == 0, told.error
    assert "--apply" in told.out
    taken = call("import-user", out, "--key", "-", "--home", other, "--apply", "--json", typed=key + "\n")
    assert taken.code == 0, taken.error
    assert taken.json["applied"] is True
    assert shown(call, other) == shown(call, own)
    again = call("import-user", out, "--key", key, "--home", other, "--apply")
    assert again.code == 0
    assert "already" in again.out
    renamed = call("import-user", out, "--key", key, "--as", "wera", "--home", other, "--apply")
    assert renamed.code == 0, renamed.error
    assert {**shown(call, other, "wera"), "user": "vera"} == shown(call, own)


def test_export_writes_beside_nothing_and_over_nothing(call, own):
    done = call("export", "--home", own, "--user", "sam", "--apply")
    assert done.code == 0, done.error
    (path,) = Path("out").glob("export-*.zip")
    assert str(path) in done.out
    assert call("export", "--home", own, "--user", "sam", "--apply").code == 2


def test_a_refused_import_ends_with_an_error_code(call, own, tmp_path):
    out = tmp_path / "vera.zip"
    key = call("export", "--home", own, "--user", "vera", "--out", out, "--apply", "--json").json["archive_key"]
    foreign = call("import-user", out, "--key", key, "--home", tmp_path / "foreign", "--apply", "--json")
    assert foreign.code == 2
    assert foreign.json["refused"] == "other_id_key"
    wrong = call("import-user", out, "--key", key[:-1] + ("0" if key[-1] != "0" else "1"), "--home", own)
    assert wrong.code == 5


@pytest.mark.parametrize("option", [(), ("--from",)])
def test_restore_from_a_copy_of_the_home(call, own, tmp_path, option):
    backup = Path(shutil.copytree(own, tmp_path / "backup"))
    before = shown(call, own)
    empty = tmp_path / "empty"
    shutil.copytree(own / "keys", empty / "keys")
    dry = call("restore", *option, backup, "--user", "vera", "--home", empty, "--json")
    assert dry.code == 0, dry.error
    assert dry.json["counts"]["ledger"]["messages"] == 6
    assert call("show", "--home", empty, "--user", "vera").code == 2
    done = call("restore", *option, backup, "--user", "vera", "--home", empty, "--apply")
    assert done.code == 0, done.error
    assert "Restored" in done.out
    assert shown(call, empty) == before


def test_a_dry_restore_leaves_the_request_that_a_form_takes(call, own, tmp_path):
    backup = Path(shutil.copytree(own, tmp_path / "backup"))
    dry = call("restore", backup, "--user", "vera", "--home", own, "--json")
    assert dry.code == 0, dry.error
    (request,) = dry.json["ids"]["request"]
    with open_memory(settings=Settings.load(home=own, overrides={"embedder": "off"})) as memory:
        asked = Asked(request=request)
        receipt = restore(memory.ops, memory.user_id("vera"), asked, lambda _count: None)
    assert (receipt.refused, receipt.counts) == (None, dry.json["counts"])
    assert "form" in call("restore", backup, "--user", "vera", "--home", own).out


def test_who_was_erased_is_not_restored(call, own, tmp_path):
    backup = Path(shutil.copytree(own, tmp_path / "backup"))
    assert call("erase", "--home", own, "--user", "vera", "--apply").code == 0
    refused = call("restore", backup, "--user", "vera", "--home", own, "--apply", "--json")
    assert refused.code == 2
    assert refused.json["refused"] == "erased"
    told = call("restore", backup, "--user", "vera", "--home", own, "--apply")
    assert "erased" in told.out


def test_peek_shows_one_thing_for_a_reason(call, own):
    node = next(each for each in shown(call, own)["nodes"] if each["sources"])
    looked = call("peek", "--home", own, "--user", "vera", "--node", node["id"][:10], "--reason", "жалоба", "--json")
    assert looked.code == 0, looked.error
    assert looked.json["shown"]["content"] == node["content"]
    message = node["sources"][0]["message"]
    said = call("peek", "--home", own, "--user", "vera", "--message", message, "--reason", "жалоба")
    assert said.code == 0
    assert node["sources"][0]["quote"] in said.out
    assert call("peek", "--home", own, "--user", "vera", "--node", node["id"], "--reason", " ").code == 2
    assert call("peek", "--home", own, "--user", "vera", "--node", "ffffffffff", "--reason", "x").code == 2
    assert call("peek", "--home", own, "--user", "vera", "--reason", "x").code == 2


def test_disclose_is_asked_for_by_one_and_approved_by_another(call, own):
    node = shown(call, own)["nodes"][0]["id"]
    asked = ("--user", "vera", "--home", own, "--basis", "court_order", "--node", node)
    dry = call("disclose", *asked, "--operator", "olga", "--reviewer", "pavel", "--json")
    assert dry.code == 0, dry.error
    assert "items" not in dry.json
    assert dry.json["ids"]["nodes"] == [node]
    request = ("--user", "vera", "--home", own, "--request", dry.json["request"])
    own_review = call("disclose", *request, "--operator", "olga", "--apply", "--json")
    assert (own_review.code, own_review.json["refused"]) == (2, "other_reviewer")
    done = call("disclose", *request, "--operator", "pavel", "--apply", "--json")
    assert done.code == 0, done.error
    assert [each["id"] for each in done.json["items"]["nodes"]] == [node]
    assert call("disclose", *asked, "--operator", "olga", "--reviewer", "olga", "--apply", "--json").code == 2
    at_once = call("disclose", *asked, "--operator", "olga", "--reviewer", "pavel", "--apply", "--out", "items.json")
    assert at_once.code == 0, at_once.error
    assert json.loads(Path("items.json").read_text(encoding="utf-8"))["nodes"][0]["id"] == node


def test_where_operators_are_named_others_are_refused(call, own):
    named = {"SELFIMPRINT_OPERATORS": '["olga", "pavel"]'}
    node = shown(call, own)["nodes"][0]["id"]
    stranger = call("peek", "--home", own, "--user", "vera", "--node", node, "--reason", "x", "--operator", "ivan", **named)
    assert stranger.code == 2
    assert call("erase", "--home", own, "--user", "vera", "--apply", **named).code == 2
    assert call("erase", "--home", own, "--user", "vera", **named).code == 0
    asked = ("--user", "vera", "--home", own, "--basis", "warrant", "--node", node, "--operator", "olga", "--reviewer", "pavel")
    at_once = call("disclose", *asked, "--apply", **named)
    assert at_once.code == 2
    assert "--request" in at_once.error


def test_the_key_of_an_export_is_asked_for_where_it_is_not_given(call, own, tmp_path):
    out = tmp_path / "vera.zip"
    key = call("export", "--home", own, "--user", "vera", "--out", out, "--apply", "--json").json["archive_key"]
    taken = call("import-user", out, "--home", own, typed=key + "\n")
    assert taken.code == 0, taken.error
    assert "already" in taken.out
    assert key not in taken.out + taken.error
