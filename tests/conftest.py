"""What holds for every test: a home of its own, no network but this machine, and the rule for what a machine lacks."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import hypothesis.configuration
import pytest

from tests import servers
from tests.services import SERVICES, require

pytest_plugins = ["pytester"]

ROOT = Path(__file__).resolve().parent.parent

# Same examples on every run in CI, so that a failure there is a failure everywhere; elsewhere chance goes on looking.
hypothesis.configuration.set_hypothesis_home_dir(ROOT / ".cache" / "hypothesis")
hypothesis.settings.register_profile("local", deadline=None)
hypothesis.settings.register_profile("fast", deadline=None, max_examples=20, derandomize=True)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_configure(config: pytest.Config) -> None:
    for service in SERVICES.values():
        config.addinivalue_line("markers", f"{service.name}: needs {service.what}")
    config.pluginmanager.register(servers, "servers")


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    for name in SERVICES:
        if item.get_closest_marker(name):
            require(name)


@pytest.fixture(name="require", scope="session")
def require_fixture() -> Callable[[str], None]:
    """``require("flows")`` inside a test or fixture, where a marker would skip too much."""
    return require


@pytest.fixture(scope="session", autouse=True)
def nobodys_home() -> Iterator[Path]:
    """Whatever the machine's user has in their home is neither read nor written: HOME and XDG folders are temporary."""
    with (
        tempfile.TemporaryDirectory(prefix="selfimprint-tests-", ignore_cleanup_errors=True) as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        home = Path(folder)
        patch.setenv("HOME", str(home))
        for name, place in (
            ("XDG_DATA_HOME", ".local/share"),
            ("XDG_CONFIG_HOME", ".config"),
            ("XDG_CACHE_HOME", ".cache"),
            ("XDG_STATE_HOME", ".local/state"),
            ("PREFECT_HOME", ".prefect"),
        ):
            patch.setenv(name, str(home / place))
        for name in [name for name in os.environ if name.startswith("SELFIMPRINT_") and name != "SELFIMPRINT_REQUIRE"]:
            patch.delenv(name)
        patch.setenv("SELFIMPRINT_HOME", str(home / "selfimprint"))
        patch.setenv("PREFECT_SERVER_ANALYTICS_ENABLED", "false")
        patch.setenv("DO_NOT_TRACK", "1")
        yield home


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """This test's own SELFIMPRINT_HOME (not made yet)."""
    place = tmp_path / "home"
    monkeypatch.setenv("SELFIMPRINT_HOME", str(place))
    return place
