from __future__ import annotations

import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from memory_lib.adapters.sqlite.file_lock import file_lock
from memory_lib.errors import StoreBusy


def test_one_holder_at_a_time_also_within_a_process(tmp_path):
    path = str(tmp_path / "a.db")
    with file_lock(path, timeout_s=1), pytest.raises(StoreBusy), file_lock(path, timeout_s=0.02):
        pass
    with file_lock(path, timeout_s=0.02):
        assert Path(f"{path}.lock").stat().st_mode & 0o777 == 0o600


def test_the_lock_is_given_back_when_the_work_fails(tmp_path):
    path = str(tmp_path / "a.db")
    with pytest.raises(ZeroDivisionError), file_lock(path, timeout_s=1):
        raise ZeroDivisionError
    with file_lock(path, timeout_s=0.02):
        pass


def test_who_waits_for_a_lock_that_is_taken_away_waits_for_the_new_one(tmp_path):
    path = str(tmp_path / "a.db")
    inside = threading.Event()
    order: list[str] = []

    def waiter():
        with file_lock(path, timeout_s=5):
            order.append("waiter")
            inside.set()

    thread = threading.Thread(target=waiter)
    with ExitStack() as newcomer:
        with file_lock(path, timeout_s=1):
            thread.start()
            assert not inside.wait(0.05)
            Path(f"{path}.lock").unlink()  # as an erasure does
            newcomer.enter_context(file_lock(path, timeout_s=1))
        # what the waiter gets now, at most, is a file without a name
        assert not inside.wait(0.1)
        order.append("newcomer")
    assert inside.wait(5)
    thread.join()
    assert order == ["newcomer", "waiter"]
