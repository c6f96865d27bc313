"""How adapters keep files: for their owner alone, whole or not there, on disk before anybody relies on them."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Final

OWNER_FILE: Final = 0o600
OWNER_FOLDER: Final = 0o700
TEMPORARY: Final = ".tmp"
"""The end of the name of what is being written; beside its place, so that a rename is one step."""


def sync(path: Path) -> None:
    """What was written to a file, or which names are in a folder, survives the machine's end."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(folder: Path) -> None:
    """The folder and those missing above it, each for its owner alone; on disk before anything is put into it."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(mode=OWNER_FOLDER, exist_ok=True)
        sync(folder.parent)


def new_file(path: Path) -> int:
    """A descriptor of a file that was not there, for its owner alone. Raises FileExistsError, for a link's name too."""
    return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, OWNER_FILE)


@contextmanager
def rewritten(path: Path) -> Iterator[BinaryIO]:
    """What is written inside takes the place of ``path`` in one step at the end, and leaves nothing where anything fails. The
    name itself is durable after ``sync`` of the folder.
    """
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(8)}{TEMPORARY}")
    try:
        with os.fdopen(new_file(temporary), "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
