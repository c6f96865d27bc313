"""docs/map.md leads from each rule to its file and its test; here nothing it names may be gone, and nothing may be left out."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.architecture.tree import ROOT, modules, parsed
from tests.docs.blocks import text_of

MAP = Path("docs/map.md")


@dataclass(frozen=True, slots=True)
class Row:
    line: int
    rule: str
    files: tuple[str, ...]
    tests: tuple[str, ...]


def rows() -> list[Row]:
    found = []
    for number, line in enumerate(text_of(MAP).splitlines(), 1):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and "`" in line:
            files, tests = (tuple(re.findall(r"`([^`]+)`", cell)) for cell in cells[1:])
            found.append(Row(number, cells[0], files, tests))
    return found


def functions_in(path: Path) -> set[str]:
    return {
        node.name for node in ast.walk(parsed(path)) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }


def test_each_row_names_a_rule_a_file_and_a_test() -> None:
    assert rows()
    assert not [row for row in rows() if not (row.rule and row.files and row.tests)]


@pytest.mark.parametrize("row", rows(), ids=lambda row: f"{MAP}:{row.line}")
def test_what_a_row_names_is_there(row: Row) -> None:
    gone = [name for name in row.files if not (ROOT / name).exists()]
    for name in row.tests:
        file, _, test = name.partition("::")
        if not (ROOT / file).exists() or (test and test not in functions_in(Path(file))):
            gone.append(name)
    assert not gone


def test_every_policy_is_on_the_map() -> None:
    named = {name for row in rows() for name in row.files}
    left_out = [
        path.as_posix()
        for path in modules("memory_lib/policies")
        if path.stem != "__init__"
        and not any(path.as_posix() == name or path.as_posix().startswith(f"{name.rstrip('/')}/") for name in named)
    ]
    assert not left_out
