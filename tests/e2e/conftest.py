"""The warm process, shared by the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.erasing import Filled, evidence_of, fill
from tests.e2e.warm_process import WarmProcess
from tests.services import require


@pytest.fixture(scope="session")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WarmProcess]:
    with WarmProcess(tmp_path_factory.mktemp("warm")) as process:
        yield process


@pytest.fixture(scope="session")
def prefect(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[WarmProcess, dict[str, Any]]]:
    """A temporary Prefect server, and a warm process whose children walk flows against it."""
    require("flows")
    from flows.local import local_prefect

    folder = tmp_path_factory.mktemp("prefect")
    with local_prefect(folder, wait_s=150.0) as server, WarmProcess(folder / "warm", preload=["flows.in_process"]) as process:
        yield process, {"home": str(server.home), "port": server.port, "pid": server.pid, "log": str(server.log)}


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Filled:
    """Two people, and of each something in every place."""
    folder = tmp_path_factory.mktemp("filled")
    user = fill(folder / "home", folder)
    evidence = evidence_of(folder / "home", user)
    assert len(evidence.traces) > 100
    return Filled(folder / "home", user, evidence)
