"""What conftest promises to every other test."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest
from pytest_socket import SocketConnectBlockedError


def test_only_this_machine_is_reached() -> None:
    with socket.socket() as outside, pytest.raises(SocketConnectBlockedError):
        outside.connect(("192.0.2.1", 80))
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname(), timeout=5):
        pass


def test_each_test_has_a_home_of_its_own(home: Path, tmp_path: Path) -> None:
    assert os.environ["SELFIMPRINT_HOME"] == str(home)
    assert home.parent == tmp_path
    assert not home.exists()


def test_the_users_own_home_is_out_of_reach(nobodys_home: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    assert Path.home() == nobodys_home
    assert all(Path(os.environ[name]).is_relative_to(nobodys_home) for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"))
    # the server that the tests of flows share has a home among pytest's own temporary folders
    prefect = Path(os.environ["PREFECT_HOME"])
    assert prefect.is_relative_to(nobodys_home) or prefect.is_relative_to(tmp_path_factory.getbasetemp())
