"""Every way a command can end: a sentence on standard error, a kind in JSON, the documented code, never a trace."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time

import pytest

from memory_lib import errors
from selfimprint.cli.failures import Terminated, failure_of
from tests.architecture.tree import ROOT

KINDS = [
    (errors.InvalidInput("x"), 2),
    (errors.UnreadableFile("x"), 2),
    (errors.AmbiguousOwner("x"), 2),
    (errors.StoreBusy("x"), 4),
    (errors.DependencyDown("embedder", "it is off"), 4),
    (errors.LeaseLost(token=1, highest=2), 4),
    (errors.SealBroken("x"), 5),
    (errors.KeyMissing("x"), 5),
    (errors.SchemaMismatch("x"), 5),
    (errors.MissingExtra("prefect", "flows"), 5),
]


def raising(monkeypatch, error):
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("selfimprint.cli.show.opened", fail)


@pytest.mark.parametrize(("error", "code"), KINDS, ids=lambda value: type(value).__name__)
def test_each_kind_of_error_has_its_exit_code(call, error_of, monkeypatch, error, code):
    raising(monkeypatch, error)
    failed = call("show", "--all", "--json")
    assert failed.code == code
    assert failed.json == {"error": {"kind": type(error).__name__, "message": str(error)}}
    assert error_of(failed) == f"error: {error}"
    silent = call("show", "--all")
    assert silent.out == ""
    assert silent.code == code


def test_the_unexpected_is_one_sentence_without_its_words(call, error_of, monkeypatch):
    raising(monkeypatch, RuntimeError("Вера сказала, что уходит"))
    failed = call("show", "--all", "--json")
    assert failed.code == 1
    assert failed.json["error"]["kind"] == "Unexpected"
    assert "RuntimeError" in error_of(failed)
    assert "SELFIMPRINT_DEBUG=1" in error_of(failed)
    assert "Вера" not in failed.error + failed.out


def test_debug_shows_the_trace(call, monkeypatch):
    raising(monkeypatch, RuntimeError("here"))
    failed = call("show", "--all", SELFIMPRINT_DEBUG="1")
    assert failed.code == 1
    assert "Traceback" in failed.error


@pytest.mark.parametrize(
    ("error", "code"),
    [(KeyboardInterrupt(), 130), (Terminated(), 143), (type("TerminationSignal", (BaseException,), {})(), 143)],
)
def test_an_interruption_says_that_nothing_is_lost(call, error_of, monkeypatch, error, code):
    raising(monkeypatch, error)
    stopped = call("show", "--all")
    assert stopped.code == code
    assert "go" in error_of(stopped)


def test_a_reader_that_leaves_is_no_error(made):
    with subprocess.Popen(
        [sys.executable, "-m", "selfimprint.cli.main", "show", "--all", "--json", "--home", str(made)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as ran:
        assert ran.stdout is not None
        assert ran.stderr is not None
        ran.stdout.close()
        assert ran.stderr.read() == b""
        assert ran.wait(60) == 141


def test_a_home_that_is_a_file_is_named(call, error_of, tmp_path):
    (tmp_path / "file").write_text("x")
    refused = call("import", tmp_path / "file", "--home", tmp_path / "file", "--no-flow")
    assert refused.code == 2
    assert "--home" in error_of(refused)


def test_every_error_of_the_tree_keeps_its_code():
    assert failure_of(errors.UnknownNode("x")).code == 2
    assert {cls.exit_code for cls in errors.Transient.__subclasses__()} == {4}
    assert {cls.exit_code for cls in errors.Permanent.__subclasses__()} == {5}


def test_help_and_version(call):
    for arguments in ([], ["--help"], ["-h"]):
        ran = call(*arguments)
        assert ran.code == 0
        assert "quarantine" in ran.out
    assert call("--version").out.startswith("selfimprint ")
    assert call("ask", "--help").code == 0


def test_help_loads_nothing_that_a_command_needs():
    program = (
        "import json, sys; from selfimprint.cli import main; main.app(['--help'], standalone_mode=False); "
        "print(json.dumps(sorted(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60)
    loaded = set(json.loads(done.stderr.splitlines()[-1]))
    assert not loaded & {"numpy", "sqlalchemy", "pydantic", "rich", "prefect", "memory_lib.bootstrap", "memory_lib.settings"}


def test_a_terminal_that_is_not_utf_8_gets_escapes_and_no_error(made):
    environment = os.environ | {
        "PYTHONIOENCODING": "ascii",
        "PYTHONPATH": str(ROOT),
        "SELFIMPRINT_EMBEDDER": "off",
        "TERM": "dumb",
    }
    run = [sys.executable, "-m", "selfimprint.cli.main"]
    started = time.monotonic()
    asked = subprocess.run(
        [*run, "show", "--user", "vera", "--home", made, "--json"],
        env=environment,
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert asked.returncode == 0, asked.stderr
    nodes = json.loads(asked.stdout.decode("ascii"))["nodes"]
    assert any("Омске" in node["content"] for node in nodes)
    told = subprocess.run(
        [*run, "show", "--all", "--home", made], env=environment, capture_output=True, check=False, timeout=60
    )
    assert told.returncode == 0, told.stderr
    assert b"\\u041e" in told.stdout
    assert b"* pinned" in told.stdout
    assert time.monotonic() - started < 60
