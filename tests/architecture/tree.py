"""The repository as data: which files it holds, and what each module imports."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WHEEL = ("memory_lib", "selfimprint")
REPOSITORY = ("flows", "tasks", "deployments")
SHIPPED = (*WHEEL, *REPOSITORY)
FIRST_PARTY = frozenset({*SHIPPED, "training", "infra", "tests"})


@cache
def tracked_files() -> tuple[Path, ...]:
    """Every file that is committed or would be (new files that .gitignore lets through), relative to the root."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True
    )
    names = sorted(set(listed.stdout.decode().split("\0")) - {""})
    return tuple(Path(name) for name in names if (ROOT / name).is_file())


def modules(*packages: str) -> tuple[Path, ...]:
    """Python files of these packages (``"memory_lib/policies"`` works too), relative to the root."""
    return tuple(
        path
        for path in tracked_files()
        if path.suffix == ".py" and path.as_posix().startswith(tuple(f"{p}/" for p in packages))
    )


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse((ROOT / path).read_text(encoding="utf-8"), filename=str(path))


@dataclass(frozen=True, slots=True)
class Import:
    """One imported module: ``from a import b`` is ``a`` with ``name`` b. ``lazy`` = inside a function."""

    module: str
    name: str
    line: int
    typing_only: bool
    lazy: bool

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]

    @property
    def full(self) -> str:
        return f"{self.module}.{self.name}" if self.name else self.module

    @property
    def standard(self) -> bool:
        return self.top in sys.stdlib_module_names


@cache
def imports(path: Path) -> tuple[Import, ...]:
    """Import statements anywhere in the file, and ``importlib.import_module`` of a literal name."""
    return tuple(_imports(parsed(path), package=".".join(path.parent.parts), typing_only=False, lazy=False))


def _imports(node: ast.AST, *, package: str, typing_only: bool, lazy: bool) -> Iterator[Import]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield Import(alias.name, "", node.lineno, typing_only, lazy)
    elif isinstance(node, ast.ImportFrom):
        above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        for alias in node.names:
            yield Import(".".join([*above, *filter(None, [node.module])]), alias.name, node.lineno, typing_only, lazy)
    elif (
        isinstance(node, ast.Call)
        and ast.unparse(node.func).endswith("import_module")
        and isinstance(node.args[0], ast.Constant)
    ):
        yield Import(str(node.args[0].value), "", node.lineno, typing_only, lazy)
    lazy = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    guard = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
    for child in ast.iter_child_nodes(node):
        yield from _imports(child, package=package, typing_only=typing_only or (guard and child in node.body), lazy=lazy)


def words_said(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Identifiers and string constants of a module, docstrings left out: what the code itself names."""
    docstrings = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and node.body
        and isinstance(node.body[0], ast.Expr)
        and isinstance(node.body[0].value, ast.Constant)
    }
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        if isinstance(node, ast.Name):
            yield line, node.id
        elif isinstance(node, ast.Attribute):
            yield line, node.attr
        elif isinstance(node, ast.arg):
            yield line, node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield line, node.name
        elif isinstance(node, ast.keyword) and node.arg:
            yield line, node.arg
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docstrings:
            yield line, node.value
