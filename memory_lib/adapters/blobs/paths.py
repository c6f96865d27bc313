"""Which paths blobs may have: ids and numbers, never a person's word and never a way out of the store."""

from __future__ import annotations

import re
from typing import Final

from memory_lib.errors import IllegalValue

_SEGMENT: Final = re.compile(r"[a-z0-9._-]+")


def checked_path(path: str) -> str:
    """``path`` itself.

    Raises:
        IllegalValue: not relative, or a part of it is empty, ``.``, ``..``, or has another character than ``a-z0-9._-``.
    """
    if all(_SEGMENT.fullmatch(part) and part.strip(".") for part in path.split("/")):
        return path
    raise IllegalValue("a blob's path must be parts of a-z, 0-9, '.', '_' and '-' between slashes")


def checked_prefix(prefix: str) -> str:
    """``prefix`` itself: nothing, or the beginning of a path.

    Raises:
        IllegalValue: as ``checked_path``.
    """
    if prefix:
        checked_path(prefix.removesuffix("/"))
    return prefix
