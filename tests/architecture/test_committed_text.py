"""What may not stand in any committed file: one machine's paths, registry addresses, and private data."""

from __future__ import annotations

import re
import stat

import pytest

from tests.architecture.tree import ROOT, tracked_files

# Written apart so that this file does not find itself.
MACHINE_PATH = re.compile(
    r"(?<![\w.:/~$}-])/("
    + "|".join(["wo" + "rk", "ro" + "ot", "fa" + "rm", "home/" + r"\w", "Users/" + r"\w", "tm" + r"p/[\w-]"])
    + r")[\w/.-]*"
)
REGISTRY = re.compile(
    "|".join(
        [
            "index" + "-url",
            "extra-" + "index",
            "find-" + "links",
            "python" + "hosted",
            "pypi" + r"\.org",
            "registry" + r"\.npmjs",
            "repo1" + r"\.maven",
        ]
    )
)
BIGGEST = 8 * 1024 * 1024


def texts() -> list[tuple[str, str]]:
    found = []
    for path in tracked_files():
        data = (ROOT / path).read_bytes()
        if b"\0" not in data[:8192]:
            found.append((path.as_posix(), data.decode("utf-8")))
    return found


def lines_with(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{name}:{number} {match.group()}"
        for name, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if (match := pattern.search(line))
    ]


def test_no_path_of_one_machine() -> None:
    assert not lines_with(MACHINE_PATH)


def test_no_registry_address() -> None:
    assert not lines_with(REGISTRY)


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("see /wo" + "rk/main/x.py", True),
        ("cd /ro" + "ot", True),
        ("open('/tm" + "p/lab')", True),
        ("/home/" + "anya/.config", True),
        ("GET /memory/home/work HTTP/1.1", False),
        ("https://example.org/work/item", False),
        ("tmp_path / 'home'", False),
        ("~/.local/share/selfimprint", False),
    ],
)
def test_a_machine_path_is_told_from_other_slashes(line: str, named: bool) -> None:
    assert bool(MACHINE_PATH.search(line)) is named


def test_no_file_is_too_big_to_clone() -> None:
    found = [f"{path} {size}" for path in tracked_files() if (size := (ROOT / path).stat().st_size) > BIGGEST]
    assert not found


def test_scripts_can_be_run() -> None:
    found = [
        str(path)
        for path in tracked_files()
        if (ROOT / path).read_bytes()[:2] == b"#!" and not (ROOT / path).stat().st_mode & stat.S_IXUSR
    ]
    assert not found, f"chmod +x: {found}"
