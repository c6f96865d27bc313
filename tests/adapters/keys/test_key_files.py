from __future__ import annotations

import pytest

from memory_lib.adapters.keys import key_files


def test_the_first_of_two_makers_wins(tmp_path):
    path = tmp_path / "key"
    assert key_files.create_exclusively(path, b"first")
    assert not key_files.create_exclusively(path, b"second")
    assert path.read_bytes() == b"first"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("call", ["write", "fsync", "link"])
def test_a_maker_that_fails_half_way_leaves_no_file(tmp_path, monkeypatch, call):
    def fail(*_arguments):
        raise OSError("planted")

    monkeypatch.setattr(key_files.os, call, fail)
    with pytest.raises(OSError, match="planted"):
        key_files.create_exclusively(tmp_path / "key", b"first")
    monkeypatch.undo()
    assert list(tmp_path.iterdir()) == []
    assert key_files.read_secret(tmp_path / "key") is None
