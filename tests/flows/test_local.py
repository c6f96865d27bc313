from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flows import local, prefect_environment
from flows.local import LocalPrefect, PrefectUnavailable, local_prefect
from memory_lib.errors import DependencyDown
from tests.architecture.tree import ROOT

pytestmark = pytest.mark.flows

STARTS_A_SERVER = """
import signal, sys
from pathlib import Path
from flows import local
# whoever runs the tests in the background has Ctrl-C switched off for all below
signal.signal(signal.SIGINT, signal.default_int_handler)
start = local._start
def told(*args):
    child, server = start(*args)
    print(server.pid, flush=True)
    return child, server
local._start = told
with local.local_prefect(Path(sys.argv[1])):
    pass
"""


def parent(home: Path) -> tuple[subprocess.Popen[str], int]:
    """A process that waits for its temporary server to come up, and the server's pid."""
    process = subprocess.Popen(
        [sys.executable, "-c", STARTS_A_SERVER, str(home)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert process.stdout is not None
    return process, int(process.stdout.readline())


def ended_within(seconds: float, pid: int) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        state = Path(f"/proc/{pid}/stat")
        if state.exists() and state.read_text().rpartition(")")[2].split()[0] == "Z":  # dead, and init has not looked yet
            return True
        time.sleep(0.05)
    return False


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=["Ctrl-C", "kill", "kill -9"])
def test_the_server_ends_with_its_parent(tmp_path: Path, number: signal.Signals) -> None:
    process, server = parent(tmp_path)
    time.sleep(1)  # in the midst of starting
    process.send_signal(number)
    assert process.wait(timeout=30) != 0
    assert process.stdout is not None
    process.stdout.close()
    assert ended_within(15, server)


def test_not_up_in_time_is_said_and_nothing_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pids: list[int] = []
    start = local._start

    def told(home: Path, log: Path) -> tuple[subprocess.Popen[bytes], LocalPrefect]:
        child, server = start(home, log)
        pids.append(child.pid)
        return child, server

    monkeypatch.setattr(local, "_start", told)
    with pytest.raises(PrefectUnavailable, match="not up in time"), local_prefect(tmp_path, wait_s=0.0):
        pytest.fail("it cannot be up yet")
    assert ended_within(0.1, pids[0])


def test_a_server_that_cannot_start_is_said_at_once_and_its_words_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "python"
    broken.write_text("#!/bin/sh\necho no room left >&2\nexit 7\n")
    broken.chmod(0o700)
    monkeypatch.setattr(local.sys, "executable", str(broken))
    with pytest.raises(PrefectUnavailable, match="ended with code 7"), local_prefect(tmp_path, wait_s=100.0):
        pytest.fail("nothing was started")
    assert "no room left" in (prefect_environment.prefect_home(tmp_path) / "server.log").read_text()


def test_a_missing_package_is_said_before_anything_is_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local.importlib.util, "find_spec", lambda _name: None)
    with (
        pytest.raises(DependencyDown, match=r"Prefect is not available: it is not installed \(pip install"),
        local_prefect(tmp_path),
    ):
        pytest.fail("it is not installed")
    assert not list(tmp_path.iterdir())


def test_what_a_user_set_for_a_prefect_of_their_own_is_put_aside_and_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_API_KEY", "theirs")
    monkeypatch.setenv("PREFECT_API_URL", "http://127.0.0.1:1/api")
    monkeypatch.setenv("DO_NOT_TRACK", "0")
    before = dict(os.environ)
    values = prefect_environment.client(tmp_path, api_url="http://127.0.0.1:2/api")
    with prefect_environment.environment(values):
        assert "PREFECT_API_KEY" not in os.environ
        assert os.environ["PREFECT_API_URL"] == "http://127.0.0.1:2/api"
        assert os.environ["PREFECT_HOME"] == str(tmp_path / "prefect")
        assert os.environ["DO_NOT_TRACK"] == "1"
    assert dict(os.environ) == before


def test_server_worker_and_client_say_nothing_to_anybody_outside(tmp_path: Path) -> None:
    for values in (
        prefect_environment.temporary_server(tmp_path, port=1),
        prefect_environment.lasting_server(tmp_path, port=1),
        prefect_environment.worker(tmp_path, api_url="http://127.0.0.1:1/api"),
        prefect_environment.client(tmp_path, api_url="http://127.0.0.1:1/api"),
    ):
        assert values["PREFECT_SERVER_ANALYTICS_ENABLED"] == "false"
        assert values["PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT"] == "false"
        assert values["PREFECT_RESULTS_PERSIST_BY_DEFAULT"] == "false"
        assert values["DO_NOT_TRACK"] == "1"
        assert values["PREFECT_HOME"].startswith(str(tmp_path))
    # `--port` alone leaves the UI asking another address
    assert prefect_environment.lasting_server(tmp_path, port=4300)["PREFECT_SERVER_API_PORT"] == "4300"


def test_every_variable_is_one_that_this_prefect_knows(tmp_path: Path, server: LocalPrefect) -> None:
    from prefect.settings.legacy import _get_settings_fields
    from prefect.settings.models.root import Settings

    known = set(_get_settings_fields(Settings))
    values = prefect_environment.temporary_server(tmp_path, port=1) | prefect_environment.lasting_server(tmp_path, port=1)
    values |= prefect_environment.worker(tmp_path, api_url="x") | prefect_environment.client(tmp_path, api_url="x")
    asked = {name for name in values if name.startswith("PREFECT_") and not name.startswith("PREFECT__")}
    assert known >= {"PREFECT_API_URL", "PREFECT_HOME"}
    assert asked - known == {"PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL"}  # a place in Prefect's logging file, no setting
