"""Pictures of people's graphs as files, named so that any file system takes them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memory_lib.errors import InvalidInput

_UNSAFE = re.compile(r"[^\w.-]+")
NAME_CHARS = 60


def write_pictures(show: Mapping[str, Any], out: Path, *, ident: str) -> tuple[Path, Path]:
    """The SVG and the page of one person in ``out``. ``ident``: the internal id, part of the name where the person's own cannot
    be a file's name as it is, so that no two people meet in one file.

    Raises:
        InvalidInput: the folder cannot be written.
    """
    from selfimprint.pictures.graph_html import graph_html  # noqa: PLC0415 - networkx, only for who draws
    from selfimprint.pictures.graph_svg import graph_svg  # noqa: PLC0415

    stem = file_stem(show["user"], ident=ident)
    picture, page = out / f"{stem}.svg", out / f"{stem}.html"
    try:
        out.mkdir(parents=True, exist_ok=True)
        picture.write_text(graph_svg(show), encoding="utf-8")
        page.write_text(graph_html(show), encoding="utf-8")
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise InvalidInput(f"pictures cannot be written to {out} ({reason}); choose another folder with --out") from None
    return picture, page


def file_stem(user: str, *, ident: str) -> str:
    """A file name without its ending: the person's own name where it is plain, else with the beginning of ``ident``."""
    printable = user.encode("utf-8", "replace").decode("utf-8")
    safe = _UNSAFE.sub("_", printable).strip("._")[:NAME_CHARS]
    return safe if safe == user and user.lower() == user else f"{safe or 'person'}-{ident[:6]}"
